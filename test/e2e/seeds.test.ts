import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { claimVisit, goThrough, PROGRAM, takeNumber, whereIs } from "../support/journey.ts";
import type { Journey } from "../support/journey.ts";
import { Pulse } from "../support/pulse.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const ROOM = {
  name: "shop",
  host: "*",
  path: "/tickets",
  total_active_users: 2,
  new_users_per_minute: 100_000,
};
const VISITORS = 20;
const TICK_MS = 1_000;

let running: Seiriken | null = null;
let pulse: Pulse | null = null;
/** With one visitor already through another room, so that nothing runs for the first time. */
const start = async (room: object = {}): Promise<Seiriken> => {
  const warm = { ...ROOM, name: "warm", path: "/warm" };
  running = await startSeiriken({ rooms: [{ ...ROOM, ...room }, warm] });
  await goThrough(running.visitor({ room: "warm" }), { path: "/warm" });
  running.origin.reset();
  pulse = new Pulse(running.url);
  return running;
};
afterEach(async () => {
  await pulse?.stop();
  await running?.stop();
  running = null;
});

/** Visits of 100 to 200 ms. */
const stayMs = (index: number): number => (index === 7 ? 200 : 100 + (index % 3) * 10);

const crowd = (seiriken: Seiriken, arrivesAtMs: (index: number) => number): Promise<Journey[]> =>
  Promise.all(
    Array.from({ length: VISITORS }, async (_, index) => {
      await sleep(arrivesAtMs(index));
      return goThrough(seiriken.visitor(), { stayMs: stayMs(index) });
    }),
  );

const byNumber = (journeys: readonly Journey[]): Journey[] =>
  journeys.toSorted((one, other) => one.number - other.number);

const expectTicketOrder = (seiriken: Seiriken, ordered: readonly Journey[]): void => {
  expect(ordered.map(({ number }) => number)).toEqual(
    Array.from({ length: VISITORS }, (_, index) => index + 1),
  );
  // The last moment of a turn tells when it was called, on the Room's own clock.
  const calls = ordered.map(({ claimBy }) => Date.parse(claimBy));
  expect(calls).toEqual(calls.toSorted((one, other) => one - other));
  const entered = seiriken.origin.requests.map(({ headers }) => Number(headers["seiriken-visit"]));
  expect(entered).toHaveLength(VISITORS);
  entered.forEach((number, place) => {
    // Those with a permit at one time may come in any order, and one of them be late.
    expect(Math.abs(number - (place + 1))).toBeLessThanOrEqual(ROOM.total_active_users);
  });
};

test("[WHOLE-1] S2a: of 20 who come at once 2 enter by the usher and 18 by the baton, in ticket order, the last in under 2 s", async () => {
  const seiriken = await start();
  const journeys = byNumber(await crowd(seiriken, (index) => index * 7));
  expect(await tallies(seiriken)).toMatchObject({
    issued: VISITORS,
    entries_by_usher: 2,
    entries_by_baton: 18,
    entries_by_door: 0,
    finished: VISITORS,
  });
  expectTicketOrder(seiriken, journeys);
  const beganAt = Math.min(...journeys.map(({ joinedAtMs }) => joinedAtMs));
  const lastAt = Math.max(...journeys.map(({ enteredAtMs }) => enteredAtMs));
  expect(lastAt - beganAt).toBeLessThan(2_000 + pulse!.slackSince(beganAt));
});

/** When, at the earliest after it joined, fewer than P of those before it were on a visit. */
const permitFreeAt = (journey: Journey, before: readonly Journey[]): number => {
  const inside = (at: number) => before.filter(({ finishedAtMs }) => finishedAtMs > at).length;
  const moments = [journey.joinedAtMs, ...before.map(({ finishedAtMs }) => finishedAtMs)];
  const free = moments.filter(
    (at) => at >= journey.joinedAtMs && inside(at) < ROOM.total_active_users,
  );
  return Math.min(...free);
};

test("[WHOLE-2] S2b: of 20 who come over 5 s some enter by the usher, some by the baton, each within a tick of a free permit", async () => {
  const seiriken = await start();
  // In fours, a second apart: the latter two of each find both permits out.
  const journeys = byNumber(
    await crowd(seiriken, (index) => Math.floor(index / 4) * 1_200 + (index % 4) * 10),
  );
  const slackMs = pulse!.slackSince(0);
  const counts = await tallies(seiriken);
  const { entries_by_usher: usher = 0, entries_by_baton: baton = 0 } = counts;
  expect(usher + baton).toBe(VISITORS);
  expect(usher).toBeGreaterThanOrEqual(5);
  expect(baton).toBeGreaterThanOrEqual(5);
  expectTicketOrder(seiriken, journeys);
  journeys.forEach((journey, index) => {
    const freeAt = permitFreeAt(journey, journeys.slice(0, index));
    expect(journey.enteredAtMs - freeAt).toBeLessThan(TICK_MS + slackMs);
  });
});

test("[WHOLE-3] S2c: who never finishes is revoked once, the permit moves on once, and the late finish changes nothing", async () => {
  const seiriken = await start({ total_active_users: 1, seiriken: { max_visit_seconds: 3 } });
  const [late, next, last] = [seiriken.visitor(), seiriken.visitor(), seiriken.visitor()];
  await takeNumber(late);
  await claimVisit(late);
  await takeNumber(next);
  const socket = await next.socket();
  await takeNumber(last);
  // Activity does not help against overtime.
  expect((await late.ask("/tickets", { headers: PROGRAM })).status).toBe(200);
  expect(await late.renew()).toMatchObject({ status: 200 });
  await socket.first("called");
  expect(await claimVisit(next)).toBe(2);
  expect((await late.release()).status).toBe(204);
  expect((await late.release()).status).toBe(204);
  expect((await next.ask("/tickets", { headers: PROGRAM })).status).toBe(200);
  // Positions are told once a tick.
  await eventually(async () =>
    expect(await whereIs(last)).toMatchObject({ state: "waiting", ahead: 0 }),
  );
  expect((await late.ask("/tickets", { headers: PROGRAM })).status).toBe(503);
  expect(await tallies(seiriken)).toMatchObject({ calls: 2, revoked: 1, finished: 0 });
  expect((await next.release()).status).toBe(204);
  expect(await claimVisit(last)).toBe(3);
  expect(await tallies(seiriken)).toMatchObject({
    calls: 3,
    entries_by_usher: 2,
    entries_by_baton: 1,
    revoked: 1,
    finished: 1,
  });
  socket.close();
});
