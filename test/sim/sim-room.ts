import assert from "node:assert/strict";
import type { NotedAlert } from "../../src/core/alerts/alert.ts";
import type { RoomLimits } from "../../src/core/definition.ts";
import type { LobbyIndex } from "../../src/core/ids.ts";
import type { Batch, BatchAnswer, Call, Command } from "../../src/core/room/commands.ts";
import { MemoryRoomStore } from "../../src/core/room/memory-store.ts";
import { settlingMs, type RoomState } from "../../src/core/room/state.ts";
import type { RoomOutcome } from "../../src/core/room/step.ts";
import { instant } from "../../src/core/time.ts";
import { Promises } from "../core/room/promises.ts";
import type { Agenda } from "./agenda.ts";
import type { Core } from "./core.ts";
import { chance, type Knobs, type Random } from "./knobs.ts";
import { VisitTimes } from "./visit-times.ts";

/** A batch whose step was written, with what it was answered. */
interface Done {
  readonly answer: string;
  /** Whom the batch called present, and the room had called or let in by then. */
  readonly out: ReadonlySet<number>;
  readonly once: boolean;
  readonly boot: number;
}

export interface Answered {
  readonly answer: BatchAnswer;
  /** Of those whom the batch calls present: whom the room has called or let in. */
  readonly out: ReadonlySet<number>;
}

/** How the room reaches its lobbies, and who is truly standing in line. */
export interface RoomSide {
  deliver(lobby: LobbyIndex, calls: readonly Call[]): void;
  /** Numbers whose visitor is there, known to the room, and not called, below this one. */
  standingBelow(number: number, room: SimRoom): number[];
  called(number: number, lobby: LobbyIndex): void;
}

const BORN_AT = 1_800_000_000_000;

/** The shell around the core: a clock that drifts and jumps, rows, an alarm, and sudden deaths. */
export class SimRoom {
  steps = 0;
  boots = 0;
  /** Of all that the room has answered and planned: the same seed gives the same. */
  digest = 0x811c_9dc5;
  /** Deaths are over: the world is winding down. */
  calm = false;
  readonly #core: Core;
  readonly #agenda: Agenda;
  readonly #random: Random;
  readonly #knobs: Knobs;
  readonly #side: RoomSide;
  readonly #store = new MemoryRoomStore();
  readonly #promises = new Promises();
  readonly #times = new VisitTimes();
  readonly #done = new Map<string, Done>();
  readonly #drift: number;
  #state: RoomState | null = null;
  #downUntil = 0;
  #offsetMs = 0;
  #lastNow = BORN_AT;
  #alarm = 0;
  #alarmAt: number | null = null;
  /** Up to which alert the Registry has heard. */
  #heard = 0;
  /** Until then, by the room's clock, a lobby that has not reported may be taken for absent. */
  graceUntil = 0;
  readonly reported = new Set<string>();

  constructor(core: Core, agenda: Agenda, random: Random, knobs: Knobs, side: RoomSide) {
    this.#core = core;
    this.#agenda = agenda;
    this.#random = random;
    this.#knobs = knobs;
    this.#side = side;
    this.#drift = 1 + (random(2_001) - 1_000) / 1e6;
    this.run({ type: "configure", limits: knobs.limits });
  }

  jump(ms: number): void {
    this.#offsetMs += ms;
  }

  configure(limits: RoomLimits): void {
    this.run({ type: "configure", limits });
  }

  /** Null when the room died before it could answer. */
  batch(batch: Batch): Answered | null {
    if (this.#up() === null) return null;
    const key = `${batch.lobby} ${batch.instance} ${batch.sequence}`;
    const before = this.#done.get(key);
    const isReplay = before !== undefined && (before.once || before.boot === this.boots);
    const once = batch.ops.some(({ op }) => op === "join" || op === "enter");
    let out: ReadonlySet<number> = new Set();
    const outcome = this.run({ type: "batch", batch }, isReplay, (written) => {
      const { replies, reportWanted } = written.reply as BatchAnswer;
      out = this.#outOf(batch, before?.out ?? []);
      if (isReplay) return this.#checkReplay(before, replies);
      this.#done.set(key, { answer: JSON.stringify(replies), out, once, boot: this.boots });
      // A straggler may list whom its lobby held: the room takes no notice, and says so.
      if (batch.roster !== null && !reportWanted)
        this.reported.add(`${batch.lobby} ${batch.instance}`);
    });
    return outcome === null ? null : { answer: outcome.reply as BatchAnswer, out };
  }

  /** Repeated, a batch says nothing new: who was called when it was done does not stand by it. */
  #outOf(batch: Batch, before: Iterable<number>): ReadonlySet<number> {
    const named = [...(batch.roster ?? []), ...batch.present];
    const called = named.filter((number) => this.#state?.permits.of(number) !== null);
    return new Set([...before, ...called]);
  }

  run(
    command: Command,
    isReplay = false,
    written: (outcome: RoomOutcome<unknown>) => void = () => {},
  ): RoomOutcome<unknown> | null {
    const state = this.#up();
    if (state === null) return null;
    this.steps += 1;
    this.#promises.before(state);
    const called = new Set(calledIn(state));
    const outcome = this.#core.step(state, command, this.#machineNow()) as RoomOutcome<unknown>;
    if (this.#dies(this.#knobs.crashBefore)) return null;
    this.#store.write(outcome.changes);
    this.#promises.after(state, command, outcome, isReplay);
    this.#times.check(state, command, outcome.now);
    this.#note(JSON.stringify([outcome.now, outcome.wakeAt, outcome.reply, ...outcome.calls]));
    this.#checkOrder(state, command, outcome, called);
    written(outcome);
    this.#setAlarm(outcome.wakeAt === null ? null : state.clock.onMachine(outcome.wakeAt));
    if (this.#dies(this.#knobs.crashAfter)) return null;
    for (const [lobby, calls] of outcome.calls) this.#side.deliver(lobby, calls);
    for (const lobby of outcome.positionsFor) this.#side.deliver(lobby, []);
    this.#raise(outcome.alertsDue);
    return outcome;
  }

  /** The Registry: it may not be reached, and its answer may be lost; it never misses an alert. */
  #raise(alerts: readonly NotedAlert[]): void {
    const first = alerts[0];
    if (first === undefined || chance(this.#random, 700)) return;
    assert.ok(first.sequence <= this.#heard + 1, "an alert was lost");
    this.#heard = Math.max(this.#heard, alerts.at(-1)?.sequence ?? 0);
    const upTo = this.#heard;
    if (!chance(this.#random, 20))
      this.#agenda.in(this.#random(20), () => this.run({ type: "alerts-heard", upTo }));
  }

  get state(): RoomState | null {
    return this.#state;
  }

  get lastNow(): number {
    if (this.#state !== null) this.#lastNow = this.#state.steppedAt;
    return this.#lastNow;
  }

  #up(): RoomState | null {
    if (this.#state !== null) return this.#state;
    if (this.#agenda.now < this.#downUntil) return null;
    this.boots += 1;
    const now = instant(this.#machineNow());
    const state = this.#core.restoreRoom(this.#store.load(), `boot ${this.boots}`, now);
    this.#promises.restarted(state);
    this.#state = state;
    this.reported.clear();
    this.graceUntil = state.steppedAt + settlingMs(1);
    return state;
  }

  #dies(perMille: number): boolean {
    if (this.calm || !chance(this.#random, perMille)) return false;
    this.#state = null;
    this.#downUntil = this.#agenda.now + this.#random(1_500);
    return true;
  }

  /** FNV-1a, as http://www.isthe.com/chongo/tech/comp/fnv/ gives it. */
  #note(text: string): void {
    let hash = this.digest;
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
    }
    this.digest = hash >>> 0;
  }

  #machineNow(): number {
    return Math.floor(BORN_AT + this.#agenda.now * this.#drift + this.#offsetMs);
  }

  /** It may come late, twice, or not at all: any other call finds what is overdue. */
  #setAlarm(at: number | null): void {
    if (at === this.#alarmAt) return;
    this.#alarmAt = at;
    this.#alarm += 1;
    if (at === null) return;
    const alarm = this.#alarm;
    const late = chance(this.#random, 20) ? this.#random(3_000) : this.#random(4);
    const ring = () => {
      if (alarm !== this.#alarm) return;
      this.#alarmAt = null;
      if (this.run({ type: "tick" }) === null) this.#agenda.in(1_000, ring);
    };
    const ms = at - this.#machineNow() + late;
    this.#agenda.in(ms, ring);
    if (chance(this.#random, 20)) this.#agenda.in(ms + this.#random(500), ring);
  }

  #checkReplay({ answer }: Done, replies: BatchAnswer["replies"]): void {
    const busy = replies.every((reply) => reply.kind === "refused" && reply.refusal === "busy");
    if (!busy) assert.equal(JSON.stringify(replies), answer, "a batch was done twice");
  }

  /**
   * Whoever truly stands in line below a number that was called keeps a permit of its own; a lower
   * number that came back later in the same step may have taken it.
   */
  #checkOrder(
    state: RoomState,
    command: Command,
    outcome: RoomOutcome<unknown>,
    before: ReadonlySet<number>,
  ): void {
    const fresh: number[] = [];
    for (const [lobby, calls] of outcome.calls) {
      for (const { number } of calls) {
        if (!before.has(number)) fresh.push(number);
        this.#side.called(number, lobby);
      }
    }
    const highest = Math.max(0, ...fresh);
    const waiting = highest === 0 ? [] : this.#side.standingBelow(highest, this);
    if (waiting.length === 0) return;
    const back = cameBackIn(command);
    const taken = fresh.filter((number) => number < highest && back.has(number)).length;
    const kept = state.settlesUntil === null ? 0 : state.permits.free + taken;
    assert.ok(waiting.length <= kept, `${highest} overtook ${waiting.join(", ")}`);
  }
}

/** Whom the ops of a batch put into the line, after all that it says of presence. */
const cameBackIn = (command: Command): ReadonlySet<number> => {
  const ops = command.type === "batch" ? command.batch.ops : [];
  return new Set(ops.flatMap((op) => (op.op === "rejoin" || op.op === "claim" ? [op.number] : [])));
};

const calledIn = ({ permits }: RoomState): number[] =>
  [...permits.all()].flatMap(({ permit }) => (permit.state === "called" ? [permit.number] : []));
