import { beforeEach, describe, expect, test } from "vitest";
import type { ClientKey } from "../../src/core/definition.ts";
import type { WaitAsk } from "../../src/durable/contract.ts";
import { JSON_APP, roomOf, viewOf, World } from "./fakes.ts";

const ADDRESS: ClientKey = { from: "address" };
const HEADER: ClientKey = { from: "header", name: "X-Api-Key" };

let world: World;
let asked: { lobby: string; ask: WaitAsk }[];

const start = (clientKey: ClientKey | null, lobbiesMin = 1): void => {
  world = new World({ rooms: [roomOf({ clientKey, limits: { permit: "request", lobbiesMin } })] });
  asked = [];
  world.lobby.wait = (ask: WaitAsk) => {
    asked.push({ lobby: world.asked.at(-1) ?? "", ask });
    return Promise.resolve({
      kind: "not-yet",
      view: viewOf(world.now, { number: 9 as never, state: "away" }),
      retryAfterMs: 41_000,
    });
  };
};
const keyOf = async (headers: Record<string, string>): Promise<string | null | undefined> => {
  await world.fetch("/tickets", { headers: { ...JSON_APP, ...headers } });
  return asked.at(-1)?.ask.key;
};

describe("what a room knows its clients by", () => {
  beforeEach(() => start(ADDRESS));

  test("[KEYED-9] an address is told as a keyed hash, an IPv6 network as one", async () => {
    const addresses = ["192.0.2.1", "192.0.2.2", "2001:db8:1:2::1", "2001:DB8:1:2:3:4:5:6"];
    const keys: unknown[] = [];
    for (const address of addresses) keys.push(await keyOf({ "CF-Connecting-IP": address }));
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{16}$/);
    expect(keys[2]).toBe(keys[3]);
    expect(new Set(keys).size).toBe(3);
  });

  test("[KEYED-9] so is the value of a header; without it there is no key", async () => {
    start(HEADER);
    const one = await keyOf({ "x-api-key": "one", "CF-Connecting-IP": "192.0.2.1" });
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(await keyOf({ "X-API-KEY": "one", "CF-Connecting-IP": "192.0.2.2" })).toBe(one);
    expect(await keyOf({ "X-Api-Key": "two" })).not.toBe(one);
    expect(await keyOf({ "X-Api-Key": "" })).toBeNull();
    expect(await keyOf({})).toBeNull();
  });

  test("[KEYED-9] other rooms ask for none", async () => {
    start(null);
    expect(await keyOf({ "CF-Connecting-IP": "192.0.2.1" })).toBeNull();
  });

  test("[KEYED-8] a picture, and what is fetched in advance, neither takes a place nor leaves one", async () => {
    const from = { "CF-Connecting-IP": "192.0.2.1" };
    expect(await keyOf({ ...from, "Sec-Fetch-Dest": "image" })).toBeNull();
    expect(await keyOf({ ...from, "Sec-Purpose": "prefetch" })).toBeNull();
  });

  test("[KEYED-10] a key has its own lobby, whichever others are open; a ticket has its own", async () => {
    start(HEADER, 4);
    world.say({ lobbiesOpen: [5, 6] as never });
    const lobbies = new Map<string, Set<string>>();
    for (const value of ["a", "b", "c", "d", "e", "f", "a", "b", "c", "d", "e", "f"]) {
      await keyOf({ "X-Api-Key": value });
      lobbies.set(value, (lobbies.get(value) ?? new Set()).add(asked.at(-1)?.lobby ?? ""));
    }
    const all = [...lobbies.values()];
    for (const own of all) expect(own.size).toBe(1);
    const used = new Set(all.flatMap((own) => [...own]));
    expect(used.size).toBeGreaterThan(1);
    for (const name of used) expect(name).toMatch(/^lobby\/[0-3] wait$/);
    const ticket = await world.ticketToken({ lobby: 7 as never });
    await keyOf({ "X-Api-Key": "a", "Seiriken-Ticket": ticket });
    expect(asked.at(-1)?.lobby).toBe("lobby/7 wait");
  });

  test("[KEYED-5] Retry-After is what the room says of its turn, and the body says how to come back", async () => {
    const answer = await world.fetch("/tickets", {
      headers: { ...JSON_APP, "CF-Connecting-IP": "192.0.2.1" },
    });
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "41"]);
    const { seiriken } = (await answer.json()) as { seiriken: { detail: string } };
    expect(seiriken.detail).toContain("the same address");
  });
});
