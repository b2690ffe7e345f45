import { describe, expect, test } from "vitest";
import { liveMessage } from "../../../src/core/live/message.ts";
import { plannedEventsOf } from "../../../src/core/events/planned.ts";
import { lobbyIndex } from "../../../src/core/ids.ts";
import { liveFigures, LOBBIES_SHOWN_MAX } from "../../../src/core/room/live.ts";
import { outsetOf } from "../../../src/core/room/outset.ts";
import { waitTableOf } from "../../../src/core/room/view.ts";
import { etaOf } from "../../../src/core/estimate/eta.ts";
import { instant } from "../../../src/core/time.ts";
import { roomEvent } from "../../support/events.ts";
import { JOIN, World } from "./world.ts";

const figures = (world: World) => liveFigures(world.state, instant(world.now));
const outset = (world: World) => outsetOf(world.state, instant(world.now));

/** Ten seconds, in each of which somebody new is in and somebody is done. */
const turnOver = (world: World): void => {
  for (let i = 0; i < 10; i += 1) {
    world.tick(1_000);
    const visit = [...world.state.permits.all()].find(({ permit }) => permit.state === "held");
    if (visit !== undefined) world.end(visit.permit.number);
    for (const { permit } of [...world.state.permits.all()])
      if (permit.state === "called") world.visit(permit.number);
  }
};

describe("the figures of a room", () => {
  test("[LIVE-13] each stands for what the room counts", () => {
    const world = new World({ permitsMax: 3, startsPerSecondMax: 7 });
    const [a, b] = world.crowd(8);
    for (const number of [a!, b!]) world.visit(number);
    world.away(5, 6);
    world.leave(7);
    expect(figures(world)).toMatchObject({
      at: world.now,
      mode: "queues",
      waiting: 2,
      present: 2,
      unconfirmed: 0,
      away: 2,
      called: 1,
      visiting: 2,
      free: 0,
      permitsMax: 3,
      startsPerSecondMax: 7,
      callsPerSecondMax: 7,
      issued: 8,
      lobbies: 1,
      presentByLobby: [2],
      minute: { issued: 8, calls: 3, entriesByUsher: 2 },
    });
    expect(figures(world).startsLastMinute).toEqual([2]);
  });

  test("[LIVE-13] of those that a restart has left, nobody knows yet who is there", () => {
    const world = new World({ permitsMax: 1 });
    world.crowd(5);
    world.crash();
    world.tick();
    expect(figures(world)).toMatchObject({ waiting: 4, present: 0, unconfirmed: 4, called: 1 });
  });

  test("[LIVE-13] waits are those that the line is told", () => {
    const world = new World({ permitsMax: 2, startsPerMinuteMax: 60 });
    world.crowd(100);
    for (const number of world.justCalled) world.visit(number);
    turnOver(world);
    const now = instant(world.now);
    const { waiting } = world.state.line;
    const table = waitTableOf(world.state, now);
    const { head, middle, end } = figures(world);
    expect(head).toEqual(etaOf(table, 0, now));
    expect(middle).toEqual(etaOf(table, Math.floor((waiting - 1) / 2), now));
    expect(end).toEqual(etaOf(table, waiting, now));
    expect([head, middle, end].every(({ known }) => known)).toBe(true);
  });

  test("[LIVE-13] an event shows its limits, and beside them the operator's own", () => {
    const world = new World({ permitsMax: 5 });
    const event = roomEvent(world.now - 1_000, {
      overrides: { permitsMax: 2, startsPerMinuteMax: 9 },
    });
    const events = plannedEventsOf({ events: { changedAt: instant(1), list: [event] } });
    world.configure({}, events);
    const message = liveMessage(figures(world), 1);
    expect(message).toMatchObject({
      event: { phase: "running" },
      permits: 2,
      starts_per_minute: 9,
      own: { permits: 5, starts_per_minute: 100_000 },
    });
    expect(message.outset.events).toMatchObject([{ permitsMax: 2, startsPerMinuteMax: 9 }]);
  });

  test("[LIVE-13] the secret of a draw that is to come is in no message", () => {
    const world = new World();
    const secret = "5".repeat(64);
    const event = roomEvent(world.now + 600_000, {
      prequeueAt: instant(world.now),
      shuffle: true,
      draw: { secret, commitment: "c", announcedAt: instant(1), promised: { from: "witnesses" } },
    });
    world.configure({}, plannedEventsOf({ events: { changedAt: instant(1), list: [event] } }));
    const text = JSON.stringify(liveMessage(figures(world), 1));
    expect(text).toContain('"phase":"prequeue"');
    expect(text).not.toContain(secret);
  });

  test("[LIVE-13] a message stays small, however large the room and its lobbies are", () => {
    const world = new World({ permitsMax: 2_000, startsPerMinuteMax: 100_000 });
    for (let lobby = 0; lobby < 60; lobby += 1)
      world.crowd(500, { lobby: lobbyIndex(lobby), roster: [] });
    for (let second = 0; second < 65; second += 1) {
      for (const number of world.justCalled) world.visit(number);
      world.batch([JOIN]);
      world.tick(1_000);
    }
    const shown = figures(world);
    expect(shown.lobbies).toBeGreaterThan(50);
    expect(shown.presentByLobby).toHaveLength(LOBBIES_SHOWN_MAX);
    expect(JSON.stringify(liveMessage(shown, 1_700_000_000_000)).length).toBeLessThan(4_000);
  });
});

describe("what a forecast begins with", () => {
  test("[LIVE-13] how long visits last, run and are waited for", () => {
    const world = new World({ permitsMax: 2, claimWithinMs: 10_000 });
    world.crowd(60);
    for (let i = 0; i < 20; i += 1) {
      const [number] = world.justCalled;
      if (number !== undefined) world.now += 2_000;
      if (number !== undefined) world.visit(number);
      world.tick(1_000);
      const [oldest] = [...world.state.permits.all()];
      if (oldest?.permit.state === "held") world.end(oldest.permit.number);
    }
    const { learned, agesMs, limits } = outset(world);
    expect(limits).toMatchObject({ permitsMax: 2, paused: false, closed: false });
    expect(learned.lengthsMs).toHaveLength(25);
    expect(learned.lengthsMs[12]).toBeGreaterThan(500);
    expect(learned.lengthsMs[12]).toBeLessThan(10_000);
    expect([...learned.lengthsMs].toSorted((a, b) => a - b)).toEqual(learned.lengthsMs);
    expect(agesMs.length === 0 || agesMs.length === 25).toBe(true);
    expect(learned.claimMs).toBeGreaterThan(500);
    expect(learned.claimMs).toBeLessThan(4_000);
    expect(learned.arrivalsPerMinute).toBeGreaterThan(0);
  });

  test("[LIVE-13] calls that nobody answers are a share, and no part of how long others take", () => {
    const world = new World({ permitsMax: 1, claimWithinMs: 10_000 });
    world.crowd(100);
    for (let i = 0; i < 60; i += 1) {
      const [number] = world.justCalled;
      if (number === undefined || i % 2 === 0) {
        world.tick(10_000);
        continue;
      }
      world.now += 1_000;
      world.visit(number);
      world.end(number);
    }
    const { learned } = outset(world);
    expect(learned.missedShare).toBeGreaterThan(0.3);
    expect(learned.missedShare).toBeLessThan(0.6);
    expect(learned.claimMs).toBeLessThan(3_000);
  });

  test("[LIVE-13] arrivals are all new numbers: of those who join, and of those who enter at once", () => {
    const world = new World({ permitsMax: 1_000 });
    for (let second = 0; second < 120; second += 1) {
      world.entered();
      world.tick(500);
      world.entered();
      world.tick(500);
    }
    expect(outset(world).learned.arrivalsPerMinute).toBeCloseTo(120, -1);
  });

  test("[LIVE-13] before anybody has ended a visit, nobody knows how long one lasts", () => {
    const world = new World();
    world.entered();
    expect(outset(world).learned).toMatchObject({ lengthsMs: [], lengthsUnseen: 1 });
  });
});
