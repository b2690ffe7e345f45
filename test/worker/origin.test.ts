import { describe, expect, test } from "vitest";
import { admittedTo, answering } from "./admitted.ts";
import { DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";
import type { RoomChange, WorldOptions } from "./fakes.ts";

describe("which origin", () => {
  test("[ORIGIN-1] by default it is the zone's own, at the URL of the request", async () => {
    const world = new World();
    await admittedTo(world, "/tickets/a?b=%20c");
    expect(world.seen[0]?.url).toBe("https://shop.example/tickets/a?b=%20c");
  });

  test("[ORIGIN-2] a URL takes path and query along, behind its own path", async () => {
    const world = new World({ env: { ORIGIN: "http://origin.test:81/base/" } });
    await admittedTo(world, "/tickets/a?b=c");
    expect(world.seen[0]?.url).toBe("http://origin.test:81/base/tickets/a?b=c");
  });

  test("[ORIGIN-3] a room's origin goes before the deployment's", async () => {
    const rooms = [roomOf({ origin: "https://room.test" })];
    const world = new World({ rooms, env: { ORIGIN: "https://all.test" } });
    await admittedTo(world);
    expect(world.seen[0]?.url).toBe("https://room.test/tickets");
    const other = await world.fetch("https://shop.example/about", { headers: DOCUMENT });
    expect(other.status).toBe(200);
    expect(world.seen[1]?.url).toBe("https://all.test/about");
  });

  test("[ORIGIN-4] service:NAME is a binding", async () => {
    const seen: Request[] = [];
    const SHOP = {
      fetch: async (request: Request) => {
        seen.push(request);
        return new Response("from the service");
      },
    };
    const world = new World({
      rooms: [roomOf({ origin: "service:SHOP" })],
      env: { SHOP } as object,
    });
    expect(await (await admittedTo(world)).text()).toBe("from the service");
    expect(seen[0]?.url).toBe("https://shop.example/tickets");
    expect(world.seen).toEqual([]);
  });

  test.each(["service:NOBODY", "ftp://origin.test", "origin.test"])(
    "[ORIGIN-5] %s is no origin: 502, and the log says why",
    async (origin) => {
      const world = new World({ rooms: [roomOf({ origin })] });
      const answer = await admittedTo(world);
      expect(answer.status).toBe(502);
      expect(await answer.text()).not.toContain("NOBODY");
      expect(world.log.map((line) => line.event)).toEqual(["origin-unreachable"]);
    },
  );

  test("[ORIGIN-6] an origin that cannot be reached is a 502 that leaks nothing", async () => {
    const secret = "connect ECONNREFUSED 192.0.2.7:81";
    const world = new World({ origin: () => Promise.reject(new Error(secret)) });
    for (const headers of [DOCUMENT, JSON_APP]) {
      const answer = await admittedTo(world, "/tickets", { headers });
      expect(answer.status).toBe(502);
      expect(answer.headers.get("Seiriken-Status")).toBe("error; room=shop");
      expect(await answer.text()).not.toContain("192.0.2.7");
    }
    const plain = await world.fetch("/about", { headers: JSON_APP });
    expect(await plain.json()).toMatchObject({ code: "origin-unreachable", status: 502 });
    expect(world.log[0]?.["reason"]).toContain("ECONNREFUSED");
  });
});

describe("which host", () => {
  const ORIGIN = "http://origin.test";
  const at = async (world: World, host: string): Promise<number> =>
    (await world.fetch(`https://${host}/about`, { headers: JSON_APP })).status;

  test("[ORIGIN-7] with a URL, a host that nothing names gets 421", async () => {
    const world = new World({ env: { ORIGIN, PASS_HOSTS: "static.example, IMG.example." } });
    expect(await at(world, "shop.example")).toBe(200);
    expect(await at(world, "static.example")).toBe(200);
    expect(await at(world, "img.example:8443")).toBe(200);
    expect(await at(world, "evil.example")).toBe(421);
    expect(world.seen).toHaveLength(3);
  });

  test("[ORIGIN-7] a room of every host names every host, and an exemption its own", async () => {
    const every = roomOf({ routes: [{ host: "*", path: "/tickets" }] });
    expect(await at(new World({ rooms: [every], env: { ORIGIN } }), "any.example")).toBe(200);
    const exempt = roomOf({ exempt: [{ host: "api.example" }] });
    expect(await at(new World({ rooms: [exempt], env: { ORIGIN } }), "api.example")).toBe(200);
  });

  test("[ORIGIN-8] on a route the zone's own hosts need no naming", async () => {
    expect(await at(new World(), "www.example")).toBe(200);
  });
});

describe("what the origin hears", () => {
  const heard = async (init: RequestInit, options: WorldOptions = {}): Promise<Headers> => {
    const world = new World(options);
    await admittedTo(world, "/tickets", init);
    return world.seen[0]!.headers;
  };

  test("[ORIGIN-9] the room and the visit, and nothing that a client says in our name", async () => {
    const headers = await heard({
      headers: {
        "Seiriken-Room": "other",
        "seiriken-visit": "99",
        "Seiriken-Signature": "t=1",
        "Seiriken-Anything": "1",
        "seiriken-internal-ticket": "{}",
        "Seiriken-Ticket": "a.b.c",
      },
    });
    const ours = [...headers].filter(([name]) => name.startsWith("seiriken-"));
    expect(ours).toEqual([
      ["seiriken-room", "shop"],
      ["seiriken-visit", "7"],
    ]);
  });

  const RESPELLED = ["Seiriken_Visit", "SEIRIKEN_VISIT", "seiriken.visit", "Seiriken-_Visit"];

  test.each(RESPELLED)("[ORIGIN-9] nor under %s, which a gateway reads the same", async (name) => {
    const headers = await heard({ headers: { [name]: "99", Seiriken_Signature: "t=1" } });
    expect([...headers].filter(([sent]) => /^seiriken\W?/i.test(sent))).toEqual([
      ["seiriken-room", "shop"],
      ["seiriken-visit", "7"],
    ]);
  });

  const ELSEWHERE = [
    "Forwarded",
    "X-Forwarded-Server",
    "X-Forwarded-Uri",
    "X-Forwarded-Path",
    "X-Forwarded-Prefix",
    "X-Host",
    "X-Original-Host",
    "X-Original-URL",
    "X_Original_URL",
    "X-Rewrite-URL",
    "x.rewrite.url",
    "X-Script-Name",
    "X-Waws-Unencoded-Url",
    "X-Invoke-Path",
    "X-Matched-Path",
    "x_middleware_rewrite",
    "X-MS-Original-URL",
    "X-Now-Route-Matches",
    "MF-CF-Blob",
    "MF-Original-Hostname",
    "MF-Original-URL",
    "MF-Route-Override",
    "X-Unencoded-URL",
    "X_Forwarded_For",
    "X_Forwarded_Host",
    "X_Forwarded_Proto",
    "CF_Connecting_IP",
    "Transfer_Encoding",
  ];

  test.each([{}, { ORIGIN: "http://origin.test" }, { ORIGIN: "service:SHOP" }])(
    "[ORIGIN-26] no origin hears from a client which host or path to take instead (%j)",
    async (env) => {
      const world = new World({
        env: { ...env, SHOP: { fetch: (asked: Request) => world.origin(asked) } } as object,
      });
      let names: string[] = [];
      world.origin = (asked) => {
        names = [...asked.headers.keys()];
        return new Response("");
      };
      const sent = Object.fromEntries(ELSEWHERE.map((name) => [name, "/vip"]));
      await admittedTo(world, "/tickets", {
        headers: {
          ...sent,
          "X-Forwarded-Host": "evil.example",
          "X-Own_Name": "1",
        },
      });
      expect(names).toContain("x-own_name");
      const [allowed] = env.ORIGIN === undefined ? [[]] : [["x-forwarded-host"]];
      const wrong = names.filter((name) => /forwarded|host|url|script|^cf|encoding$/.test(name));
      expect(wrong.filter((name) => name !== "x-forwarded-proto")).toEqual(allowed);
    },
  );

  const CLAIMS = [
    "Client-IP",
    "Fastly-Client-IP",
    "Forwarded-For",
    "Proxy-Client-IP",
    "Remote-Addr",
    "True-Client-IP",
    "X-Azure-ClientIP",
    "X-Client-IP",
    "X-Cluster-Client-IP",
    "X-Envoy-External-Address",
    "X-Forwarded",
    "X-Originating-IP",
    "X-Real-IP",
    "X-Remote-Addr",
    "X-Remote-IP",
    "CF-Visitor",
    "CF-Connecting-IPv6",
    "Front-End-Https",
    "X-Forwarded-Port",
    "X-Forwarded-Protocol",
    "X-Forwarded-Scheme",
    "X-Forwarded-Ssl",
    "X-Scheme",
    "X-Url-Scheme",
  ];
  const RESPELLED_CLAIMS = CLAIMS.map((name) => name.replaceAll("-", "_"));
  const EDGES = ["CF-Visitor", "CF-Connecting-IPv6"];
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase()).toSorted();

  /** Which of the claims such a deployment's origin hears. */
  const claimsHeard = async (env: object, room: RoomChange = {}): Promise<string[]> => {
    let names: string[] = [];
    const origin = (asked: Request) => ((names = [...asked.headers.keys()]), new Response(""));
    const SHOP = { fetch: (asked: Request) => origin(asked) };
    const world = new World({ rooms: [roomOf(room)], env: { SHOP, ...env } as object, origin });
    const sent = [...CLAIMS, ...RESPELLED_CLAIMS].map((name) => [name, "192.0.2.66"]);
    const client = { "CF-Connecting-IP": "10.0.0.1" };
    await admittedTo(world, "/tickets", { headers: { ...Object.fromEntries(sent), ...client } });
    const asked = lower([...CLAIMS, ...RESPELLED_CLAIMS]);
    return names.filter((name) => asked.includes(name)).toSorted();
  };

  test.each([
    [{ ORIGIN: "http://origin.test", LOCAL: "1" }, []],
    [{ ORIGIN: "service:SHOP", LOCAL: "1" }, []],
    [{ ORIGIN: "http://origin.test" }, EDGES],
    [{ ORIGIN: "http://origin.test", TRUSTED_PROXIES: "192.0.2.0/24" }, EDGES],
    [{ ORIGIN: "http://origin.test", TRUSTED_PROXIES: "0" }, EDGES],
    [{ ORIGIN: "http://origin.test", TRUSTED_PROXIES: "10.0.0.0/8" }, CLAIMS],
    [{ ORIGIN: "service:SHOP", TRUSTED_PROXIES: "1" }, CLAIMS],
    [{}, CLAIMS],
  ])("[ORIGIN-28] of what says an address or a scheme, with %o", async (env, heardThere) => {
    expect(await claimsHeard(env)).toEqual(lower(heardThere));
  });

  test("[ORIGIN-28] a room's own setting of trusted proxies decides for it", async () => {
    const env = { ORIGIN: "http://origin.test", TRUSTED_PROXIES: "1" };
    expect(await claimsHeard(env, { trustedProxies: 0 })).toEqual(lower(EDGES));
    const trusted = { trustedProxies: ["10.0.0.1/32"] };
    expect(await claimsHeard({ ORIGIN: "http://origin.test" }, trusted)).toEqual(lower(CLAIMS));
  });

  const OVERRIDES = {
    "X-HTTP-Method-Override": "DELETE",
    X_HTTP_Method: "PUT",
    "X-Method-Override": "PUT",
  };
  const overridesHeard = (headers: Headers) =>
    [...headers.keys()].filter((name) => name.includes("method"));

  test.each([
    ["POST", 3],
    ["GET", 0],
    ["HEAD", 0],
    ["PUT", 0],
    ["DELETE", 0],
  ])(
    "[ORIGIN-27] another method than %s is asked for by so many headers: %i",
    async (method, count) => {
      expect(overridesHeard(await heard({ method, headers: OVERRIDES }))).toHaveLength(count);
    },
  );

  test("[ORIGIN-27] and by none where an exemption has let the request through", async () => {
    const rooms = [roomOf({ exempt: [{ path: "/tickets/hook", methods: ["POST"] }] })];
    const world = new World({ rooms });
    world.say({ mode: "queues" });
    const sent = { method: "POST", headers: { ...JSON_APP, ...OVERRIDES } };
    expect((await world.fetch("/tickets/hook", sent)).status).toBe(200);
    expect(overridesHeard(world.seen[0]!.headers)).toEqual([]);
    await world.fetch("/about", sent);
    expect(overridesHeard(world.seen[1]!.headers)).toHaveLength(3);
  });

  test("[ORIGIN-10] no hop-by-hop headers, named or listed, and all others as they were", async () => {
    const headers = await heard({
      headers: {
        Connection: "keep-alive, X-Hop",
        "X-Hop": "1",
        "Keep-Alive": "5",
        TE: "trailers",
        "Proxy-Authorization": "secret",
        "X-Own": "kept",
        Authorization: "Bearer kept",
        "Accept-Language": "de",
      },
    });
    for (const name of ["Connection", "X-Hop", "Keep-Alive", "TE", "Proxy-Authorization"])
      expect(headers.has(name)).toBe(false);
    expect(headers.get("X-Own")).toBe("kept");
    expect(headers.get("Authorization")).toBe("Bearer kept");
    expect(headers.get("Accept-Language")).toBe("de");
  });

  const URL_ORIGIN = { ORIGIN: "http://origin.test" };

  test.each([
    [URL_ORIGIN, null, null],
    [URL_ORIGIN, "cloudflare; loops=1, other", "cloudflare; loops=1, other, seiriken"],
    [URL_ORIGIN, "seiriken,SEIRIKEN ;a=b, seiriken", "seiriken,SEIRIKEN ;a=b, seiriken, seiriken"],
    [URL_ORIGIN, "seiriken2, not-seiriken, s, s, s", "seiriken2, not-seiriken, s, s, s, seiriken"],
    [{ LOCAL: "1" }, "other", "other, seiriken"],
    [{}, null, null],
    [{}, "cloudflare; loops=1", "cloudflare; loops=1"],
  ])("[ORIGIN-29] with %o, of %o that came as CDN-Loop it hears %o", async (env, came, told) => {
    const headers: Record<string, string> = came === null ? {} : { "CDN-Loop": came };
    expect((await heard({ headers }, { env })).get("CDN-Loop")).toBe(told);
  });

  test.each([
    [null, "seiriken"],
    ["seiriken, seiriken", "seiriken, seiriken, seiriken"],
  ])(
    "[ORIGIN-29] of a room's request that comes from a room, with %o as CDN-Loop, it hears %o",
    async (came, told) => {
      const loop: Record<string, string> = came === null ? {} : { "CDN-Loop": came };
      const headers = { "Seiriken-Room": "any", ...loop };
      expect((await heard({ headers }, { env: URL_ORIGIN })).get("CDN-Loop")).toBe(told);
    },
  );

  test.each([
    [URL_ORIGIN, "seiriken"],
    [{ LOCAL: "1" }, "seiriken"],
    [{}, null],
  ])("[ORIGIN-29] with %o, on a path of no room it hears %o", async (env, told) => {
    const world = new World({ env });
    await world.fetch("/about", { headers: JSON_APP });
    expect(world.seen[0]?.headers.get("CDN-Loop")).toBe(told);
  });

  test("[ORIGIN-29] a client that lists the header in Connection does not take the sign away", async () => {
    const world = new World({ env: URL_ORIGIN });
    const asked = (loop: string) =>
      world.fetch("/about", { headers: { ...JSON_APP, Connection: "CDN-Loop", "CDN-Loop": loop } });
    expect((await asked("seiriken, seiriken, seiriken, seiriken")).status).toBe(508);
    expect((await asked("seiriken")).status).toBe(200);
    expect(world.seen.map(({ headers }) => headers.get("CDN-Loop"))).toEqual([
      "seiriken, seiriken",
    ]);
  });

  test("[ORIGIN-29] three times and a room before it are four", async () => {
    const world = new World({ env: URL_ORIGIN });
    const loop = { "Seiriken-Room": "any", "CDN-Loop": "seiriken, seiriken, seiriken" };
    const answer = await admittedTo(world, "/tickets", { headers: loop });
    expect([answer.status, world.seen.length]).toEqual([508, 0]);
  });

  test("[ORIGIN-29] so does a service", async () => {
    let told: string | null = null;
    const SHOP = {
      fetch: async (asked: Request) => ((told = asked.headers.get("cdn-loop")), new Response("")),
    };
    const world = new World({ env: { ORIGIN: "service:SHOP", SHOP } as object });
    await world.fetch("/about", { headers: JSON_APP });
    expect(told).toBe("seiriken");
  });

  test.each([
    ["GET", "/tickets", "shop"],
    ["POST", "/tickets", "shop"],
    ["POST", "/about", undefined],
  ])(
    "[ORIGIN-29] a %s of %s that has been through four goes to no origin",
    async (method, path, room) => {
      const world = new World({ env: URL_ORIGIN });
      const headers = { "CDN-Loop": "Seiriken, a, seiriken;b=c,seiriken , seiriken" };
      const answer = await admittedTo(world, path, { method, headers });
      expect(answer.status).toBe(508);
      expect(answer.headers.get("Cache-Control")).toContain("no-store");
      expect(world.seen).toEqual([]);
      expect(world.log).toMatchObject([{ event: "origin-loop", level: "error" }]);
      expect(world.log[0]?.["room"]).toBe(room);
    },
  );

  test("[ORIGIN-29] a person is shown a page, and a program told the code", async () => {
    const loop = { "CDN-Loop": "seiriken, seiriken, seiriken, seiriken" };
    const world = new World({ env: URL_ORIGIN });
    const page = await world.fetch("/about", { headers: { ...DOCUMENT, ...loop } });
    expect([page.status, page.headers.get("content-type")]).toEqual([
      508,
      "text/html; charset=utf-8",
    ]);
    const plain = await world.fetch("/about", { headers: { ...JSON_APP, ...loop } });
    expect(await plain.json()).toMatchObject({ code: "origin-loop", status: 508 });
  });

  test("[ORIGIN-11] a URL origin hears who asked, and by which name", async () => {
    const env = { ORIGIN: "http://origin.test" };
    const client = { "CF-Connecting-IP": "192.0.2.9", "X-Forwarded-For": "198.51.100.1" };
    const headers = await heard({ headers: client }, { env });
    expect(headers.get("X-Forwarded-For")).toBe("198.51.100.1, 192.0.2.9");
    expect(headers.get("X-Forwarded-Proto")).toBe("https");
    expect(headers.get("X-Forwarded-Host")).toBe("shop.example");
  });

  test("[ORIGIN-11] the edge's own chain is not doubled", async () => {
    const env = { ORIGIN: "http://origin.test" };
    const client = { "CF-Connecting-IP": "192.0.2.9", "X-Forwarded-For": "1.1.1.1, 192.0.2.9" };
    expect((await heard({ headers: client }, { env })).get("X-Forwarded-For")).toBe(
      "1.1.1.1, 192.0.2.9",
    );
  });

  test.each([
    ["6.6.6.6, 192.0.2.1, 10.0.0.1", "6.6.6.6, 192.0.2.1"],
    ["192.0.2.1, 10.0.0.1", "192.0.2.1"],
    ["10.0.0.1", "10.0.0.1"],
  ])(
    "[ORIGIN-11] behind a trusted proxy the chain %s ends at the client: %s",
    async (sent, told) => {
      const env = { ORIGIN: "http://origin.test", TRUSTED_PROXIES: "1" };
      const client = { "CF-Connecting-IP": "10.0.0.1", "X-Forwarded-For": sent };
      expect((await heard({ headers: client }, { env })).get("X-Forwarded-For")).toBe(told);
    },
  );

  test("[ORIGIN-12] on one's own machine a client cannot name its own address", async () => {
    const env = { ORIGIN: "http://origin.test", LOCAL: "1" };
    const request = Object.assign(
      new Request("https://shop.example/tickets", {
        headers: { "CF-Connecting-IP": "192.0.2.66" },
      }),
    );
    expect(request.headers.get("CF-Connecting-IP")).toBe("192.0.2.66");
    const headers = await heard({ headers: { "CF-Connecting-IP": "192.0.2.66" } }, { env });
    expect(headers.has("CF-Connecting-IP")).toBe(false);
  });

  test("[ORIGIN-13] the zone's own origin hears the edge's headers, untouched", async () => {
    const headers = await heard({ headers: { "X-Forwarded-For": "192.0.2.9" } });
    expect(headers.get("X-Forwarded-For")).toBe("192.0.2.9");
    expect(headers.has("X-Forwarded-Host")).toBe(false);
  });

  test.each(["kid7:origin-secret", "origin-secret"])(
    "[ORIGIN-14] with ORIGIN_SECRET=%s a signature over time, method, host, path, room and visit",
    async (ORIGIN_SECRET) => {
      const world = new World({ env: { ORIGIN_SECRET } });
      await admittedTo(world, "/tickets/a?b=c", { method: "POST", body: "x" });
      const header = world.seen[0]!.headers.get("Seiriken-Signature")!;
      const [, t, kid, v1] = /^t=(\d+), kid=(\w+), v1=([0-9a-f]{64})$/.exec(header)!;
      expect(kid).toBe(ORIGIN_SECRET.includes(":") ? "kid7" : "1");
      const key = await crypto.subtle.importKey(
        "raw",
        new TextEncoder().encode("origin-secret"),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["verify"],
      );
      const text = [t, "POST", "shop.example", "/tickets/a", "shop", "7"].join("\n");
      const mac = Uint8Array.from(v1!.match(/../g)!, (pair) => Number.parseInt(pair, 16));
      expect(await crypto.subtle.verify("HMAC", key, mac, new TextEncoder().encode(text))).toBe(
        true,
      );
    },
  );

  test("[ORIGIN-15] unprotected paths are signed too, without room and visit", async () => {
    const world = new World({ env: { ORIGIN_SECRET: "origin-secret" } });
    await world.fetch("/about", { headers: { "Seiriken-Signature": "t=0" } });
    expect(world.seen[0]?.headers.get("Seiriken-Signature")).toMatch(/^t=\d{5,}, kid=1, v1=/);
    expect(world.seen[0]?.headers.has("Seiriken-Room")).toBe(false);
  });
});

describe("what the visitor gets", () => {
  test("[PROXY-1] status, headers and several cookies as the origin sent them", async () => {
    const headers = new Headers({
      "X-Own": "1",
      ETag: '"7"',
      "Cache-Control": "public, max-age=60",
    });
    headers.append("Set-Cookie", "a=1; Path=/");
    headers.append("Set-Cookie", "b=2; Expires=Fri, 20 Nov 2026 10:00:00 GMT");
    const world = answering(() => new Response("teapot", { status: 418, headers }));
    const answer = await admittedTo(world);
    expect(answer.status).toBe(418);
    expect(answer.headers.get("X-Own")).toBe("1");
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(answer.headers.getSetCookie()).toEqual([
      "a=1; Path=/",
      "b=2; Expires=Fri, 20 Nov 2026 10:00:00 GMT",
    ]);
  });

  test.each([301, 302, 303, 307, 308])("[PROXY-2] a redirect %i untouched", async (status) => {
    const headers = { Location: "https://elsewhere.example/x" };
    const world = answering(() => new Response(null, { status, headers }));
    const answer = await admittedTo(world);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Location")).toBe("https://elsewhere.example/x");
    expect(world.seen[0]?.redirect).toBe("manual");
  });

  test("[PROXY-3] an answer as it comes, part by part", async () => {
    const body = new TransformStream<Uint8Array>();
    const world = answering(() => new Response(body.readable));
    const reader = (await admittedTo(world)).body!.getReader();
    const writer = body.writable.getWriter();
    for (const part of ["one", "two"]) {
      void writer.write(new TextEncoder().encode(part));
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(part);
    }
  });

  test("[PROXY-4] nothing of the origin's that looks like ours", async () => {
    const headers = { "Seiriken-Status": "forged", "Seiriken-Pass": "forged", "Seiriken-X": "1" };
    const answer = await admittedTo(answering(() => new Response("x", { headers })));
    expect(answer.headers.get("Seiriken-Status")).toBe("admitted; room=shop");
    expect(answer.headers.has("Seiriken-Pass")).toBe(false);
    expect(answer.headers.has("Seiriken-X")).toBe(false);
  });

  const caching: [string, string | null][] = [
    ["public, max-age=600, s-maxage=900", "private, max-age=600"],
    ["max-age=60, proxy-revalidate, immutable", "private, max-age=60, immutable"],
    ["no-store", "private, no-store"],
    ['no-cache="a, b", s-maxage=1', 'private, no-cache="a, b"'],
    ["private, stale-while-revalidate=5", "private"],
  ];

  test.each(caching)("[CACHE-1] to which we add a cookie: %s becomes %s", async (given, kept) => {
    const headers = {
      "Cache-Control": given,
      "CDN-Cache-Control": "max-age=9",
      "Cloudflare-CDN-Cache-Control": "max-age=9",
      "Surrogate-Control": "max-age=9",
      "Cache-Tag": "a",
    };
    const world = answering(() => new Response("x", { headers }));
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.get("Cache-Control")).toBe(kept);
    for (const name of Object.keys(headers).slice(1)) expect(answer.headers.has(name)).toBe(false);
  });

  test("[CACHE-2] without Cache-Control an answer with our cookie is private", async () => {
    const answer = await new World().fetch("/tickets", { headers: DOCUMENT });
    expect(answer.headers.get("Cache-Control")).toBe("private");
  });
});
