import { expect, test } from "vitest";
import type { Op } from "../../../src/core/room/commands.ts";
import { seeded } from "./seeded.ts";
import { JOIN, World } from "./world.ts";

const TICK_MS = 500;

interface Entry {
  readonly number: number;
  readonly via: string;
  readonly at: number;
}

/** Visitors who arrive at their moments, claim when they are called, and leave after their visit. */
const play = (w: World, arrivals: readonly number[], visitMs: () => number) => {
  const began = w.now;
  const entries: Entry[] = [];
  const leaveAt = new Map<number, number>();
  const freeAt: number[] = [];
  const waiting = [...arrivals].sort((a, b) => a - b);
  for (let ms = 0; entries.length < arrivals.length || leaveAt.size > 0; ms += 1) {
    w.now = began + ms;
    const ops: Op[] = [];
    while ((waiting[0] ?? Infinity) <= ms) {
      waiting.shift();
      ops.push(JOIN);
    }
    for (const { permit } of w.state.permits.all()) {
      const { number } = permit;
      if (permit.state === "called") ops.push({ op: "claim", number });
      else if (leaveAt.get(number) === ms) ops.push({ op: "end", visit: number, afterMs: 0 });
    }
    if (ops.length === 0 && ms % TICK_MS !== 0) continue;
    for (const op of ops) if (op.op === "end") leaveAt.delete(op.visit);
    if (ops.some(({ op }) => op === "end")) freeAt.push(ms);
    for (const reply of w.batch(ops)) {
      if (reply.kind !== "visit") continue;
      const { visit: number } = reply.visit;
      const permit = w.state.permits.of(number);
      entries.push({ number, via: permit?.via ?? "?", at: ms });
      leaveAt.set(number, ms + visitMs());
    }
    expect(w.state.permits.out).toBeLessThanOrEqual(w.state.permits.max);
  }
  return entries;
};

const count = (entries: readonly Entry[], via: string) =>
  entries.filter((entry) => entry.via === via).length;

test.each([1, 2, 3, 4, 5])(
  "[S2a] a crowd of 20 at once on 2 permits: 2 enter by the usher, 18 by the baton, in order (seed %i)",
  (seed) => {
    const random = seeded(seed);
    const w = new World({ permitsMax: 2 });
    const arrivals = Array.from({ length: 20 }, () => random(100));
    const entries = play(w, arrivals, () => 100 + random(101));
    expect(entries.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    expect([count(entries, "usher"), count(entries, "baton")]).toEqual([2, 18]);
    expect(entries.at(-1)?.at).toBeLessThan(2_000);
  },
);

test.each([1, 2, 3, 4, 5])(
  "[S2b] the same 20 in 5 s: by the usher and by the baton, none later than a tick (seed %i)",
  (seed) => {
    const random = seeded(seed);
    const w = new World({ permitsMax: 2 });
    const arrivals = Array.from({ length: 20 }, () => random(5_000));
    const joinedAt = arrivals.toSorted((a, b) => a - b);
    const entries = play(w, arrivals, () => 100 + random(101));
    expect(entries.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    expect(count(entries, "usher")).toBeGreaterThan(2);
    for (const { number, at } of entries) {
      expect(at - (joinedAt[number - 1] ?? 0)).toBeLessThan(TICK_MS + 2 * 200);
    }
    expect(w.tally("finished")).toBe(20);
  },
);

test("[S2b] in a quiet hour some enter from the tray, some by the baton", () => {
  const random = seeded(7);
  const w = new World({ permitsMax: 1 });
  const entries = play(
    w,
    Array.from({ length: 20 }, () => random(5_000)),
    () => 100 + random(101),
  );
  expect(count(entries, "usher")).toBeGreaterThan(0);
  expect(count(entries, "baton")).toBeGreaterThan(0);
  expect(count(entries, "usher") + count(entries, "baton")).toBe(20);
});

test("[S2c] who never finishes is revoked once, its permit moves on once, a late finish is nothing", () => {
  const w = new World({ permitsMax: 1, visitMaxMs: 5_000 });
  w.crowd(3);
  w.visit(1);
  w.tick(4_999);
  expect(w.standing(1)).toBe("visiting");
  w.tick(1);
  expect([w.standing(1), w.justCalled]).toEqual(["ended", [2]]);
  expect(w.end(1)).toEqual({ kind: "ended" });
  expect([w.justCalled, w.called, w.visiting]).toEqual([[], 1, 0]);
  w.visit(2);
  w.tick(4_000);
  expect(w.end(1)).toEqual({ kind: "ended" });
  expect([w.standing(2), w.standing(3)]).toEqual(["visiting", "waiting"]);
  expect([w.tally("revoked"), w.tally("finished")]).toEqual([1, 0]);
});
