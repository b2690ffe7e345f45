import type { NotedAlert } from "../../../src/core/alerts/alert.ts";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { LIMITS } from "../../support/limits.ts";
import { lobbyIndex, ticketNumber, type TicketNumber } from "../../../src/core/ids.ts";
import type {
  Batch,
  BatchAnswer,
  Command,
  LiveVisit,
  Op,
  OpReply,
  Place,
} from "../../../src/core/room/commands.ts";
import type { HistoryCount } from "../../../src/core/room/history.ts";
import { MemoryRoomStore } from "../../../src/core/room/memory-store.ts";
import { restoreRoom, type RoomState } from "../../../src/core/room/state.ts";
import { step, type RoomOutcome, type RoomReplies } from "../../../src/core/room/step.ts";
import type { RoomStore, StoredRoomChange } from "../../../src/core/room/stored.ts";
import { placeOf } from "../../../src/core/room/tickets.ts";
import type { RoomSnapshot, SnapshotVersion } from "../../../src/core/snapshot.ts";
import { instant } from "../../../src/core/time.ts";

export const JOIN: Op = { op: "join", address: null };

/** A room on a clock of the test's own, with a store that survives `crash()`. */
export class World {
  now = 1_800_000_000_000;
  readonly store: RoomStore;
  state: RoomState;
  last: RoomOutcome<unknown> | null = null;
  /** What the Registry was told, and may have been told again. Null: it can't be reached. */
  alerts: NotedAlert[] | null = [];
  #boots = 0;
  #sequences = new Map<string, number>();

  constructor(limits: Partial<RoomLimits> = {}, store: RoomStore = new MemoryRoomStore()) {
    this.store = store;
    this.state = this.#load();
    this.run({ type: "configure", limits: { ...LIMITS, ...limits } });
  }

  run<Type extends Command["type"]>(command: Extract<Command, { type: Type }>): RoomReplies[Type] {
    const outcome = step<Type>(this.state, command, this.now);
    this.store.write(outcome.changes);
    this.last = outcome;
    if (this.alerts !== null && outcome.alertsDue.length > 0) this.#registryHears(outcome);
    return outcome.reply;
  }

  /** At once, so that no wake-up is for alerts. */
  #registryHears(outcome: RoomOutcome<unknown>): void {
    this.alerts?.push(...outcome.alertsDue);
    const upTo = outcome.alertsDue.at(-1)?.sequence ?? 0;
    const { changes, wakeAt } = step(this.state, { type: "alerts-heard", upTo }, this.now);
    this.store.write(changes);
    this.last = { ...outcome, wakeAt };
  }

  /** The step is run, but the process dies before anything of it is written. */
  runLost<Type extends Command["type"]>(command: Extract<Command, { type: Type }>): void {
    step<Type>(this.state, command, this.now);
    this.crash();
  }

  /** The events stay as they are, unless they are given. */
  configure(limits: Partial<RoomLimits>, events = this.state.plan.list): void {
    this.run({ type: "configure", limits: { ...this.state.own, ...limits }, events });
  }

  /** The batch as a lobby would send it: by default the next one of instance `a` of lobby 0. */
  compose(ops: readonly Op[], more: Partial<Batch> = {}): Batch {
    const lobby = more.lobby ?? lobbyIndex(0);
    const instance = more.instance ?? "a";
    const key = `${lobby}/${instance}`;
    const sequence = more.sequence ?? (this.#sequences.get(key) ?? 0) + 1;
    this.#sequences.set(key, Math.max(sequence, this.#sequences.get(key) ?? 0));
    const roster = more.roster ?? (sequence === 1 ? [] : null);
    return { lobby, instance, sequence, ops, present: [], away: [], ...more, roster };
  }

  answer(ops: readonly Op[], more: Partial<Batch> = {}): BatchAnswer {
    return this.run({ type: "batch", batch: this.compose(ops, more) });
  }

  batch(ops: readonly Op[], more: Partial<Batch> = {}): readonly OpReply[] {
    return this.answer(ops, more).replies;
  }

  one(op: Op, more: Partial<Batch> = {}): OpReply {
    const [reply] = this.batch([op], more);
    if (reply === undefined) throw new Error("one op gets one reply");
    return reply;
  }

  join(more: Partial<Batch> = {}): TicketNumber {
    const reply = this.one(JOIN, more);
    if (reply.kind !== "place") throw new Error(`no place but ${JSON.stringify(reply)}`);
    return reply.place.number;
  }

  /** So many visitors join in one batch. */
  crowd(count: number, more: Partial<Batch> = {}): TicketNumber[] {
    return this.batch(
      Array.from({ length: count }, () => JOIN),
      more,
    ).map((reply) => {
      if (reply.kind !== "place") throw new Error(`no place but ${JSON.stringify(reply)}`);
      return reply.place.number;
    });
  }

  claim(number: number): OpReply {
    return this.one({ op: "claim", number: ticketNumber(number) });
  }

  /** Claims, and expects to be let in. */
  visit(number: number): LiveVisit {
    const reply = this.claim(number);
    if (reply.kind !== "visit") throw new Error(`no visit but ${JSON.stringify(reply)}`);
    return reply.visit;
  }

  enter(transient = false): OpReply {
    return this.one({ op: "enter", transient });
  }

  /** Enters by the open door, and expects to be let in. */
  entered(transient = false): LiveVisit {
    const reply = this.enter(transient);
    if (reply.kind !== "visit") throw new Error(`no visit but ${JSON.stringify(reply)}`);
    return reply.visit;
  }

  renew(visit: number): OpReply {
    return this.one({ op: "renew", visit: ticketNumber(visit) });
  }

  look(visit: number): OpReply {
    return this.run({ type: "peek", visit: ticketNumber(visit) });
  }

  end(visit: number, afterMs = 0): OpReply {
    return this.one({ op: "end", visit: ticketNumber(visit), afterMs });
  }

  leave(number: number): OpReply {
    return this.one({ op: "leave", number: ticketNumber(number) });
  }

  /** Comes back after having been heard last `ms` ago, by the lobby's own knowledge or a token's. */
  back(number: number, ms: number, exact = true): OpReply {
    const heardAt = instant(this.now - ms);
    return this.one({ op: "rejoin", number: ticketNumber(number), heardAt, exact });
  }

  present(...numbers: number[]): void {
    this.answer([], { present: numbers.map(ticketNumber) });
  }

  away(...numbers: number[]): void {
    this.answer([], { away: numbers.map(ticketNumber) });
  }

  /** The lobby lists whom it holds. */
  report(numbers: readonly number[], more: Partial<Batch> = {}): BatchAnswer {
    return this.answer([], { roster: numbers.map(ticketNumber), ...more });
  }

  snapshot(since: SnapshotVersion | null = null): RoomSnapshot {
    return this.run({ type: "snapshot", since });
  }

  tick(ms = 0): void {
    this.now += ms;
    this.run({ type: "tick" });
  }

  /** The process dies: only what was written is left. */
  crash(): void {
    this.state = this.#load();
  }

  /** Sleeps until the room wants to be woken, at most so many times. */
  sleep(timesMax: number): void {
    for (let time = 0; time < timesMax && this.wakeAt !== null; time += 1) {
      this.now = Math.max(this.now, this.wakeAt);
      this.tick();
    }
  }

  get wakeAt(): number | null {
    return this.last?.wakeAt ?? null;
  }

  place(number: number): Place | null {
    return placeOf(this.state, ticketNumber(number));
  }

  /** Where the number stands; `ended` when it is spent. */
  standing(number: number): Place["state"] | "ended" {
    return this.place(number)?.state ?? "ended";
  }

  get called(): number {
    return this.state.permits.called;
  }

  get visiting(): number {
    return this.state.permits.held;
  }

  /** The numbers that the last step called, in order. */
  get justCalled(): number[] {
    return this.told.filter((number) => {
      const permit = this.state.permits.of(ticketNumber(number));
      return permit?.state !== "called" || permit.calledAt === this.last?.now;
    });
  }

  /** The numbers whose calls left with the last step, new ones and repeated ones. */
  get told(): number[] {
    return [...(this.last?.calls.values() ?? [])].flat().map(({ number }) => number);
  }

  /** How often it happened since the room began. */
  tally(what: HistoryCount): number {
    const rows = this.store.history(instant(0), Infinity);
    return [...rows, this.state.history.current].reduce((sum, row) => sum + (row?.[what] ?? 0), 0);
  }

  /** The rows of one kind that the last step wrote. */
  written<Kind extends string>(put: Kind): Extract<StoredRoomChange, { put: Kind }>[] {
    return (this.last?.changes ?? []).filter(
      (change): change is Extract<StoredRoomChange, { put: Kind }> =>
        "put" in change && change.put === put,
    );
  }

  #load(): RoomState {
    this.#boots += 1;
    return restoreRoom(this.store.load(), `boot-${this.#boots}`, instant(this.now));
  }
}
