// Millions of comparisons: vitest's expect would take most of the time.
import assert from "node:assert/strict";
import { ticketNumber } from "../../../src/core/ids.ts";
import type { TicketNumber } from "../../../src/core/ids.ts";
import { CountedBits, chunkOf } from "../../../src/core/line/counted-bits.ts";
import { Line } from "../../../src/core/line/line.ts";
import type { IssuedRun } from "../../../src/core/line/kept-chunks.ts";
import { aheadFrom, mayHold } from "../../../src/core/line/positions.ts";
import { after, instant } from "../../../src/core/time.ts";
import { DrawnOrder } from "../../../src/core/draw/drawn-order.ts";
import { hex } from "../../../src/core/hex.ts";
import type { DrawnStretch, Spot } from "../../../src/core/line/order.ts";
import { LOBBIES } from "./histories.ts";
import type { Step } from "./histories.ts";
import { issueMany } from "./issue-many.ts";
import { NaiveLine } from "./naive-line.ts";

/** A line and its naive twin, with the rows that a store would hold of the line. */
export class Twins {
  #line: Line;
  readonly #naive: NaiveLine;
  #runs: IssuedRun[] = [];
  #drawn: readonly DrawnStretch[] = [];
  readonly #spent = new Map<number, Uint8Array>();
  #now = instant(1_000);

  constructor(issued: number) {
    const base = chunkOf(issued + 1);
    this.#line = Line.restore({ issued, base, runs: [], spent: [], called: [] }, this.#now);
    this.#naive = new NaiveLine(issued, base);
  }

  step(step: Step): void {
    this.#now = after(this.#now, 1);
    const [answer, expected] = this.#both(step);
    assert.deepEqual(answer, expected, `what ${step.do} answers`);
    this.#store();
    this.#compareCounts();
  }

  /** What both lines answer to the same step. */
  #both(step: Step): readonly [unknown, unknown] {
    const line = this.#line;
    const naive = this.#naive;
    const now = this.#now;
    const n = "back" in step ? this.#back(step.back) : ticketNumber(1);
    switch (step.do) {
      case "issue":
        return this.#issue(step.count + 1, step.lobby, step.standing);
      case "mark-present":
        return [line.markPresent(n), naive.markPresent(n)];
      case "mark-away":
        return [line.markAway(n, now), naive.markAway(n, now)];
      case "spend":
        return [line.spend(n), naive.spend(n)];
      case "call":
        return [line.call(n), naive.call(n)];
      case "call-all":
        return this.#callAll(step.free);
      case "uncall":
        return [line.uncall(n, now), naive.uncall(n, now)];
      case "report": {
        const held = step.held.map((back) => this.#back(back));
        line.report(step.lobby, held, step.missing, now);
        return [null, naive.report(step.lobby, held, step.missing, now) ?? null];
      }
      case "mark-unconfirmed":
        return [line.markUnconfirmed(step.lobby), naive.markUnconfirmed(step.lobby)];
      case "mark-all-unconfirmed":
        return [line.markAllUnconfirmed(), naive.markAllUnconfirmed()];
      case "settle-all":
        return [line.settleAll(now), naive.settleAll(now)];
      case "sweep":
        return this.#sweep(step.age);
      case "empty-chunk":
        return this.#issue(8_192, step.lobby, "spent");
      case "restart":
        return this.#restart();
      case "draw":
        return this.#draw(n, step.seed);
      default:
        return step satisfies never;
    }
  }

  #back(back: number): TicketNumber {
    return ticketNumber(this.#naive.issued - back);
  }

  #issue(
    count: number,
    lobby: IssuedRun["lobby"],
    standing: "present" | "called" | "spent",
  ): readonly [unknown, unknown] {
    const first = issueMany(this.#line, count, lobby, standing);
    this.#runs.push({ first, count, lobby });
    return [first, this.#naive.issue(count, lobby, standing)];
  }

  #callAll(free: number): readonly [unknown, unknown] {
    const called: TicketNumber[] = [];
    for (const n of this.#line.callable(free)) {
      called.push(n);
      this.#line.call(n);
    }
    const expected = this.#naive.callable(free);
    for (const n of expected) this.#naive.call(n);
    return [called, expected];
  }

  #sweep(age: number): readonly [unknown, unknown] {
    const before = after(this.#now, -age);
    const swept = this.#line.sweep(before);
    this.#runs = this.#runs.filter(({ first, count }) => chunkOf(first + count - 1) >= swept.base);
    for (const chunk of this.#spent.keys()) if (chunk < swept.base) this.#spent.delete(chunk);
    return [swept, this.#naive.sweep(before)];
  }

  #restart(): readonly [unknown, unknown] {
    const spent = [...this.#spent].map(([chunk, bits]) => ({ chunk, bits }));
    const called = this.#naive.calledNumbers();
    const { issued, base } = this.#line;
    const runs = this.#runs;
    this.#line = Line.restore({ issued, base, runs, spent, called, drawn: this.#drawn }, this.#now);
    this.#naive.restore(this.#now);
    return [null, null];
  }

  /** Draws the numbers from here up that no draw has ordered yet. */
  #draw(from: TicketNumber, byte: number): readonly [unknown, unknown] {
    const last = ticketNumber(this.#naive.issued);
    const first = ticketNumber(Math.max(1, from, (this.#drawn.at(-1)?.last ?? 0) + 1));
    if (first > last) return [null, null];
    const seed = hex(new Uint8Array(32).fill(byte));
    this.#drawn = [...this.#drawn, { first, last, seed }];
    this.#line.draw(this.#drawn);
    const order = new DrawnOrder(new Uint8Array(32).fill(byte), { first, last });
    const ranks = Array.from({ length: order.size }, (_, at) =>
      Number(order.rankOf(ticketNumber(first + at))),
    );
    this.#naive.draw(first, ranks);
    return [null, null];
  }

  #store(): void {
    const chunks = this.#line.dirtySpentChunks();
    assert.deepEqual(chunks, this.#naive.dirtySpentChunks(), "dirty chunks");
    for (const chunk of chunks) this.#spent.set(chunk, this.#line.spentBytes(chunk));
  }

  #compareCounts(): void {
    const count = (line: Line | NaiveLine) => ({
      issued: line.issued,
      base: line.base,
      unspent: line.unspent,
      waiting: line.waiting,
      unconfirmed: line.unconfirmed,
      head: line.head(),
      lobbies: [...line.lobbies()].sort((a, b) => a - b),
      unspentOf: LOBBIES.map((lobby) => line.unspentOf(lobby)),
      presentOf: LOBBIES.map((lobby) => line.presentOf(lobby)),
    });
    assert.deepEqual(count(this.#line), count(this.#naive));
  }

  /** Everything that can be asked, of every number that either may know anything of. */
  compareAll(): void {
    const numbers = [...this.#naive.unspentNumbers(), 0, 1];
    for (let back = -3; back < 60; back += 1) numbers.push(this.#back(back));
    const tables = [2, 3, 5, 2_048].map((max) => this.#line.positions(max));
    for (const n of numbers.map(ticketNumber)) {
      const say = (line: Line | NaiveLine) => ({
        standing: line.standingOf(n),
        unspent: line.isUnspent(n),
        present: line.isPresent(n),
        lobby: line.lobbyOf(n),
        ahead: line.ahead(n),
      });
      assert.deepEqual(say(this.#line), say(this.#naive));
    }
    for (const free of [0, 1, 2, 5, 1_000]) {
      assert.deepEqual([...this.#line.callable(free)], this.#naive.callable(free));
    }
    for (const k of [-1, 0, 1, 4, this.#naive.waiting, 1_000]) {
      assert.equal(this.#line.memberAt(k), this.#naive.memberAt(k));
    }
    assert.deepEqual(this.#line.positions(), this.#naive.positions());
    for (const table of tables) this.#compareTable(table);
    this.#compareStored();
  }

  /** A stored row holds as many numbers as are spent, none unspent, and none not yet issued. */
  #compareStored(): void {
    for (const [chunk, bits] of this.#spent) {
      const stored = new CountedBits();
      stored.load(chunk, bits);
      assert.equal(stored.size, this.#naive.spentIn(chunk));
      assert.ok(!this.#naive.unspentNumbers().some((n) => stored.has(n)));
      assert.equal(stored.next(this.#naive.issued + 1), null);
    }
  }

  /** Exact at every entry, never falling, and off by less than a gap's members within it. */
  #compareTable(table: ReturnType<Line["positions"]>): void {
    const gaps = [...table.ahead].map((ahead, at) => ahead - (table.ahead[at - 1] ?? -1));
    const { order } = this.#line;
    for (const spot of table.spots) {
      const n = order.numberAt(spot as Spot);
      assert.equal(aheadFrom(table, spot as Spot), this.#naive.ahead(n));
    }
    const isWhole = table.spots.length === this.#naive.positions().spots.length;
    for (let back = -3; back < 60; back += 1) {
      const n = this.#back(back);
      const stands = ["present", "unconfirmed"].includes(this.#naive.standingOf(n) ?? "");
      assert.ok(
        mayHold(table, order.spotOf(n)) || !stands,
        "a table may hold whoever stands in line",
      );
      if (isWhole)
        assert.equal(mayHold(table, order.spotOf(n)), stands, "a whole table knows who does");
    }
    let last = 0;
    for (let back = 60; back > -3; back -= 1) {
      const spot = this.#back(back) as number as Spot;
      const ahead = aheadFrom(table, spot);
      assert.ok(ahead >= last, "never falls");
      const error = Math.abs(ahead - this.#naive.ahead(order.numberAt(spot)));
      assert.ok(error < Math.max(1, ...gaps), "off by less than a gap holds");
      last = ahead;
    }
  }
}
