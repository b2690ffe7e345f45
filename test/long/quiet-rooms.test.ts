import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { takeNumber, whereIs } from "../support/journey.ts";
import { openRawSocket } from "../support/raw-socket.ts";
import type { RawSocket } from "../support/raw-socket.ts";
import { requestRoom } from "../support/requests.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

/** Objects that nobody calls go to sleep after 10 s. */
const QUIET_MS = 15_000;
const LONG_QUIET_MS = 130_000;
/** What a busy machine may add to "at once". */
const AT_ONCE_MS = 1_500;
/** Longer than a lobby's alarm takes to come. */
const CLAIM_SECONDS = 40;

const one = { total_active_users: 1 };

let seiriken: Seiriken;
beforeAll(async () => {
  const claim = { seiriken: { claim_within_seconds: CLAIM_SECONDS } };
  seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [
      requestRoom({ ...one, seiriken: { hold_seconds: 1 } }),
      roomOver("calm", one),
      roomOver("left", one),
      roomOver("lapsed", { ...one, session_duration: 1 }),
      roomOver("misses", { ...one, ...claim }),
      roomOver("asked", one),
      roomOver("limited", { seiriken: { joins_per_address_per_minute: 2 } }),
    ],
  });
  seiriken.origin.handle(({ url }, response) => {
    const ms = Number(new URL(url, "http://origin").searchParams.get("ms") ?? 0);
    setTimeout(() => response.end("origin"), ms);
  });
});
afterAll(() => seiriken.stop());

test.concurrent("[SETTLE-10] a request after 15 s of quiet is served at once", async () => {
  const report = `${seiriken.url}/report`;
  const running = ask(`${report}?ms=1500`);
  await sleep(200);
  // It leaves with a number that stays unspent.
  expect((await ask(report)).status).toBe(503);
  expect((await running).status).toBe(200);
  for (let round = 0; round < 6; round += 1) {
    await sleep(QUIET_MS);
    const askedAt = performance.now();
    expect((await ask(report)).status).toBe(200);
    expect(performance.now() - askedAt).toBeLessThan(AT_ONCE_MS);
  }
});

/** A document of somebody new is let in. */
const expectOpen = async (room: string): Promise<void> => {
  const visitor = seiriken.visitor({ room });
  const answer = await visitor.get(`/${room}`);
  expect(answer.status).toBe(200);
};

const entered = async (room: string): Promise<Visitor> => {
  const visitor = seiriken.visitor({ room });
  expect((await visitor.get(`/${room}`)).status).toBe(200);
  return visitor;
};

test.concurrent("[SETTLE-10] a document after 130 s of quiet is let in", async () => {
  const visitor = await entered("calm");
  await visitor.release();
  await sleep(LONG_QUIET_MS);
  await expectOpen("calm");
});

test.concurrent("[SETTLE-10] a document is let in where the last visit ran out by itself", async () => {
  await entered("lapsed");
  await sleep(LONG_QUIET_MS);
  await expectOpen("lapsed");
});

test.concurrent("[SETTLE-10] a document is let in where visitors had come, waited and left before the quiet", async () => {
  const inside = await entered("left");
  const polling = seiriken.visitor({ room: "left" });
  const listening = seiriken.visitor({ room: "left" });
  const leaving = seiriken.visitor({ room: "left" });
  for (const visitor of [polling, listening, leaving]) await takeNumber(visitor);
  const socket = await listening.socket();
  await socket.first("position");
  await whereIs(polling);
  socket.drop();
  await leaving.leave();
  // The polling one and the one with the socket are away, with numbers that they may bring back.
  await eventually(
    async () => (await ask(`${seiriken.url}/.seiriken/rooms/left`)).json().waiting === 0,
    { within: 60_000, every: 1_000 },
  );
  await inside.release();
  await sleep(LONG_QUIET_MS);
  await expectOpen("left");
});

test.concurrent("[HOUSE-9] a room that is quiet for 15 s forgets nobody's joins", async () => {
  await entered("limited");
  await entered("limited");
  for (let round = 0; round < 3; round += 1) {
    await sleep(QUIET_MS);
    const more = seiriken.visitor({ room: "limited" });
    expect((await more.get("/limited")).status).toBe(503);
    const answer = await more.take();
    expect([answer.status, answer.json().code]).toEqual([429, "too-many-joins"]);
  }
  await sleep(QUIET_MS + 2_000);
  await entered("limited");
});

/** Two sockets behind whoever is inside, which never say a word and answer none. */
const silentPair = async (room: string) => {
  const inside = await visitorInside(seiriken, room);
  const silent: RawSocket[] = [];
  for (let at = 0; at < 2; at += 1) {
    const visitor = seiriken.visitor({ room });
    await takeNumber(visitor);
    const ticket = { "Seiriken-Ticket": visitor.token("ticket") ?? "" };
    silent.push(await openRawSocket(seiriken.url, `/.seiriken/rooms/${room}/socket`, ticket));
  }
  await eventually(() => silent.every(({ heard }) => heard().includes('"position"')));
  return {
    inside,
    calls: () => silent.map(({ heard }) => heard().split('"called"').length - 1),
    hangUp: () => silent.forEach(({ socket }) => void socket.destroy()),
  };
};

/** Somebody joins who is awake. */
const awakeIn = async (room: string) => {
  const visitor = seiriken.visitor({ room });
  await takeNumber(visitor);
  const socket = await visitor.socket();
  await socket.first("position");
  return socket;
};

test.concurrent("[FIFO-3] two that never speak cost one permit one claim time, once", async () => {
  const { inside, calls, hangUp } = await silentPair("misses");
  await inside.release();
  // The first has missed its call, the second was asked in vain, and the lobby has slept meanwhile.
  await sleep((CLAIM_SECONDS + 30) * 1_000);
  const joinedAt = performance.now();
  const awake = await awakeIn("misses");
  await awake.first("called", { within: 300_000 });
  expect(calls()).toEqual([1, 0]);
  expect(performance.now() - joinedAt).toBeLessThan(AT_ONCE_MS);
  awake.close();
  hangUp();
});

test.concurrent("[PRESENCE-10] two that never spoke, and were asked, cost nobody anything though the lobby slept", async () => {
  const { inside, calls, hangUp } = await silentPair("asked");
  // Asked after 20 s and away after 25: then nobody is in line, and the lobby sleeps between alarms.
  await sleep(60_000);
  const awake = await awakeIn("asked");
  await inside.release();
  const releasedAt = performance.now();
  await awake.first("called", { within: 300_000 });
  expect(performance.now() - releasedAt).toBeLessThan(AT_ONCE_MS);
  expect(calls()).toEqual([0, 0]);
  awake.close();
  hangUp();
});
