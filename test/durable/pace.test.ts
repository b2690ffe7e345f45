import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { newRoom } from "./objects.ts";

const ask = (permits: number | null, stockLeft: number | null = null, ttlSeconds = 600) => ({
  ...{ permits, stockLeft, ttlSeconds, startsPerSecond: null, startsPerMinute: null },
  reason: "the shop is slow",
});

test("[SIGNAL-2] a signal and what it closed outlive the object, and are shown", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 10 });
  await room.pace(ask(4));
  expect(await room.snapshot(null)).toMatchObject({
    permitsMax: 4,
    lowered: { operator: { permitsMax: 10 }, because: ["the shop is slow"], closedBy: null },
  });
  await room.pace(ask(null, 0));
  await evictDurableObject(room as never);
  expect(await room.pace(null)).toMatchObject({
    inEffect: { permitsMax: 1 },
    closedBy: "api",
    changes: [{ permitsMax: 4 }, { permitsMax: 1, isClosed: true }],
  });
  expect(await room.snapshot(null)).toMatchObject({ mode: "closed", closed: "Sold out." });
  expect(await room.pace("taken-back")).toMatchObject({ inEffect: { permitsMax: 10 } });
  await eventually(async () => {
    const { snapshot } = await lobby(0).snapshot(null);
    expect(snapshot.mode).toBe("open");
  });
  expect((await room.snapshot(null)).lowered).toBeUndefined();
});

test("[SIGNAL-2] its end comes by the room's alarm", async () => {
  const { room } = await newRoom({ permitsMax: 10 });
  await room.pace(ask(4, null, 1));
  await eventually(async () => expect((await room.snapshot(null)).permitsMax).toBe(10));
  expect((await room.pace(null)).changes.map(({ reason }) => reason)).toEqual([
    "the shop is slow",
    "the time of its signal is over",
  ]);
});

test("[SIGNAL-8] what an origin said reaches the Room by way of a lobby within a second", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 10 });
  await lobby(0).snapshot(null);
  const report = { bypassed: 0, arrivals: 0, origin: null, pace: { ask: ask(3), ageMs: 0 } };
  await lobby(0).snapshot(null, report);
  await eventually(async () => {
    await lobby(0).snapshot(null, { ...report, pace: { ask: ask(3), ageMs: 0 } });
    expect(await room.pace(null)).toMatchObject({ signals: { origin: { permits: 3 } } });
  });
});
