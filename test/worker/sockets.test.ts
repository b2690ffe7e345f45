import { beforeEach, describe, expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { cookieFor, roomOf, World } from "./fakes.ts";
import type { RoomChange } from "./fakes.ts";

let world: World;
/** The origin's end of the socket. */
let origin: WebSocket;

const LEASE_MS = 300_000;

const inWorld = (room: RoomChange): void => {
  world = new World({ rooms: [roomOf(room)] });
  world.origin = () => {
    const { 0: ours, 1: theirs } = new WebSocketPair();
    ours.accept();
    origin = ours;
    return new Response(null, { status: 101, webSocket: theirs });
  };
};

beforeEach(() => inWorld({}));

const upgrade = async (headers: Record<string, string>): Promise<Response> =>
  world.fetch("/tickets/live", { headers: { Upgrade: "websocket", ...headers } });

interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** The visitor's end, and how it was closed. */
const open = async (headers: Record<string, string>) => {
  const { webSocket } = await upgrade(headers);
  const socket = webSocket!;
  const closed = new Promise<Closed>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
  });
  socket.accept();
  return { socket, closed };
};

const withPass = async () => ({ Cookie: cookieFor("pass", await world.passToken()) });

const heard = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve) => {
    socket.addEventListener("message", ({ data }) => resolve(data), { once: true });
  });

/** A message, and its way. */
const say = async (from: WebSocket, to: WebSocket, data: string): Promise<void> => {
  const arrived = heard(to);
  from.send(data);
  expect(await arrived).toBe(data);
};

describe("a socket in a room of visits", () => {
  test.each(["no cookie", "a visitor id"])(
    "[GATE-50] enters no open room with %s",
    async (what) => {
      const cookie = cookieFor("visitor", await world.visitorToken());
      const answer = await upgrade(what === "no cookie" ? {} : { Cookie: cookie });
      expect(answer.status).toBe(503);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get("Seiriken-Status")).toBe("queued; room=shop");
      expect(world.asked).toEqual([]);
      expect(world.seen).toEqual([]);
    },
  );

  test("[STAY-1] renews its visit by what either end says", async () => {
    const { socket } = await open(await withPass());
    await world.advance(LEASE_MS / 4 - 1);
    await say(socket, origin, "early");
    expect(world.asked).toEqual([]);
    await world.advance(1);
    await say(socket, origin, "due");
    await world.advance(LEASE_MS / 4);
    await say(origin, socket, "due again");
    await world.breathe();
    expect(world.asked).toEqual(["lobby/0 renew", "lobby/0 renew"]);
  });

  test("[STAY-2] stays open when its visit has ended", async () => {
    const { socket } = await open(await withPass());
    world.lobby.renew = async () => ({ kind: "ended" });
    await world.advance(LEASE_MS);
    await say(socket, origin, "late");
    await world.breathe();
    await say(origin, socket, "still here");
    expect(world.log.filter(({ event }) => event === "visit-outlived")).toMatchObject([
      { what: "socket" },
    ]);
  });

  test("[STAY-3] [STAY-6] with close_sockets it is closed with 1001, renewed or not", async () => {
    for (const leaseRenews of [true, false]) {
      inWorld({ closeSockets: true, limits: { leaseRenews } });
      const { closed } = await open(await withPass());
      world.lobby.peek = async () => ({ kind: "ended" });
      await world.advance(LEASE_MS);
      expect((await closed).code).toBe(1001);
    }
  });

  test.each([
    [1000, "bye"],
    [1001, ""],
    [1011, "out of order"],
    [1013, "later"],
    [3000, "theirs"],
    [4999, "x".repeat(123)],
  ])("[STAY-7] close code %i passes with its reason, both ways", async (code, reason) => {
    const one = await open(await withPass());
    origin.close(code, reason);
    expect(await one.closed).toEqual({ code, reason });
    const other = await open(await withPass());
    const closed = new Promise((resolve) => {
      origin.addEventListener("close", (event) => resolve([event.code, event.reason]));
    });
    other.socket.close(code, reason);
    expect(await closed).toEqual([code, reason]);
  });

  test("[STAY-7] a close without a code passes as one, bytes as bytes", async () => {
    const { socket, closed } = await open(await withPass());
    const arrived = heard(origin);
    socket.send(new Uint8Array([0, 255, 7]));
    origin.binaryType = "arraybuffer";
    const bytes = await arrived;
    expect([...new Uint8Array(bytes as ArrayBuffer)]).toEqual([0, 255, 7]);
    origin.close();
    expect((await closed).code).toBe(1005);
  });
});

describe("a socket in a room of requests", () => {
  const visits = async () => (await world.lobby.peek(ticketNumber(42))).kind;

  test.each([
    [1_000, 60_000],
    [90_000, 90_000],
  ])("[HOLD-31] with a timeout of %i ms it is closed after %i ms of silence", async (given, ms) => {
    inWorld({ originTimeoutMs: given, limits: { permit: "request" } });
    const { socket, closed } = await open({});
    await world.advance(ms - 10);
    await say(origin, socket, "tick");
    await world.advance(ms - 10);
    await say(socket, origin, "tock");
    await world.advance(ms - 1);
    expect(await visits()).toBe("visit");
    await world.advance(2_001);
    expect((await closed).code).toBe(1001);
    await world.settled();
    expect(await visits()).toBe("ended");
  });
});
