import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CollectionReminder } from "../../src/worker/platform/collection-reminder.ts";

/** How many pieces a second of so many requests puts among the old objects. */
const piecesIn = (seconds: number, perSecond: number, clock = (ms: number) => ms): string[] => {
  const pieces: string[] = [];
  let ms = 0;
  const reminder = new CollectionReminder(
    () => clock(ms),
    (piece) => pieces.push(piece),
  );
  for (let request = 0; request < seconds * perSecond; request += 1) {
    reminder.requestCame();
    ms += 1_000 / perSecond;
  }
  return pieces;
};

describe("V8 is reminded of its old objects", () => {
  test.each([
    [20_000, 5],
    [5_000, 5],
    [640, 5],
    [256, 2],
    [128, 1],
    [12, 0],
  ])("[RUN-29] at %d requests a second %d times", (perSecond, times) => {
    const each = piecesIn(10, perSecond).length / 10;
    expect(each).toBeGreaterThan(times - 0.6);
    expect(each).toBeLessThanOrEqual(times);
  });

  test("[RUN-29] each piece is another, and no longer for a million requests", () => {
    const pieces = piecesIn(10, 100_000);
    expect(new Set(pieces).size).toBe(pieces.length);
    for (const piece of pieces) expect(piece.length).toBeLessThan(131_080);
  });

  test("[RUN-29] a clock that is set back is no reason to stop", () => {
    const back = piecesIn(10, 5_000, (ms) => (ms < 5_000 ? ms : ms - 86_400_000));
    expect(back.length).toBeGreaterThan(40);
  });
});

/** In megabytes, what the heap held when V8 began to collect the old objects, each time. */
const collectedAt = (which: "reminded" | "unreminded"): number[] => {
  const script = fileURLToPath(new URL("../support/old-objects.ts", import.meta.url));
  // As the runtime sets V8 up, and as `npm start` does.
  const flags = [
    "--no-incremental-marking",
    "--max-semi-space-size=1",
    "--initial-old-space-size=12",
    "--heap-growing-percent=50",
    "--trace-gc",
  ];
  const told = execFileSync(process.execPath, [...flags, script, which], { encoding: "utf8" });
  return [...told.matchAll(/Mark-Compact (?:\(reduce\) )?([\d.]+) /g)].map(([, mb]) => Number(mb));
};

test("[RUN-29] by itself V8 passes the limit unseen; reminded, it collects near it", () => {
  const reminded = collectedAt("reminded");
  expect(reminded.length).toBeGreaterThan(3);
  for (const mb of reminded) expect(mb).toBeLessThan(24);
  // If this fails, V8 has learnt to look by itself, and the reminder can go.
  expect(collectedAt("unreminded").length).toBeLessThan(reminded.length / 2);
});
