import { beforeEach, describe, expect, test } from "vitest";
import { lobbyIndex } from "../../src/core/ids.ts";
import { SOCKET_REFUSED } from "../../src/durable/contract.ts";
import { cookieFor, heldTicketOf, roomOf, World } from "./fakes.ts";
import { API, bodyOf, OWN_PAGE, visitorsIn } from "./visitor-harness.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.say({ mode: "queues" });
});

const { ask, ticketCookie, passCookie } = visitorsIn(() => world);

describe("who may ask", () => {
  const unsafe = [
    ["POST", "/tickets"],
    ["DELETE", "/tickets/mine"],
    ["POST", "/visits"],
    ["PATCH", "/visits/mine"],
    ["DELETE", "/visits/mine"],
  ] as const;
  const foreign: Record<string, string>[] = [
    { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { Origin: "http://shop.example" },
  ];

  test.each(unsafe)(
    "[VISITOR-26] %s %s from another site: 403, and no object is asked",
    async (method, path) => {
      const pass = cookieFor("pass", await world.passToken());
      const ticket = cookieFor("ticket", await world.ticketToken());
      for (const headers of foreign) {
        const answer = await ask(method, path, { ...headers, Cookie: `${pass}; ${ticket}` });
        expect(answer.status).toBe(403);
        expect(await bodyOf(answer)).toMatchObject({ code: "foreign-origin" });
      }
      expect(world.asked).toEqual([]);
    },
  );

  test.each(unsafe)(
    "[VISITOR-27] %s %s from the room's pages or from no page is heard",
    async (method, path) => {
      const pass = cookieFor("pass", await world.passToken());
      const ticket = cookieFor("ticket", await world.ticketToken());
      for (const headers of [{}, OWN_PAGE, { "Sec-Fetch-Site": "none" }])
        expect(
          (await ask(method, path, { ...headers, Cookie: `${pass}; ${ticket}` })).status,
        ).toBeLessThan(300);
    },
  );

  test("[VISITOR-26] [VISITOR-27] another port is another site, unless the browser says it is not", async () => {
    const foreign = { Origin: "https://shop.example:8443" };
    expect((await ask("POST", "/tickets", foreign)).status).toBe(403);
    const same = { ...foreign, "Sec-Fetch-Site": "same-origin" };
    expect(await (await ask("POST", "/tickets", same)).json()).toMatchObject({
      code: "cookies-needed",
    });
  });

  test("[VISITOR-28] a body larger than 16 KB: 413", async () => {
    const headers = { "Content-Length": "16385" };
    expect((await ask("POST", "/tickets", headers)).status).toBe(413);
    expect(world.asked).toEqual([]);
  });

  const cors = { corsOrigins: ["https://app.example"] };

  test.each([
    ["https://app.example", true],
    ["https://shop.example", true],
    ["https://shop.example:443", true],
    ["https://shop.example:8443", false],
    ["https://app.example:8443", false],
    ["https://evil.example", false],
    ["https://app.example.evil.example", false],
    ["http://shop.example", false],
    ["null", false],
  ])("[CORS-1] %s may read our answers: %s", async (Origin, mayRead) => {
    world = new World({ rooms: [roomOf(cors)] });
    world.say({ mode: "queues" });
    for (const path of [`${API}/tickets/mine`, "/tickets"]) {
      const answer = await world.fetch(path, { headers: { Origin, "Sec-Fetch-Dest": "empty" } });
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(mayRead ? Origin : null);
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBe(mayRead ? "true" : null);
      expect(answer.headers.get("Access-Control-Expose-Headers")).toBe(
        mayRead ? "Retry-After, Seiriken-Ticket, Seiriken-Pass, Seiriken-Status" : null,
      );
    }
  });

  test("[CORS-2] preflights for our own paths are answered, for those who may ask", async () => {
    world = new World({ rooms: [roomOf(cors)] });
    const headers = { Origin: "https://app.example", "Access-Control-Request-Method": "POST" };
    const answer = await world.fetch(`${API}/tickets`, { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("https://app.example");
    expect(answer.headers.get("Access-Control-Allow-Methods")).toContain("POST");
    expect(answer.headers.get("Access-Control-Allow-Headers")).toContain("Seiriken-Ticket");
    const evil = { ...headers, Origin: "https://evil.example" };
    const refused = await world.fetch(`${API}/tickets`, { method: "OPTIONS", headers: evil });
    expect(refused.headers.has("Access-Control-Allow-Origin")).toBe(false);
  });

  test("[CORS-3] another host's page carries its ticket in the header, and may take one", async () => {
    world = new World({ rooms: [roomOf(cors)] });
    const headers = { Origin: "https://app.example", "Sec-Fetch-Site": "cross-site" };
    const answer = await ask("POST", "/tickets", headers);
    expect(answer.status).toBe(201);
    expect(answer.headers.has("Seiriken-Ticket")).toBe(true);
  });

  test("[CACHE-3] our answers are never stored or changed, and vary with what they were made from", async () => {
    const requests: [string, RequestInit][] = [
      ["/tickets", {}],
      ["/tickets", { headers: { Accept: "text/html" } }],
      ["/tickets", { headers: { "Sec-Fetch-Dest": "image" } }],
      ["/tickets%00", {}],
      [API, {}],
      [`${API}/tickets`, { method: "POST" }],
      [`${API}/nothing`, {}],
      ["/.seiriken/rooms/nobody", {}],
      ["/.seiriken/api/rooms/shop/history", {}],
    ];
    for (const [path, init] of requests) {
      const answer = await world.fetch(path, init);
      expect(answer.headers.get("Cache-Control")).toBe("no-store, no-transform");
      expect(answer.headers.get("Vary")).toBe("Accept, Accept-Language, Sec-Fetch-Dest, Cookie");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.headers.get("Seiriken-Reference")).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
    }
  });

  const empty = { "Sec-Fetch-Dest": "empty" };
  test.each([
    [API, "a page's script", { ...empty, "Sec-Fetch-Mode": "cors" }],
    ["/tickets", "a worker's navigation", { ...empty, "Sec-Fetch-Mode": "navigate" }],
    [
      "/tickets",
      "a navigation's preload",
      { "Sec-Fetch-Dest": "document", "Service-Worker-Navigation-Preload": "true" },
    ],
  ])("[CACHE-4] of %s, %s gets what no worker's cache takes", async (path, _who, headers) => {
    const answer = await world.fetch(path, { headers });
    expect(answer.headers.get("Vary")?.split(", ")).toContain("*");
  });
});

describe("the page on its own", () => {
  const wait = (to: string, headers: Record<string, string> = {}): Promise<Response> =>
    world.fetch(`${API}/wait?to=${encodeURIComponent(to)}`, {
      headers: { Accept: "*/*", ...headers },
    });
  const targetOf = async (answer: Response): Promise<string> =>
    (JSON.parse(/id="boot">(.*?)<\/script>/s.exec(await answer.text())![1]!) as { to: string }).to;

  test("[VISITOR-29] is the page, whoever asks, and leads to `to`", async () => {
    const answer = await wait("/tickets/7?day=1");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Content-Type")).toContain("text/html");
    expect(await targetOf(answer)).toBe("/tickets/7?day=1");
    expect(world.asked).toEqual([]);
  });

  test("[PAGE-44] the page asks by the room's id, which a new name does not change", async () => {
    const [, boot] = /id="boot">(.*?)<\/script>/s.exec(await (await wait("/tickets")).text())!;
    const { api, roomId } = JSON.parse(boot!) as { api: string; roomId: string };
    expect(roomId).toBe(roomOf().id);
    expect(api).toBe(`/.seiriken/rooms/${roomId}`);
  });

  test.each([
    "https://evil.example/",
    "//evil.example/x",
    "/\\evil.example",
    "https:evil.example",
    "http://shop.example/tickets",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://user:secret@shop.example/tickets",
    "/.seiriken/rooms/shop/wait",
    "/%2e%73eiriken/rooms/shop/wait?to=/",
    "",
  ])("[VISITOR-30] never leads off the room's hosts or in a circle: %s", async (to) => {
    expect(await targetOf(await wait(to))).toMatch(/^\/tickets$|^\/.*evil\.example$/);
    const page = await targetOf(await wait(to));
    expect(new URL(page, "https://shop.example/").host).toBe("shop.example");
  });

  test.each([
    ["https://shop.example:8443/tickets/7", "/tickets"],
    ["//shop.example:8443/tickets/7", "/tickets"],
    ["https://shop.example:443/tickets/7", "/tickets/7"],
    ["/tickets/7", "/tickets/7"],
  ])("[VISITOR-30] keeps to the port: %s leads to %s", async (to, leadsTo) => {
    expect(await targetOf(await wait(to))).toBe(leadsTo);
  });

  test("[VISITOR-31] goes on at once when nothing stands in the way", async () => {
    const pass = await passCookie();
    const admitted = await wait("/tickets/7", pass);
    expect(admitted.status).toBe(303);
    expect(admitted.headers.get("Location")).toBe("https://shop.example/tickets/7");
    expect(admitted.headers.get("Seiriken-Status")).toBe("admitted; room=shop");
    world.say({ mode: "suspended" });
    await world.advance(2_000);
    const letThrough = await wait("/tickets/7");
    expect(letThrough.status).toBe(303);
    expect(letThrough.headers.get("Seiriken-Status")).toBe("unprotected; room=shop");
  });

  const suspended = { limits: { ...roomOf().limits, suspended: true } };
  test.each([
    ["a suspended room", suspended, 303, 200],
    ["a passthrough", { queueingMethod: "passthrough" }, 303, 200],
    ["on_failure open", { onFailure: "open" }, 303, 200],
    ["on_failure closed", { onFailure: "closed" }, 503, 503],
  ] as const)(
    "[VISITOR-44] out of reach it goes where the gate lets through: %s",
    async (_, change, waits, gates) => {
      world = new World({ rooms: [roomOf(change)] });
      world.breakObjects();
      expect((await wait("/tickets/7")).status).toBe(waits);
      expect(
        (await world.fetch("/tickets/7", { headers: { "Sec-Fetch-Mode": "navigate" } })).status,
      ).toBe(gates);
    },
  );

  test("[VISITOR-32] at the turn claims it, and leads on", async () => {
    const cookie = await ticketCookie();
    world.callNumber(42);
    const answer = await wait("/tickets/7", cookie);
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
    expect(world.seen).toEqual([]);
  });
});

describe("the socket", () => {
  const UPGRADE = { Upgrade: "websocket" };
  const closeOf = async (answer: Response): Promise<[number, string]> => {
    expect(answer.status).toBe(101);
    const socket = answer.webSocket!;
    const closed = new Promise<[number, string]>((resolve) =>
      socket.addEventListener("close", ({ code, reason }) => resolve([code, reason])),
    );
    socket.accept();
    return closed;
  };
  const own = { ...UPGRADE, Origin: "https://shop.example" };

  test("[VISITOR-33] is left to the ticket's lobby, with the ticket's claims and nothing else", async () => {
    const requests: Request[] = [];
    world.lobby.fetch = async (request) => {
      requests.push(request);
      return new Response(null, { status: 101, webSocket: new WebSocketPair()[0] });
    };
    const token = await world.ticketToken({ lobby: lobbyIndex(4) });
    const forged = { "seiriken-internal-ticket": "{}", "Seiriken-Internal-X": "1" };
    const headers = { ...own, ...forged, Cookie: cookieFor("ticket", token) };
    const answer = await ask("GET", "/socket", headers);
    expect(answer.status).toBe(101);
    expect(world.asked).toEqual(["lobby/4 fetch"]);
    const [request] = requests;
    const held = { ...heldTicketOf(world.now), lobby: 4 };
    expect(JSON.parse(request!.headers.get("seiriken-internal-ticket")!)).toEqual(held);
    expect(request!.headers.get("Upgrade")).toBe("websocket");
    expect(request!.headers.has("Seiriken-Internal-X")).toBe(false);
    expect(request!.headers.has("Cookie")).toBe(false);
  });

  test("[VISITOR-34] without a good ticket: accepted, then closed with 4401", async () => {
    for (const headers of [own, { ...own, Cookie: cookieFor("ticket", "forged") }])
      expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([4401, "ticket-invalid"]);
    expect(world.asked).toEqual([]);
  });

  test("[VISITOR-35] from another site: accepted, then closed with 4403", async () => {
    const headers = { ...UPGRADE, ...(await ticketCookie()), Origin: "https://evil.example" };
    expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([4403, "origin"]);
    const token = await world.ticketToken();
    const both = { ...UPGRADE, Origin: "https://evil.example", "Seiriken-Ticket": token };
    expect(await closeOf(await ask("GET", "/socket", both))).toEqual([4403, "origin"]);
    expect(world.asked).toEqual([]);
  });

  test("[VISITOR-35] another port is another site, unless the browser says it is not", async () => {
    const port = { ...UPGRADE, ...(await ticketCookie()), Origin: "https://shop.example:8443" };
    expect(await closeOf(await ask("GET", "/socket", port))).toEqual([4403, "origin"]);
    await ask("GET", "/socket", { ...port, "Sec-Fetch-Site": "same-origin" });
    expect(world.asked).toEqual(["lobby/0 fetch"]);
  });

  test("[VISITOR-36] without an Origin only with the ticket in its header", async () => {
    const byCookie = { ...UPGRADE, ...(await ticketCookie()) };
    expect(await closeOf(await ask("GET", "/socket", byCookie))).toEqual([4403, "origin"]);
    const byHeader = { ...UPGRADE, "Seiriken-Ticket": await world.ticketToken() };
    await ask("GET", "/socket", byHeader);
    expect(world.asked).toEqual(["lobby/0 fetch"]);
  });

  test("[VISITOR-37] of a lobby out of reach: accepted, then closed with 1013", async () => {
    world.lobby.fetch = () => Promise.reject(new Error("gone"));
    const headers = { ...own, ...(await ticketCookie()) };
    expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([1013, "try-again"]);
  });

  test("[SOCKET-7] eight that were refused may be there at a time; beyond them it is HTTP, until one is gone", async () => {
    const open: WebSocket[] = [];
    for (let at = 0; at < 8; at += 1) {
      const { status, webSocket } = await ask("GET", "/socket", own);
      expect(status).toBe(101);
      open.push(webSocket!);
    }
    const foreign = { ...own, Origin: "https://evil.example" };
    const more = [await ask("GET", "/socket", own), await ask("GET", "/socket", foreign)];
    expect(more.map(({ status, webSocket }) => [status, webSocket])).toEqual([
      [503, null],
      [503, null],
    ]);
    expect(more[0]!.headers.get("Retry-After")).toBe("10");
    expect(await more[0]!.json()).toMatchObject({
      code: "too-many-sockets",
      close: { code: 4401, reason: "ticket-invalid" },
    });
    expect(await more[1]!.json()).toMatchObject({ close: { code: 4403, reason: "origin" } });
    // A socket with a ticket is refused nothing.
    await ask("GET", "/socket", { ...own, ...(await ticketCookie()) });
    expect(world.asked).toEqual(["lobby/0 fetch"]);
    open[0]!.accept();
    open[0]!.close(1000, "bye");
    await world.breathe();
    expect((await ask("GET", "/socket", own)).status).toBe(101);
    expect((await ask("GET", "/socket", own)).status).toBe(503);
  });

  test("[SOCKET-8] whom its lobby refuses is accepted here, and closed with the lobby's word", async () => {
    const refusal = { code: 4429, reason: "too-many" };
    world.lobby.fetch = async () => Response.json(refusal, { status: SOCKET_REFUSED });
    const headers = { ...own, ...(await ticketCookie()) };
    expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([4429, "too-many"]);
    // They are kept at hand: a socket that nobody knows any more would be collected, and be gone.
    const there: Response[] = [];
    while (there.length < 8) there.push(await ask("GET", "/socket", headers));
    expect(there.map(({ status }) => status)).toEqual(there.map(() => 101));
    const answer = await ask("GET", "/socket", headers);
    expect([answer.status, await answer.json()]).toMatchObject([503, { close: refusal }]);
    for (const { webSocket } of there) webSocket!.accept();
  });

  test("[VISITOR-38] without an upgrade: 426", async () => {
    const answer = await ask("GET", "/socket", await ticketCookie());
    expect(answer.status).toBe(426);
    expect(answer.headers.get("Upgrade")).toBe("websocket");
  });
});
