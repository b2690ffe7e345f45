import { exportJWK, generateKeyPair, SignJWT, type JWK } from "jose";
import { beforeAll, expect, test } from "vitest";
import type { Env } from "../../src/worker/platform/env.ts";
import { roomOf, World } from "./fakes.ts";

const SECRET = "a-secret-of-some-length";
const TEAM = "https://team.example";
const AUDIENCE = "f".repeat(64);
const API = "/.seiriken/api";
const V4 = "/.seiriken/client/v4";

interface Pair {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly published: JWK;
}

const pairOf = async (kid: string): Promise<Pair> => {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  return { kid, key: privateKey, published: { ...(await exportJWK(publicKey)), kid } };
};
let one: Pair;
let other: Pair;
beforeAll(async () => {
  [one, other] = await Promise.all([pairOf("one"), pairOf("other")]);
});

/** A deployment behind Access, and the keys that its team publishes. */
const bench = (env: Partial<Env> = {}) => {
  const certs = { keys: [one.published] as unknown[], status: 200, asked: [] as string[] };
  const world = new World({
    rooms: [roomOf({ name: "shop" })],
    env: { ADMIN_TOKEN: SECRET, ACCESS_TEAM_URL: TEAM, ACCESS_AUDIENCE: AUDIENCE, ...env },
    origin: ({ url }) => {
      certs.asked.push(url);
      return Response.json({ keys: certs.keys }, { status: certs.status });
    },
  });
  /** The isolate's clock is an hour before the Room's. */
  const seconds = () => Math.floor(world.now / 1_000) + 3_600;
  const signed = (claims: object = {}, by: Pair = one) =>
    new SignJWT({ email: "ann@example.com", sub: "user-1", ...claims })
      .setProtectedHeader({ alg: "RS256", kid: by.kid })
      .setIssuer(TEAM)
      .setAudience([AUDIENCE])
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + 600)
      .sign(by.key);
  const call = (assertion: string, path = `${API}/keys`, init: RequestInit = {}) =>
    world.fetch(path, {
      ...init,
      headers: { "Cf-Access-Jwt-Assertion": assertion, ...(init.headers as object) },
    });
  return { world, certs, signed, call, seconds };
};

test("[ACCESS-14] who Access vouches for is signed in, called by e-mail, with the scope that is set", async () => {
  const { world, certs, signed, call } = bench({ ACCESS_SCOPE: "operate" });
  expect((await call(await signed())).status).toBe(200);
  expect(certs.asked).toEqual([`${TEAM}/cdn-cgi/access/certs`]);
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const revoked = await call(await signed(), `${API}/rooms/shop/revoke`, {
    method: "POST",
    headers,
  });
  expect(revoked.status).toBe(200);
  const told = world.log.find(({ event }) => event === "operator-change");
  expect(told).toMatchObject({ by: "ann@example.com", action: "visits-ended" });
  const more = await call(await signed(), `${API}/keys/rotate`, { method: "POST", headers });
  expect(await more.json()).toMatchObject({ status: 403, code: "scope-missing" });
});

test("[ACCESS-14] by default it only looks; a service token is called by its client's name", async () => {
  const { signed, call } = bench();
  const service = await signed({ email: undefined, sub: "", common_name: "probe.access" });
  expect((await call(service)).status).toBe(200);
  const refused = await call(service, `${API}/rooms/shop/revoke`, { method: "POST" });
  const { detail } = (await refused.json()) as { readonly detail: string };
  expect([refused.status, detail]).toEqual([
    403,
    "This takes a token of scope operate; service:probe.access has read.",
  ]);
  expect((await call(await signed({ email: undefined, common_name: undefined }))).status).toBe(401);
});

test("[ACCESS-14] another team, audience, key or algorithm, and what is over, sign nobody in", async () => {
  const { world, signed, call, seconds } = bench();
  const base = () =>
    new SignJWT({ email: "ann@example.com" }).setProtectedHeader({ alg: "RS256", kid: "one" });
  const until = seconds() + 600;
  const good = await signed();
  const [head = "", body = "", mac = ""] = good.split(".");
  const none = btoa(JSON.stringify({ alg: "none", kid: "one" })).replace(/=+$/, "");
  const hmac = new TextEncoder().encode(JSON.stringify(one.published));
  const wrong = [
    await base()
      .setIssuer("https://b.example")
      .setAudience(AUDIENCE)
      .setExpirationTime(until)
      .sign(one.key),
    await base().setIssuer(TEAM).setAudience("0".repeat(64)).setExpirationTime(until).sign(one.key),
    await base()
      .setIssuer(TEAM)
      .setAudience(AUDIENCE)
      .setExpirationTime(seconds() - 10)
      .sign(one.key),
    await base().setIssuer(TEAM).setAudience(AUDIENCE).sign(one.key),
    await base().setIssuer(TEAM).setAudience(AUDIENCE).setExpirationTime(until).sign(other.key),
    await new SignJWT({ email: "ann@example.com" })
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .setIssuer(TEAM)
      .setAudience(AUDIENCE)
      .setExpirationTime(until)
      .sign(hmac),
    `${none}.${body}.`,
    `${head}.${body}.${mac.slice(2)}AA`,
    "x".repeat(10_000),
    "not-a-token",
  ];
  for (const [at, assertion] of wrong.entries()) {
    const fresh = bench();
    fresh.certs.keys = [one.published];
    expect([at, (await fresh.call(assertion)).status]).toEqual([at, 401]);
  }
  expect((await call(good)).status).toBe(200);
  expect(JSON.stringify(world.log)).not.toContain(mac);
});

test("[ACCESS-14] without its settings, or the secret, the header says nothing", async () => {
  for (const env of [
    { ACCESS_TEAM_URL: "" },
    { ACCESS_AUDIENCE: " , " },
    { ACCESS_SCOPE: "root" },
    { ACCESS_TEAM_URL: "team" },
  ]) {
    const { certs, signed, call } = bench(env);
    expect([env, (await call(await signed())).status]).toEqual([env, 401]);
    expect(certs.asked).toEqual([]);
  }
  const { certs, signed, call } = bench({ ADMIN_TOKEN: "" });
  expect((await call(await signed())).status).toBe(404);
  expect(certs.asked).toEqual([]);
});

test("[ACCESS-14] a token that is brought counts alone, also where it is wrong", async () => {
  const { signed, call } = bench();
  const headers = { Authorization: "Bearer of-something-else" };
  expect((await call(await signed(), `${API}/keys`, { headers })).status).toBe(401);
});

test("[ACCESS-15] keys are fetched once, and again for a new one, at most once a minute", async () => {
  const { world, certs, signed, call } = bench({ ACCESS_CERTS_URL: "https://keys.example/jwks" });
  for (let n = 0; n < 3; n += 1) expect((await call(await signed())).status).toBe(200);
  expect(certs.asked).toEqual(["https://keys.example/jwks"]);
  for (let n = 0; n < 3; n += 1) expect((await call(await signed({}, other))).status).toBe(401);
  expect(certs.asked).toHaveLength(2);
  certs.keys = [one.published, other.published];
  await world.advance(60_000);
  expect((await call(await signed({}, other))).status).toBe(200);
  expect(certs.asked).toHaveLength(3);
});

test("[ACCESS-15] where the team can't be reached known keys go on for a day, and none sign nobody in", async () => {
  const unreached = bench();
  unreached.certs.status = 500;
  expect((await unreached.call(await unreached.signed())).status).toBe(401);
  const { world, certs, signed, call } = bench();
  expect((await call(await signed())).status).toBe(200);
  certs.status = 500;
  await world.advance(23 * 3_600_000);
  expect((await call(await signed())).status).toBe(200);
  await world.advance(2 * 3_600_000);
  expect((await call(await signed())).status).toBe(401);
  expect(world.log.map(({ event }) => event)).toContain("access-keys-unreachable");
});

test.each([
  ["a list without end", () => Array.from({ length: 4_000 }, () => one.published)],
  ["no list", () => []],
  ["a key of another kind", () => [{ kty: "oct", kid: "one", k: "AAAA" }]],
])("[ACCESS-15] %s of keys signs nobody in", async (_, keys) => {
  const { certs, signed, call } = bench();
  certs.keys = keys();
  expect((await call(await signed())).status).toBe(401);
});

test("[ACCESS-16] wrong assertions are slowed like wrong tokens, and then not looked at", async () => {
  const { certs, signed, call } = bench();
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await call("not-a-token")).status);
  expect(statuses.slice(9)).toEqual([401, 429, 429]);
  const asked = certs.asked.length;
  expect((await call(await signed())).status).toBe(429);
  expect(certs.asked).toHaveLength(asked);
});

test("[ACCESS-17] a person changes things from our own page alone; what only looks is free", async () => {
  const { signed, call } = bench({ ACCESS_SCOPE: "admin" });
  const assertion = await signed();
  const revoke = async (headers: object, path = `${API}/rooms/shop/revoke`) => {
    const init = { method: "POST", headers: headers as Record<string, string> };
    const answer = await call(assertion, path, init);
    return answer.status;
  };
  expect(await revoke({ "Sec-Fetch-Site": "same-origin" })).toBe(200);
  expect(await revoke({ Origin: "https://shop.example" })).toBe(200);
  for (const headers of [
    {},
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "https://shop.example:8443" },
    { "Sec-Fetch-Site": "same-site", Origin: "https://shop.example" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "none" },
  ])
    expect([headers, await revoke(headers)]).toEqual([headers, 403]);
  expect(await revoke({}, `${V4}/zones/z/waiting_rooms/preview`)).toBe(403);
  const looks = await call(assertion, `${API}/keys`, {
    headers: { "Sec-Fetch-Site": "cross-site" },
  });
  expect(looks.status).toBe(200);
  const socket = { Upgrade: "websocket", Origin: "https://evil.example" };
  expect((await call(assertion, `${API}/keys`, { headers: socket })).status).toBe(403);
});
