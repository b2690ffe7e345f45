import { expect, test } from "vitest";
import type { OperatorToken } from "../../src/core/access/token.ts";
import type { AuditAct, AuditQuery, Author } from "../../src/core/audit/entry.ts";
import { parseRoomId, type RoomId } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import { roomOf, World } from "./fakes.ts";

const SECRET = "a-secret-of-some-length";
const API = "/.seiriken/api";
const V4 = "/.seiriken/client/v4";
const idOf = (digit: string): RoomId => parseRoomId(digit.repeat(32)) as RoomId;
const SHOP = roomOf({ name: "shop", routes: [{ host: "shop.example", path: "/" }] });
const PARK = roomOf({ name: "park", routes: [{ host: "b.example", path: "/" }] }, "b".repeat(32));

interface Made {
  readonly id: string;
  readonly token: string;
}

/** A deployment whose Registry keeps tokens and entries. */
const bench = () => {
  const world = new World({ rooms: [SHOP, PARK], env: { ADMIN_TOKEN: SECRET } });
  const entered: { readonly act: AuditAct; readonly by: Author }[] = [];
  const publish = (tokens: readonly OperatorToken[]): void => {
    world.definitions = { ...world.definitions, version: world.definitions.version + 1, tokens };
  };
  const standing = (): readonly OperatorToken[] => world.definitions.tokens ?? [];
  world.registry.makeToken = async (given, by) => {
    const token = { ...given, madeBy: by.name };
    publish([...standing(), token]);
    return { ok: true, token };
  };
  world.registry.revokeToken = async (id) => {
    publish(standing().filter((token) => token.id !== id));
    return true;
  };
  world.registry.enterAudit = async (act, by) => void entered.push({ act, by });
  const call = (method: string, path: string, token: string, body?: object) =>
    world.fetch(path, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const make = async (body: object, by = SECRET): Promise<Made> => {
    const answer = await call("POST", `${API}/tokens`, by, body);
    expect(answer.status).toBe(201);
    return answer.json();
  };
  return { world, entered, call, make };
};

test("[ACCESS-6] a token is in the answer of its making and never again; its hash alone is kept", async () => {
  const { world, call, make } = bench();
  const { id, token } = await make({ name: "till", scope: "read" });
  expect(token).toMatch(/^srk_[\w-]{43}$/);
  const texts = await Promise.all(
    [`${API}/tokens`, `${API}/tokens/${id}`, `${V4}/user/tokens/verify`, `${API}/audit`].map(
      async (path) => (await call("GET", path, token)).text(),
    ),
  );
  expect(JSON.parse(texts[0] ?? "")).toEqual({
    tokens: [
      {
        ...{ id, name: "till", scope: "read", rooms: null, expires_at: null },
        ...{ made_at: expect.any(String), made_by: "ADMIN_TOKEN" },
      },
    ],
  });
  const kept = JSON.stringify([world.definitions.tokens, world.log, texts]);
  expect(kept.includes(token) || kept.includes(token.slice(4))).toBe(false);
  const hash = world.definitions.tokens?.[0]?.hash ?? "none";
  expect([hash.length, texts.some((text) => text.includes(hash))]).toEqual([64, false]);
});

test("[ACCESS-7] rooms are given by name or id and kept as ids; every problem is told at once", async () => {
  const { world, call, make } = bench();
  await make({ name: "till", scope: "operate", rooms: ["SHOP", PARK.id, "shop"] });
  expect(world.definitions.tokens?.[0]?.rooms).toEqual([SHOP.id, PARK.id]);
  const problemsOf = async (body: object) => {
    const answer = await call("POST", `${API}/tokens`, SECRET, body);
    const { code, errors } = (await answer.json()) as {
      readonly code: string;
      readonly errors: readonly { readonly pointer: string }[];
    };
    return [answer.status, code, errors.map(({ pointer }) => pointer).toSorted()];
  };
  const wrong = { name: "", scope: "root", rooms: [], expires_at: "soon", more: 1 };
  expect(await problemsOf(wrong)).toEqual([
    400,
    "token-invalid",
    ["/expires_at", "/more", "/name", "/rooms", "/scope"],
  ]);
  const names = { name: "admin_token", scope: "read", expires_at: "2020-01-01T00:00:00Z" };
  expect((await problemsOf(names))[2]).toEqual(["/expires_at", "/name"]);
  const unknown = { name: "a", scope: "read", rooms: ["shop", "nowhere"] };
  expect((await problemsOf(unknown))[2]).toEqual(["/rooms/1"]);
});

test("[ACCESS-5] a name that another room takes meanwhile leads a limited token to no other room", async () => {
  const { world, call, make } = bench();
  const { token } = await make({ name: "till", scope: "operate", rooms: ["shop"] });
  const rooms = `${V4}/zones/z/waiting_rooms`;
  expect((await call("GET", `${rooms}/shop`, token)).status).toBe(200);
  // This isolate has not heard yet that the two have changed names.
  const [shop, park] = [
    { ...SHOP, name: "park" },
    { ...PARK, name: "shop" },
  ];
  world.definitions = { ...world.definitions, rooms: [shop, park] };
  const shown = await (await call("GET", `${rooms}/shop`, token)).json();
  expect(shown).toMatchObject({ result: { id: SHOP.id, name: "park" } });
  const changed: string[] = [];
  world.registry.change = async (room) => {
    changed.push(room);
    return { ok: true, value: shop, before: shop };
  };
  const revoked: string[] = [];
  Object.assign(world.env, {
    ROOM: { getByName: (name: string) => (revoked.push(name), world.room) },
  });
  await call("PATCH", `${rooms}/shop`, token, { queue_all: true });
  await call("POST", `${API}/rooms/shop/revoke`, token);
  expect([changed, [...new Set(revoked)]]).toEqual([[SHOP.id], [SHOP.id]]);
});

test("[ACCESS-8] a limited administrator makes, sees and revokes tokens for its rooms alone", async () => {
  const { call, make } = bench();
  const all = await make({ name: "all", scope: "read" });
  const limited = await make({ name: "limited", scope: "admin", rooms: ["shop"] });
  const own = await make({ name: "own", scope: "operate", rooms: ["shop"] }, limited.token);
  const listed = await (await call("GET", `${API}/tokens`, limited.token)).json();
  const names = (listed as { tokens: { name: string }[] }).tokens.map(({ name }) => name);
  expect(names).toEqual(["limited", "own"]);
  for (const rooms of [null, ["park"], ["shop", "park"]]) {
    const body = { name: "more", scope: "read", rooms };
    const refused = await call("POST", `${API}/tokens`, limited.token, body);
    expect([rooms, refused.status]).toEqual([rooms, 400]);
  }
  const revoke = async (id: string) =>
    (await call("DELETE", `${API}/tokens/${id}`, limited.token)).status;
  expect([await revoke(all.id), await revoke(own.id)]).toEqual([404, 204]);
});

test("[ACCESS-9] a revoked token is refused at once here, and elsewhere when 5 s are over", async () => {
  const { world, call, make } = bench();
  const { id, token } = await make({ name: "till", scope: "read" });
  const status = async () => (await call("GET", `${API}/keys`, token)).status;
  expect(await status()).toBe(200);
  expect((await call("DELETE", `${API}/tokens/${id}`, SECRET)).status).toBe(204);
  expect(await status()).toBe(401);

  const again = await make({ name: "till", scope: "read" });
  const kept = async () => (await call("GET", `${API}/keys`, again.token)).status;
  expect(await kept()).toBe(200);
  const version = world.definitions.version + 1;
  world.definitions = { ...world.definitions, version, tokens: [] };
  await world.advance(5_000);
  expect(await kept()).toBe(401);
});

test("[ACCESS-9] while the Registry is silent a made token is 503 and no wrong try; the secret is taken", async () => {
  const { world, call, make } = bench();
  const { token } = await make({ name: "till", scope: "operate" });
  expect((await call("GET", `${API}/rooms/shop/history`, token)).status).toBe(200);
  world.registry.definitions = () => Promise.reject(new Error("silent"));
  await world.advance(6_000);
  for (let n = 0; n < 15; n += 1) {
    const answer = await call("GET", `${API}/rooms/shop/history`, token);
    expect([answer.status, answer.headers.has("Retry-After")]).toEqual([503, true]);
  }
  const v4 = await call("GET", `${V4}/user/tokens/verify`, token);
  expect(v4.status).toBe(503);
  expect((await call("GET", `${API}/rooms/shop/history`, SECRET)).status).toBe(200);
});

test("[ACCESS-10] guesses in a token's form are slowed as others are, and told", async () => {
  const { world, call } = bench();
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1)
    statuses.push((await call("GET", `${API}/tokens`, `srk_${"g".repeat(43)}`)).status);
  expect(statuses.slice(9)).toEqual([401, 429, 429]);
  expect(world.log.filter(({ event }) => event === "wrong-tokens")).toHaveLength(1);
});

test("[ACCESS-10] without the secret, or with too short a one, no token opens anything", async () => {
  const { world, make, call } = bench();
  const { token } = await make({ name: "till", scope: "admin" });
  for (const ADMIN_TOKEN of ["", "short"]) {
    Object.assign(world.env, { ADMIN_TOKEN });
    expect((await call("GET", `${API}/keys`, token)).status).toBe(404);
    expect((await call("GET", `${V4}/user/tokens/verify`, token)).status).toBe(404);
  }
});

test("[ACCESS-11] verify answers whichever token asks; the log calls it by its name", async () => {
  const { world, call, make } = bench();
  const { id, token } = await make({ name: "till", scope: "operate", rooms: ["shop"] });
  const verified = await (await call("GET", `${V4}/user/tokens/verify`, token)).json();
  expect(verified).toMatchObject({ result: { id, status: "active" } });
  const key = await world.fetch(`${V4}/user/tokens/verify`, { headers: { "X-Auth-Key": token } });
  expect(await key.json()).toMatchObject({ result: { id } });
  await call("POST", `${API}/rooms/shop/revoke`, token);
  const told = world.log.filter(({ event }) => event === "operator-change");
  expect(told.map(({ by, action }) => [by, action])).toEqual([
    ["ADMIN_TOKEN", "token-created"],
    ["till", "visits-ended"],
  ]);
});

test("[ACCESS-12] a socket brings its token as a protocol, behind what else signs in", async () => {
  const { world, make } = bench();
  const { token } = await make({ name: "till", scope: "read" });
  const asked = async (headers: Record<string, string>) =>
    (await world.fetch(`${API}/keys`, { headers })).status;
  const offer = (given: string) =>
    `seiriken.live, seiriken.bearer.${btoa(given).replace(/=+$/, "")}`;
  const socket = { Upgrade: "websocket", "Sec-WebSocket-Protocol": offer(token) };
  expect(await asked(socket)).toBe(200);
  expect(await asked({ ...socket, Upgrade: "" })).toBe(401);
  expect(await asked({ ...socket, Authorization: "Bearer of-something-else" })).toBe(401);
  expect(await asked({ ...socket, "Sec-WebSocket-Protocol": offer(`${token}x`) })).toBe(401);
  expect(await asked({ ...socket, "Sec-WebSocket-Protocol": "seiriken.bearer.A" })).toBe(401);
});

test("[ACCESS-13] what signs in never reaches the origin, however the path is spelled", async () => {
  const { world, make } = bench();
  const { token } = await make({ name: "till", scope: "read" });
  const signs = [
    { Authorization: `Bearer ${token}` },
    { "X-Auth-Key": token, "X-Auth-Email": "a@b.example" },
    { Upgrade: "websocket", "Sec-WebSocket-Protocol": `seiriken.bearer.${btoa(token)}` },
  ];
  const paths = ["/.seiriken", "/.seiriken/", "/.seiriken/none", "/.SEIRIKEN/api/keys"];
  const odd = [
    "/%2eseiriken/api/keys",
    "//.seiriken/api/keys",
    "/x/../.seiriken/x",
    "/.seiriken;a/x",
  ];
  for (const headers of signs)
    for (const path of [...paths, ...odd, `${API}/keys`, `${V4}/nothing`]) {
      await world.fetch(path, { headers: headers as Record<string, string> });
      await world.settled();
    }
  expect(world.seen.map(({ url }) => url)).toEqual([]);
});

test("[AUDIT-2] what is done elsewhere is entered first, by whom and about what", async () => {
  const { world, entered, call, make } = bench();
  const { id, token } = await make({ name: "till", scope: "operate" });
  const order: string[] = [];
  world.registry.enterAudit = async (act, by) =>
    void (entered.push({ act, by }), order.push("entry"));
  world.room.end = async () => order.push("end") > 0;
  world.room.revokeAll = async () => order.push("revoke");
  await call("DELETE", `${API}/rooms/shop/visits/7`, token);
  await call("POST", `${API}/rooms/shop/revoke`, token);
  expect(order).toEqual(["entry", "end", "entry", "revoke"]);
  expect(entered).toMatchObject([
    {
      act: { action: "visit-ended", room: { id: SHOP.id, name: "shop" }, target: "7" },
      by: { id, name: "till", rooms: null },
    },
    { act: { action: "visits-ended", target: null } },
  ]);
});

test("[AUDIT-2] what can't be entered is not done: 503, and the log says so", async () => {
  const { world, call } = bench();
  let ends = 0;
  world.room.end = async () => (ends += 1) > 0;
  world.room.revokeAll = async () => (ends += 1);
  world.registry.enterAudit = () => Promise.reject(new Error("silent"));
  for (const [method, path] of [
    ["DELETE", `${API}/rooms/shop/visits/7`],
    ["POST", `${API}/rooms/shop/revoke`],
  ] as const) {
    const answer = await call(method, path, SECRET);
    expect(await answer.json()).toMatchObject({ status: 503, code: "audit-unavailable" });
    expect(answer.headers.get("Retry-After")).toBe("1");
  }
  expect(ends).toBe(0);
  expect(world.log.filter(({ event }) => event === "audit-failed")).toHaveLength(1);
});

test("[AUDIT-7] a limited token asks for its rooms; of another one it gets nothing", async () => {
  const { world, call, make } = bench();
  const { token } = await make({ name: "till", scope: "read", rooms: ["shop"] });
  const asked: AuditQuery[] = [];
  const entry = {
    ...{ id: 4, at: instant(0), by: { id: "1", name: "night" }, network: null, reference: "R" },
    ...{ action: "visits-ended", room: { id: idOf("a"), name: "shop" }, target: null },
    differences: { changes: {}, leftOut: [] },
  };
  world.registry.auditLog = async (query) => {
    asked.push(query);
    return { entries: [entry], nextBefore: 4 };
  };
  const lines = await call("GET", `${API}/audit?format=jsonl&limit=1`, token);
  expect(lines.headers.get("Content-Type")).toContain("application/x-ndjson");
  expect(lines.headers.get("Link")).toBe(
    `<${API}/audit?format=jsonl&limit=1&before=4>; rel="next"`,
  );
  expect(JSON.parse(new TextDecoder().decode(await lines.arrayBuffer()))).toMatchObject({
    id: 4,
    left_out: [],
  });
  await call("GET", `${API}/audit?room=SHOP`, token);
  expect(asked.map(({ rooms, room }) => [rooms, room])).toEqual([
    [[SHOP.id], null],
    [[SHOP.id], SHOP.id],
  ]);
  const other = await call("GET", `${API}/audit?room=park`, token);
  expect(await other.json()).toEqual({ entries: [], next_before: null });
  expect(asked).toHaveLength(2);
});
