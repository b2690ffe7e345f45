import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { runAlarm } from "./alarms.ts";
import { Ear, take, visitOf } from "./ear.ts";
import { newRoom } from "./objects.ts";

const CLAIM_MS = 30_000;
const READY = JSON.stringify({ type: "ready" });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A permit, and visitors who wait for it with a socket each. */
const stage = async (visitors: number) => {
  const { room, lobby } = await newRoom({ permitsMax: 1, claimWithinMs: CLAIM_MS });
  const ears: Ear[] = [];
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    const ear = await Ear.open(lobby(0), await take(lobby(0)));
    await ear.heard("position");
    ears.push(ear);
  }
  return {
    room,
    lobby: lobby(0),
    ears,
    /** Time passes, then the room and the lobby wake by their alarms, if anything is left to wake for. */
    pass: async (ms: number): Promise<void> => {
      vi.setSystemTime(Date.now() + ms);
      await runDurableObjectAlarm(room as never);
      await runDurableObjectAlarm(lobby(0) as never);
    },
    sleep: () => evictDurableObject(lobby(0) as never, { webSockets: "hibernate" }),
    heard: (type: string) => ears.map((ear) => ear.messages.filter((m) => m.type === type).length),
  };
};

test("[PRESENCE-10] whoever missed a call is away until it acts, though the lobby slept", async () => {
  const { room, ears, pass, sleep, heard } = await stage(2);
  await sleep();
  await pass(CLAIM_MS);
  await sleep();
  await pass(25_000);
  expect(await room.snapshot(null)).toMatchObject({ called: 1, waiting: 0 });
  await sleep();
  await pass(CLAIM_MS);
  await sleep();
  await pass(25_000);
  expect(await room.snapshot(null)).toMatchObject({ called: 0, waiting: 0 });
  expect(heard("called")).toEqual([1, 1]);
  ears[1]?.say(READY);
  await eventually(() => expect(heard("called")).toEqual([1, 2]));
});

test("[PRESENCE-10] the third miss spends it, over any number of sleeps, and the page is told each", async () => {
  const { room, ears, pass, sleep, heard } = await stage(1);
  for (let miss = 1; miss <= 3; miss += 1) {
    await sleep();
    await pass(CLAIM_MS);
    await eventually(() => expect(ears[0]?.messages.at(-1)).toMatchObject({ state: "away" }));
    await sleep();
    ears[0]?.say(READY);
    if (miss < 3) await eventually(() => expect(heard("called")).toEqual([miss + 1]));
  }
  await pass(1_000);
  expect(heard("called")).toEqual([3]);
  expect(await room.snapshot(null)).toMatchObject({ called: 0, waiting: 0 });
});

test("[PRESENCE-10] a sleep is no word of anybody: near its turn a silent socket is asked", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  await visitOf(lobby(0), await take(lobby(0)));
  const ear = await Ear.open(lobby(0), await take(lobby(0)));
  await ear.heard("position");
  vi.setSystemTime(Date.now() + 15_000);
  await evictDurableObject(lobby(0) as never, { webSockets: "hibernate" });
  await runAlarm(room);
  await eventually(async () => expect(await room.snapshot(null)).toMatchObject({ waiting: 1 }));
  expect(ear.messages.filter(({ type }) => type === "ready?")).toEqual([]);
  vi.setSystemTime(Date.now() + 5_000);
  await runAlarm(room);
  await ear.heard("ready?");
});

test("[PRESENCE-10] pings that woke nobody count from when they came", async () => {
  const pingedAt = Date.now();
  vi.setSystemTime(pingedAt - 100_000);
  const { ears, pass, sleep } = await stage(1);
  ears[0]?.say("ping");
  // The runtime stamps it with its own clock, which stands at `pingedAt`.
  await eventually(() => expect(ears[0]?.pongs).toBe(1));
  await sleep();
  vi.setSystemTime(pingedAt);
  await pass(149_000);
  expect(ears[0]?.closed).toBeNull();
  await sleep();
  await pass(26_000);
  await eventually(() => expect(ears[0]?.closed).toMatchObject({ code: 4408 }));
});

test("[SOCKET-5] a lobby's sleep makes no socket younger", async () => {
  const { ears, pass, sleep } = await stage(1);
  for (let slept = 0; slept < 5; slept += 1) {
    await pass(28_000);
    await sleep();
  }
  expect(ears[0]?.closed).toBeNull();
  await pass(10_000);
  await eventually(() => expect(ears[0]?.closed).toMatchObject({ code: 4408, reason: "idle" }));
});

test("[SOCKET-5] a socket that was not yet told its place when the lobby went is closed", async () => {
  const { lobby } = await newRoom({ permitsMax: 1 });
  const ticket = await take(lobby(0));
  const ear = await Ear.open(lobby(0), ticket);
  await ear.heard("position");
  await runInDurableObject(lobby(0) as never, (_, state: DurableObjectState) => {
    for (const socket of state.getWebSockets())
      socket.serializeAttachment({ number: ticket.number, heardAt: Date.now(), known: null });
  });
  await evictDurableObject(lobby(0) as never, { webSockets: "hibernate" });
  await runDurableObjectAlarm(lobby(0) as never);
  await eventually(() => expect(ear.closed).toMatchObject({ code: 4408 }));
});
