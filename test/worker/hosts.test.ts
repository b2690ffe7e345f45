import { describe, expect, test } from "vitest";
import { cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";
import type { RoomChange } from "./fakes.ts";

const ORIGIN = "http://origin.test";
const OWN_HOSTS = "127.0.0.1,localhost,[::1],box";
const LOOPBACK = ["localhost", "127.0.0.1", "0x7f.1", "[::1]", "[0:0:0:0:0:0:0:1]", "box"];
const on = (host: string, path = "/tickets") => ({ host, path });

const room = (name: string, change: RoomChange) =>
  roomOf({ name, ...change }, name.padEnd(32, "0").replace(/[^0-9a-f]/g, "e"));
const shop = room("shop", { routes: [on("shop.example")] });

const worldOf = (rooms: ReturnType<typeof room>[], env: object = {}): World => {
  const world = new World({ rooms, env: { ORIGIN, OWN_HOSTS, LOCAL: "1", ...env } });
  world.say({ mode: "queues" });
  return world;
};

/** How a request under such a name fares, and whether the origin hears of it. */
const fareOf = async (world: World, url: string, headers: object = JSON_APP) => {
  const before = world.seen.length;
  const answer = await world.fetch(url, { headers: headers as Record<string, string> });
  const code = answer.headers.get("Content-Type")?.includes("problem")
    ? ((await answer.json()) as { code: string }).code
    : answer.headers.get("Seiriken-Status");
  return [answer.status, code, world.seen.length > before];
};

const QUEUED = [503, "queued; room=shop", false];
const UNKNOWN = [421, "unknown-host", false];

test.each(LOOPBACK)(
  "[HOST-1] once a room names a host, %s is no way round it: 421",
  async (name) => {
    for (const path of ["/tickets", "/about", "/a%00"])
      expect(await fareOf(worldOf([shop]), `http://${name}:8787${path}`)).toEqual(UNKNOWN);
  },
);

test.each(LOOPBACK)("[HOST-1] while every room is on every host, %s is known", async (name) => {
  const every = room("shop", { routes: [on("*")] });
  expect(await fareOf(worldOf([every]), `http://${name}/tickets`)).toEqual(QUEUED);
  const passes = [200, "unprotected", true];
  expect(await fareOf(worldOf([every]), `http://${name}/about`)).toEqual(passes);
  expect(await fareOf(worldOf([]), `http://${name}/about`)).toEqual(passes);
});

test("[HOST-1] the page that a person gets says what a proxy in front has to send", async () => {
  const answer = await worldOf([shop]).fetch("http://localhost/", { headers: DOCUMENT });
  expect(answer.status).toBe(421);
  expect(await answer.text()).toContain("proxy_set_header Host $http_host");
});

describe("on a host that PASS_HOSTS names", () => {
  const PASS_HOSTS = "box, 127.0.0.1";

  test.each(["/tickets", "/TICKETS/1", "/a%2f../tickets", "/tickets;x/1"])(
    "[HOST-2] the room that guards %s on its own host guards it here too",
    async (path) => {
      const world = worldOf([shop], { PASS_HOSTS });
      const [status, , isForwarded] = await fareOf(world, `http://box${path}`);
      expect([503, 400]).toContain(status);
      expect(isForwarded).toBe(false);
    },
  );

  test("[HOST-2] and opens to the room's pass", async () => {
    const world = worldOf([shop], { PASS_HOSTS });
    const Cookie = cookieFor("pass", await world.passToken());
    const headers = { ...JSON_APP, Cookie, "X-Forwarded-Proto": "https" };
    expect(await fareOf(world, "http://127.0.0.1:8787/tickets", headers)).toEqual([
      200,
      "admitted; room=shop",
      true,
    ]);
  });

  test("[HOST-2] what no room guards on any host passes", async () => {
    const fare = await fareOf(worldOf([shop], { PASS_HOSTS }), "http://box/about");
    expect(fare).toEqual([200, "unprotected", true]);
  });

  test("[HOST-2] a path without a single meaning does not", async () => {
    const fare = await fareOf(worldOf([shop], { PASS_HOSTS }), "http://box/about%00");
    expect(fare).toEqual([400, "ambiguous-url", false]);
  });

  test.each(["*", "box"])(
    "[HOST-2] a service binding for an origin is the same (PASS_HOSTS %s)",
    async (passHosts) => {
      const seen: Request[] = [];
      const SHOP = { fetch: async (asked: Request) => (seen.push(asked), new Response("")) };
      const world = worldOf([shop], { ORIGIN: "service:SHOP", SHOP, PASS_HOSTS: passHosts });
      expect((await world.fetch("http://box/tickets", { headers: JSON_APP })).status).toBe(503);
      expect(seen).toEqual([]);
    },
  );
});

describe("beside a room of every host", () => {
  const site = room("site", { routes: [on("*", "/")] });
  const blog = room("blog", { routes: [on("*", "/blog")] });

  test("[HOST-2] any name comes to the room of the path's own host", async () => {
    for (const rooms of [
      [shop, blog],
      [shop, site],
    ])
      expect(await fareOf(worldOf(rooms), "http://any.example/tickets")).toEqual(QUEUED);
  });

  test("[HOST-2] the room of every host keeps what it guards more closely, and the rest", async () => {
    const vip = room("vip", { routes: [on("*", "/tickets/vip")] });
    const rooms = [shop, site, vip];
    const fare = (path: string) => fareOf(worldOf(rooms), `http://any.example${path}`);
    expect(await fare("/tickets/vip")).toEqual([503, "queued; room=vip", false]);
    expect(await fare("/about")).toEqual([503, "queued; room=site", false]);
  });

  test("[HOST-2] rooms whose requests go elsewhere have no say", async () => {
    const other = room("shop", { routes: [on("shop.example")], origin: "http://other.test" });
    expect(await fareOf(worldOf([other, blog]), "http://any.example/tickets")).toEqual([
      200,
      "unprotected",
      true,
    ]);
    const same = room("shop", { routes: [on("shop.example")], origin: "HTTP://ORIGIN.test:80" });
    expect(await fareOf(worldOf([same, blog]), "http://any.example/tickets")).toEqual(QUEUED);
  });

  test("[HOST-2] where the room of every host has an origin of its own, that one counts", async () => {
    const origin = "http://other.test";
    const theirs = room("shop", { routes: [on("shop.example")], origin });
    const fares = await Promise.all(
      [origin, null].map((to) =>
        fareOf(
          worldOf([theirs, room("site", { routes: [on("*", "/")], origin: to })]),
          "http://any.example/tickets",
        ),
      ),
    );
    expect(fares).toEqual([QUEUED, [503, "queued; room=site", false]]);
  });
});

test("[HOST-3] a path that different rooms guard on different hosts is refused on others", async () => {
  const club = room("club", { routes: [on("club.example")] });
  const world = worldOf([shop, club], { PASS_HOSTS: "*" });
  expect(await fareOf(world, "http://any.example/tickets")).toEqual([421, "ambiguous-host", false]);
  expect(await fareOf(world, "http://shop.example/tickets")).toEqual(QUEUED);
  expect(await fareOf(world, "http://any.example/about")).toEqual([200, "unprotected", true]);
});

test("[HOST-4] a host that a route names keeps to its own rooms", async () => {
  const club = room("club", { routes: [on("club.example", "/club")] });
  const fare = await fareOf(worldOf([shop, club]), "http://club.example/tickets");
  expect(fare).toEqual([200, "unprotected", true]);
});

test("[HOST-4] the zone's own servers tell hosts apart", async () => {
  const world = new World({ rooms: [shop] });
  world.say({ mode: "queues" });
  expect(await fareOf(world, "https://blog.example/tickets")).toEqual([200, "unprotected", true]);
});

test("[HOST-2] an exemption for a host goes no further than it says", async () => {
  const exempt = room("shop", {
    routes: [on("shop.example")],
    exempt: [{ host: "api.example", path: "/tickets/hook" }],
  });
  const fare = (path: string) => fareOf(worldOf([exempt]), `http://api.example${path}`);
  expect(await fare("/tickets/hook")).toEqual([200, "exempt; room=shop", true]);
  expect(await fare("/tickets")).toEqual(QUEUED);
});
