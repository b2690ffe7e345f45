import { evictDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveMessage } from "../../src/core/live/message.ts";
import { WATCHER_HEADER, type WatcherClaims } from "../../src/durable/contract.ts";
import { WATCHERS_MAX } from "../../src/durable/room/watchers.ts";
import { instant } from "../../src/core/time.ts";
import { eventually } from "../support/eventually.ts";
import { moment } from "./moment.ts";
import { take, visitOf } from "./ear.ts";
import { definition, newRoom } from "./objects.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Room = Awaited<ReturnType<typeof newRoom>>["room"];

const ask = (room: Room, claims: Partial<WatcherClaims> | null = {}): Promise<Response> => {
  const whole = claims === null ? null : { token: null, until: null, ...claims };
  const headers = { Upgrade: "websocket", [WATCHER_HEADER]: JSON.stringify(whole) };
  return room.fetch(new Request("http://room/", { headers }));
};

/** A watcher's end: what came, and how it was closed. */
class Watcher {
  readonly messages: LiveMessage[] = [];
  readonly said: string[] = [];
  bytes = 0;
  closed: { code: number; reason: string } | null = null;
  readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      this.said.push(text);
      this.bytes = text.length;
      if (text.startsWith("{")) this.messages.push(JSON.parse(text) as LiveMessage);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
    });
    socket.accept();
  }

  get last(): LiveMessage {
    return this.messages.at(-1)!;
  }
}

const watch = async (room: Room, claims: Partial<WatcherClaims> = {}): Promise<Watcher> => {
  const answer = await ask(room, claims);
  expect(answer.status).toBe(101);
  const watcher = new Watcher(answer.webSocket!);
  await eventually(() => expect(watcher.messages).toHaveLength(1));
  return watcher;
};

/** The second in which no more than one message goes out is the machine's. */
const aSecond = (): void => void vi.setSystemTime(Date.now() + 1_000);

test("[LIVE-1] a watcher hears at once how the room stands, and within a second what changed", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const watcher = await watch(room);
  expect(watcher.last).toMatchObject({
    type: "live",
    mode: "open",
    waiting: 0,
    free: 1,
    issued: 0,
  });
  aSecond();
  await visitOf(lobby(0), await take(lobby(0)));
  await take(lobby(0));
  await eventually(() =>
    expect(watcher.last).toMatchObject({ mode: "queues", waiting: 1, visiting: 1, issued: 2 }),
  );
  expect(watcher.bytes).toBeLessThan(4_000);
});

test("[LIVE-2] however much happens, one message a second at most goes out", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const watcher = await watch(room);
  vi.useRealTimers();
  const began = Date.now();
  let seconds = 0;
  for (let steps = 0; steps < 25 || seconds < 1.5; steps += 1) {
    await take(lobby(0));
    seconds = (Date.now() - began) / 1_000;
  }
  expect(watcher.messages.length).toBeGreaterThan(1);
  // The one it began with, one for each second that was begun, and that which was under way at the end.
  expect(watcher.messages.length).toBeLessThanOrEqual(2 + Math.ceil(seconds));
});

test("[LIVE-3] in a room in which nothing happens, nothing is sent after the first message", async () => {
  const { room } = await newRoom();
  const watcher = await watch(room);
  for (let i = 0; i < 5; i += 1) {
    aSecond();
    await room.snapshot(null);
  }
  await moment(50);
  expect(watcher.messages).toHaveLength(1);
});

test("[LIVE-4] another operator's change shows with its version", async () => {
  const { id, room } = await newRoom({ permitsMax: 5 });
  const [one, two] = [await watch(room), await watch(room)];
  const before = one.last.settings;
  aSecond();
  await room.configure({ ...definition(id, { permitsMax: 3 }), modifiedAt: instant(7) });
  for (const watcher of [one, two])
    await eventually(() =>
      expect(watcher.last).toMatchObject({ settings: 7, permits: 3, own: { permits: 3 } }),
    );
  expect(before).not.toBe(7);
  expect(one.said.at(-1)).toBe(two.said.at(-1));
});

test("[LIVE-5] so many may watch, and no more until one has gone", async () => {
  const { room } = await newRoom();
  const watchers: Watcher[] = [];
  for (let i = 0; i < WATCHERS_MAX; i += 1) watchers.push(await watch(room));
  const refused = await ask(room);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toEqual({ code: 4429, reason: "too-many" });
  watchers[0]!.socket.close(1000, "");
  await eventually(async () => expect((await ask(room)).status).toBe(101));
});

test("[LIVE-6] pings are answered; whoever says anything else, short or long, is closed", async () => {
  const { room } = await newRoom();
  for (const said of ["pings", "", "{}", "x".repeat(900_000), new Uint8Array(10)]) {
    const watcher = await watch(room);
    watcher.socket.send("ping");
    await eventually(() => expect(watcher.said).toContain("pong"));
    watcher.socket.send(said);
    await eventually(() => expect(watcher.closed).toEqual({ code: 4400, reason: "bad-message" }));
  }
});

test("[LIVE-7] watchers survive the object's sleep, and hear what happens then", async () => {
  const { room, lobby } = await newRoom();
  const watcher = await watch(room);
  await evictDurableObject(room as never);
  aSecond();
  await take(lobby(0));
  await eventually(() => expect(watcher.messages.length).toBeGreaterThan(1));
  expect(watcher.last).toMatchObject({ issued: 1 });
});

test.each(["retire", "erase"] as const)("[LIVE-8] a room that is gone says so: %s", async (how) => {
  const { room } = await newRoom();
  const watcher = await watch(room);
  await (how === "retire" ? room.retire(instant(Date.now())) : room.erase());
  await eventually(() => expect(watcher.closed).toEqual({ code: 4410, reason: "room-gone" }));
  const refused = await ask(room);
  expect(await refused.json()).toEqual({ code: 4410, reason: "room-gone" });
});

test("[LIVE-9] a token's end closes its sockets before anything more is sent", async () => {
  const { room, lobby } = await newRoom();
  const [stays, ends, revoked] = [
    await watch(room),
    await watch(room, { until: Date.now() + 5_000 }),
    await watch(room, { token: "f".repeat(32) }),
  ];
  vi.setSystemTime(Date.now() + 5_000);
  await take(lobby(0));
  await eventually(() => expect(ends.closed).toEqual({ code: 4401, reason: "token-invalid" }));
  await eventually(() => expect(stays.messages).toHaveLength(2));
  expect([ends.messages.length, revoked.messages.length]).toEqual([1, 2]);
  vi.setSystemTime(Date.now() + 30_000);
  await take(lobby(0));
  await eventually(() => expect(revoked.closed).toEqual({ code: 4401, reason: "token-invalid" }));
  await eventually(() => expect(stays.messages).toHaveLength(3));
  expect(revoked.messages).toHaveLength(2);
});

test("[LIVE-10] a connection that died makes room when somebody else comes", async () => {
  const { room } = await newRoom();
  const dead = await watch(room);
  vi.setSystemTime(Date.now() + 151_000);
  await watch(room);
  await eventually(() => expect(dead.closed).toEqual({ code: 4408, reason: "idle" }));
});

test("[LIVE-6] who comes past the Worker's sign-in is refused", async () => {
  const { room } = await newRoom();
  const refused = await ask(room, null);
  expect(await refused.json()).toEqual({ code: 4401, reason: "token-invalid" });
});
