import { expect, test } from "vitest";
import type { VisitId } from "../../../src/core/ids.ts";
import { EndedVisits } from "../../../src/core/room/ended.ts";
import { VisitEnds } from "../../../src/core/room/visit-ends.ts";
import { instant } from "../../../src/core/time.ts";

const visit = (number: number): VisitId => number as VisitId;
const at = instant;

test("[SNAPSHOT-1] ended visits are named until their passes have run out, though one before them stays longer", () => {
  const ended = new EndedVisits();
  ended.add(visit(1), at(10_000), at(0));
  for (let number = 2; number <= 9; number += 1) ended.add(visit(number), at(100 * number), at(0));
  expect(ended.since(null, at(500)).map((entry) => entry.visit)).toEqual([1, 6, 7, 8, 9]);
  expect(ended.forget(at(500))).toBe(false);
  expect(ended.forget(at(10_000))).toBe(true);
  expect(ended.since(null, at(10_000))).toEqual([]);
  ended.add(visit(10), at(20_000), at(10_000));
  expect(ended.since(9, at(10_000))).toEqual([{ visit: 10, version: 10, passesUntil: 20_000 }]);
});

test("[HOUSE-7] a visit whose passes last long keeps no more than twice as many as last", () => {
  const ended = new EndedVisits();
  ended.add(visit(1), at(1_000_000_000), at(0));
  let forgotten = 0;
  for (let now = 0; now < 100_000; now += 1) {
    ended.add(visit(now + 2), at(now + 1_000), at(now));
    if (ended.forget(at(now))) forgotten += 1;
  }
  expect(forgotten).toBeGreaterThan(30);
  expect(ended.since(null, at(0)).length).toBeLessThan(5_000);
  expect(ended.since(null, at(99_999)).length).toBe(1_001);
  expect(ended.since(99_990, at(99_999)).map((entry) => entry.version)).toHaveLength(11);
});

test("[VISIT-9] of more ends than are kept the latest are known, also after many", () => {
  const ends = new VisitEnds([], 4);
  for (let number = 1; number <= 10; number += 1)
    ends.note(visit(number), { reason: "finished", at: at(number), afterMs: null });
  const known = Array.from({ length: 10 }, (_, n) => n + 1).filter((n) => ends.of(visit(n)));
  expect(known).toEqual([7, 8, 9, 10]);
  ends.note(visit(8), { reason: "revoked", at: at(99), afterMs: null });
  expect(ends.of(visit(8))).toMatchObject({ reason: "revoked" });
  expect(ends.of(visit(7))).not.toBeNull();
});
