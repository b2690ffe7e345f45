import { expect, test } from "vitest";
import { LIVE_BEARER, LIVE_PROTOCOL } from "../../src/core/live/message.ts";
import { WATCHER_HEADER } from "../../src/durable/contract.ts";
import { roomOf, World } from "./fakes.ts";

const TOKEN = "a-token-that-is-long-enough-for-anybody";
const PATH = "/.seiriken/api/rooms/shop/live";
const UPGRADE = { Upgrade: "websocket" };
const TOOL = { ...UPGRADE, Authorization: `Bearer ${TOKEN}` };

const spelled = (token: string): string =>
  btoa(token).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
/** As a browser sends it: it can add no header of its own. */
const browser = (token: string) => ({
  ...UPGRADE,
  Origin: "https://shop.example",
  "Sec-WebSocket-Protocol": `${LIVE_PROTOCOL}, ${LIVE_BEARER}${spelled(token)}`,
});

/** A room that accepts whoever the Worker brings, and remembers what it was told of them. */
const watched = (env: object = { ADMIN_TOKEN: TOKEN }) => {
  const world = new World({ rooms: [roomOf()], env });
  const asked: Request[] = [];
  world.room.fetch = async (request) => {
    asked.push(request);
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    server.send("{}");
    return new Response(null, { status: 101, webSocket: client });
  };
  return { world, asked };
};

const closingOf = async (answer: Response): Promise<{ code: number; reason: string }> => {
  const socket = answer.webSocket!;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
  });
  socket.accept();
  const closing = await closed;
  socket.close();
  return closing;
};

test("[LIVE-11] a tool signs in by its header, a browser by a protocol, and only one is chosen", async () => {
  for (const headers of [TOOL, browser(TOKEN)]) {
    const { world, asked } = watched();
    const answer = await world.fetch(PATH, { headers });
    expect(answer.status).toBe(101);
    const chosen = "Sec-WebSocket-Protocol" in headers ? LIVE_PROTOCOL : null;
    expect(answer.headers.get("Sec-WebSocket-Protocol")).toBe(chosen);
    expect(answer.webSocket).not.toBeNull();
    const [told] = asked;
    expect(JSON.parse(told!.headers.get(WATCHER_HEADER)!)).toEqual({ token: null, until: null });
    // What opens doors goes no further than the door.
    expect(JSON.stringify([...told!.headers])).not.toContain(spelled(TOKEN));
    expect(JSON.stringify([...told!.headers])).not.toContain(TOKEN);
    answer.webSocket!.accept();
    answer.webSocket!.close();
  }
});

test.each([
  ["no token", UPGRADE, 401, "unauthorized"],
  ["a wrong one", { ...UPGRADE, Authorization: `Bearer ${TOKEN}x` }, 401, "unauthorized"],
  ["an empty one", { ...UPGRADE, Authorization: "Bearer " }, 401, "unauthorized"],
  ["a foreign page", { ...TOOL, Origin: "https://evil.example" }, 403, "foreign-origin"],
  ["no page at all", { ...TOOL, Origin: "null" }, 403, "foreign-origin"],
  ["another port", { ...TOOL, Origin: "https://shop.example:8443" }, 403, "foreign-origin"],
  ["no upgrade", { Authorization: `Bearer ${TOKEN}` }, 426, "upgrade-required"],
] as const)(
  "[LIVE-12] a tool with %s reads why in the answer",
  async (_, headers, status, code) => {
    const { world, asked } = watched();
    const answer = await world.fetch(PATH, { headers });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code });
    expect(asked).toEqual([]);
  },
);

test.each([
  ["a wrong token", browser("something-else-that-is-long-enough"), 4401, "token-invalid"],
  ["an empty one", { ...browser(""), Origin: "https://shop.example" }, 4401, "token-invalid"],
  ["no token", { ...UPGRADE, "Sec-WebSocket-Protocol": LIVE_PROTOCOL }, 4401, "token-invalid"],
  ["a foreign page", { ...browser(TOKEN), Origin: "https://evil.example" }, 4403, "forbidden"],
] as const)(
  "[LIVE-12] a browser with %s reads why in the close",
  async (_, headers, code, reason) => {
    const { world, asked } = watched();
    const answer = await world.fetch(PATH, { headers });
    expect(answer.status).toBe(101);
    expect(answer.headers.get("Sec-WebSocket-Protocol")).toBe(LIVE_PROTOCOL);
    expect(await closingOf(answer)).toEqual({ code, reason });
    expect(asked).toEqual([]);
  },
);

test("[LIVE-12] a room that is not there, and one in which as many watch as may", async () => {
  const { world } = watched();
  const nowhere = PATH.replace("shop", "nowhere");
  expect((await world.fetch(nowhere, { headers: TOOL })).status).toBe(404);
  const missing = await world.fetch(nowhere, { headers: browser(TOKEN) });
  expect(await closingOf(missing)).toEqual({ code: 4404, reason: "room-not-found" });
  world.room.fetch = async () => Response.json({ code: 4429, reason: "too-many" }, { status: 403 });
  const full = await world.fetch(PATH, { headers: TOOL });
  expect([full.status, await full.json()]).toMatchObject([429, { code: "too-many-watchers" }]);
  const closed = await world.fetch(PATH, { headers: browser(TOKEN) });
  expect(await closingOf(closed)).toEqual({ code: 4429, reason: "too-many" });
});

test("[LIVE-12] a Room that can't be reached is worth another try", async () => {
  const { world } = watched();
  world.room.fetch = () => Promise.reject(new Error("down"));
  expect((await world.fetch(PATH, { headers: TOOL })).status).toBe(503);
  const closed = await world.fetch(PATH, { headers: browser(TOKEN) });
  expect(await closingOf(closed)).toEqual({ code: 1013, reason: "try-again" });
});

test("[LIVE-12] without a token in the deployment there is nothing to watch", async () => {
  const { world } = watched({});
  expect((await world.fetch(PATH, { headers: TOOL })).status).toBe(404);
});

test("[LIVE-12] other methods are told which one there is", async () => {
  const { world } = watched();
  const answer = await world.fetch(PATH, { method: "POST", headers: TOOL });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET"]);
});
