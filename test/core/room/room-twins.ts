// Millions of comparisons: vitest's expect would take most of the time.
import assert from "node:assert/strict";
import type { RoomLimits } from "../../../src/core/definition.ts";
import {
  lobbyIndex,
  ticketNumber,
  type TicketNumber,
  type VisitorId,
} from "../../../src/core/ids.ts";
import type { Batch, Command, Op, OpReply } from "../../../src/core/room/commands.ts";
import { step, type RoomOutcome } from "../../../src/core/room/step.ts";
import type { RoomStore } from "../../../src/core/room/stored.ts";
import type { EndedVisit, SnapshotVersion } from "../../../src/core/snapshot.ts";
import { instant } from "../../../src/core/time.ts";
import type { Action, PlannedOp } from "./histories.ts";
import { NaiveRoom, type NaiveNumber } from "./naive-room.ts";
import { plannedAt } from "./naive-events.ts";
import { essence } from "./naive-ops.ts";
import { Promises } from "./promises.ts";
import { World } from "./world.ts";

interface Sent {
  readonly batch: Batch;
  /** What was answered, if it was a batch that must not be done twice; null: anything harmless. */
  readonly replies: readonly OpReply[] | null;
}

/** A room and its naive twin, and an edge that keeps the visits it was told have ended. */
export class RoomTwins {
  readonly #world: World;
  readonly #naive: NaiveRoom;
  readonly #promises = new Promises();
  readonly #sent = new Map<number, Sent[]>();
  readonly #lives = new Map<number, number>();
  #edge = new Map<number, number>();
  #version: SnapshotVersion | null = null;
  #wakeAt: number | null = null;

  constructor(limits: RoomLimits, store?: RoomStore) {
    this.#world = new World(limits, store);
    this.#naive = new NaiveRoom(limits);
    this.#naive.step({ type: "tick" }, Number(this.#world.last?.now));
  }

  act(action: Action): void {
    switch (action.do) {
      case "batch":
        return this.#batch(action);
      case "again":
        return this.#again(action.lobby, action.back);
      case "pass":
      case "jump":
        this.#world.now += action.ms;
        return;
      case "wake":
        if (this.#wakeAt === null) return;
        this.#world.now = Math.max(this.#world.now, this.#wakeAt);
        return void this.#run({ type: "tick" });
      case "end":
        return void this.#run({
          type: "end",
          visit: this.#number(action.who),
          afterMs: action.afterMs,
        });
      case "configure": {
        const events = plannedAt(action.events, this.#world.now);
        return void this.#run({ type: "configure", limits: action.limits, events });
      }
      case "signal":
        return void this.#run({ type: "signal", ask: action.ask });
      case "snapshot":
        return this.#refreshEdge();
      case "crash":
        return this.#crash();
      case "reborn":
        this.#lives.set(action.lobby, (this.#lives.get(action.lobby) ?? 0) + 1);
        this.#sent.delete(action.lobby);
        return;
      default:
        return void this.#run({ type: action.do });
    }
  }

  #batch(action: Extract<Action, { do: "batch" }>): void {
    const lobby = lobbyIndex(action.lobby);
    const sent = this.#sent.get(lobby) ?? [];
    const numbers = (list: readonly Who[]) => list.map((who) => this.#number(who));
    const batch: Batch = {
      lobby,
      instance: `life ${this.#lives.get(lobby) ?? 0}`,
      sequence: (sent.at(-1)?.batch.sequence ?? 0) + 1,
      ops: action.ops.map((op) => this.#op(op)),
      present: numbers(action.present),
      away: numbers(action.away),
      roster: action.roster === null ? null : numbers(action.roster),
    };
    if (action.fate === "lost") {
      step(this.#world.state, { type: "batch", batch }, this.#world.now);
      return this.#crash();
    }
    const { replies } = this.#run({ type: "batch", batch }).reply as { replies: OpReply[] };
    const once = batch.ops.some(({ op }) => op === "join" || op === "enter");
    this.#sent.set(lobby, [...sent, { batch, replies: once ? replies : null }]);
    if (action.fate === "answered") return;
    this.#crash();
    this.#again(action.lobby, 0);
  }

  /** The lobby's last batch once more, or a straggler from before it. */
  #again(lobby: number, back: number): void {
    const sent = this.#sent.get(lobby)?.at(-1 - back);
    if (sent === undefined) return;
    const isLast = sent.batch.sequence === this.#naive.lobbies.get(lobby)?.sequence;
    const outcome = this.#run({ type: "batch", batch: sent.batch }, isLast);
    const { replies } = outcome.reply as { replies: OpReply[] };
    if (isLast && sent.replies !== null) assert.deepEqual(replies, sent.replies, "the same answer");
  }

  #run(command: Command, isReplay = false): RoomOutcome<unknown> {
    const { state, store, now } = this.#world;
    this.#promises.before(state);
    const outcome = step(state, command, now) as RoomOutcome<unknown>;
    store.write(outcome.changes);
    this.#wakeAt = outcome.wakeAt;
    const expected = this.#naive.step(command, Number(outcome.now));
    if (!isReplay) this.#compareReplies(command, outcome, expected);
    this.#compare(outcome);
    this.#promises.after(state, command, outcome, isReplay);
    return outcome;
  }

  #crash(): void {
    this.#world.crash();
    this.#naive.restart(Number(this.#world.state.steppedAt));
    this.#promises.restarted(this.#world.state);
    this.#wakeAt = null;
  }

  #compareReplies(
    command: Command,
    { reply }: RoomOutcome<unknown>,
    expected: ReturnType<NaiveRoom["step"]>,
  ): void {
    if (command.type === "end") assert.equal(reply, expected[0]?.kind);
    if (command.type !== "batch") return;
    const { replies, reportWanted } = reply as { replies: OpReply[]; reportWanted: boolean };
    assert.deepEqual(replies.map(essence), expected, "what was answered");
    assert.equal(reportWanted, !this.#naive.lobbies.get(command.batch.lobby)?.reported);
  }

  #compare(outcome: RoomOutcome<unknown>): void {
    const { line, permits, settlesUntil, epoch } = this.#world.state;
    const naive = this.#naive;
    assert.equal(line.issued, naive.numbers.length);
    for (const one of naive.numbers) {
      const { number, standing } = one;
      const permit = permits.of(ticketNumber(number));
      const actual = permit?.state === "held" ? "visiting" : line.standingOf(ticketNumber(number));
      assert.equal(actual, standing, `number ${number}`);
      if (permit !== null)
        assert.deepEqual(timesOf(permit), expectedTimesOf(one), `permit of ${number}`);
      if (permit?.state === "held") assert.equal(permit.visitor ?? null, one.visitor);
    }
    assert.deepEqual([permits.out, permits.free], [naive.out, naive.free]);
    assert.deepEqual([settlesUntil, epoch], [naive.settlesUntil, naive.epoch]);
    const told = [...outcome.calls.values()].flat().map(({ number }) => Number(number));
    const stillCalled = naive.called.filter((n) => naive.find(n)?.standing === "called");
    for (const number of stillCalled) assert.ok(told.includes(number), `call of ${number}`);
  }

  /** What happened over the whole history, crashes and all, is in the room's own history. */
  compareHistory(): void {
    const { tallies } = this.#naive;
    const whats = ["issued", "calls", "missed", "finished", "expired", "revoked"] as const;
    for (const what of [...whats, "entriesByDoor" as const]) {
      assert.equal(this.#world.tally(what), tallies[what] ?? 0, what);
    }
    const byDoor = tallies.entriesByDoor ?? 0;
    assert.equal(this.#world.tally("joined"), (tallies.issued ?? 0) - byDoor, "tickets taken");
  }

  /** After a refresh the edge knows every visit that ended before its passes did, and no other. */
  #refreshEdge(): void {
    const command = { type: "snapshot", since: this.#version } as const;
    const outcome = this.#run(command);
    const snapshot = outcome.reply as ReturnType<World["snapshot"]>;
    if (snapshot.endedSince === null) this.#edge = new Map();
    for (const { visit, passesUntil } of snapshot.ended as EndedVisit[]) {
      this.#edge.set(visit, passesUntil);
    }
    this.#version = snapshot.version;
    const now = Number(outcome.now);
    const dead = this.#naive.of("spent").filter(({ passesUntil }) => passesUntil > now);
    const known = [...this.#edge].filter(([, passesUntil]) => passesUntil > now);
    assert.deepEqual(
      known.map(([visit]) => visit).toSorted((a, b) => a - b),
      dead.map(({ number }) => number),
      "ended visits at the edge",
    );
  }

  #number({ of, k }: Who): TicketNumber {
    const standings = WHO[of] ?? [];
    const among = this.#naive.of(...standings);
    const number = of === "any" ? 0 : (among[k % Math.max(1, among.length)]?.number ?? 0);
    return ticketNumber(number > 0 ? number : Math.max(1, this.#naive.numbers.length + 1 - k));
  }

  #heard({ agoMs, exact }: { readonly agoMs: number; readonly exact: boolean }) {
    return { heardAt: instant(this.#naive.now - agoMs), exact };
  }

  #op(op: PlannedOp): Op {
    switch (op.op) {
      case "join":
        return { op: "join", address: addressOf(op.address), visitor: visitorOf(op.visitor) };
      case "enter": {
        const { op: what, transient } = op;
        const address = addressOf(op.address);
        if (transient) return { op: what, transient, address };
        const number = op.number === null ? null : this.#number(op.number);
        return { op: what, transient, address, visitor: visitorOf(op.visitor), number };
      }
      case "rejoin":
        return { op: "rejoin", number: this.#number(op.who), ...this.#heard(op) };
      case "claim": {
        const heard = op.heard === null ? {} : this.#heard(op.heard);
        const visitor = visitorOf(op.visitor);
        return { op: "claim", number: this.#number(op.who), visitor, ...heard };
      }
      case "leave":
        return { op: op.op, number: this.#number(op.who) };
      case "end":
        return { op: "end", visit: this.#number(op.who), afterMs: op.afterMs };
      default:
        return { op: op.op as "renew" | "peek", visit: this.#number(op.who) };
    }
  }
}

const addressOf = (address: number): string | null => (address === 0 ? null : `address ${address}`);
const visitorOf = (visitor: number): VisitorId | null =>
  visitor === 0 ? null : (`visitor ${visitor}` as VisitorId);

type Who = { readonly of: string; readonly k: number };
const WHO: Readonly<Record<string, readonly NaiveNumber["standing"][]>> = {
  called: ["called"],
  visiting: ["visiting"],
  line: ["present", "unconfirmed", "away"],
};

const timesOf = (permit: object): object => {
  const { claimBy, leaseUntil, endsAt, released, passesUntil, provisionalUntil, transient } =
    permit as Record<string, unknown>;
  return claimBy === undefined
    ? { leaseUntil, endsAt, released, passesUntil, provisionalUntil, transient }
    : { claimBy };
};

const expectedTimesOf = (one: NaiveNumber): object => {
  const { claimBy, leaseUntil, endsAt, released, passesUntil, provisionalUntil, transient } = one;
  return one.standing === "called"
    ? { claimBy }
    : { leaseUntil, endsAt, released, passesUntil, provisionalUntil, transient };
};
