import { expect, test } from "vitest";
import { LOBBY_INDEX_MAX, lobbyIndex } from "../../../src/core/ids.ts";
import { lobbiesIn } from "../../../src/core/regions/lobbies.ts";
import { regionMeters } from "../../../src/core/regions/meter.ts";
import { meterOf } from "../../../src/core/room/meter.ts";
import { lobbiesOpen } from "../../../src/core/room/lobbies.ts";
import type { Op } from "../../../src/core/room/commands.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "../room/world.ts";

const REGIONS = ["weur", "apac", "wnam"] as const;
const [HERE, THERE] = [lobbyIndex(0), lobbyIndex(1)];

/** Nobody is called until the test says so. */
const paused = () => new World({ regions: REGIONS, paused: true });

const rejoin = (world: World, number: number): Op => ({
  op: "rejoin",
  number: number as never,
  heardAt: instant(world.now),
  exact: false,
});

test("[REGION-3] each region has a lobby that is open, and more as its own part of the line grows", () => {
  const world = paused();
  expect(lobbiesOpen(world.state)).toEqual([0, 1, 2]);
  world.crowd(2_000, { lobby: THERE });
  world.crowd(2_000, { lobby: THERE });
  expect(lobbiesOpen(world.state)).toEqual([0, 1, 2]);
  world.crowd(96, { lobby: THERE });
  expect(lobbiesOpen(world.state)).toEqual([0, 1, 4, 2]);
  for (let more = 0; more < 2; more += 1) world.crowd(2_000, { lobby: THERE });
  world.crowd(96, { lobby: THERE });
  expect(lobbiesOpen(world.state)).toEqual([0, 4, 7, 10, 2]);
});

test("[REGION-3] `lobbies` is shared among the regions", () => {
  const world = new World({ regions: REGIONS, lobbiesMin: 7 });
  expect(lobbiesOpen(world.state)).toEqual([0, 3, 6, 1, 4, 7, 2, 5, 8]);
  expect(lobbiesOpen(new World({ lobbiesMin: 3 }).state)).toEqual([0, 1, 2]);
});

test("[REGION-7] numbers are in the order in which batches reach the Room, from wherever", () => {
  const world = paused();
  const first = world.crowd(3, { lobby: THERE });
  const second = world.crowd(2, { lobby: HERE });
  const third = world.crowd(1, { lobby: THERE });
  expect([...first, ...second, ...third]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("[REGION-10] who comes back by another lobby keeps the number, and is called there", () => {
  const world = paused();
  const [first = 0, second = 0] = world.crowd(2, { lobby: HERE });
  world.batch([], { lobby: HERE, instance: "a", away: [first as never] });
  const reply = world.one(rejoin(world, first), { lobby: THERE });
  expect(reply).toMatchObject({
    kind: "place",
    place: { number: first, state: "waiting", ahead: 0 },
  });
  world.configure({ paused: false });
  expect(world.last?.calls.get(THERE)).toMatchObject([{ number: first }]);
  expect(world.last?.calls.get(HERE)).toMatchObject([{ number: second }]);
});

test("[REGION-10] what the former lobby says of it, or leaves unsaid, makes it away no more", () => {
  const world = paused();
  const first = world.join({ lobby: HERE });
  world.one(rejoin(world, first), { lobby: THERE });
  world.batch([], { lobby: HERE, away: [first] });
  expect(world.state.line.isPresent(first)).toBe(true);
  world.batch([], { lobby: HERE, instance: "b", roster: [] });
  expect(world.state.line.standingOf(first)).toBe("present");
  for (let second = 0; second < 100; second += 20) {
    world.now += 20_000;
    world.batch([], { lobby: THERE });
  }
  expect(world.state.line.isPresent(first)).toBe(true);
  world.batch([], { lobby: THERE, away: [first] });
  expect(world.state.line.isPresent(first)).toBe(false);
});

test("[REGION-10] it goes home as it came, and never stands twice", () => {
  const world = paused();
  const first = world.join({ lobby: HERE });
  world.one(rejoin(world, first), { lobby: THERE });
  expect(world.state.line.presentOf(THERE)).toBe(1);
  expect(world.state.line.unspentOf(HERE)).toBe(0);
  world.one(rejoin(world, first), { lobby: HERE });
  expect(world.state.line.presentOf(HERE)).toBe(1);
  expect(world.state.line.unspentOf(THERE)).toBe(0);
  expect(world.state.line.waiting).toBe(1);
});

test("[REGION-10] after a restart of the Room the lobby that holds it speaks for it", () => {
  const world = new World({ regions: REGIONS, permitsMax: 1 });
  world.join({ lobby: HERE });
  const second = world.join({ lobby: HERE });
  const third = world.join({ lobby: HERE });
  world.one(rejoin(world, second), { lobby: THERE });
  world.crash();
  world.batch([], { lobby: HERE, roster: [third] });
  world.batch([], { lobby: THERE, roster: [second] });
  expect(world.state.line.lobbyOf(second)).toBe(THERE);
  expect(world.state.line.isPresent(second)).toBe(true);
  expect(world.state.line.ahead(third)).toBe(1);
});

test("[REGION-10] a number that is spent, or was never issued, comes back nowhere", () => {
  const world = paused();
  const first = world.join({ lobby: HERE });
  world.one({ op: "leave", number: first }, { lobby: HERE });
  expect(world.one(rejoin(world, first), { lobby: THERE })).toEqual({ kind: "ended" });
  expect(world.one(rejoin(world, 99), { lobby: THERE })).toEqual({ kind: "ended" });
  expect(world.state.line.waiting).toBe(0);
});

test("[REGION-17] of each region who is there, and of its most silent lobby since when", () => {
  const world = paused();
  world.crowd(3, { lobby: HERE });
  world.crowd(2, { lobby: THERE });
  world.crowd(1, { lobby: lobbyIndex(4) });
  const told = () => meterOf(world.state, instant(world.now)).regions;
  world.tick(6_000);
  world.answer([], { lobby: HERE });
  world.answer([], { lobby: lobbyIndex(4) });
  world.tick(4_000);
  expect(told()).toEqual([
    { region: "weur", waiting: 3, silentMs: 4_000 },
    { region: "apac", waiting: 3, silentMs: 10_000 },
    { region: "wnam", waiting: 0, silentMs: null },
  ]);
  expect(meterOf(new World().state, instant(world.now))).not.toHaveProperty("regions");
});

test("[REGION-17] a lobby without visitors is silent for nobody, and one not heard yet says nothing", () => {
  const lobbies = [
    { index: HERE, waiting: 0, heardAt: instant(1_000) },
    { index: lobbyIndex(3), waiting: 2, heardAt: instant(8_000) },
    { index: THERE, waiting: 4, heardAt: null },
  ];
  expect(regionMeters(REGIONS, lobbies, instant(10_000))).toEqual([
    { region: "weur", waiting: 2, silentMs: 2_000 },
    { region: "apac", waiting: 4, silentMs: null },
    { region: "wnam", waiting: 0, silentMs: null },
  ]);
});

test("[REGION-2] the regions share all indexes, the last among them", () => {
  const shared = REGIONS.flatMap((_, at) => [...lobbiesIn(at, REGIONS.length)]);
  expect([shared.length, Math.max(...shared.slice(-9))]).toEqual([LOBBY_INDEX_MAX + 1, 65_534]);
});
