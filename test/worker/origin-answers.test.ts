import { beforeEach, describe, expect, test } from "vitest";
import { admittedTo, answering } from "./admitted.ts";
import { DOCUMENT, roomOf } from "./fakes.ts";
import type { World } from "./fakes.ts";

describe("rewriting for a URL origin", () => {
  const ORIGIN = "http://origin.test:81/base";
  const through = async (
    headers: HeadersInit,
    room = roomOf(),
    url = "https://shop.example/tickets",
  ): Promise<Headers> => {
    const world = answering(() => new Response(null, { status: 302, headers }), {
      rooms: [room],
      env: { ORIGIN },
    });
    return (await admittedTo(world, url)).headers;
  };

  test.each([
    ["http://origin.test:81/base/x?y#z", "https://shop.example/x?y#z"],
    ["https://origin.test:81/base", "https://shop.example/"],
    ["//origin.test:81/base/x", "https://shop.example/x"],
    ["http://origin.test:81/other", "https://shop.example/other"],
    ["/base/x", "/x"],
    ["/basement", "/basement"],
    ["x/y", "x/y"],
    ["http://origin.test:82/base/x", "http://origin.test:82/base/x"],
    ["https://pay.example/", "https://pay.example/"],
  ])("[ORIGIN-16] Location: %s becomes %s", async (given, rewritten) => {
    expect((await through({ Location: given })).get("Location")).toBe(rewritten);
  });

  test.each([
    ["a=1; Domain=origin.test; Path=/", "a=1; Domain=shop.example; Path=/"],
    ["a=1; domain=.ORIGIN.test", "a=1; Domain=shop.example"],
    ["a=1; Domain=pay.example", "a=1; Domain=pay.example"],
    ["a=1; Path=/", "a=1; Path=/"],
  ])("[ORIGIN-17] Set-Cookie: %s becomes %s", async (given, rewritten) => {
    expect((await through({ "Set-Cookie": given })).getSetCookie()).toEqual([rewritten]);
  });

  test("[ORIGIN-17] a host that can have no Domain gets none", async () => {
    const room = roomOf({ routes: [{ host: "*", path: "/tickets" }] });
    for (const host of ["https://127.0.0.1:8443", "https://localhost"]) {
      const headers = await through(
        { "Set-Cookie": "a=1; Domain=origin.test" },
        room,
        `${host}/tickets`,
      );
      expect(headers.getSetCookie()).toEqual(["a=1"]);
    }
  });

  test("[ORIGIN-18] rewrite: false turns it off", async () => {
    const given = {
      Location: "http://origin.test:81/base/x",
      "Set-Cookie": "a=1; Domain=origin.test",
    };
    const headers = await through(given, roomOf({ rewrite: false }));
    expect(headers.get("Location")).toBe("http://origin.test:81/base/x");
    expect(headers.getSetCookie()).toEqual(["a=1; Domain=origin.test"]);
  });
});

describe("release", () => {
  let ends: [number, number][];
  const commanding = (headers: Record<string, string>, commands = ["revoke"]): World => {
    const kept = { enabled_origin_commands: commands };
    const rooms = [roomOf({ kept })];
    const world = answering(() => new Response("thanks", { headers }), { rooms });
    ends = [];
    world.lobby.end = async (visit, afterMs) => void ends.push([visit, afterMs]);
    world.say({ mode: "queues" });
    return world;
  };
  beforeEach(() => (ends = []));

  test.each([
    ["Seiriken-Command", "release", 0],
    ["Seiriken-Command", " Release ", 0],
    ["Cf-Waiting-Room-Command", "revoke", 0],
    ["Seiriken-Command", "release; after=30", 30_000],
    ["Seiriken-Command", "release;after=0", 0],
    ["Seiriken-Command", "release; after=999999999", 86_400_000],
  ])(
    "[RELEASE-1] %s: %s ends the visit in %i ms, and is stripped",
    async (name, value, afterMs) => {
      const world = commanding({ [name]: value });
      const answer = await admittedTo(world);
      expect(await answer.text()).toBe("thanks");
      expect(answer.headers.has(name)).toBe(false);
      expect(ends).toEqual([[7, afterMs]]);
    },
  );

  test("[RELEASE-1] a command of Cloudflare's that is not enabled is ignored, and stripped", async () => {
    const answer = await admittedTo(commanding({ "Cf-Waiting-Room-Command": "revoke" }, []));
    expect(answer.headers.has("Cf-Waiting-Room-Command")).toBe(false);
    expect(ends).toEqual([]);
    await admittedTo(commanding({ "Seiriken-Command": "release" }, []));
    expect(ends).toEqual([[7, 0]]);
  });

  test("[RELEASE-2] at once: the pass is cleared, and dead here from now on", async () => {
    const world = commanding({ "Seiriken-Command": "release" });
    const answer = await admittedTo(world);
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.getSetCookie()[0]).toMatch(/pass-shop=; .*Max-Age=0/);
    expect(answer.headers.has("Seiriken-Pass")).toBe(false);
    expect((await admittedTo(world)).status).toBe(503);
  });

  test("[RELEASE-3] later: the pass goes on until then", async () => {
    const world = commanding({ "Seiriken-Command": "release; after=30" });
    expect((await admittedTo(world)).headers.getSetCookie()).toEqual([]);
    expect((await admittedTo(world)).status).toBe(200);
  });

  test.each(["releas", "release after=1", "release; after=-1", "release; after=x", "hold"])(
    "[RELEASE-4] %s is no command, and is stripped",
    async (value) => {
      const answer = await admittedTo(commanding({ "Seiriken-Command": value }));
      expect(answer.headers.has("Seiriken-Command")).toBe(false);
      expect(ends).toEqual([]);
    },
  );

  test("[RELEASE-5] an answer waits for the end at most 250 ms, and comes without it", async () => {
    const world = commanding({ "Seiriken-Command": "release" });
    world.lobby.end = () => new Promise(() => undefined);
    let answer: Response | null = null;
    void admittedTo(world).then((response) => (answer = response));
    await world.advance(250);
    expect(answer).not.toBeNull();
  });

  test("[RELEASE-5] an end that does not arrive is in the log, and the answer in order", async () => {
    const world = commanding({ "Seiriken-Command": "release" });
    world.lobby.end = () => Promise.reject(new Error("gone"));
    expect((await admittedTo(world)).status).toBe(200);
    expect(world.log.map((line) => line.event)).toEqual(["visit-released", "end-lost"]);
  });

  test("[RELEASE-6] commands on answers without a visit end nothing", async () => {
    const world = commanding({ "Seiriken-Command": "release" });
    const answer = await world.fetch("/about", { headers: DOCUMENT });
    expect(answer.headers.has("Seiriken-Command")).toBe(false);
    expect(ends).toEqual([]);
  });
});
