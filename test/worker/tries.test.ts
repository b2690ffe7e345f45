import { beforeEach, expect, test } from "vitest";
import { Tries } from "../../src/worker/isolate/tries.ts";
import { World } from "./fakes.ts";
import { lockBench, newKey } from "./locks-harness.ts";

const TOKEN = "an-admin-token-for-tests";
const HISTORY = "/.seiriken/api/rooms/shop/history";
const ZONE = "/.seiriken/client/v4/zones/z/waiting_rooms";
const KEYS = "/.seiriken/api/keys";

let world: World;
beforeEach(() => {
  world = new World({ env: { ADMIN_TOKEN: TOKEN } });
});

const asked = (token: string | null, address: string, path = HISTORY) => {
  const headers: Record<string, string> = { "CF-Connecting-IP": address };
  if (token !== null) headers["Authorization"] = `Bearer ${token}`;
  return world.fetch(path, { headers });
};

const guess = async (times: number, address: string, path = HISTORY): Promise<number[]> => {
  const answers: number[] = [];
  for (let n = 0; n < times; n += 1)
    answers.push((await asked(`guess-number-${n}`, address, path)).status);
  return answers;
};

test.each([HISTORY, ZONE, KEYS])(
  "[API-17] %s: the eleventh wrong token is not looked at",
  async (path) => {
    expect(await guess(11, "192.0.2.1", path)).toEqual([...new Array(10).fill(401), 429]);
    const slowed = await asked("guess", "192.0.2.1", path);
    expect(slowed.headers.get("Retry-After")).toBe("6");
    expect(slowed.headers.get("Cache-Control")).toContain("no-store");
    expect(await slowed.json()).toMatchObject(
      path === ZONE ? { errors: [{ code: 48010 }] } : { code: "too-many-tries" },
    );
    // Not even the right one: an answer would tell a guesser.
    expect((await asked(TOKEN, "192.0.2.1", path)).status).toBe(429);
    await world.advance(6_000);
    expect((await asked(TOKEN, "192.0.2.1", path)).status).not.toBe(429);
  },
);

test("[API-17] guesses that come together are counted one by one", async () => {
  const all = Array.from({ length: 50 }, (_, n) => asked(`guess-number-${n}`, "192.0.2.1"));
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40);
});

test("[API-18] nobody is held up by the wrong tokens of another network", async () => {
  await guess(20, "192.0.2.1");
  expect((await asked(TOKEN, "192.0.2.2")).status).toBe(200);
  await guess(20, "2001:db8:1:2:3::4");
  expect((await asked(TOKEN, "2001:db8:1:2:ffff::1")).status).toBe(429);
  expect((await asked(TOKEN, "2001:db8:1:3::4")).status).toBe(200);
});

test("[API-18] who had the right token is let in beside others that guess, for an hour", async () => {
  expect((await asked(TOKEN, "192.0.2.1")).status).toBe(200);
  expect(await guess(20, "192.0.2.1")).toEqual([
    ...new Array(10).fill(401),
    ...new Array(10).fill(429),
  ]);
  expect((await asked(TOKEN, "192.0.2.1")).status).toBe(200);
  await world.advance(3_599_999);
  await guess(20, "192.0.2.1");
  await world.advance(1);
  expect((await asked(TOKEN, "192.0.2.1")).status).toBe(429);
});

test("[API-18] no token is no guess", async () => {
  for (let n = 0; n < 30; n += 1) expect((await asked(null, "192.0.2.1")).status).toBe(401);
  expect((await asked(TOKEN, "192.0.2.1")).status).toBe(200);
});

test("[API-18] what is remembered is bounded, and one line says that somebody guesses", async () => {
  const tries = new Tries(() => 0);
  const networks = Array.from({ length: 20_000 }, (_, n) => `network ${n}`);
  for (const network of networks) {
    for (let n = 0; n < 20; n += 1) tries.wrong(network);
    tries.right(network);
  }
  expect(networks.filter((network) => tries.isProven(network)).length).toBeLessThanOrEqual(512);
  const waiting = networks.filter((network) => tries.waitMs(network) > 0).length;
  expect(waiting).toBeGreaterThan(0);
  expect(waiting).toBeLessThanOrEqual(4_096);
  await guess(40, "192.0.2.1");
  const lines = world.log.filter(({ event }) => event === "wrong-tokens");
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toMatch(/192\.0\.2\.1|guess-number/);
});

test.each([[TOKEN.slice(0, 15)], ["tiny"]])(
  "[API-19] with the secret %j all of management is off, and says why",
  async (short) => {
    world = new World({ env: { ADMIN_TOKEN: short } });
    for (const path of [HISTORY, ZONE, KEYS]) {
      const answer = await asked(short, "192.0.2.1", path);
      expect(answer.status).toBe(404);
      const text = await answer.text();
      expect(text).toContain("16 characters");
      expect(text).not.toContain(short);
    }
  },
);

test("[API-19] sixteen characters are enough", async () => {
  world = new World({ env: { ADMIN_TOKEN: TOKEN.slice(0, 16) } });
  expect((await asked(TOKEN.slice(0, 16), "192.0.2.1")).status).toBe(200);
});

test("[SERVICE-9] a lock token that is too short turns the service off, and says why", async () => {
  const { locks } = lockBench({ env: { LOCK_TOKEN: "fifteen-letters" } });
  const answer = await locks("POST", "orders/17", { token: "fifteen-letters" });
  expect(answer).toMatchObject({ status: 404, json: { code: "token-too-short" } });
});

test("[SERVICE-9] wrong lock tokens are slowed by network, apart from those of the other secret", async () => {
  const { locks, rules } = lockBench();
  const from = (address: string) => ({ headers: { "CF-Connecting-IP": address } });
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) {
    const asking = { token: `guess-number-${n}`, ...from("192.0.2.1") };
    statuses.push((await locks("POST", `orders/${newKey()}`, asking)).status);
  }
  expect(statuses).toEqual([...new Array(10).fill(401), 429]);
  const slowed = await locks("POST", `orders/${newKey()}`, from("192.0.2.1"));
  expect(slowed).toMatchObject({ status: 429, json: { code: "too-many-tries" } });
  expect(slowed.headers.get("Retry-After")).toBe("6");
  expect((await locks("POST", `orders/${newKey()}`, from("192.0.2.2"))).status).toBe(201);
  expect((await rules("GET", "")).status).toBe(200);
});
