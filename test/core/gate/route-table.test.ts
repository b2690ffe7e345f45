import { describe, expect, test } from "vitest";
import type { ExemptRule, RoomDefinition } from "../../../src/core/definition.ts";
import { RouteTable, serverOf } from "../../../src/core/gate/route-table.ts";
import { holdsPath, readingsOf } from "../../../src/core/url/canonical.ts";

interface RoomOptions {
  readonly origin?: string;
  readonly keepHost?: boolean;
  readonly exempt?: readonly ExemptRule[];
}

/** All that a table reads of a room; its routes are `host/path`. */
const room = (name: string, routes: readonly string[], options: RoomOptions = {}) =>
  ({
    id: name,
    name,
    routes: routes.map((route) => {
      const slash = route.indexOf("/");
      return { host: route.slice(0, slash), path: route.slice(slash) };
    }),
    origin: options.origin,
    exempt: [],
    ...options,
    ...(options.origin === undefined ? { origin: null } : {}),
  }) as unknown as RoomDefinition;

const read = (path: string): readonly string[] => readingsOf(path) ?? [];

const ownerIn = (table: RouteTable, host: string, path: string): string => {
  const owner = table.ownerOf(host, read(path));
  return "room" in owner ? `${owner.kind}: ${owner.room.name}` : owner.kind;
};
const ownerOf = (rooms: readonly RoomDefinition[], host: string, path: string): string =>
  ownerIn(new RouteTable(rooms), host, path);

describe("who owns a path", () => {
  const site = room("site", ["shop.example/"]);
  const vip = room("vip", ["shop.example/tickets/VIP"]);
  const every = room("every", ["*/tickets"]);

  test.each([
    ["in one order", [site, every, vip]],
    ["in the other", [vip, every, site]],
  ])("[ROUTE-2] the longest path wins, %s", (_, rooms) => {
    expect(ownerOf(rooms, "shop.example", "/tickets/vip/1")).toBe("one: vip");
    expect(ownerOf(rooms, "shop.example", "/tickets/1")).toBe("one: every");
    expect(ownerOf(rooms, "shop.example", "/about")).toBe("one: site");
  });

  test("[ROUTE-2] so it does among all paths of up to four segments, whoever has which", () => {
    const all = ["/"];
    for (let at = 0; (all[at] ?? "").length < 8; at += 1)
      for (const segment of ["a", "b", "ab"])
        all.push(`${all[at] === "/" ? "" : all[at]}/${segment}`);
    const paths = all.filter((path) => path.length <= 9);
    for (let stride = 1; stride <= 12; stride += 1) {
      const routes = paths.filter((_, at) => (at * 7) % 12 < stride && at % stride === 0);
      const table = new RouteTable(routes.map((path) => room(path, [`shop.example${path}`])));
      for (const path of paths) {
        const holding = routes.filter((route) => holdsPath(route, path));
        const longest = holding.toSorted((a, b) => b.length - a.length)[0];
        const expected = longest === undefined ? "none" : `one: ${longest}`;
        expect(ownerIn(table, "shop.example", path)).toBe(expected);
      }
    }
  });

  test("[ROUTE-3] of two as long the exact host wins", () => {
    const exact = room("exact", ["shop.example/tickets"]);
    expect(ownerOf([every, exact], "shop.example", "/tickets")).toBe("one: exact");
    expect(ownerOf([every, exact], "other.example", "/tickets")).toBe("one: every");
  });

  test("[ROUTE-4] a path under no route is nobody's", () => {
    expect(ownerOf([vip], "shop.example", "/tickets")).toBe("none");
    expect(ownerOf([vip], "other.example", "/tickets/vip")).toBe("none");
  });

  test("[ROUTE-5] any reading that a room owns is that room's", () => {
    expect(ownerOf([vip], "shop.example", "/tickets;x=1/vip")).toBe("one: vip");
    expect(ownerOf([vip], "shop.example", "/tickets%252fvip")).toBe("one: vip");
  });

  test("[ROUTE-6] readings that different rooms own are nobody's, and refused", () => {
    expect(ownerOf([site, vip], "shop.example", "/tickets;x=1/vip")).toBe("several");
    const table = new RouteTable([site]);
    expect(table.ownerOf("shop.example", ["/a", "/b"])).toEqual({ kind: "one", room: site });
  });

  test("[ROUTE-7] a route that cannot be spelled guards its whole host", () => {
    const odd = room("odd", ["shop.example/%"]);
    expect(ownerOf([odd], "shop.example", "/anything")).toBe("one: odd");
  });
});

describe("a host that no route names, before an origin that is named", () => {
  const ORIGIN = "https://origin.example/base";
  const a = room("a", ["a.example/tickets"]);
  const b = room("b", ["b.example/tickets", "b.example/shop"]);
  const far = room("far", ["far.example/far"], { origin: "https://other.example" });
  const vip = room("vip", ["*/tickets/vip"]);

  test("[HOST-2] a path belongs to the room that guards it under another host of that origin", () => {
    const table = new RouteTable([a, far], ORIGIN);
    expect(ownerIn(table, "unnamed.example", "/tickets/1")).toBe("elsewhere: a");
    expect(ownerIn(table, "unnamed.example", "/about")).toBe("none");
    expect(ownerIn(table, "unnamed.example", "/far")).toBe("none");
  });

  test("[HOST-2] a room of every host counts as on each of them", () => {
    const table = new RouteTable([a, vip], ORIGIN);
    expect(ownerIn(table, "unnamed.example", "/tickets/vip")).toBe("one: vip");
    expect(ownerIn(table, "unnamed.example", "/tickets/1")).toBe("elsewhere: a");
    const beside = new RouteTable([vip, far], ORIGIN);
    expect(ownerIn(beside, "unnamed.example", "/tickets/vip")).toBe("one: vip");
  });

  test("[HOST-2] a room of every host with an origin of its own gives way to a longer path there", () => {
    const whole = room("whole", ["*/"], { origin: "https://other.example" });
    const table = new RouteTable([whole, far, a], ORIGIN);
    expect(ownerIn(table, "unnamed.example", "/far/1")).toBe("elsewhere: far");
    expect(ownerIn(table, "unnamed.example", "/tickets")).toBe("one: whole");
  });

  test("[HOST-3] a path that different rooms so guard is refused", () => {
    const table = new RouteTable([a, b], ORIGIN);
    expect(ownerIn(table, "unnamed.example", "/tickets")).toBe("several-hosts");
    expect(ownerIn(table, "unnamed.example", "/shop")).toBe("elsewhere: b");
  });

  test("[ROUTE-6] readings that rooms of different hosts guard are refused as well", () => {
    const table = new RouteTable([a, b], ORIGIN);
    expect(table.ownerOf("unnamed.example", ["/shop", "/about"]).kind).toBe("elsewhere");
    const alone = new RouteTable([a, room("c", ["c.example/shop"])], ORIGIN);
    expect(alone.ownerOf("unnamed.example", ["/tickets", "/shop"])).toEqual({ kind: "several" });
    expect(alone.ownerOf("unnamed.example", ["/shop", "/shop/1"]).kind).toBe("elsewhere");
  });

  test("[HOST-4] a host that a route names keeps to its own rooms, and so does the zone's own origin", () => {
    expect(ownerIn(new RouteTable([a, b], ORIGIN), "b.example", "/tickets")).toBe("one: b");
    expect(ownerIn(new RouteTable([a, b], ORIGIN), "a.example", "/shop")).toBe("none");
    expect(ownerOf([a, b], "unnamed.example", "/tickets")).toBe("none");
  });
});

describe("what is known of a host", () => {
  const shop = room("shop", ["Shop.Example/tickets"]);
  const every = room("every", ["*/tickets"]);
  const exempting = room("exempting", ["a.example/"], {
    exempt: [{ host: "Hook.Example" }, { path: "/free" }],
  });

  test("[HOST-2] it has guarded paths where its requests go to an origin that a room guards", () => {
    expect(new RouteTable([shop]).guards("shop.example")).toBe(true);
    expect(new RouteTable([shop]).guards("other.example")).toBe(false);
    expect(new RouteTable([every]).guards("other.example")).toBe(true);
    expect(new RouteTable([shop], "http://origin").guards("other.example")).toBe(true);
    const far = room("far", ["far.example/"], { origin: "http://far" });
    expect(new RouteTable([far], "http://origin").guards("other.example")).toBe(false);
    expect(new RouteTable([far, shop], "http://origin").guards("other.example")).toBe(true);
    expect(new RouteTable([far]).guards("other.example")).toBe(false);
  });

  test("[HOST-1] rooms and exemptions name hosts", () => {
    const named = (rooms: readonly RoomDefinition[], host: string): boolean[] => {
      const table = new RouteTable(rooms);
      return [table.names(host), table.hasRoutesOn(host), table.namesHosts];
    };
    expect(named([shop], "shop.example")).toEqual([true, true, true]);
    expect(named([shop], "other.example")).toEqual([false, false, true]);
    expect(named([exempting], "hook.example")).toEqual([true, false, true]);
    expect(named([every], "other.example")).toEqual([true, false, false]);
    expect(named([every, shop], "other.example")).toEqual([true, false, true]);
    expect(named([], "other.example")).toEqual([false, false, false]);
  });

  test("it keeps the visitor's name on the way to the deployment's origin where a room says so", () => {
    const keeps = (route: string, options: RoomOptions, host: string): boolean =>
      new RouteTable([room("one", [route], options)]).keepsHost(host);
    expect(keeps("A.example/", { keepHost: true }, "a.example")).toBe(true);
    expect(keeps("a.example/", { keepHost: true }, "b.example")).toBe(false);
    expect(keeps("*/", { keepHost: true }, "b.example")).toBe(true);
    expect(keeps("a.example/", {}, "a.example")).toBe(false);
    expect(keeps("a.example/", { keepHost: true, origin: "http://far" }, "a.example")).toBe(false);
  });
});

describe("which server a host's requests may reach", () => {
  const far = room("far", ["far.example/far"], { origin: "http://far" });
  const table = new RouteTable([far, room("near", ["near.example/near"])], "http://origin");

  test.each([
    ["http://far", "far.example", "/far", true],
    ["http://origin", "far.example", "/far", false],
    ["http://origin", "far.example", "/other", true],
    ["http://far", "far.example", "/other", false],
    ["http://origin", "unnamed.example", "/near", true],
    ["http://far", "unnamed.example", "/near", false],
    ["http://far", "far.example", null, true],
  ])("%s, from %s with the path %s: %s", (server, host, path, reaches) => {
    expect(table.mayReach(server, host, path === null ? null : read(path))).toBe(reaches);
  });

  test.each([
    [undefined, null],
    ["  ", null],
    [" https://Origin.example:443/base ", "https://origin.example"],
    ["HTTP://origin:8080", "http://origin:8080"],
    ["SHOP", "SHOP"],
    ["https://", "https://"],
    ["x-http://origin", "x-http://origin"],
  ])("an origin named %s is the server %s", (origin, server) => {
    expect(serverOf(origin)).toBe(server);
  });
});
