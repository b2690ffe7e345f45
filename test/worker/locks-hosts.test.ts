/** Lock rules of one host, asked under other names of the same origin. */
import { describe, expect, test } from "vitest";
import type { LockRule } from "../../src/core/locks/rule.ts";
import { instant } from "../../src/core/time.ts";
import { JSON_APP, roomOf, World } from "./fakes.ts";
import type { RoomChange } from "./fakes.ts";

const ORIGIN = "http://origin.test";
const KEYED = { ...JSON_APP, "X-Key": "17" };

const ruleOf = (change: Partial<LockRule> = {}): LockRule => ({
  name: "pay",
  host: "pay.example",
  path: "/pay",
  methods: ["POST"],
  key: { from: "header", name: "x-key", required: true },
  leaseMs: 30_000,
  waitMs: 0,
  conflictStatus: 409,
  idempotency: false,
  retentionMs: 86_400_000,
  bodyMs: 300_000,
  session: null,
  createdAt: instant(0),
  modifiedAt: instant(0),
  ...change,
});

/** Every key is held by somebody else: whatever reaches the origin went round the lock. */
const worldOf = (rules: readonly LockRule[], env: object = {}, rooms: RoomChange[] = []): World => {
  const locks = {
    rules: async (known: number | null) => (known === 1 ? null : { version: 1, rules }),
    acquire: async () => ({ kind: "held", retryAfterMs: 1_000 }),
  };
  const LOCKS = { getByName: () => locks };
  return new World({
    rooms: rooms.map((change, index) => roomOf(change, String(index + 1).repeat(32))),
    env: { ORIGIN, LOCKS, ...env } as object,
  });
};

const fareOf = async (world: World, url: string, method = "POST") => {
  const before = world.seen.length;
  const answer = await world.fetch(url, { method, headers: KEYED });
  const code = answer.headers.get("Content-Type")?.includes("problem")
    ? ((await answer.json()) as { code: string }).code
    : answer.headers.get("Seiriken-Status");
  return [answer.status, code, world.seen.length > before];
};

const LOCKED = [409, "lock-conflict", false];
const PASSES = [200, "unprotected", true];

describe("a host that nobody named", () => {
  test.each(["*", "box, any.example"])("[HOST-5] by PASS_HOSTS %s", async (PASS_HOSTS) => {
    const world = worldOf([ruleOf()], { PASS_HOSTS });
    for (const path of ["/pay", "/PAY/1", "//pay"])
      expect(await fareOf(world, `https://any.example${path}`)).toEqual(LOCKED);
    expect(await fareOf(world, "https://any.example/pay%00")).toEqual([
      400,
      "ambiguous-url",
      false,
    ]);
    expect(await fareOf(world, "https://any.example/other")).toEqual(PASSES);
  });

  test("[HOST-5] by the launcher, or by a room of every host", async () => {
    const OWN_HOSTS = "localhost";
    const own = worldOf([ruleOf()], { OWN_HOSTS, LOCAL: "1" });
    expect(await fareOf(own, "http://localhost:8787/pay")).toEqual(LOCKED);
    const every = worldOf([ruleOf()], {}, [{ routes: [{ host: "*", path: "/tickets" }] }]);
    expect(await fareOf(every, "https://any.example/pay")).toEqual(LOCKED);
  });

  test("[HOST-5] and also within a room, where its requests go to that origin", async () => {
    const inside = (origin: string) =>
      worldOf([ruleOf()], {}, [
        { routes: [{ host: "*", path: "/" }], exempt: [{ path: "/pay" }], origin },
      ]);
    const shared = worldOf([ruleOf({ host: "pay.example" })], {}, [
      {
        name: "pay",
        routes: [{ host: "pay.example", path: "/" }],
        origin: "HTTP://ORIGIN.test:80",
      },
      { name: "site", routes: [{ host: "*", path: "/pay" }], exempt: [{ path: "/pay" }] },
    ]);
    // The path is the room's of its own host; that one lets nobody in without a pass.
    expect((await fareOf(shared, "https://any.example/pay"))[2]).toBe(false);
    expect(await fareOf(inside(ORIGIN), "https://any.example/pay")).toEqual(LOCKED);
  });

  test("[HOST-5] a rule of every host keeps what it is more exactly for", async () => {
    const rules = [
      ruleOf(),
      ruleOf({ name: "all", host: "*", path: "/pay/all", key: header("x-none") }),
    ];
    const world = worldOf(rules, { PASS_HOSTS: "*" });
    expect(await fareOf(world, "https://any.example/pay/one")).toEqual(LOCKED);
    const missing = [400, "lock-key-missing", false];
    expect(await fareOf(world, "https://any.example/pay/all")).toEqual(missing);
  });

  test("[HOST-6] rules of several hosts for one path: nobody knows which is meant", async () => {
    const rules = [ruleOf(), ruleOf({ name: "shop", host: "shop.example" })];
    const world = worldOf(rules, { PASS_HOSTS: "*" });
    const refused = [421, "ambiguous-host", false];
    expect(await fareOf(world, "https://any.example/pay")).toEqual(refused);
    expect(await fareOf(world, "https://shop.example/pay")).toEqual(LOCKED);
    expect(await fareOf(world, "https://any.example/pay", "PUT")).toEqual(PASSES);
  });
});

const header = (name: string): LockRule["key"] => ({ from: "header", name, required: true });

test("[HOST-7] hosts that a route or a rule names keep to their own rules", async () => {
  const rules = [ruleOf(), ruleOf({ name: "shop", host: "shop.example", path: "/cart" })];
  const world = worldOf(rules, {}, [{ routes: [{ host: "club.example", path: "/club" }] }]);
  expect(await fareOf(world, "https://club.example/pay")).toEqual(PASSES);
  expect(await fareOf(world, "https://shop.example/pay")).toEqual(PASSES);
  expect(await fareOf(world, "https://pay.example/pay")).toEqual(LOCKED);
});

test("[HOST-7] and so do those whose requests go to another server, or to the zone's own", async () => {
  const elsewhere = worldOf([ruleOf()], { PASS_HOSTS: "*" }, [
    { routes: [{ host: "pay.example", path: "/" }], origin: "http://other.test" },
  ]);
  expect(await fareOf(elsewhere, "https://any.example/pay")).toEqual(PASSES);
  const zone = worldOf([ruleOf()], { ORIGIN: "" });
  expect(await fareOf(zone, "https://any.example/pay")).toEqual(PASSES);
});

test("[ORIGIN-7] a lock rule names its host, and a rule of every host none", async () => {
  const world = worldOf([ruleOf(), ruleOf({ name: "all", host: "*", path: "/all" })]);
  expect(await fareOf(world, "https://pay.example/about", "GET")).toEqual(PASSES);
  expect(await fareOf(world, "https://pay.example/a%00", "GET")).toEqual(PASSES);
  const unknown = [421, "unknown-host", false];
  expect(await fareOf(world, "https://any.example/about", "GET")).toEqual(unknown);
  expect(await fareOf(world, "https://any.example/all")).toEqual(unknown);
});

test("[HOST-2] a host that only a lock rule names opens no room of its origin", async () => {
  const world = worldOf([ruleOf()], {}, [{}]);
  world.say({ mode: "queues" });
  const queued = [503, "queued; room=shop", false];
  expect(await fareOf(world, "https://pay.example/tickets", "GET")).toEqual(queued);
  expect(await fareOf(world, "https://pay.example/about", "GET")).toEqual(PASSES);
});
