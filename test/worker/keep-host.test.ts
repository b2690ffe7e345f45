import { describe, expect, test } from "vitest";
import type { RoomDefinition } from "../../src/core/definition.ts";
import { hostKeeperName } from "../../src/worker/origin/host-keeper.ts";
import { cookieFor, DOCUMENT, roomOf, World } from "./fakes.ts";

const ORIGIN = "http://origin.test:81";

/** A deployment whose platform can keep the host for that origin; `heard` is what it was asked. */
const keeping = (room: RoomDefinition, headers: HeadersInit = {}, origin = ORIGIN) => {
  const heard: Request[] = [];
  const keeper = {
    fetch: async (to: string | Request, init?: RequestInit) => {
      heard.push(new Request(to, init));
      return new Response("kept", { headers });
    },
  };
  const env = { ORIGIN: origin, [hostKeeperName(ORIGIN)]: keeper };
  return { heard, world: new World({ rooms: [room], env: env as object }) };
};

const admitted = async (world: World, url: string, init: RequestInit = {}): Promise<Response> =>
  world.fetch(url, {
    ...init,
    headers: { ...DOCUMENT, Cookie: cookieFor("pass", await world.passToken()) },
  });

describe("keep_host", () => {
  test("[ORIGIN-19] the visitor's host and port, behind the origin's own path, with body and query", async () => {
    const { world, heard } = keeping(roomOf({ keepHost: true }), {}, `${ORIGIN}/base/`);
    await admitted(world, "https://shop.example:8443/tickets?a=b", { method: "POST", body: "x" });
    expect(heard[0]?.url).toBe("http://shop.example:8443/base/tickets?a=b");
    expect(await heard[0]?.text()).toBe("x");
    expect(world.seen).toEqual([]);
  });

  test("[ORIGIN-19] unprotected paths too, of the hosts of such rooms", async () => {
    const { world, heard } = keeping(roomOf({ keepHost: true }));
    await world.fetch("https://shop.example/about");
    expect(heard[0]?.url).toBe("http://shop.example/about");
  });

  const own: [string, RoomDefinition][] = [
    ["by default", roomOf()],
    ["in a room from before there was such a setting", roomOf({ keepHost: false })],
    [
      "for an origin that it cannot be kept for",
      roomOf({ keepHost: true, origin: "http://b.test" }),
    ],
  ];
  test.each(own)("[ORIGIN-19] the origin's own %s", async (_, room) => {
    const { world, heard } = keeping(room);
    expect((await admitted(world, "/tickets")).status).toBe(200);
    expect(heard).toEqual([]);
    expect(world.seen[0]?.url).toBe(`${room.origin ?? ORIGIN}/tickets`);
  });

  test.each([
    ["http://shop.example/x", "https://shop.example/x"],
    ["http://shop.example:81/x?y#z", "https://shop.example/x?y#z"],
    ["http://origin.test:81/x", "https://shop.example/x"],
    ["http://shop.example:82/x", "http://shop.example:82/x"],
    ["https://shop.example/x", "https://shop.example/x"],
    ["http://pay.example/x", "http://pay.example/x"],
    ["/x", "/x"],
  ])("[ORIGIN-21] Location: %s becomes %s", async (Location, rewritten) => {
    const { world } = keeping(roomOf({ keepHost: true }), { Location });
    expect((await admitted(world, "/tickets")).headers.get("Location")).toBe(rewritten);
  });

  test("[ORIGIN-21] `rewrite: false` leaves it, and without keep_host only the origin's name counts", async () => {
    const Location = "http://shop.example:81/x";
    const off = keeping(roomOf({ keepHost: true, rewrite: false }), { Location });
    expect((await admitted(off.world, "/tickets")).headers.get("Location")).toBe(Location);
    const world = new World({
      env: { ORIGIN },
      origin: () => new Response("own", { headers: { Location } }),
    });
    expect((await admitted(world, "/tickets")).headers.get("Location")).toBe(Location);
  });
});
