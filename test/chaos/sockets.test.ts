import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { TestContext } from "vitest";
import { CountingOrigin, limited, overtaken, Waiter, wrongsOf } from "../support/crowd.ts";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { ask } from "../support/http.ts";
import { claimVisit, takeNumber, whereIs } from "../support/journey.ts";
import { descriptorsMax, memoryOf, socketsOf } from "../support/processes.ts";
import { requestRoom } from "../support/requests.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const LONG = process.env["LONG"] === "1";
/** workerd takes two descriptors for each connection, and what else it opens is below a thousand. */
const VISITORS = LONG ? Math.min(15_000, Math.floor(descriptorsMax() / 2) - 1_000) : 2_000;
const PERMITS = 20;
const LOBBIES = 3;

const start = async (rooms: readonly object[], { onTestFinished }: TestContext) => {
  const seiriken = await startSeiriken({ runtime: "workerd", rooms });
  onTestFinished(() => seiriken.stop());
  return seiriken;
};

/** Which lobby holds a ticket: the claim `l` of its token. */
const lobbyOf = (visitor: Visitor): number => {
  const [, claims = ""] = (visitor.token("ticket") ?? "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).l;
};

test.concurrent(
  `[WHOLE-32] ${VISITORS} wait over ${LOBBIES} lobbies: right positions and order, also after a crash, and nothing left behind`,
  { timeout: 1_000_000 },
  async (context) => {
    const limits = { total_active_users: PERMITS, seiriken: { lobbies: LOBBIES } };
    const seiriken = await start([roomOver("shop", limits)], context);
    const origin = new CountingOrigin(seiriken.origin);
    const insiders = await Promise.all(
      Array.from({ length: PERMITS }, () => visitorInside(seiriken, "shop")),
    );
    const until = performance.now() + (LONG ? 900_000 : 600_000);
    const plan = { path: "/shop", hasSocket: true, stayMs: 0, until };
    const crowd = Array.from({ length: VISITORS }, () => new Waiter(seiriken, plan));
    const slot = limited(100);
    const lives = Promise.allSettled(
      crowd.map(async (waiter) => {
        await slot(() => waiter.take());
        await waiter.wait();
        await slot(() => waiter.visit());
      }),
    );
    await eventually(() => crowd.every(({ isListening }) => isListening), { within: 300_000 });
    const lobbies = new Set(crowd.map(({ visitor }) => lobbyOf(visitor)));
    expect(lobbies).toEqual(new Set([0, 1, 2]));

    /** Everybody knows its place: exactly so many have a lower number. */
    const expectPositions = async () => {
      for (let index = 0; index < VISITORS; index += Math.ceil(VISITORS / 100)) {
        const { visitor, number } = crowd[index] as Waiter;
        const ahead = (number ?? 0) - PERMITS - 1;
        const place = await whereIs(visitor);
        // Beyond the first thousand a long line tells places between marks.
        const slack = ahead < 1_000 || VISITORS <= 2_000 ? 0 : VISITORS / 1_000;
        expect(Math.abs(place.ahead - ahead), `${number}`).toBeLessThanOrEqual(slack);
      }
    };
    await eventually(expectPositions, { within: 90_000, every: 500 });

    const crash = Date.now();
    await seiriken.kill9();
    await eventually(() => crowd.every(({ isListening }) => isListening), { within: 300_000 });
    await eventually(expectPositions, { within: 90_000, every: 500 });
    const [pid = 0] = seiriken.pids();
    expect(socketsOf(pid)).toBeGreaterThan(VISITORS);

    await Promise.all(insiders.map((insider) => insider.release()));
    await lives;
    expect(wrongsOf(crowd)).toEqual({});
    expect(new Set(crowd.map(({ number }) => number)).size).toBe(VISITORS);
    expect(origin.entered).toHaveLength(VISITORS);
    expect(origin.insideMax).toBeLessThanOrEqual(PERMITS);
    expect(overtaken(crowd, [crash])).toEqual([]);
    await eventually(() => expect(socketsOf(pid)).toBeLessThan(SOCKETS_LEFT_MAX));
    await expectNoLeak(seiriken, pid);
  },
);

/** Connections that clients of ours keep for later requests, and what workerd needs itself. */
const SOCKETS_LEFT_MAX = 200;
/** What garbage may lie about between two looks. */
const NOISE_MB = 64;

/** Crowds come, listen and leave, again and again; neither sockets nor memory stay behind. */
const expectNoLeak = async (seiriken: Seiriken, pid: number): Promise<void> => {
  const slot = limited(100);
  const round = async () => {
    const visitors = Array.from({ length: 500 }, () => seiriken.visitor());
    await Promise.all(
      visitors.map((visitor) =>
        slot(async () => {
          await takeNumber(visitor);
          const socket = await visitor.socket();
          await socket.first("position");
          expect((await visitor.leave()).status).toBe(204);
          // The last word is said at once; workerd ends the connection itself only 10 s later.
          await eventually(() => !socket.isOpen);
          socket.drop();
          expect((await socket.closed).code).toBe(4401);
        }),
      ),
    );
    await eventually(() => expect(socketsOf(pid)).toBeLessThan(SOCKETS_LEFT_MAX));
    return memoryOf(pid);
  };
  const first = await round();
  await round();
  await round();
  expect(await round()).toBeLessThan(first + NOISE_MB);
};

// It mostly waits, so it runs beside the other.
test.concurrent("[WHOLE-33] sleeping phones and half-open connections cost nobody a turn, and keep their place", async (context) => {
  const seiriken = await start([roomOver("naps", { total_active_users: 1 })], context);
  const inside = await visitorInside(seiriken, "naps");
  const [asleep, gone, awake, other] = Array.from({ length: 4 }, () =>
    seiriken.visitor({ room: "naps" }),
  ) as [Visitor, Visitor, Visitor, Visitor];
  for (const visitor of [asleep, gone, awake, other]) await takeNumber(visitor);
  // A phone that sleeps keeps its connection and answers nothing; a dead one does not even read.
  const phone = await asleep.socket({ answersReady: false });
  const dead = await gone.socket({ answersReady: false });
  dead.stopReading();
  const listening = await awake.socket();
  const last = await other.socket();
  await phone.first("ready?", { within: 90_000 });
  await eventually(async () => expect(await whereIs(awake)).toMatchObject({ ahead: 0 }), {
    every: 500,
  });
  await inside.release();
  expect(await listening.first("called")).toMatchObject({ number: 4 });
  expect(await claimVisit(awake)).toBe(4);
  expect((await tallies(seiriken, "naps"))["missed"]).toBe(0);

  // It wakes up: it stands where its number stands, ahead of everybody who is there.
  const waiting = async () => (await other.ask("/.seiriken/rooms/naps")).json().waiting;
  await eventually(async () => expect(await waiting()).toBe(1));
  phone.send({ type: "ready" });
  await eventually(async () => expect(await waiting()).toBe(2));
  await awake.release();
  expect(await phone.first("called")).toMatchObject({ number: 2 });
  expect(await claimVisit(asleep)).toBe(2);
  for (const socket of [dead, last]) socket.drop();
});

// So does this: objects that nobody calls go to sleep after 10 s.
test.concurrent("[SETTLE-10] a request after 15 s of quiet waits for nobody, though numbers are out", async (context) => {
  const limits = { total_active_users: 1, seiriken: { hold_seconds: 2 } };
  const seiriken = await start([requestRoom(limits)], context);
  const takesMs = [4_000];
  seiriken.origin.handle((_, response) => {
    setTimeout(() => response.end(), takesMs.shift() ?? 0);
  });
  const report = `${seiriken.url}/report`;
  const running = ask(report);
  await eventually(() => seiriken.origin.running === 1);
  expect((await ask(report)).status).toBe(503);
  expect((await running).status).toBe(200);
  await sleep(15_000);
  expect((await ask(report)).status).toBe(200);
});
