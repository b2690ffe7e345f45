import type { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { ask, openRaw } from "../support/http.ts";
import { claimVisit, PROGRAM, takeNumber, whereIs } from "../support/journey.ts";
import { openRawSocket } from "../support/raw-socket.ts";
import { roomOver, RUNTIMES, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const ROOMS = [
  roomOver("busy", { total_active_users: 1 }),
  roomOver("other"),
  roomOver("used", { total_active_users: 1 }),
  roomOver("claimed", { total_active_users: 1 }),
];

describe.each(RUNTIMES)("on %s", (runtime) => {
  let seiriken: Seiriken;
  let holder: Visitor;
  let bystander: Visitor;

  beforeAll(async () => {
    seiriken = await startSeiriken({ runtime, rooms: ROOMS });
    holder = await visitorInside(seiriken, "busy");
    bystander = seiriken.visitor({ room: "busy" });
    await takeNumber(bystander);
  });
  afterAll(() => seiriken.stop());
  beforeEach(() => seiriken.origin.reset());

  const reached = () => seiriken.origin.requests.map(({ method, url }) => `${method} ${url}`);
  const busyWith = (headers: Record<string, string>) =>
    ask(`${seiriken.url}/busy`, { headers: { ...PROGRAM, ...headers } });
  const NAME = "__Host-seiriken-pass-busy";

  const expectBystanderUnmoved = async () =>
    expect(await whereIs(bystander)).toMatchObject({ number: 2, state: "waiting", ahead: 0 });

  /** The pass in hand, made worse in every way that comes to mind. */
  const spoilt = async (): Promise<string[]> => {
    const pass = holder.token("pass") ?? "";
    const [head = "", claims = "", mac = ""] = pass.split(".");
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const said = JSON.parse(Buffer.from(claims, "base64url").toString());
    const ofOther = await visitorInside(seiriken, "other");
    return [
      "",
      "x",
      "..",
      pass.slice(0, -1),
      `${pass}x`,
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `${head}.${encoded({ ...said, v: 3 })}.${mac}`,
      `${head}.${encoded({ ...said, u: said.u + 9e9 })}.${mac}`,
      `${encoded({ alg: "none" })}.${claims}.`,
      `${encoded({ alg: "HS256", kid: "nobody" })}.${claims}.${mac}`,
      `${encoded({ alg: "HS256", kid: "__proto__" })}.${claims}.${mac}`,
      `${encoded({ alg: "RS256", kid: "1", jwk: {} })}.${claims}.${mac}`,
      bystander.token("ticket") ?? "",
      bystander.token("visitor") ?? "",
      ofOther.token("pass") ?? "",
      "é".repeat(30),
      "A".repeat(4_000),
    ];
  };

  test("[WHOLE-19] forged, truncated, doubled and foreign tokens are nobody's: the page, never an error", async () => {
    const pass = holder.token("pass") ?? "";
    const headers: Record<string, string>[] = [];
    for (const token of await spoilt()) {
      headers.push({ cookie: `${NAME}=${Buffer.from(token).toString("latin1")}` });
      if (/^[\x20-\x7e]*$/.test(token)) headers.push({ "seiriken-pass": token });
    }
    headers.push({ cookie: `${NAME}=${pass}; ${NAME}=${pass}` });
    headers.push({ cookie: `${NAME.toLowerCase()}=${pass}` });
    headers.push({ cookie: `__Host-seiriken-pass-other=${pass}` });
    headers.push({ cookie: `__Host-seiriken-ticket-busy=${pass}` });
    headers.push({ "seiriken-ticket": pass });
    for (const given of headers) {
      const answer = await busyWith(given);
      expect([answer.status, answer.headers["seiriken-status"]], JSON.stringify(given)).toEqual([
        503,
        "queued; room=busy",
      ]);
    }
    expect(reached()).toEqual([]);
    expect((await busyWith({ cookie: `${NAME}=${pass}` })).status).toBe(200);
    await expectBystanderUnmoved();
  });

  test("[WHOLE-19] a pass that was used up opens nothing again", async () => {
    const done = await visitorInside(seiriken, "used");
    const cookie = done.cookieHeader();
    const blocker = seiriken.visitor({ room: "used" });
    await takeNumber(blocker);
    await done.release();
    await claimVisit(blocker);
    const replay = await ask(`${seiriken.url}/used`, { headers: { ...PROGRAM, cookie } });
    expect(replay.status).toBe(503);
    expect(reached()).toEqual([]);
  });

  test("[WHOLE-20] one ticket claimed by 100 requests at once is one visit with one permit", async () => {
    const visitor = seiriken.visitor({ room: "claimed" });
    const number = await takeNumber(visitor);
    const cookie = visitor.cookieHeader();
    const claims = await Promise.all(
      Array.from({ length: 100 }, () =>
        ask(`${seiriken.url}/.seiriken/rooms/claimed/visits`, {
          method: "POST",
          headers: { ...PROGRAM, cookie },
        }),
      ),
    );
    expect(new Set(claims.map((claim) => claim.json().visit))).toEqual(new Set([number]));
    expect(claims.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(claims.filter(({ status }) => status === 200)).toHaveLength(99);
    const state = await ask(
      `${seiriken.url}/.seiriken/client/v4/zones/z/waiting_rooms/claimed/status`,
      {
        headers: { authorization: `Bearer ${seiriken.adminToken}` },
      },
    );
    expect(state.json().result).toMatchObject({ estimated_total_active_users: 1 });
  });

  test("[WHOLE-24] cookies of 16 KB and 100 cookies neither break the page nor hide the pass", async () => {
    const big = `big=${"x".repeat(16_384)}`;
    const many = Array.from({ length: 100 }, (_, index) => `c${index}=${"y".repeat(50)}`).join(
      "; ",
    );
    const pass = `${NAME}=${holder.token("pass")}`;
    for (const cookie of [big, many, `${big}; ${many}`])
      expect((await busyWith({ cookie })).status).toBe(503);
    expect(reached()).toEqual([]);
    const medium = `big=${"x".repeat(8_000)}`;
    expect((await busyWith({ cookie: `${many}; ${pass}; ${medium}` })).status).toBe(200);
    expect(seiriken.origin.requests[0]?.headers.cookie).toBe(`${many}; ${medium}`);
  });

  test("[WHOLE-25] the visitor API takes no body to heart: not JSON, too large, never ending", async () => {
    const url = `${seiriken.url}/.seiriken/rooms/busy/tickets`;
    const headers = { ...PROGRAM, cookie: bystander.cookieHeader() };
    const odd = await ask(url, { method: "POST", headers, body: "{{{ not JSON" });
    expect([odd.status, odd.json().number]).toEqual([200, 2]);
    const large = await ask(url, { method: "POST", headers, body: "x".repeat(20_000) });
    expect([large.status, large.json().code]).toEqual([413, "too-large"]);
    const endless = await openRaw(seiriken.url);
    const { host } = new URL(seiriken.url);
    let heard = "";
    endless.on("data", (chunk: Buffer) => (heard += chunk.toString()));
    endless.on("error", () => undefined);
    endless.write(
      `POST /.seiriken/rooms/busy/tickets HTTP/1.1\r\nHost: ${host}\r\nCookie: ${headers.cookie}\r\n` +
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    );
    await eventually(() => heard.startsWith("HTTP/1.1 200 ") && heard.includes('"number":2'));
    endless.destroy();
    await expectBystanderUnmoved();
  });

  test("[WHOLE-26] unknown rooms, methods and foreign pages are refused by name", async () => {
    const api = (path: string, method: string, headers = {}) =>
      ask(`${seiriken.url}/.seiriken/${path}`, { method, headers: { ...PROGRAM, ...headers } });
    const code = async (...asked: Parameters<typeof api>) => {
      const answer = await api(...asked);
      expect(answer.headers["content-type"]).toBe("application/problem+json");
      return [answer.status, answer.json().code];
    };
    expect(await code("rooms/nowhere/tickets", "POST")).toEqual([404, "room-not-found"]);
    expect(await code("rooms/%2e%2e/tickets", "POST")).toEqual([404, "not-found"]);
    expect(await code("rooms/busy/tickets", "PUT")).toEqual([405, "method-not-allowed"]);
    expect(await code("rooms/busy/visits", "POST")).toEqual([404, "no-ticket"]);
    expect(await code("rooms/busy/visits/mine", "PATCH")).toEqual([404, "no-visit"]);
    const foreign = { origin: "https://evil.example" };
    expect(await code("rooms/busy/tickets", "POST", foreign)).toEqual([403, "foreign-origin"]);
    const crossSite = { "sec-fetch-site": "cross-site" };
    expect(await code("rooms/busy/visits", "POST", crossSite)).toEqual([403, "foreign-origin"]);
    expect(await code("api/rooms/busy/history", "GET")).toEqual([401, "unauthorized"]);
    expect(await code("nothing", "GET")).toEqual([404, "not-found"]);
  });

  const refusedSocket = async (headers: Record<string, string>, room = "busy") => {
    const url = `${seiriken.url.replace("http", "ws")}/.seiriken/rooms/${room}/socket`;
    const socket = new WebSocket(url, { headers });
    socket.on("error", () => undefined);
    return new Promise<number>((resolve) => socket.once("close", resolve));
  };

  test("[WHOLE-27] a socket without a ticket, or from a foreign page, is closed with its reason", async () => {
    const own = { origin: seiriken.url };
    const cookie = bystander.cookieHeader();
    const ticket = bystander.token("ticket") ?? "";
    const spoof = JSON.stringify({
      number: 2,
      visitor: "x".repeat(22),
      lobby: 0,
      joinedAt: 0,
      heardAt: 9e15,
    });
    expect(await refusedSocket(own)).toBe(4401);
    expect(await refusedSocket({ ...own, "seiriken-internal-ticket": spoof })).toBe(4401);
    expect(await refusedSocket({ ...own, "seiriken-ticket": `${ticket}x` })).toBe(4401);
    expect(await refusedSocket({ cookie })).toBe(4403);
    expect(await refusedSocket({ cookie, origin: "https://evil.example" })).toBe(4403);
    expect(await refusedSocket({ "seiriken-ticket": ticket, origin: "null" })).toBe(4403);
    await expectBystanderUnmoved();
  });

  test("[SOCKET-6] a ticket has six connections at most, those among them that we have closed and it has not", async () => {
    const rude = seiriken.visitor({ room: "other" });
    const first = await visitorInside(seiriken, "other");
    await takeNumber(rude);
    const ticket = { "Seiriken-Ticket": rude.token("ticket") ?? "" };
    const path = "/.seiriken/rooms/other/socket";
    const sockets: Socket[] = [];
    // Each says something that it may not, and does not answer when it is closed for that.
    const partedBy = async (): Promise<string> => {
      const { socket, heard } = await openRawSocket(seiriken.url, path, ticket);
      sockets.push(socket);
      await eventually(() => heard().includes("\r\n\r\n"));
      socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x78]));
      await eventually(() => /bad-message|too-many/.test(heard()));
      return heard().includes("too-many") ? "too-many" : "bad-message";
    };
    for (let i = 0; i < 6; i += 1) expect(await partedBy()).toBe("bad-message");
    expect(await partedBy()).toBe("too-many");
    for (const socket of sockets) socket.destroy();
    await eventually(async () => (await partedBy()) === "bad-message");
    sockets.at(-1)?.destroy();
    await rude.leave();
    await first.leave();
  });

  test("[SOCKET-7] of refused sockets that do not go, eight are there at a time, and the rest is told by HTTP", async () => {
    const path = "/.seiriken/rooms/busy/socket";
    const own = { origin: seiriken.url };
    const hostile = await Promise.all(
      Array.from({ length: 100 }, () => openRawSocket(seiriken.url, path, own)),
    );
    await eventually(() => hostile.every(({ heard }) => /ticket-invalid/.test(heard())));
    const answers = hostile.map(({ heard }) => heard());
    expect(answers.filter((text) => text.startsWith("HTTP/1.1 101 "))).toHaveLength(8);
    const told = answers.filter((text) => text.startsWith("HTTP/1.1 503 "));
    expect(told).toHaveLength(92);
    for (const text of told) expect(text).toMatch(/^retry-after: 10\r$[^]*"too-many-sockets"/im);
    for (const { socket } of hostile) socket.destroy();
    await eventually(async () => expect(await refusedSocket(own)).toBe(4401));
    await expectBystanderUnmoved();
  });

  test("[WHOLE-27] sockets that flood, send 1 MB or binary are closed, and a bystander's place stays", async () => {
    const rude = seiriken.visitor({ room: "busy" });
    await takeNumber(rude);
    const flood = await rude.socket();
    const large = await rude.socket();
    const binary = await rude.socket();
    const fourth = await rude.socket();
    expect(await fourth.closed).toMatchObject({ code: 4429, reason: "too-many" });
    large.send("x".repeat(1_000_000));
    expect((await large.closed).code).toBe(4400);
    binary.send({ type: "open sesame" });
    expect(await binary.closed).toMatchObject({ code: 4400, reason: "bad-message" });
    for (let sent = 0; sent < 5_000; sent += 1) flood.send({ type: "ready" });
    expect(await flood.closed).toMatchObject({ code: 4429, reason: "too-many" });
    await expectBystanderUnmoved();
    await rude.leave();
    expect((await tallies(seiriken, "busy"))["missed"]).toBe(0);
  });
});
