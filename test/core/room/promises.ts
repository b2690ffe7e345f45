// Checked after each of many thousand steps: vitest's expect would take most of the time.
import assert from "node:assert/strict";
import type { Batch, Command, OpReply } from "../../../src/core/room/commands.ts";
import type { RoomState } from "../../../src/core/room/state.ts";
import type { RoomOutcome } from "../../../src/core/room/step.ts";
import { mayCall } from "../../../src/core/room/usher.ts";
import { naiveCallLimits, NaiveRing, naiveCallsAllowed } from "./naive-ring.ts";

/** As far as any step of these tests reaches into the line. */
const NEAR = 64;

interface Before {
  readonly out: number;
  /** When each was called, and until when it can be claimed. */
  readonly called: ReadonlyMap<number, number>;
  readonly claimBy: ReadonlyMap<number, number>;
  readonly held: ReadonlySet<number>;
  /** The lowest present numbers. */
  readonly present: readonly number[];
}

const byState = (state: RoomState) => {
  const called = new Map<number, number>();
  const claimBy = new Map<number, number>();
  const held = new Set<number>();
  for (const { permit } of state.permits.all()) {
    if (permit.state === "held") held.add(permit.number);
    else {
      called.set(permit.number, permit.calledAt);
      claimBy.set(permit.number, permit.claimBy);
    }
  }
  return { called, claimBy, held };
};

/** What DESIGN promises of every step, told from commands, answers and rows alone. */
export class Promises {
  #before: Before = {
    out: 0,
    called: new Map(),
    claimBy: new Map(),
    held: new Set(),
    present: [],
  };
  #lastNow = 0;
  #writtenNow = 0;
  #answered = 0;
  readonly #ended = new Set<number>();
  #starts = new NaiveRing();
  #calls = new NaiveRing();

  before(state: RoomState): void {
    const present = [...state.line.callable(NEAR)];
    this.#before = {
      out: state.permits.out,

      present,
      ...byState(state),
    };
  }

  /** The room came back from its rows. */
  restarted(state: RoomState): void {
    this.#lastNow = this.#writtenNow;
    const now = Number(state.steppedAt);
    assert.ok(now >= this.#writtenNow, "the clock goes on from what was written");
    for (const ring of [this.#starts, this.#calls]) ring.restart(now);
    const { called, held } = byState(state);
    for (const number of [...called.keys(), ...held]) {
      assert.ok(!this.#ended.has(number), `${number} has ended and must not come back`);
    }
  }

  after(state: RoomState, command: Command, outcome: RoomOutcome<unknown>, isReplay = false): void {
    const now = Number(outcome.now);
    assert.ok(now >= this.#lastNow, "the clock never runs back");
    this.#lastNow = now;
    if (outcome.changes.length > 0) this.#writtenNow = now;
    this.#missed(now, startedByCall(outcome));
    const { called, held } = byState(state);
    const started = [...held].filter((number) => !this.#before.held.has(number));
    this.#endings(held);
    const begun = begunBy(command, outcome, isReplay);
    this.#givenBack(called, begun);
    const fresh = [...called].filter(([number, at]) => this.#before.called.get(number) !== at);
    for (const [, at] of fresh) this.#calls.add(at);
    const entered = started.filter((number) => !this.#before.called.has(number));
    this.#permits(state, command, fresh.length + entered.length);
    const phase = state.plan.current?.phase ?? "running";
    // A change of the events comes after what was overdue, which passes batons by the old ones.
    const isHeldBack = phase !== "running" && command.type !== "configure";
    assert.ok(
      !isHeldBack || fresh.length + entered.length === 0,
      "nobody is called before a start",
    );
    for (const number of started) assert.ok(begun.includes(number), `${number} began unasked`);
    for (const number of begun) this.#start(state, outcome, number);
    this.#order(state, command, [...fresh.map(([number]) => number), ...entered]);
    this.#noneIdle(state, now);
    if (command.type === "batch" && !isReplay) this.#numbers(command, outcome);
    this.#alarm(state, outcome);
  }

  #endings(held: ReadonlySet<number>): void {
    for (const number of held) assert.ok(!this.#ended.has(number), `visit ${number} lives again`);
    for (const number of this.#before.held) if (!held.has(number)) this.#ended.add(number);
  }

  /** A call whose time was over, or that was given back, may have been made anew in this step. */
  #missed(now: number, anew: readonly number[]): void {
    const called = new Map(this.#before.called);
    for (const [number, at] of this.#before.called) {
      if (now < (this.#before.claimBy.get(number) ?? 0) && !anew.includes(number)) continue;
      called.delete(number);
      this.#calls.giveBack(at);
    }
    this.#before = { ...this.#before, called };
  }

  #givenBack(called: ReadonlyMap<number, number>, begun: readonly number[]): void {
    for (const [number, at] of this.#before.called) {
      if (called.get(number) !== at && !begun.includes(number)) this.#calls.giveBack(at);
    }
  }

  #permits(state: RoomState, command: Command, granted: number): void {
    const { out, max, free, called, held } = state.permits;
    assert.equal(called + held, out);
    assert.equal(free, Math.max(0, max - out), "permits are conserved");
    assert.equal(max, state.limits.permitsMax);
    assert.ok(out <= Math.max(max, this.#before.out), "no step raises what is out above P");
    // What was overdue came first, while the limit was still the old one.
    const isLowered = command.type === "configure" || command.type === "signal";
    const mayGrant = out <= max || isLowered;
    assert.ok(mayGrant || granted === 0, "nothing is granted while more than P are out");
  }

  #start(state: RoomState, outcome: RoomOutcome<unknown>, number: number): void {
    const now = Number(outcome.now);
    const room = this.#starts.room(state.limits, state.limits.ringGuardMs, now);
    assert.ok(room > 0, "one start too many");
    this.#starts.add(now);
    if (!this.#before.called.has(number)) this.#calls.add(now);
  }

  /** Nobody who was there before the step and still is was overtaken in it. */
  #order(state: RoomState, command: Command, granted: readonly number[]): void {
    const highest = Math.max(0, ...granted);
    const named = command.type === "batch" ? namedIn(command.batch) : null;
    for (const number of this.#before.present) {
      if (number >= highest) return;
      if (named?.has(number) === true) continue;
      const stands = state.line.isPresent(number as never);
      assert.ok(!stands, `${highest} overtook ${number}, who is present`);
    }
  }

  #noneIdle(state: RoomState, now: number): void {
    if (!mayCall(state) || state.permits.free === 0) return;
    const most = Math.min(state.permits.free, this.#allowed(state, now));
    const [idle] = state.line.callable(most);
    assert.equal(idle, undefined, `a free permit lies beside ${idle}, who is present`);
  }

  /** Requests that wait start with their call, so both rings have to agree. */
  #allowed({ limits, attended }: RoomState, now: number): number {
    if (limits.permit === "visit" && attended.size === 0) {
      return naiveCallsAllowed(this.#calls, limits, now);
    }
    const starts = this.#starts.room(limits, limits.ringGuardMs, now);
    return Math.min(starts, this.#calls.room(naiveCallLimits(limits), 0, now));
  }

  #numbers(command: Extract<Command, { type: "batch" }>, outcome: RoomOutcome<unknown>): void {
    repliesOf(command, outcome).forEach((reply, index) => {
      const op = command.batch.ops[index];
      let number = 0;
      // Whoever is inside, or called, is told of the number that it has.
      if (op?.op === "join" && reply.kind === "place" && reply.place.state !== "visiting")
        number = reply.place.number;
      if (op?.op === "enter" && reply.kind === "visit" && reply.isNew)
        number = reply.visit.visit === op.number ? 0 : reply.visit.visit;
      if (number === 0) return;
      assert.ok(number > this.#answered, `${number} was answered after ${this.#answered}`);
      this.#answered = number;
    });
  }

  #alarm(state: RoomState, { wakeAt, now }: RoomOutcome<unknown>): void {
    const inLine = state.line.waiting + state.line.unconfirmed;
    assert.ok(wakeAt === null || wakeAt > now, "the alarm lies ahead");
    assert.ok(inLine === 0 || (wakeAt !== null && wakeAt <= now + 1_000), "a tick a second");
    assert.ok(state.permits.out === 0 || wakeAt !== null, "what is out falls due");
    const { changesAt } = state.plan;
    assert.ok(changesAt === null || (wakeAt ?? Infinity) <= changesAt, "awake for each phase");
  }
}

/** Whom a batch speaks of may have been away for a moment in the middle of the step. */
const namedIn = ({ roster, away, present, ops }: Batch): ReadonlySet<number> => {
  const inOps = ops.flatMap((op) => {
    if (op.op === "request") return op.ticket === null ? [] : [op.ticket.number];
    return "number" in op && op.number != null ? [op.number] : [];
  });
  return new Set([...(roster ?? []), ...away, ...present, ...inOps]);
};

const startedByCall = (outcome: RoomOutcome<unknown>): readonly number[] =>
  [...outcome.calls.values()]
    .flat()
    .flatMap(({ visit }) => (visit === undefined ? [] : [visit.visit]));

/** Visits that began: by a claim, by the door, or with the call of a request that waited. */
const begunBy = (
  command: Command,
  outcome: RoomOutcome<unknown>,
  isReplay: boolean,
): readonly number[] => {
  const byReply = isReplay
    ? []
    : repliesOf(command, outcome).flatMap((reply) =>
        reply.kind === "visit" && reply.isNew ? [reply.visit.visit] : [],
      );
  return [...new Set([...startedByCall(outcome), ...byReply])];
};

const repliesOf = (command: Command, outcome: RoomOutcome<unknown>): readonly OpReply[] => {
  if (command.type !== "batch") return [];
  return (outcome.reply as { readonly replies: readonly OpReply[] }).replies;
};
