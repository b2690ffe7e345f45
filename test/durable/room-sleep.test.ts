import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { instant } from "../../src/core/time.ts";
import { roomEvent } from "../support/events.ts";
import { runAlarm } from "./alarms.ts";
import { take, visitOf } from "./ear.ts";
import { definition, newRoom, visitorId } from "./objects.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = (waitId: string, holdMs = 20_000) => ({ waitId, ticket: null, holdMs, address: null });

test("[SETTLE-10] a room of requests that slept, with tickets out, lets the next one start at once", async () => {
  const { room, lobby } = await newRoom({ permit: "request", permitsMax: 1 });
  const running = await lobby(0).wait(ask("running"));
  const given = await lobby(0).wait(ask("gives up", 50));
  expect([running.kind, given.kind]).toEqual(["visit", "not-yet"]);
  if (running.kind !== "visit") return;
  await lobby(0).end(running.visit.visit, 0);
  (running.permit as Partial<Disposable> | undefined)?.[Symbol.dispose]?.();
  await evictDurableObject(room as never);
  await evictDurableObject(lobby(0) as never);
  expect((await room.snapshot(null)).mode).toBe("open");
  // It would be sent away: the room used to settle for 4 s.
  expect(await lobby(0).wait(ask("after the sleep", 1_000))).toMatchObject({ kind: "visit" });
});

test("[SETTLE-10] a room of visits that slept, with tickets out, is open when it wakes", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const visit = await visitOf(lobby(0), await take(lobby(0)));
  await take(lobby(0));
  vi.setSystemTime(Date.now() + 60_000);
  await runAlarm(lobby(0));
  expect((await room.snapshot(null)).waiting).toBe(0);
  await lobby(0).end(visit.visit, 0);
  await evictDurableObject(room as never);
  await evictDurableObject(lobby(0) as never);
  expect((await room.snapshot(null)).mode).toBe("open");
  const entered = await lobby(0).enter({
    visitor: visitorId(),
    transient: false,
    number: null,
    address: null,
  });
  expect(entered).toMatchObject({ kind: "visit" });
});

test("[SETTLE-1] one that slept while somebody stood in line, as in a crash, still settles", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const visit = await visitOf(lobby(0), await take(lobby(0)));
  await take(lobby(0));
  await evictDurableObject(room as never);
  await evictDurableObject(lobby(0) as never);
  expect(await room.snapshot(null)).toMatchObject({ mode: "queues", waiting: 1 });
  await lobby(0).end(visit.visit, 0);
  expect(await room.snapshot(null)).toMatchObject({ mode: "queues", called: 0 });
});

test.each(["at once", "after an eviction"])(
  "[HOUSE-8] a deleted room makes no tables for a late poll, %s",
  async (when) => {
    const { room, lobby } = await newRoom({ permitsMax: 1 });
    await visitOf(lobby(0), await take(lobby(0)));
    const ticket = await take(lobby(0));
    await room.erase();
    if (when !== "at once") await evictDurableObject(room as never);
    expect(await lobby(0).where(ticket)).toMatchObject({ kind: "refused", refusal: "busy" });
    expect((await room.snapshot(null)).issued).toBe(0);
    const tables = await runInDurableObject(room as never, (_, { storage }: DurableObjectState) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '_cf_%'").toArray(),
    );
    expect(tables).toEqual([]);
  },
);

test("[EVENT-7] one that sleeps before an event wakes for its start", async () => {
  const { id, room, lobby } = await newRoom({ permitsMax: 1 });
  const startsAt = Date.now() + 60_000;
  const sale = roomEvent(startsAt, { prequeueAt: instant(Date.now()) });
  const events = { changedAt: instant(Date.now()), list: [sale] };
  await room.configure({ ...definition(id, { permitsMax: 1 }), events });
  await take(lobby(0));
  expect(await room.snapshot(null)).toMatchObject({ mode: "paused", called: 0, waiting: 1 });
  vi.setSystemTime(startsAt - 40_000);
  await runAlarm(lobby(0));
  await runAlarm(room);
  const alarmAt = await runInDurableObject(room as never, (_, { storage }) => storage.getAlarm());
  expect(alarmAt).toBeLessThanOrEqual(startsAt);
  await evictDurableObject(room as never);
  vi.setSystemTime(startsAt);
  await runAlarm(room);
  expect((await room.snapshot(null)).event).toMatchObject({ id: sale.id, phase: "running" });
});

test("[EVENT-8] one whose rows a version without events wrote opens, and is closed for good", async () => {
  const { room, lobby } = await newRoom();
  await take(lobby(0));
  const forget = () =>
    runInDurableObject(room as never, (_, { storage }) => storage.sql.exec("DROP TABLE events"));
  await forget();
  await evictDurableObject(room as never);
  expect((await room.snapshot(null)).issued).toBe(1);
  await forget();
  await evictDurableObject(room as never);
  await room.retire(instant(Date.now()));
  await forget();
  await evictDurableObject(room as never);
  await expect(room.erase()).resolves.toBeUndefined();
});
