import { expect, test } from "vitest";
import { REGIONS, type Cut, type Here } from "./distances.ts";
import { PERMITS, RegionsWorld } from "./world.ts";

const EACH = 100;
const JOIN_WITHIN_MS = 20_000;

const sorted = (values: readonly number[]): number[] =>
  values.toSorted((one, other) => one - other);
const median = (values: readonly number[]): number => sorted(values)[values.length >> 1] ?? NaN;

const lived = async (seed: number, cut: Cut | null = null): Promise<RegionsWorld> => {
  const world = await RegionsWorld.of(seed, cut);
  await world.run(EACH, JOIN_WITHIN_MS);
  // No number twice, and one each.
  const numbers = world.visitors.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(EACH * REGIONS.length);
  expect(world.insideMost).toBeLessThanOrEqual(PERMITS);
  return world;
};

const of = (world: RegionsWorld, region: Here) =>
  world.visitors.filter((visitor) => visitor.region === region);

test("[REGION-7] [REGION-13] from four continents: one order, and a place as near as the region", async () => {
  const world = await lived(1);
  // In the order in which joins reach the Room, and called in that order.
  expect(world.issued).toEqual(sorted(world.issued));
  // Those of one step are told to their lobbies one after another.
  const called = world.called.toSorted((a, b) => a.atMs - b.atMs || a.number - b.number);
  const numbers = called.map(({ number }) => number);
  expect(numbers).toEqual(sorted(numbers));
  expect(world.insideMost).toBeGreaterThan(PERMITS / 2);
  for (const region of REGIONS) {
    const polls = of(world, region).flatMap(({ pollsMs }) => pollsMs);
    expect(polls.length).toBeGreaterThan(EACH);
    expect(median(polls)).toBeLessThan(60);
  }
  // A ticket takes one way there and back to the Room besides, and what it is gathered for.
  const joins = (region: Here) => median(of(world, region).map(({ joinMs }) => joinMs));
  expect(joins("oc") - joins("weur")).toBeGreaterThan(2 * 138 - 30);
  expect(joins("oc")).toBeLessThan(2 * 138 * 1.1 + 300);
});

const MINUTE = 60_000;

test.each([1, 2, 3])(
  "[REGION-14] a region is cut off for a minute, and comes back to its places (seed %i)",
  async (seed) => {
    const cut = { from: 12_000, until: 12_000 + MINUTE, region: "apac", isDead: false } as const;
    const world = await lived(seed, cut);
    const during = (region: Here) =>
      of(world, region).filter(
        ({ enteredAt }) =>
          enteredAt !== null && enteredAt > cut.from + 1_000 && enteredAt < cut.until,
      );
    expect(during("apac")).toEqual([]);
    // The permits of those who are cut off stay theirs until their leases have run out.
    expect(during("weur").length).toBeGreaterThan(EACH / 3);
    expect(
      of(world, "apac").filter(({ enteredAt }) => (enteredAt ?? 0) > cut.until).length,
    ).toBeGreaterThan(10);
  },
);

test.each([1, 2, 3])(
  "[REGION-14] the lobbies of a region are gone for a minute: its visitors come in by the next (seed %i)",
  async (seed) => {
    const cut = { from: 12_000, until: 12_000 + MINUTE, region: "apac", isDead: true } as const;
    const world = await lived(seed, cut);
    const during = of(world, "apac").filter(
      ({ enteredAt }) =>
        enteredAt !== null && enteredAt > cut.from + 10_000 && enteredAt < cut.until,
    );
    expect(during.length).toBeGreaterThan(EACH / 4);
  },
);

test("[REGION-14] a region that never comes back costs nobody the place", async () => {
  const world = await lived(4, { from: 8_000, until: Infinity, region: "enam", isDead: true });
  const after = of(world, "enam").filter(({ enteredAt }) => (enteredAt ?? 0) > 20_000);
  expect(after.length).toBeGreaterThan(EACH / 4);
});
