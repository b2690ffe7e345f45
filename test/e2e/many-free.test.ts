import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { PROGRAM, takeNumber } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const CLAIM_MS = 120_000;
const WAITING = 40;
const limits = {
  total_active_users: 1,
  new_users_per_minute: 240,
  seiriken: { claim_within_seconds: CLAIM_MS / 1_000 },
};

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken({
    rooms: [
      roomOver("raised", limits),
      roomOver("resumed", { ...limits, total_active_users: 100, queue_all: true }),
    ],
  });
});
afterAll(() => seiriken.stop());

/** When the room called it, by the room's clock; fails while it waits. */
const calledAt = async (visitor: Visitor): Promise<number> => {
  const path = `/.seiriken/rooms/${visitor.room}/tickets/mine`;
  const place = (await visitor.ask(path, { headers: PROGRAM })).json();
  expect(place.state).toBe("called");
  return Date.parse(place.claim_by) - CLAIM_MS;
};

/** So many wait; then the change frees permits for all of them. */
const callsAfter = async (room: string, change: object): Promise<number[]> => {
  const waiting: Visitor[] = [];
  for (let index = 0; index < WAITING; index += 1) {
    const visitor = seiriken.visitor({ room });
    await takeNumber(visitor);
    waiting.push(visitor);
  }
  const changed = await seiriken.manage("PATCH", `/waiting_rooms/${room}`, change);
  expect(changed.status).toBe(200);
  return eventually(() => Promise.all(waiting.map(calledAt)), { within: 45_000, every: 500 });
};

const mostInOneSecond = (instants: readonly number[]): number => {
  const counts = new Map<number, number>();
  for (const at of instants) {
    const second = Math.floor(at / 1_000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  return Math.max(...counts.values());
};

// 240 a minute: by default eight of the line in any one second.
test("[CALL-12] P raised beside a crowd calls no more in a second than the default", async () => {
  await visitorInside(seiriken, "raised");
  const calls = await callsAfter("raised", { total_active_users: 100 });
  expect(mostInOneSecond(calls)).toBeLessThanOrEqual(8);
});

test("[CALL-12] a room that goes on calls no more in a second than the limit named meanwhile", async () => {
  const named = { ...limits.seiriken, starts_per_second: 3 };
  const calls = await callsAfter("resumed", { queue_all: false, seiriken: named });
  expect(mostInOneSecond(calls)).toBeLessThanOrEqual(3);
  const status = await seiriken.manage("GET", "/waiting_rooms/resumed/status");
  expect(status.json().result.seiriken.calls_per_second).toBe(3);
});
