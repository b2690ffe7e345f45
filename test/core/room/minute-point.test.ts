import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LogHistogram } from "../../../src/core/collections/log-histogram.ts";
import { emptyRow } from "../../../src/core/room/history.ts";
import { minutePoints } from "../../../src/core/room/minute-point.ts";
import { instant } from "../../../src/core/time.ts";
import { JOIN, World } from "./world.ts";

const START = 1_800_000_000_000;
const waits = new LogHistogram();
waits.add(50_000, 10);

const ROW = {
  ...emptyRow(instant(START)),
  joined: 2,
  issued: 3,
  entriesByUsher: 4,
  entriesByBaton: 5,
  entriesByDoor: 6,
  calls: 7,
  missed: 8,
  left: 9,
  finished: 10,
  expired: 11,
  revoked: 12,
  refused: 13,
  arrivals: 14,
  bypassed: 15,
  originAnswers: 16,
  originErrors: 17,
  waitingMax: 18,
  outMax: 19,
  waits: { counts: waits.toJSON(), longestMs: 50_000 },
};

test("[METRIC-9] a minute is a point of the room's index, with the numbers as docs/monitoring.md has them", () => {
  const [point, ...others] = minutePoints("room-id", [{ put: "history", row: ROW }]);
  expect(others).toEqual([]);
  expect(point?.indexes).toEqual(["room-id"]);
  expect(point?.blobs).toEqual(["minute", "room-id"]);
  expect(point?.doubles.slice(0, 19)).toEqual([
    START / 1_000,
    ...Array.from({ length: 18 }, (_, index) => index + 2),
  ]);
  expect(Math.abs((point?.doubles[19] ?? 0) - 50)).toBeLessThan(3);
  const described = [
    ...readFileSync("docs/monitoring.md", "utf8").matchAll(/^\| `double(\d+)` \|/gm),
  ].map(([, index]) => Number(index));
  expect(described).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test("[METRIC-9] steps of a room make one point a minute with anything in it, and none otherwise", () => {
  const w = new World({ permitsMax: 1, leaseMs: 86_400_000, claimWithinMs: 5_000 });
  const points = () => minutePoints("room-id", w.last?.changes ?? []).length;
  let made = 0;
  for (let second = 0; second < 300; second += 1) {
    if (second < 70) {
      w.batch([JOIN]);
      made += points();
    }
    w.tick(1_000);
    made += points();
  }
  const rows = w.store.history(instant(0), Infinity).length;
  expect(rows).toBeGreaterThan(1);
  expect(made).toBe(rows);
});
