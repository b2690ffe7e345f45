import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CollectionPacer } from "../../src/core/collection-pacer.ts";

interface Drive {
  readonly seconds: number;
  readonly perSecond: number;
  /** What the clock shows when so many milliseconds have passed. */
  readonly clock?: (ms: number) => number;
  /** How long the so manieth collection takes, in milliseconds; no word of it: none can be had. */
  readonly collectionMs?: (nth: number) => number;
  /** Those with a live pass, by default. */
  readonly who?: "any" | "visitors" | "waiters";
}

interface Driven {
  readonly pieces: readonly string[];
  /** When each collection began, in milliseconds. */
  readonly collections: readonly number[];
}

/** So many seconds of a steady load. */
const drive = ({ seconds, perSecond, collectionMs, ...more }: Drive): Driven => {
  const { clock = (ms: number) => ms, who = "visitors" } = more;
  const pieces: string[] = [];
  const collections: number[] = [];
  let ms = 0;
  const collect =
    collectionMs === undefined
      ? null
      : () => {
          collections.push(ms);
          ms += collectionMs(collections.length);
        };
  const pacer = new CollectionPacer(() => clock(ms), {
    collect,
    put: (piece) => pieces.push(piece),
  });
  for (let request = 0; request < seconds * perSecond; request += 1) {
    pacer.requestCame();
    if (who === "visitors") pacer.visitorCame();
    if (who === "waiters") pacer.waiterCame();
    ms += 1_000 / perSecond;
  }
  return { pieces, collections };
};

const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((at, before) => at - (times[before] ?? 0));

describe("V8 is reminded of its old objects", () => {
  test.each([
    [20_000, 5],
    [5_000, 5],
    [640, 5],
    [256, 2],
    [128, 1],
    [12, 0],
  ])("[RUN-29] at %d requests a second %d times", (perSecond, times) => {
    const each = drive({ seconds: 10, perSecond }).pieces.length / 10;
    expect(each).toBeGreaterThan(times - 0.6);
    expect(each).toBeLessThanOrEqual(times);
  });

  test("[RUN-29] by a quarter of them, where each has waited for its turn", () => {
    expect(drive({ seconds: 10, perSecond: 32, who: "waiters" }).pieces).toHaveLength(10);
  });

  test("[RUN-29] by nobody's but visitors' requests", () => {
    expect(drive({ seconds: 10, perSecond: 5_000, who: "any" }).pieces).toEqual([]);
  });

  test("[RUN-29] each piece is another, and no longer for a million requests", () => {
    const { pieces } = drive({ seconds: 10, perSecond: 100_000 });
    expect(new Set(pieces).size).toBe(pieces.length);
    for (const { length } of pieces) {
      expect(length).toBeGreaterThan(131_072);
      expect(length).toBeLessThan(131_080);
    }
  });

  test("[RUN-29] a clock that is set back is no reason to stop", () => {
    const clock = (ms: number) => (ms < 5_000 ? ms : ms - 86_400_000);
    expect(drive({ seconds: 10, perSecond: 5_000, clock }).pieces.length).toBeGreaterThan(40);
  });
});

describe("we collect by ourselves", () => {
  test.each([
    [256, "visitors", 4_000],
    [1_024, "visitors", 1_000],
    [2_048, "visitors", 500],
    [256, "waiters", 1_000],
    [1_024, "any", 4_000],
  ] as const)("[RUN-32] at %d requests a second, %s, every %d ms", (perSecond, who, ms) => {
    const { collections } = drive({ seconds: 40, perSecond, who, collectionMs: () => 8 });
    expect(collections.length).toBeGreaterThan(5);
    for (const gap of gapsOf(collections)) expect(gap).toBeCloseTo(ms + 8, 6);
  });

  test.each([
    [8, 160],
    [20, 400],
    [28, 560],
    [40, 1_600],
    [60, 5_400],
    [100, 25_000],
  ])("[RUN-32] one that takes %d ms is followed by none for %d ms", (collectionMs, restMs) => {
    const { collections } = drive({
      seconds: 200,
      perSecond: 12_800,
      collectionMs: () => collectionMs,
    });
    expect(collections.length).toBeGreaterThan(2);
    for (const gap of gapsOf(collections)) {
      expect(gap).toBeGreaterThanOrEqual(collectionMs + restMs);
      // Where 1,024 have not come by then, when they have.
      expect(gap).toBeLessThan(collectionMs + Math.max(restMs, 80) + 11);
    }
  });

  test("[RUN-32] one with much to free once is no reason to stop", () => {
    const { collections } = drive({
      seconds: 300,
      perSecond: 1_024,
      collectionMs: (nth) => (nth === 1 ? 180 : 8),
    });
    const [longest, ...rests] = gapsOf(collections);
    expect(longest).toBeGreaterThanOrEqual(145_000);
    expect(Math.max(...rests)).toBeLessThan(1_010);
  });

  test("[RUN-32] a clock that jumps while it collects costs ten minutes at most", () => {
    const day = 86_400_000;
    for (const jump of [day, -day]) {
      const { collections } = drive({
        seconds: 700,
        perSecond: 1_024,
        clock: (ms) => (ms < 1_000 ? ms : ms + jump),
        collectionMs: () => 8,
      });
      const rests = gapsOf(collections);
      expect(rests.length).toBeGreaterThan(90);
      expect(Math.max(...rests)).toBeLessThan(602_000);
    }
  });

  test("[RUN-29] [RUN-32] what is collected needs no reminder at that moment, but between", () => {
    const { pieces, collections } = drive({
      seconds: 90,
      perSecond: 5_000,
      collectionMs: () => 110,
    });
    expect(collections).toHaveLength(3);
    expect(pieces.length).toBeGreaterThan(400);
  });
});

/** In megabytes, what the heap held when old objects were collected, each time. */
const collectedAt = (which: "paced" | "unpaced", ...more: string[]): number[] => {
  const script = fileURLToPath(new URL("../support/old-objects.ts", import.meta.url));
  // As the runtime sets V8 up, and as `npm start` does.
  const flags = [
    "--no-incremental-marking",
    "--max-semi-space-size=1",
    "--initial-old-space-size=12",
    "--heap-growing-percent=50",
    "--trace-gc",
    ...more,
  ];
  const told = execFileSync(process.execPath, [...flags, script, which], { encoding: "utf8" });
  return [...told.matchAll(/Mark-Compact (?:\(reduce\) )?([\d.]+) /g)].map(([, mb]) => Number(mb));
};

test("[RUN-29] [RUN-32] by itself V8 passes the limit unseen; reminded, it collects near it, and we long before", () => {
  const reminded = collectedAt("paced");
  expect(reminded.length).toBeGreaterThan(3);
  for (const mb of reminded) expect(mb).toBeLessThan(24);
  // If this fails, V8 has learnt to look by itself, and the reminder can go.
  expect(collectedAt("unpaced").length).toBeLessThan(reminded.length / 2);
  const ours = collectedAt("paced", "--expose-gc");
  expect(ours.length).toBeGreaterThan(20);
  for (const mb of ours) expect(mb).toBeLessThan(16);
});
