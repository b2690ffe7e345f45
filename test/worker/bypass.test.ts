import { describe, expect, test } from "vitest";
import type { RoomDefinition } from "../../src/core/definition.ts";
import type { BypassRule, BypassRules } from "../../src/core/rules/bypass-rule.ts";
import { instant } from "../../src/core/time.ts";
import { cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";
import type { RoomChange, WorldOptions } from "./fakes.ts";

const EVERYTHING = [{ host: "shop.example", path: "/" }];

const rule = (expression: string, change: Partial<BypassRule> = {}): BypassRule => ({
  id: "1".repeat(32),
  version: 1,
  expression,
  description: "",
  enabled: true,
  updatedAt: instant(0),
  ...change,
});
const rulesOf = (...list: readonly (string | BypassRule)[]): BypassRules => ({
  changedAt: instant(1),
  list: list.map((one) => (typeof one === "string" ? rule(one) : one)),
});
const roomWith = (expression: string | BypassRule, change: RoomChange = {}): RoomDefinition =>
  roomOf({ routes: EVERYTHING, rules: rulesOf(expression), ...change });

const worldOf = (room: RoomDefinition, options: WorldOptions = {}): World => {
  const world = new World({ ...options, rooms: [room] });
  world.say({ mode: "queues" });
  return world;
};

/** `exempt`: the origin was asked. */
const statusOf = async (world: World, path: string, init: RequestInit = {}): Promise<string> => {
  const before = world.seen.length;
  const headers = { ...JSON_APP, ...(init.headers as object) };
  const answer = await world.fetch(path, { ...init, headers });
  const status = (answer.headers.get("Seiriken-Status") ?? "").split(";")[0] ?? "";
  expect(world.seen.length > before).toBe(["exempt", "admitted", "unprotected"].includes(status));
  return status;
};

describe("[BYPASS-8] a request that a rule matches goes to the origin", () => {
  test.each<[string, string, RequestInit, string]>([
    ['http.request.uri.path eq "/hook"', "/hook", {}, "exempt"],
    ['http.request.uri.path eq "/hook"', "/hooks", {}, "queued"],
    ['http.request.uri.query contains "preview=1"', "/a?x=2&preview=1", {}, "exempt"],
    ['http.request.method eq "POST"', "/a", { method: "POST", body: "x" }, "exempt"],
    ['http.host eq "shop.example" and ssl', "/a", {}, "exempt"],
    ['http.user_agent contains "Probe"', "/a", { headers: { "User-Agent": "Probe/1" } }, "exempt"],
    ['http.request.headers["x-key"][0] eq "s"', "/a", { headers: { "X-Key": "s" } }, "exempt"],
    ['http.request.headers["x-key"][0] eq "s"', "/a", { headers: { "X-Key": "t" } }, "queued"],
    [
      'http.request.cookies["staff"][0] eq "y"',
      "/a",
      { headers: { Cookie: "a=b; staff=y" } },
      "exempt",
    ],
    ['http.request.uri.args["a"][1] eq "2"', "/a?a=1&a=2", {}, "exempt"],
    [
      "ip.src in {203.0.113.0/24}",
      "/a",
      { headers: { "CF-Connecting-IP": "203.0.113.9" } },
      "exempt",
    ],
    [
      "ip.src in {203.0.113.0/24}",
      "/a",
      { headers: { "CF-Connecting-IP": "203.0.114.9" } },
      "queued",
    ],
    ["not ip.src in {203.0.113.0/24}", "/a", {}, "exempt"],
    ['http.request.full_uri wildcard "https://shop.example/*.txt"', "/a/b.txt", {}, "exempt"],
  ])("%s, %s", async (expression, path, init, expected) => {
    expect(await statusOf(worldOf(roomWith(expression)), path, init)).toBe(expected);
  });

  test("without ticket, visit or object call, and its origin hears of the room", async () => {
    const world = worldOf(roomWith("ssl"));
    const answer = await world.fetch("/a", { headers: DOCUMENT });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(world.asked).toEqual([]);
    const [seen] = world.seen;
    expect(seen?.headers.get("Seiriken-Room")).toBe("shop");
    expect(seen?.headers.get("Seiriken-Visit")).toBeNull();
  });

  test("in rooms of requests too", async () => {
    const world = worldOf(
      roomWith('http.request.uri.path eq "/hook"', { limits: { permit: "request" } }),
    );
    expect(await statusOf(world, "/hook")).toBe("exempt");
    expect(world.asked).toEqual([]);
  });

  test("while no object can be reached", async () => {
    const world = worldOf(roomWith('http.request.uri.path eq "/hook"'));
    world.lobby.snapshot = () => Promise.reject(new Error("gone"));
    expect(await statusOf(world, "/hook")).toBe("exempt");
  });
});

test("[BYPASS-8] a live pass goes before every rule", async () => {
  const world = worldOf(roomWith("ssl"));
  const headers = { Cookie: cookieFor("pass", await world.passToken()) };
  expect(await statusOf(world, "/a", { headers })).toBe("admitted");
  expect(world.seen[0]?.headers.get("Seiriken-Visit")).toBe("7");
});

describe("[BYPASS-9] a rule opens nothing but its own room", () => {
  const other = roomOf(
    { name: "vault", routes: [{ host: "shop.example", path: "/vault" }] },
    "b".repeat(32),
  );

  test.each([
    ["/a", "exempt"],
    ["/vault", "queued"],
    ["/vault/gold", "queued"],
    ["/%76ault", "error"],
  ])("%s: %s", async (path, expected) => {
    const world = new World({ rooms: [roomWith("true"), other] });
    world.say({ mode: "queues" });
    expect(await statusOf(world, path)).toBe(expected);
  });

  test.each(["/a/..%2fvault", "/a/..;/vault", "/a%00", "/x/%2e%2e;/vault"])(
    "%s has two meanings, and no rule is asked",
    async (path) => {
      const world = new World({ rooms: [roomWith("true"), other] });
      world.say({ mode: "queues" });
      const answer = await world.fetch(path, { headers: JSON_APP });
      expect([400, 503]).toContain(answer.status);
      expect(world.seen).toEqual([]);
    },
  );

  test("a host that nobody named is refused as before", async () => {
    const room = roomWith("true");
    const world = worldOf(room, { env: { ORIGIN: "http://127.0.0.1:9/" } });
    const answer = await world.fetch("https://evil.example/a", { headers: JSON_APP });
    expect(answer.status).toBe(421);
    expect(world.seen).toEqual([]);
  });

  test("not a path of ours", async () => {
    const world = worldOf(roomWith("true"));
    const answer = await world.fetch("/.seiriken/rooms/none", { headers: JSON_APP });
    expect(answer.status).toBe(404);
    expect(world.seen).toEqual([]);
  });
});

describe("[BYPASS-10] what the edge says of the client", () => {
  const jp = { cf: { country: "JP", asn: 64500, botManagement: { score: 1, verifiedBot: true } } };
  const asks = 'ip.src.country eq "JP" and ip.src.asnum eq 64500 and cf.client.bot';
  const withEdge = (init: RequestInit = {}): RequestInit => ({ ...jp, ...init }) as RequestInit;

  test("is known on the edge", async () => {
    expect(await statusOf(worldOf(roomWith(asks)), "/a", withEdge())).toBe("exempt");
    expect(await statusOf(worldOf(roomWith(asks)), "/a")).toBe("queued");
  });

  test("is not where there is no edge", async () => {
    const world = worldOf(roomWith(asks), { env: { LOCAL: "1" } });
    expect(await statusOf(world, "/a", withEdge())).toBe("queued");
  });

  test("is another one's where a proxy stands between, and the address is the client's", async () => {
    const world = worldOf(roomWith(asks, { trustedProxies: 1 }));
    const headers = {
      "CF-Connecting-IP": "192.0.2.1",
      "X-Forwarded-For": "203.0.113.9, 192.0.2.1",
    };
    expect(await statusOf(world, "/a", withEdge({ headers }))).toBe("queued");
    const byAddress = worldOf(roomWith("ip.src eq 203.0.113.9", { trustedProxies: 1 }));
    expect(await statusOf(byAddress, "/a", { headers })).toBe("exempt");
  });
});

test("[BYPASS-11] a list is read once, and anew when it has changed", async () => {
  const world = worldOf(roomWith('http.request.uri.path eq "/old"'));
  expect(await statusOf(world, "/old")).toBe("exempt");
  const list = rulesOf('http.request.uri.path eq "/new"');
  const rules = { ...list, changedAt: instant(2) };
  world.definitions = {
    ...world.definitions,
    version: 2,
    rooms: [roomOf({ routes: EVERYTHING, rules })],
  };
  await world.advance(5_001);
  world.say({ mode: "queues" });
  expect(await statusOf(world, "/old")).toBe("queued");
  expect(await statusOf(world, "/new")).toBe("exempt");
});

test("[BYPASS-5] of a rule that this version cannot read the log tells", async () => {
  const world = worldOf(roomWith(rule("galaxy.quadrant eq 3")));
  expect(await statusOf(world, "/a")).toBe("queued");
  expect(world.log).toContainEqual(
    expect.objectContaining({ event: "rule-unreadable", room: "shop", rule: "1".repeat(32) }),
  );
});

test("[BYPASS-7] of what costs too many steps too, and the request queues", async () => {
  const world = worldOf(roomWith('not http.user_agent matches ".*[a-d]{300}z"'));
  const headers = { "User-Agent": "abcd".repeat(2_500) };
  expect(await statusOf(world, "/a", { headers })).toBe("queued");
  expect(world.log).toContainEqual(
    expect.objectContaining({ event: "rules-out-of-steps", room: "shop" }),
  );
});

test("[BYPASS-13] bypassed requests are told with the snapshots that are asked for anyway", async () => {
  const world = worldOf(roomWith('http.request.uri.path eq "/hook"'));
  const told: (number | undefined)[] = [];
  const { snapshot } = world.lobby;
  world.lobby.snapshot = (since, report) => {
    told.push(report?.bypassed);
    return snapshot(since);
  };
  for (let sent = 0; sent < 3; sent++) await statusOf(world, "/hook");
  await statusOf(world, "/other");
  await world.advance(2_500);
  await statusOf(world, "/hook");
  await world.settled();
  await world.advance(2_500);
  await statusOf(world, "/other");
  await world.settled();
  expect(told).toEqual([undefined, 3, 1]);
});
