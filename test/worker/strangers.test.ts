import { beforeEach, describe, expect, test } from "vitest";
import type { RoomDefinition } from "../../src/core/definition.ts";
import { lobbyIndex, parseVisitorId } from "../../src/core/ids.ts";
import { createPuzzleSolver } from "../../src/core/strangers/puzzle.ts";
import { after } from "../../src/core/time.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import { readTicket, signPuzzle, signVisitor } from "../../src/worker/tokens/claims.ts";
import { Keyring } from "../../src/worker/tokens/keyring.ts";
import { cookieFor, DOCUMENT, JSON_APP, KEYS, roomOf, VISITOR, World } from "./fakes.ts";
import type { RoomChange } from "./fakes.ts";

const API = "/.seiriken/rooms/shop";
const OTHER = parseVisitorId("BBBBBBBBBBBBBBBBBBBBBB")!;
const WORK = { bits: 8, bitsMax: 12 };
const ENV: Partial<Env> = {
  TURNSTILE_SITE_KEY: "site-key",
  TURNSTILE_SECRET_KEY: "secret-key",
  TURNSTILE_VERIFY_URL: "http://127.0.0.1/siteverify",
};
const turnstile = (action: "log" | "infinite_queue") => ({
  kept: { turnstile_mode: "visible_managed", turnstile_action: action },
});

let world: World;
const open = (change: RoomChange, env: Partial<Env> = {}): void => {
  world = new World({ rooms: [roomOf(change)], env });
  world.say({ mode: "queues" });
};
const room = (): RoomDefinition => world.definitions.rooms[0]!;

type Body = Readonly<Record<string, unknown>> & {
  readonly code?: string;
  readonly puzzle?: { readonly token: string; readonly seed: string; readonly bits: number };
};
interface Told {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

const post = async (headers: Record<string, string> = {}): Promise<Told> => {
  const answer = await world.fetch(`${API}/tickets`, { method: "POST", headers });
  return {
    status: answer.status,
    body: (await answer.json()) as Body,
    headers: answer.headers,
  };
};
const visitor = async () => ({ Cookie: cookieFor("visitor", await world.visitorToken()) });
const visitorNamed = async (name: typeof VISITOR) => {
  const until = after(world.now, 30 * 24 * 3_600_000);
  const held = { visitor: name, lobby: lobbyIndex(0), until };
  return { Cookie: cookieFor("visitor", await signVisitor(await Keyring.of(KEYS), room(), held)) };
};

const solutionOf = (seed: string, bits: number): string => {
  const solver = createPuzzleSolver({ seed, bits });
  for (;;) {
    const solution = solver.tryNext(10_000);
    if (solution !== null) return solution;
  }
};
/** What an app sends after a `proof-needed`. */
const proofOf = ({ body }: Told): { "Seiriken-Proof": string } => {
  const { token, seed, bits } = body.puzzle!;
  return { "Seiriken-Proof": `work ${token} ${solutionOf(seed, bits)}` };
};

describe("a room that asks for work", () => {
  beforeEach(() => open({ proofOfWork: WORK }));

  test("[WORK-5] without a proof: 403 with a puzzle, and no object is asked", async () => {
    const told = await post(await visitor());
    expect(told).toMatchObject({ status: 403, body: { code: "proof-needed" } });
    expect(told.body.puzzle).toMatchObject({ bits: 8, until: "2026-11-20T09:10:00.000Z" });
    expect(told.body.puzzle?.seed).toMatch(/^[0-9a-f]{32}$/);
    expect(world.asked).toEqual([]);
  });

  test("[WORK-5] with it the ticket, by one object call, also a second time", async () => {
    const cookie = await visitor();
    const proof = proofOf(await post(cookie));
    expect((await post({ ...cookie, ...proof })).status).toBe(201);
    expect(world.asked).toEqual(["lobby/0 take"]);
    const again = await post({ ...cookie, ...proof });
    expect(again.body["number"]).toBe(42);
  });

  test("[WORK-6] a program without cookies is who the puzzle says", async () => {
    const first = await post();
    const proof = proofOf(first);
    const told = await post(proof);
    expect(told.status).toBe(201);
    const token = told.headers.get("Seiriken-Ticket")!;
    const held = await readTicket(await Keyring.of(KEYS), room(), token, world.now);
    const repeated = (await post(proof)).headers.get("Seiriken-Ticket")!;
    const same = await readTicket(await Keyring.of(KEYS), room(), repeated, world.now);
    expect(same?.visitor).toBe(held?.visitor);
  });

  test("[WORK-6] a page without its cookie is told so, whatever it has solved", async () => {
    const proof = proofOf(await post());
    const told = await post({ ...proof, "Sec-Fetch-Site": "same-origin" });
    expect(told).toMatchObject({ status: 400, body: { code: "cookies-needed" } });
    expect(world.asked).toEqual([]);
  });

  test("[WORK-11] a page from before is told to load again, and takes nothing", async () => {
    const page = { ...(await visitor()), "Sec-Fetch-Site": "same-origin" };
    const answer = await world.fetch(`${API}/tickets`, { method: "POST", headers: page });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("Content-Type")).toContain("text/plain");
    expect(world.asked).toEqual([]);
    const told = await post({ ...page, "Seiriken-Proof": "none" });
    expect(told).toMatchObject({ status: 403, body: { code: "proof-needed" } });
  });

  test("[WORK-11] its page loads what does the work, which is the same for everybody", async () => {
    const page = await world.fetch("/tickets", { headers: DOCUMENT });
    const html = await page.text();
    const script = /<script nonce="[^"]+" src="([^"]+)">/
      .exec(html)?.[1]
      ?.replaceAll("&#x2F;", "/");
    expect(script).toMatch(/^\/\.seiriken\/proof\/script\.js\?[0-9a-f]{8}$/);
    const answer = await world.fetch(script ?? "");
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600");
    expect(await answer.text()).toContain("Seiriken-Proof");
    expect(page.headers.get("Content-Security-Policy")).not.toContain("frame-src");
    expect((await world.fetch("/.seiriken/proof/")).status).toBe(404);
  });

  test("[WORK-11] a page of a room that asks for nothing has not a byte of it", async () => {
    const page = async () => {
      const answer = await world.fetch("/tickets", { headers: DOCUMENT });
      const html = await answer.text();
      const nonce = /nonce-([^']+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[1];
      return html.replaceAll(nonce ?? "", "").replace(/Reference \w+/g, "");
    };
    const asking = await page();
    open({});
    const plain = await page();
    expect(plain).not.toMatch(/proof\/script|"proof"/);
    expect(asking.length - plain.length).toBeGreaterThan(100);
    open({ proofOfWork: null, ...turnstile("infinite_queue") });
    expect(await page()).toBe(plain);
  });

  const otherRoom = roomOf({ name: "other", proofOfWork: WORK }, "b".repeat(32));
  const puzzleOf = async (change: object, of = room()) => {
    const claims = {
      visitor: VISITOR,
      lobby: lobbyIndex(0),
      bits: 8,
      until: after(world.now, 600_000),
    };
    const token = await signPuzzle(await Keyring.of(KEYS), of, { ...claims, ...change });
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
    const seed = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
    return { token, seed: seed.join("").slice(0, 32) };
  };
  const solved = async (change: object, of?: RoomDefinition, bits = 8): Promise<string> => {
    const { token, seed } = await puzzleOf(change, of);
    return `work ${token} ${solutionOf(seed, bits)}`;
  };

  test.each<[string, () => Promise<string>]>([
    ["of another room", () => solved({}, otherRoom)],
    ["of another visitor", () => solved({ visitor: OTHER })],
    ["whose time is over", async () => solved({ until: world.now })],
    ["that was never given for so long", async () => solved({ until: after(world.now, 1e9) })],
    ["easier than the room asks", () => solved({ bits: 7 })],
    ["solved for fewer bits than it says", () => solved({ bits: 26 }, undefined, 8)],
    ["without a solution", async () => `work ${(await puzzleOf({})).token}`],
    ["with an empty one", async () => `work ${(await puzzleOf({})).token} `],
    ["with a huge one", async () => `work ${(await puzzleOf({})).token} ${"0".repeat(60_000)}`],
    ["with two", async () => `${await solved({})} ${"0".repeat(128)}`],
    [
      "with a changed signature",
      async () => (await solved({})).replace(/.( [0-9a-f]{128})$/, "_$1"),
    ],
    [
      "that is a visitor's token",
      async () => `work ${await world.visitorToken()} ${"0".repeat(128)}`,
    ],
    ["of no kind", async () => "nothing"],
    ["of Turnstile, which is off", async () => "turnstile good"],
  ])("[WORK-7] a puzzle %s is worth nothing: a new one, and no object call", async (_, make) => {
    const told = await post({ ...(await visitor()), "Seiriken-Proof": await make() });
    expect(told).toMatchObject({ status: 403, body: { code: "proof-needed" } });
    expect(world.asked).toEqual([]);
    expect(world.seen).toEqual([]);
  });

  test("[WORK-7] a solution is good for its visitor alone", async () => {
    const proof = proofOf(await post(await visitor()));
    const stolen = await post({ ...(await visitorNamed(OTHER)), ...proof });
    expect(stolen).toMatchObject({ status: 403, body: { code: "proof-needed" } });
  });

  test("[WORK-3] a busy network's puzzles get harder, those of others do not", async () => {
    const from = (address: string) => post({ "CF-Connecting-IP": address });
    for (let given = 0; given < 32; given++)
      expect((await from(`192.0.2.${given}`)).body.puzzle?.bits).toBe(8);
    expect((await from("192.0.2.200")).body.puzzle?.bits).toBe(9);
    expect((await from("192.0.3.1")).body.puzzle?.bits).toBe(8);
    await world.advance(120_000);
    expect((await from("192.0.2.1")).body.puzzle?.bits).toBe(8);
  });

  test("[WORK-8] who is in line is asked for nothing; a number that is over is", async () => {
    const ticket = { Cookie: cookieFor("ticket", await world.ticketToken()) };
    expect(await post(ticket)).toMatchObject({ status: 200, body: { number: 42 } });
    expect(world.asked).toEqual(["lobby/0 where"]);
    world.lobby.where = async () => ({ kind: "ended" });
    const told = await post(ticket);
    expect(told).toMatchObject({ status: 403, body: { code: "proof-needed" } });
    expect(world.asked).toEqual(["lobby/0 where", "lobby/0 where"]);
    expect((await post({ ...ticket, ...proofOf(told) })).status).toBe(200);
    expect(world.asked.at(-1)).toBe("lobby/0 take");
  });

  test.each([
    ["/tickets", "the gate"],
    [`${API}/wait?to=/tickets`, "the page on its own"],
  ])("[WORK-9] %s (%s) gives no ticket to who has not waited", async (path) => {
    const cookie = await visitor();
    const page = await world.fetch(path, { headers: { ...DOCUMENT, ...cookie } });
    expect(page.headers.get("Retry-After")).toBe("30");
    expect(world.asked).toEqual([]);
    await world.advance(29_999);
    await world.fetch(path, { headers: { ...DOCUMENT, ...cookie } });
    expect(world.asked).toEqual([]);
    await world.advance(1);
    const after30 = await world.fetch(path, { headers: { ...DOCUMENT, ...cookie } });
    expect(world.asked).toEqual(["lobby/0 take"]);
    expect(after30.headers.getSetCookie().join()).toContain("seiriken-ticket-shop=");
  });

  test("[WORK-9] waiting is no way around a busy network", async () => {
    const headers = { ...DOCUMENT, ...(await visitor()), "CF-Connecting-IP": "192.0.2.1" };
    for (let given = 0; given < 32; given++) await post({ "CF-Connecting-IP": "192.0.2.9" });
    await world.advance(30_000);
    await world.fetch("/tickets", { headers });
    expect(world.asked).toEqual([]);
    await world.advance(120_000);
    await world.fetch("/tickets", { headers });
    expect(world.asked).toEqual(["lobby/0 take"]);
  });

  test("[WORK-9] the page without scripts looks again once the wait is over", async () => {
    const first = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(first.headers.get("Retry-After")).toBe("31");
    const app = await world.fetch("/tickets", { headers: JSON_APP });
    expect(await app.json()).toMatchObject({ seiriken: { proof_needed: true, number: null } });
  });

  test("[WORK-10] the page of who is in line shows its place, and lets in at the turn", async () => {
    const headers = { ...DOCUMENT, Cookie: cookieFor("ticket", await world.ticketToken()) };
    await world.fetch("/tickets", { headers });
    expect(world.asked).toEqual(["lobby/0 where"]);
    world.callNumber(42);
    const answer = await world.fetch("/tickets", { headers });
    expect(await answer.text()).toBe("from the origin");
  });

  test("[WORK-10] an open door asks for nothing, and neither do a pass and an exemption", async () => {
    world.say({ mode: "open" });
    expect((await world.fetch("/tickets", { headers: DOCUMENT })).status).toBe(200);
    world.say({ mode: "queues" });
    const pass = { Cookie: cookieFor("pass", await world.passToken()) };
    expect((await world.fetch("/tickets", { headers: pass })).status).toBe(200);
    open({ proofOfWork: WORK, exempt: [{ path: "/tickets/hook" }] });
    expect((await world.fetch("/tickets/hook")).status).toBe(200);
  });

  test("[WORK-10] a room of requests asks for nothing", async () => {
    open({ proofOfWork: WORK, limits: { permit: "request" } });
    expect((await post(await visitor())).status).toBe(201);
  });
});

describe("a room that asks for Turnstile", () => {
  const verified: URLSearchParams[] = [];
  const verifier =
    (answer: () => object | Promise<Response>) =>
    async (request: Request): Promise<Response> => {
      if (!request.url.endsWith("/siteverify")) return new Response("from the origin");
      verified.push(new URLSearchParams([...(await request.formData())] as [string, string][]));
      const told = answer();
      return told instanceof Promise ? told : Response.json(told);
    };
  const GOOD = { "Seiriken-Proof": "turnstile good" };
  const openWith = (
    action: "log" | "infinite_queue",
    answer: () => object | Promise<Response>,
    change: RoomChange = {},
  ): void => {
    verified.length = 0;
    open({ ...turnstile(action), ...change }, ENV);
    world.origin = verifier(answer);
  };
  const passes = () => ({ success: true, cdata: room().id });
  const fails = () => ({ success: false, "error-codes": ["timeout-or-duplicate"] });

  test("[TURNSTILE-1] a token that passes gets a ticket; it is verified once, with the address", async () => {
    openWith("infinite_queue", passes);
    const headers = { ...(await visitor()), ...GOOD, "CF-Connecting-IP": "192.0.2.7" };
    expect((await post(headers)).status).toBe(201);
    expect(verified.map((asked) => Object.fromEntries(asked))).toEqual([
      { secret: "secret-key", response: "good", remoteip: "192.0.2.7" },
    ]);
  });

  test.each<[string, () => object, Record<string, string>]>([
    ["no token", passes, {}],
    ["one that fails", fails, GOOD],
    ["one of another room's page", () => ({ success: true, cdata: "b".repeat(32) }), GOOD],
    ["an empty one", passes, { "Seiriken-Proof": "turnstile " }],
    ["one that is too long", passes, { "Seiriken-Proof": `turnstile ${"x".repeat(2_049)}` }],
    ["a solved puzzle that nobody asked for", passes, { "Seiriken-Proof": "work a b" }],
  ])(
    "[TURNSTILE-2] infinite_queue, %s: waits, and no object is asked",
    async (_, answer, proof) => {
      openWith("infinite_queue", answer);
      for (const times of [1, 2]) {
        const told = await post({ ...(await visitor()), ...proof });
        expect(told, String(times)).toMatchObject({ status: 503, body: { code: "still-waiting" } });
        expect(told.headers.get("Retry-After")).toBe("30");
      }
      const headers = { ...DOCUMENT, ...(await visitor()) };
      await world.advance(3_600_000);
      for (const path of ["/tickets", `${API}/wait?to=/tickets`]) {
        const page = await world.fetch(path, { headers });
        expect(page.headers.get("Retry-After")).toBe("30");
        expect(page.headers.get("Seiriken-Status")).toContain("queued");
      }
      expect(world.asked).toEqual([]);
      expect(world.log).toContainEqual(
        expect.objectContaining({ event: "turnstile", room: "shop" }),
      );
    },
  );

  test("[TURNSTILE-3] log: the ticket does not wait for the verdict, which is logged", async () => {
    const verdict = Promise.withResolvers<Response>();
    openWith("log", () => verdict.promise);
    expect((await post({ ...(await visitor()), ...GOOD })).status).toBe(201);
    verdict.resolve(Response.json(fails()));
    await world.settled();
    expect(world.log).toContainEqual(
      expect.objectContaining({ event: "turnstile", outcome: "failed" }),
    );
    await post(await visitor());
    expect(world.log).toContainEqual(
      expect.objectContaining({ event: "turnstile", outcome: "none" }),
    );
  });

  test.each<[string, () => object | Promise<Response>]>([
    ["answers 500", () => Promise.resolve(Response.json({}, { status: 500 }))],
    ["answers no JSON", () => Promise.resolve(new Response("<html>"))],
    ["breaks off", () => Promise.reject(new Error("connection refused"))],
    ["refuses our secret", () => ({ success: false, "error-codes": ["invalid-input-secret"] })],
  ])("[TURNSTILE-4] who can't be verified as siteverify %s gets a ticket", async (_, answer) => {
    openWith("infinite_queue", answer);
    expect((await post({ ...(await visitor()), ...GOOD })).status).toBe(201);
    const logged = { level: "error", event: "turnstile-unreachable" };
    expect(world.log).toContainEqual(expect.objectContaining(logged));
    expect(JSON.stringify(world.log)).not.toContain("secret-key");
  });

  test("[TURNSTILE-4] it is given 3 s", async () => {
    openWith("infinite_queue", () => new Promise<Response>(() => undefined));
    const told = post({ ...(await visitor()), ...GOOD });
    await world.advance(2_999);
    expect(world.asked).toEqual([]);
    await world.advance(1);
    expect((await told).status).toBe(201);
  });

  test("[TURNSTILE-4] a room that asks for work too asks those for it", async () => {
    openWith("infinite_queue", () => Promise.reject(new Error("down")), { proofOfWork: WORK });
    const cookie = await visitor();
    const told = await post({ ...cookie, ...GOOD });
    expect(told).toMatchObject({ status: 403, body: { code: "proof-needed" } });
    expect((await post({ ...cookie, ...proofOf(told) })).status).toBe(201);
  });

  test("[TURNSTILE-5] at most 64 are verified at once; who comes then is asked to come again", async () => {
    const verdict = Promise.withResolvers<Response>();
    openWith("infinite_queue", () => verdict.promise.then((answer) => answer.clone() as Response));
    const headers = { ...(await visitor()), ...GOOD };
    const first = Array.from({ length: 64 }, () => post(headers));
    await world.breathe();
    const told = await post(headers);
    expect(told).toMatchObject({ status: 503, body: { code: "busy" } });
    expect(told.headers.get("Retry-After")).toBe("2");
    expect(world.asked).toEqual([]);
    verdict.resolve(Response.json(passes()));
    for (const { status } of await Promise.all(first)) expect(status).toBeLessThan(300);
  });

  test("[TURNSTILE-6] one of both is enough where a room asks for both", async () => {
    openWith("infinite_queue", passes, { proofOfWork: WORK });
    expect((await post({ ...(await visitor()), ...GOOD })).status).toBe(201);
    openWith("log", passes, { proofOfWork: WORK });
    const told = await post({ ...(await visitor()), ...GOOD });
    expect(told).toMatchObject({ status: 403, body: { code: "proof-needed" } });
  });

  test("[TURNSTILE-9] its page may load the widget from where it is, and nothing from elsewhere", async () => {
    openWith("infinite_queue", passes);
    const page = await world.fetch("/tickets", { headers: DOCUMENT });
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    const widget = "https://challenges.cloudflare.com";
    expect(policy).toMatch(new RegExp(`script-src 'nonce-[^']+' ${widget};`));
    expect(policy).toContain(`frame-src ${widget};`);
    expect(policy.split(widget)).toHaveLength(3);
    const html = await page.text();
    expect(html).toContain('"siteKey":"site-key"');
    expect(html).not.toContain("secret-key");
  });

  test("[TURNSTILE-7] without keys it is as if it were off", async () => {
    open(turnstile("infinite_queue"));
    expect((await post(await visitor())).status).toBe(201);
    open(turnstile("infinite_queue"), { ...ENV, TURNSTILE_SCRIPT_URL: "no url" });
    expect((await post(await visitor())).status).toBe(201);
  });
});
