/**
 * What the Room was told and has answered, kept apart from the Room: who stands in line, who is called,
 * who is inside. Every promise about order, permits and starts is checked against it at each step.
 */
import assert from "node:assert/strict";
import { DueTimes } from "../../../src/core/collections/due-times.ts";
import type { LobbyIndex, TicketNumber } from "../../../src/core/ids.ts";
import type { Batch, BatchAnswer, Op, OpReply } from "../../../src/core/room/commands.ts";
import { instant, type InstantMs } from "../../../src/core/time.ts";
import type { RoomUpdate } from "../../../src/durable/contract.ts";
import { CountedNumbers } from "./counted-numbers.ts";
import { LineHeads } from "./line-heads.ts";

/** One step of the Room, as seen from outside. */
export interface SeenStep {
  /** Null where the step was the usher's own. */
  readonly batch: Batch | null;
  readonly answer: BatchAnswer | null;
  readonly updates: readonly RoomUpdate[];
}

interface KnownLobby {
  instance: string;
  readonly numbers: number[];
  /** It has said whom it holds since the Room began anew. */
  reported: boolean;
}

interface Inside {
  until: InstantMs;
}

const NEVER = 0;
const WAITING = 1;
const AWAY = 2;
const CALLED = 3;
const VISITING = 4;
const SPENT = 5;

/** A number whose lobby has died is nowhere for sure until then, or until it is heard of. */
const UNSURE_MS = 60_000;
const MISSES_MAX = 3;

export class ToldLine {
  readonly #permitsMax: number;
  readonly #startsPerSecond: number;
  readonly #states: Uint8Array;
  readonly #misses: Uint8Array;
  /** In line for sure. */
  readonly #present: CountedNumbers;
  /** In line perhaps: their lobby has begun anew. */
  readonly #unsure: CountedNumbers;
  readonly #unsureUntil: { readonly at: InstantMs; readonly numbers: readonly number[] }[] = [];
  readonly #lobbies = new Map<LobbyIndex, KnownLobby>();
  readonly #seen = new Map<string, string>();
  readonly #calls = new Map<number, { claimBy: InstantMs; readonly calledAt: InstantMs }>();
  readonly #visits = new Map<number, Inside>();
  readonly #due = new DueTimes<number>();
  readonly #callsIn = new Map<number, number>();
  readonly #startsIn = new Map<number, number>();
  #boot = "";
  #now = instant(0);
  /** Of the last step that gave out a number, a call or a visit. */
  #writtenAt = instant(0);
  #given = 0;
  /** In this step, by an op. */
  #cameBack: number[] = [];
  readonly #spentNow = new Set<number>();
  #callsNow: ReadonlyMap<number, InstantMs> = new Map();
  #issued = 0;
  #saidToBeOver: number[] = [];
  readonly heads = new LineHeads();
  readonly counts = {
    steps: 0,
    batches: 0,
    repeats: 0,
    roomLives: 0,
    issued: 0,
    calls: 0,
    callsToldAgain: 0,
    misses: 0,
    spentByMisses: 0,
    visits: 0,
    visitsFinished: 0,
    visitsRunOut: 0,
    left: 0,
    mostOut: 0,
    mostStartsASecond: 0,
    mostWaiting: 0,
    tables: 0,
    tableEntries: 0,
  };

  constructor(permitsMax: number, startsPerSecond: number, numbersMax: number) {
    this.#permitsMax = permitsMax;
    this.#startsPerSecond = startsPerSecond;
    this.#states = new Uint8Array(numbersMax + 1);
    this.#misses = new Uint8Array(numbersMax + 1);
    this.#present = new CountedNumbers(numbersMax);
    this.#unsure = new CountedNumbers(numbersMax);
  }

  get out(): number {
    return this.#calls.size + this.#visits.size;
  }

  get waiting(): number {
    return this.#present.size;
  }

  isSpentByMisses(number: number): boolean {
    return (this.#misses[number] ?? 0) >= MISSES_MAX;
  }

  /** How many stand ahead of it at least and at most, by what the Room has been told. */
  aheadOf(number: number): { least: number; most: number } {
    const least = this.#present.below(number);
    return { least, most: least + this.#unsure.below(number) };
  }

  step({ batch, answer, updates }: SeenStep): void {
    const [first] = updates;
    if (first === undefined) return;
    this.counts.steps += 1;
    this.#cameBack = [];
    this.#spentNow.clear();
    const { boot } = first.roomStatus;
    // What was only told, and not written, a new life may tell again.
    const least = boot === this.#boot ? this.#now : this.#writtenAt;
    assert.ok(first.now >= least, "the Room's clock never runs back");
    this.#now = first.now;
    this.#begins(boot);
    this.#pass();
    const calls = updates.flatMap((update) => update.calls);
    this.#callsNow = new Map(calls.map((call) => [call.number, call.claimBy]));
    if (batch !== null && answer !== null) this.#hear(batch, answer);
    this.#call(calls);
    const given = this.counts.issued + this.counts.calls + this.counts.visits;
    if (given > this.#given) this.#writtenAt = this.#now;
    this.#given = given;
    this.#checkPermits();
    const table = updates.find(({ positionsTable }) => positionsTable !== null)?.positionsTable;
    if (table != null) this.#checkTable(table.positions);
    this.counts.mostWaiting = Math.max(this.counts.mostWaiting, this.waiting);
  }

  /** What time alone has ended until then. */
  passTo(now: InstantMs): void {
    this.#now = now;
    this.#pass();
  }

  /** In this life of the Room somebody has yet to say whom it holds. */
  get #isSettling(): boolean {
    for (const { reported, numbers } of this.#lobbies.values())
      if (!reported && numbers.length > 0) return true;
    return false;
  }

  #begins(boot: string): void {
    if (boot === this.#boot) return;
    this.#boot = boot;
    this.counts.roomLives += 1;
    for (const lobby of this.#lobbies.values()) lobby.reported = false;
  }

  /** What time alone has ended. */
  #pass(): void {
    for (
      let number = this.#due.take(this.#now);
      number !== null;
      number = this.#due.take(this.#now)
    ) {
      if (this.#calls.has(number)) this.#miss(number);
      else this.#endVisit(number, "visitsRunOut");
    }
    for (;;) {
      const [first] = this.#unsureUntil;
      if (first === undefined || first.at > this.#now) break;
      this.#unsureUntil.shift();
      for (const number of first.numbers) this.#unsure.set(number, false);
    }
  }

  #miss(number: number): void {
    const { calledAt } = this.#calls.get(number) ?? { calledAt: this.#now };
    this.#calls.delete(number);
    this.counts.misses += 1;
    this.#giveBack(calledAt);
    this.#misses[number] = (this.#misses[number] ?? 0) + 1;
    if (this.isSpentByMisses(number)) {
      this.counts.spentByMisses += 1;
      this.#spend(number);
    } else this.#stand(number, AWAY);
  }

  #giveBack(calledAt: InstantMs): void {
    const second = secondOf(calledAt);
    this.#callsIn.set(second, (this.#callsIn.get(second) ?? 0) - 1);
  }

  #endVisit(number: number, how: "visitsFinished" | "visitsRunOut"): void {
    if (!this.#visits.delete(number)) return;
    this.#due.set(number, null);
    this.counts[how] += 1;
    this.#spend(number);
  }

  #spend(number: number): void {
    this.#stand(number, SPENT);
    this.#spentNow.add(number);
    this.#due.set(number, null);
  }

  #stand(number: number, state: number): void {
    if (state !== SPENT)
      assert.notEqual(this.#states[number], SPENT, `${number} is spent and lives again`);
    this.#states[number] = state;
    this.#present.set(number, state === WAITING);
    this.#unsure.set(number, false);
  }

  #hear(batch: Batch, { replies }: BatchAnswer): void {
    this.counts.batches += 1;
    const name = `${batch.instance}/${batch.sequence}`;
    const before = this.#seen.get(name);
    if (before !== undefined) return this.#repeated(batch, replies, before === this.#boot);
    this.#seen.set(name, this.#boot);
    const lobby = this.#meet(batch);
    if (batch.roster !== null) this.#report(lobby, batch.roster);
    for (const number of batch.away)
      if (this.#states[number] === WAITING) this.#stand(number, AWAY);
    for (const number of batch.present) this.#appears(number);
    batch.ops.forEach((op, at) => {
      const reply = replies[at];
      assert.ok(reply !== undefined, "every op is answered");
      this.#answered(op, reply, lobby);
    });
    // Replies tell how things stand after the whole step.
    for (const number of this.#saidToBeOver)
      assert.equal(
        this.#states[number],
        SPENT,
        `${number} was lost: it is in nobody's way to be spent`,
      );
    this.#saidToBeOver = [];
  }

  /** Nothing is done twice. Over a start of the Room what was said of presence may have been taken in or not. */
  #repeated(batch: Batch, replies: readonly OpReply[], isSameLife: boolean): void {
    this.counts.repeats += 1;
    batch.ops.forEach(({ op }, at) => {
      const reply = replies[at];
      if (op !== "join" || reply?.kind !== "place") return;
      assert.ok(reply.place.number <= this.#issued, "a repeated batch issues nothing");
    });
    if (isSameLife) return;
    for (const number of [...batch.away, ...batch.present]) {
      if (this.#states[number] !== WAITING) continue;
      this.#present.set(number, false);
      this.#unsure.set(number, true);
    }
  }

  #meet({ lobby, instance }: Batch): KnownLobby {
    const known = this.#lobbies.get(lobby);
    if (known === undefined) {
      const met = { instance, numbers: [], reported: false };
      this.#lobbies.set(lobby, met);
      return met;
    }
    if (known.instance === instance) return known;
    known.instance = instance;
    known.reported = false;
    this.#isUnsure(known.numbers.filter((number) => this.#present.has(number)));
    return known;
  }

  #isUnsure(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.#present.set(number, false);
      this.#unsure.set(number, true);
    }
    this.#unsureUntil.push({ at: instant(this.#now + UNSURE_MS), numbers });
  }

  #report(lobby: KnownLobby, roster: readonly TicketNumber[]): void {
    const listed = new Set<number>(roster);
    lobby.reported = true;
    for (const number of lobby.numbers)
      if (this.#present.has(number) && !listed.has(number)) this.#stand(number, AWAY);
    for (const number of roster) this.#appears(number);
  }

  #comesBack(number: number): void {
    if (!this.#present.has(number)) this.#cameBack.push(number);
    this.#appears(number);
  }

  #appears(number: number): void {
    const state = this.#states[number];
    if (state === WAITING || state === AWAY) this.#stand(number, WAITING);
  }

  #answered(op: Op, reply: OpReply, lobby: KnownLobby): void {
    switch (op.op) {
      case "join":
        if (reply.kind === "place" && reply.place.state !== "visiting")
          this.#issue(reply.place.number, lobby);
        return;
      case "rejoin":
        return this.#standsBy(op.number, reply);
      case "leave":
        return this.#leaves(op.number);
      case "claim":
        return this.#claimed(op.number, reply);
      case "renew":
        if (reply.kind === "visit") this.#renewed(op.visit, reply.visit.leaseUntil);
        else
          assert.notEqual(
            this.#states[op.visit],
            VISITING,
            `visit ${op.visit} lives and was not renewed`,
          );
        return;
      case "end":
        if (reply.kind === "done" && op.afterMs === 0) this.#endVisit(op.visit, "visitsFinished");
        else assert.ok(!this.#visits.has(op.visit), `visit ${op.visit} lives and was not ended`);
        return;
      default:
        return;
    }
  }

  #issue(number: number, lobby: KnownLobby): void {
    assert.ok(number > this.#issued, `${number} was issued after ${this.#issued}`);
    assert.equal(this.#states[number], NEVER, `${number} was issued twice`);
    this.#issued = number;
    this.counts.issued += 1;
    lobby.numbers.push(number);
    this.#stand(number, WAITING);
  }

  #standsBy(number: number, reply: OpReply): void {
    const state = this.#states[number];
    if (reply.kind !== "place") {
      if (reply.kind !== "refused") this.#saidToBeOver.push(number);
      return;
    }
    assert.notEqual(state, SPENT, `${number} is spent and has a place`);
    // It may have been called in the very step in which it came back.
    if (reply.place.state === "waiting" || reply.place.state === "called") this.#comesBack(number);
  }

  #leaves(number: number): void {
    const call = this.#calls.get(number);
    if (this.#visits.has(number)) return;
    if (call !== undefined) {
      this.#calls.delete(number);
      this.#giveBack(call.calledAt);
    }
    if (this.#states[number] !== SPENT) this.counts.left += 1;
    this.#spend(number);
  }

  #claimed(number: number, reply: OpReply): void {
    const state = this.#states[number];
    if (reply.kind === "not-yet") {
      assert.notEqual(state, SPENT, `${number} is spent and is told to wait`);
      if (state === CALLED) this.#prolonged(number, reply.place.claimBy);
      else this.#comesBack(number);
      return;
    }
    if (reply.kind !== "visit") {
      if (reply.kind !== "refused") this.#saidToBeOver.push(number);
      return;
    }
    const { visit, leaseUntil } = reply.visit;
    if (visit !== number) return this.#leaves(number);
    if (this.#visits.has(number)) return this.#renewed(number, leaseUntil);
    const claimBy = this.#callsNow.get(number);
    // Called by the baton of an op before this one.
    if (state !== CALLED && claimBy !== undefined) this.#offer(number, claimBy);
    assert.equal(this.#states[number], CALLED, `${number} begins a visit and was not called`);
    this.#calls.delete(number);
    this.#states[number] = VISITING;
    this.#visits.set(number, { until: leaseUntil });
    this.#due.set(number, leaseUntil);
    this.counts.visits += 1;
    const second = secondOf(this.#now);
    const starts = (this.#startsIn.get(second) ?? 0) + 1;
    this.#startsIn.set(second, starts);
    assert.ok(starts <= this.#startsPerSecond, `one start too many in second ${second}`);
    this.counts.mostStartsASecond = Math.max(this.counts.mostStartsASecond, starts);
  }

  /** A claim that came in a full second has longer. */
  #prolonged(number: number, claimBy: InstantMs | null): void {
    const call = this.#calls.get(number);
    if (call === undefined || claimBy === null) return;
    call.claimBy = claimBy;
    this.#due.set(number, claimBy);
  }

  #renewed(visit: number, leaseUntil: InstantMs): void {
    const inside = this.#visits.get(visit);
    assert.ok(inside !== undefined, `visit ${visit} is over and was renewed`);
    inside.until = leaseUntil;
    this.#due.set(visit, leaseUntil);
  }

  #call(calls: RoomUpdate["calls"]): void {
    let highest = 0;
    for (const { number, claimBy } of calls) {
      const known = this.#calls.get(number);
      if (known !== undefined && known.claimBy === claimBy) {
        this.counts.callsToldAgain += 1;
        continue;
      }
      if (known !== undefined) {
        // Only a claim that came in a full second makes it longer.
        assert.ok(claimBy > known.claimBy, `${number} was called twice inside a claim`);
        known.claimBy = claimBy;
        this.#due.set(number, claimBy);
        continue;
      }
      // A baton's call that its visitor gave up in the same step.
      if (this.#spentNow.has(number) || this.#visits.has(number)) continue;
      assert.equal(
        this.#states[number],
        WAITING,
        `${number} was called and does not stand in line`,
      );
      this.#offer(number, claimBy);
      highest = Math.max(highest, number);
    }
    if (highest === 0) return;
    // A permit that an op gives back goes to the head of the line at once, before the next op is looked at.
    const cameAfter = this.#cameBack.filter(
      (number) => number < highest && this.#present.has(number),
    );
    const overtaken = this.#present.below(highest) - cameAfter.length;
    assert.ok(overtaken <= this.#kept, `${highest} overtook ${overtaken} who are present`);
    this.heads.reaches(highest, this.#now);
  }

  #offer(number: number, claimBy: InstantMs): void {
    this.#stand(number, CALLED);
    this.heads.calls(number, this.#now);
    this.#calls.set(number, { claimBy, calledAt: this.#now });
    this.#due.set(number, claimBy);
    this.counts.calls += 1;
    const second = secondOf(this.#now);
    this.#callsIn.set(second, (this.#callsIn.get(second) ?? 0) + 1);
  }

  /** While the Room settles, whoever may be there has a permit and a start kept: to be called after another is no loss then. */
  get #kept(): number {
    if (!this.#isSettling && this.#unsure.size === 0) return 0;
    const called = this.#callsIn.get(secondOf(this.#now)) ?? 0;
    return Math.min(this.#permitsMax - this.out, this.#startsPerSecond - called);
  }

  #checkPermits(): void {
    const { out } = this;
    this.counts.mostOut = Math.max(this.counts.mostOut, out);
    assert.ok(out <= this.#permitsMax, `${out} permits are out, above P`);
    if (out === this.#permitsMax || this.#present.size === 0 || this.#unsure.size > 0) return;
    if ((this.#callsIn.get(secondOf(this.#now)) ?? 0) >= this.#startsPerSecond) return;
    assert.ok(this.#isSettling, `a free permit lies beside ${this.#present.size} who are present`);
  }

  #checkTable({
    spots,
    ahead,
  }: {
    readonly spots: Float64Array;
    readonly ahead: Uint32Array;
  }): void {
    if (this.#isSettling) return;
    this.counts.tables += 1;
    this.counts.tableEntries += spots.length;
    spots.forEach((spot, at) => {
      const { least, most } = this.aheadOf(spot);
      const told = ahead[at] ?? -1;
      assert.ok(
        told >= least && told <= most,
        `${told} are told ahead of ${spot}: ${least} to ${most} are`,
      );
    });
  }
}

const secondOf = (at: InstantMs): number => Math.floor(at / 1_000);
