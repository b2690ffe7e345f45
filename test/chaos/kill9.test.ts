import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { CountingOrigin, overtaken, Waiter, wrongsOf } from "../support/crowd.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM, whereIs, takeNumber, claimVisit } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const LONG = process.env["LONG"] === "1";
const KILLS = LONG ? 20 : 3;
const VISITORS = LONG ? 800 : 140;
const PERMITS = 10;

let running: Seiriken | null = null;
afterEach(async () => {
  await running?.stop();
  running = null;
});

test(
  `[WHOLE-30] [STORE-12] ${KILLS} times kill -9 in a running crowd: everyone gets in, in order, never more than P`,
  { timeout: 600_000 },
  async () => {
    running = await startSeiriken({
      runtime: "workerd",
      rooms: [roomOver("shop", { total_active_users: PERMITS, seiriken: { lobbies: 2 } })],
    });
    const seiriken = running;
    const origin = new CountingOrigin(seiriken.origin);
    const until = performance.now() + (LONG ? 500_000 : 120_000);
    const crowd = Array.from(
      { length: VISITORS },
      (_, index) =>
        new Waiter(seiriken, { path: "/shop", hasSocket: index % 3 !== 0, stayMs: 300, until }),
    );
    const lives = Promise.allSettled(
      crowd.map(async (waiter, index) => {
        await sleep(index * 5);
        await waiter.live();
      }),
    );
    const kills: number[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const share = (VISITORS * kill) / (KILLS + 1);
      await eventually(() => origin.done >= share, { within: 100_000, every: 20 });
      kills.push(Date.now());
      await seiriken.kill9();
    }
    await lives;
    expect(wrongsOf(crowd)).toEqual({});
    expect(new Set(crowd.map(({ number }) => number)).size).toBe(VISITORS);
    expect(new Set(origin.entered).size).toBe(VISITORS);
    expect(origin.entered).toHaveLength(VISITORS);
    expect(origin.insideMax).toBeLessThanOrEqual(PERMITS);
    expect(overtaken(crowd, kills)).toEqual([]);
    expect(seiriken.events.filter(({ event }) => event === "restarted")).toHaveLength(KILLS);
  },
);

test("[WHOLE-31] after kill -9 the one inside is still in, those who wait stand where they stood", async () => {
  running = await startSeiriken({
    rooms: [roomOver("shop", { total_active_users: 1 })],
  });
  const seiriken = running;
  const inside = await visitorInside(seiriken, "shop");
  const [first, second] = [seiriken.visitor(), seiriken.visitor()];
  await takeNumber(first);
  await takeNumber(second);
  const before = await first.socket();
  await before.first("position");
  await seiriken.kill9();
  expect((await before.closed).code).toBe(1006);

  expect((await inside.ask("/shop/a", { headers: PROGRAM })).status).toBe(200);
  expect(seiriken.origin.requests.at(-1)?.headers["seiriken-visit"]).toBe("1");
  // The second one is back first: nobody knows yet whether the first one comes.
  expect(await whereIs(second)).toMatchObject({ number: 3, state: "waiting" });
  const after = await first.socket();
  expect(await after.first("position")).toMatchObject({ number: 2, state: "waiting", ahead: 0 });
  await eventually(async () => expect(await whereIs(second)).toMatchObject({ ahead: 1 }));
  expect(await takeNumber(seiriken.visitor())).toBe(4);

  expect((await inside.release()).status).toBe(204);
  expect(await after.first("called")).toMatchObject({ number: 2 });
  expect(await claimVisit(first)).toBe(2);
  expect((await inside.ask("/shop/b", { headers: PROGRAM })).status).toBe(503);
  await first.release();
  expect(await claimVisit(second)).toBe(3);
  after.close();
});
