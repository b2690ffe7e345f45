import { base64url, CompactSign } from "jose";
import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import { Keyring, parseSigningKeys, TOKEN_LENGTH_MAX } from "../../src/worker/tokens/keyring.ts";
import { readPass, readTicket, readVisitor, signTicket } from "../../src/worker/tokens/claims.ts";
import {
  cookieFor,
  DOCUMENT,
  heldTicketOf,
  KEYS,
  ROOM_START,
  roomOf,
  VISITOR,
  World,
} from "./fakes.ts";

const room = roomOf();
const other = roomOf({ name: "other" }, "b".repeat(32));
const keys = await Keyring.of(KEYS);
const held = heldTicketOf(ROOM_START);
const WINDOW_MS = room.limits.returnWindowMs * 1.25;

test("[TOKEN-1] a ticket is read as it was signed", async () => {
  const token = await signTicket(keys, room, held);
  expect(await readTicket(keys, room, token, ROOM_START)).toEqual(held);
});

test("[TOKEN-1] tokens that are signed at once, and hashes of long texts beside them, do not mix", async () => {
  const all = Array.from({ length: 20 }, (_, at) => ({ ...held, number: ticketNumber(at + 1) }));
  const long = "ü".repeat(5_000);
  const signing = all.map((ticket) => signTicket(keys, room, ticket));
  const macs = [keys.mac(long), keys.mac("ü"), keys.mac("")];
  const tokens = await Promise.all(signing);
  const read = tokens.map(async (token) => readTicket(keys, room, token, ROOM_START));
  expect(await Promise.all(read)).toEqual(all);
  const again = [await keys.mac(long), await keys.mac("ü"), await keys.mac("")];
  expect(await Promise.all(macs)).toEqual(again);
  expect(new Set(again.map(String)).size).toBe(3);
});

test("[TOKEN-2] every token is under 1 KB, at the far end of every range", async () => {
  const world = new World();
  const far = { number: ticketNumber(2 ** 48), lobby: lobbyIndex(65_534) };
  const tokens = [
    await world.visitorToken(room, 65_534),
    await world.ticketToken(far),
    await world.passToken({ visit: far.number, epoch: 2 ** 31, provisional: true }, room, 65_534),
  ];
  for (const token of tokens) expect(token.length).toBeLessThan(400);
  expect(TOKEN_LENGTH_MAX).toBeLessThan(1_024);
});

test.each([
  ["just before", WINDOW_MS - 1, true],
  ["at the end of", WINDOW_MS, false],
])(
  "[TOKEN-3] %s 1.25 return windows after it was heard a ticket is good: %s",
  async (_at, ms, isGood) => {
    const token = await signTicket(keys, room, held);
    const read = await readTicket(keys, room, token, after(ROOM_START, ms));
    expect(read !== null).toBe(isGood);
  },
);

test("[TOKEN-4] a visitor id is good for 30 days", async () => {
  const token = await new World().visitorToken();
  const month = 30 * 24 * 3_600_000;
  expect(await readVisitor(keys, room, token, after(ROOM_START, month - 1))).not.toBeNull();
  expect(await readVisitor(keys, room, token, after(ROOM_START, month))).toBeNull();
});

const HOUR_MS = 3_600_000;

test("[TOKEN-17] a visitor id that claims to live longer than visitor ids do is none", async () => {
  const token = await new World().visitorToken();
  const slack = after(ROOM_START, -HOUR_MS);
  expect(await readVisitor(keys, room, token, slack)).not.toBeNull();
  expect(await readVisitor(keys, room, token, after(slack, -1))).toBeNull();
});

test("[TOKEN-17] a ticket that was heard of in the future is none", async () => {
  const token = await signTicket(keys, room, held);
  expect(await readTicket(keys, room, token, after(held.heardAt, -HOUR_MS))).not.toBeNull();
  expect(await readTicket(keys, room, token, after(held.heardAt, -HOUR_MS - 1))).toBeNull();
});

test.each([
  [360_000, true],
  [360_001, false],
  [10 * 365 * 24 * HOUR_MS, false],
])("[TOKEN-17] a pass that is to live %i ms: %s", async (lifeMs, isPass) => {
  const world = new World();
  const token = await world.passToken({ until: after(world.now, lifeMs) });
  expect((await readPass(keys, room, token)) !== null).toBe(isPass);
});

test("[TOKEN-5] a token is bound to its kind and its room", async () => {
  const world = new World();
  const ticket = await world.ticketToken();
  const pass = await world.passToken();
  const visitor = await world.visitorToken();
  for (const token of [pass, visitor])
    expect(await readTicket(keys, room, token, ROOM_START)).toBeNull();
  for (const token of [ticket, visitor]) expect(await readPass(keys, room, token)).toBeNull();
  for (const token of [ticket, pass])
    expect(await readVisitor(keys, room, token, ROOM_START)).toBeNull();
  expect(await readTicket(keys, other, ticket, ROOM_START)).toBeNull();
  expect(await readPass(keys, other, pass)).toBeNull();
  expect(await readVisitor(keys, other, visitor, ROOM_START)).toBeNull();
  // Nor has it changed what the token is to its own reader.
  expect(await readPass(keys, room, pass)).not.toBeNull();
  expect(await readTicket(keys, room, ticket, ROOM_START)).not.toBeNull();
  expect(await readVisitor(keys, room, visitor, ROOM_START)).not.toBeNull();
});

describe("keys", () => {
  const [second, first] = [KEYS[0]!, KEYS[1]!];

  test("[TOKEN-6] the first key signs and all verify, so a new key costs nobody a place", async () => {
    const token = await signTicket(await Keyring.of([first]), room, held);
    const rotated = await Keyring.of([second, first]);
    expect(await readTicket(rotated, room, token, ROOM_START)).toEqual(held);
    const [header = ""] = (await signTicket(rotated, room, held)).split(".");
    expect(JSON.parse(atob(header))).toEqual({ alg: "HS256", kid: "k2" });
  });

  test("[TOKEN-7] a key that is gone verifies nothing", async () => {
    const token = await signTicket(await Keyring.of([first]), room, held);
    expect(await readTicket(await Keyring.of([second]), room, token, ROOM_START)).toBeNull();
  });

  test("[TOKEN-8] SIGNING_KEYS stands in for the Registry's keys", async () => {
    const secret = "an-operators-own-secret-of-some-length";
    const world = new World({ env: { SIGNING_KEYS: `mine:${secret}` } });
    const mine = await Keyring.of([{ kid: "mine", secret }]);
    const theirs = await world.fetch("/tickets", {
      headers: { ...DOCUMENT, Cookie: cookieFor("pass", await world.passToken()) },
    });
    expect(theirs.headers.getSetCookie()[0]).toContain("__Host-seiriken-pass-shop=");
    const value = /pass-shop=([^;]+)/.exec(theirs.headers.getSetCookie()[0]!)![1]!;
    expect(await readPass(mine, room, value)).not.toBeNull();
  });

  test.each(["nothing", "k:short", ":no-kid-but-a-long-secret-here"])(
    "[TOKEN-9] SIGNING_KEYS=%s is refused, and the secret is not repeated",
    (text) => {
      expect(() => parseSigningKeys(text)).toThrow(/^SIGNING_KEYS, pair 1: want kid:secret/);
    },
  );

  test("[FAIL-8] a deployment with unusable SIGNING_KEYS lets nothing through", async () => {
    const world = new World({ env: { SIGNING_KEYS: "k:short" } });
    const answer = await world.fetch("/about", { headers: DOCUMENT });
    expect(answer.status).toBe(503);
    expect(world.seen).toEqual([]);
    expect(JSON.stringify(world.log)).toContain("SIGNING_KEYS, pair 1");
  });
});

/** Each turns a good pass into one that must count for nothing. */
const abuses: Record<string, (pass: string, world: World) => Promise<string> | string> = {
  "an empty one": () => "",
  "one that is no token": () => "pass",
  "one cut short": (pass) => pass.slice(0, -1),
  "one with another signature": (pass) => `${pass.slice(0, -4)}AAAA`,
  "one with another payload": (pass) => {
    const [head, , tail] = pass.split(".");
    const claims = { k: "pass", r: room.id, v: 1, e: 1, l: 0, m: ROOM_START, u: ROOM_START * 2 };
    return `${head}.${base64url.encode(JSON.stringify(claims))}.${tail}`;
  },
  "one without an algorithm": (pass) => {
    const head = base64url.encode(JSON.stringify({ alg: "none", kid: "k2" }));
    return `${head}.${pass.split(".")[1]}.`;
  },
  "one of an unknown key": () => forged({ alg: "HS256", kid: "k9" }),
  "one without a key id": () => forged({ alg: "HS256" }),
  "one signed with a key that we do not have": () => forged({ alg: "HS256", kid: "k2" }),
  "one of another algorithm": () => forged({ alg: "HS512", kid: "k2" }),
  "one of 100 KB": (pass) => `${pass}${"A".repeat(100_000)}`,
  "one with percent signs": (pass) => encodeURIComponent(`${pass}%`),
  "a ticket": (_pass, world) => world.ticketToken(),
  "a visitor id": (_pass, world) => world.visitorToken(),
  "one of another room": (_pass, world) => world.passToken({}, other),
  "one of an earlier epoch": (_pass, world) => world.passToken({ epoch: 0 }),
};

const forged = (header: { alg: string; kid?: string }): Promise<string> => {
  const claims = { k: "pass", r: room.id, v: 1, e: 1, l: 0, m: ROOM_START, u: ROOM_START * 2 };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(header)
    .sign(new TextEncoder().encode("x".repeat(64)));
};

describe.each(["Cookie", "Seiriken-Pass"])("in %s", (header) => {
  test.each(Object.keys(abuses))("[TOKEN-10] %s for a pass is ignored", async (abuse) => {
    const world = new World();
    world.say({ mode: "queues" });
    const token = await abuses[abuse]!(await world.passToken(), world);
    const value = header === "Cookie" ? cookieFor("pass", token) : token;
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, [header]: value } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Seiriken-Status")).toBe("queued; room=shop");
    expect(answer.headers.get("Content-Type")).toContain("text/html");
    expect(world.seen).toEqual([]);
  });
});

test("[TOKEN-11] a doubled pass is ignored, in cookies and in headers", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const pass = await world.passToken();
  const twice = new Headers([...Object.entries(DOCUMENT), ["Seiriken-Pass", `${pass}, ${pass}`]]);
  const cookies = `${cookieFor("pass", pass)}; ${cookieFor("pass", pass)}`;
  for (const headers of [twice, { ...DOCUMENT, Cookie: cookies }])
    expect((await world.fetch("/tickets", { headers })).status).toBe(503);
  expect(world.seen).toEqual([]);
});

test("[TOKEN-12] a bad token does not stand in the way of a good one", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const Cookie = `${cookieFor("ticket", "rubbish")}; ${cookieFor("pass", await world.passToken())}`;
  const headers = { ...DOCUMENT, Cookie, "Seiriken-Pass": "rubbish" };
  expect((await world.fetch("/tickets", { headers })).status).toBe(200);
});

test("[TOKEN-13] a pass in the header is as good as one in the cookie", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const headers = { ...DOCUMENT, "Seiriken-Pass": await world.passToken() };
  const answer = await world.fetch("/tickets", { headers });
  expect(answer.headers.get("Seiriken-Status")).toBe("admitted; room=shop");
  expect(world.seen[0]?.headers.get("Seiriken-Pass")).toBeNull();
});

test("[TOKEN-14] what is remembered of verified tokens does not outlive their time", async () => {
  const token = await signTicket(keys, room, held);
  expect(await readTicket(keys, room, token, ROOM_START)).not.toBeNull();
  expect(await readTicket(keys, room, token, after(ROOM_START, WINDOW_MS))).toBeNull();
});

test("[TOKEN-15] lifetimes are the Room's clock, not the isolate's", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  // The isolate's clock is an hour ahead; by it this pass would be over.
  const pass = await world.passToken({ until: after(world.now, 60_000) });
  const headers = { ...DOCUMENT, Cookie: cookieFor("pass", pass) };
  expect((await world.fetch("/tickets", { headers })).status).toBe(200);
});

test("[TOKEN-16] a ticket's visitor counts more than the visitor id beside it", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const asks: unknown[] = [];
  const { take } = world.lobby;
  world.lobby.take = async (ask) => {
    asks.push(ask.visitor);
    return take(ask);
  };
  const ticket = await world.ticketToken({ lobby: lobbyIndex(3) });
  const Cookie = `${cookieFor("visitor", await world.visitorToken())}; ${cookieFor("ticket", ticket)}`;
  await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
  expect(asks).toEqual([VISITOR]);
  expect(world.asked).toEqual(["lobby/3 take"]);
});
