import { beforeEach, describe, expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import { cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const snapshotsOf = (world: World): number =>
  world.calls.filter((call) => call.endsWith(" snapshot")).length;
const definitionsOf = (world: World): number =>
  world.calls.filter((call) => call.endsWith(" definitions")).length;

let world: World;
beforeEach(() => {
  world = new World();
  world.say({ mode: "queues" });
});

const statusWith = async (
  pass: string,
  headers: Record<string, string> = DOCUMENT,
): Promise<number> =>
  (await world.fetch("/tickets", { headers: { ...headers, Cookie: cookieFor("pass", pass) } }))
    .status;

describe("a room's snapshot", () => {
  test("[SNAP-1] is used as it is while younger than 1 s", async () => {
    for (let request = 0; request < 10; request++) await world.fetch("/tickets");
    await world.advance(999);
    await world.fetch("/tickets");
    expect(snapshotsOf(world)).toBe(1);
  });

  test("[SNAP-2] between 1 and 2 s it is used, and refreshed once in the background", async () => {
    await world.fetch("/tickets");
    await world.advance(1_000);
    world.say({ mode: "suspended" });
    const answers = await Promise.all([world.fetch("/tickets"), world.fetch("/tickets")]);
    expect(answers.map((answer) => answer.status)).toEqual([503, 503]);
    await world.settled();
    expect(snapshotsOf(world)).toBe(2);
    expect((await world.fetch("/tickets")).status).toBe(200);
  });

  test("[SNAP-3] at 2 s nothing is decided by it: a refresh is awaited", async () => {
    await world.fetch("/tickets");
    await world.advance(2_000);
    world.say({ mode: "suspended" });
    expect((await world.fetch("/tickets")).status).toBe(200);
  });

  test("[SNAP-3] its age counts from when the Room was asked, not from when it came", async () => {
    world.snapshotAgeMs = 900;
    await world.fetch("/tickets");
    await world.advance(1_100);
    world.say({ mode: "suspended" });
    expect((await world.fetch("/tickets")).status).toBe(200);
  });

  test("[SNAP-4] requests at once share one refresh", async () => {
    await Promise.all(Array.from({ length: 50 }, () => world.fetch("/tickets")));
    expect(snapshotsOf(world)).toBe(1);
    expect(definitionsOf(world)).toBe(1);
  });

  test("[SNAP-5] a waiter whose sender never gets an answer asks alone after 2 s", async () => {
    let asks = 0;
    const { snapshot } = world.lobby;
    world.lobby.snapshot = (since) => (asks++ === 0 ? never() : snapshot(since));
    void world.fetch("/tickets");
    await world.breathe();
    const second = world.fetch("/tickets");
    await world.advance(2_000);
    expect((await second).headers.get("Seiriken-Status")).toBe("queued; room=shop");
    expect(asks).toBe(2);
  });

  test("[SNAP-6] asks for what ended since its version, and adds that to what it knows", async () => {
    const asked: unknown[] = [];
    const { snapshot } = world.lobby;
    world.lobby.snapshot = (since) => {
      asked.push(since);
      return snapshot(since);
    };
    const ended = (visit: number, version: number, ms: number) => ({
      visit: ticketNumber(visit),
      version,
      passesUntil: after(world.now, ms),
    });
    world.say({ version: { boot: "b", ended: 1 }, ended: [ended(1, 1, 10_000)] });
    await world.fetch("/tickets");
    await world.advance(2_000);
    world.say({ version: { boot: "b", ended: 2 }, endedSince: 1, ended: [ended(2, 2, 10_000)] });
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map((visit) => world.passToken({ visit: ticketNumber(visit) })),
    );
    expect(await statusWith(one!)).toBe(503);
    expect(await statusWith(two!)).toBe(503);
    expect(await statusWith(three!)).toBe(200);
    expect(asked).toEqual([null, { boot: "b", ended: 1 }]);
  });

  test("[SNAP-7] another boot voids the version: all ends are asked for", async () => {
    const asked: unknown[] = [];
    const { snapshot } = world.lobby;
    world.lobby.snapshot = (since) => {
      asked.push(since);
      return snapshot(since);
    };
    await world.fetch("/tickets");
    await world.advance(2_000);
    const visit = { visit: ticketNumber(7), version: 1, passesUntil: after(world.now, 9_000) };
    world.say({ version: { boot: "other", ended: 5 }, endedSince: 4, ended: [] });
    const inner = world.lobby.snapshot;
    world.lobby.snapshot = (since) => {
      if (since === null) world.say({ endedSince: null, ended: [visit] });
      return inner(since);
    };
    expect(await statusWith(await world.passToken())).toBe(503);
    expect(asked).toEqual([null, { boot: "boot-1", ended: 0 }, null]);
  });

  test("[SNAP-8] picks its lobby at random among those that take joins", async () => {
    world.say({ lobbiesOpen: [3, 4, 5] as never });
    for (let second = 0; second < 20; second++) {
      await world.fetch("/tickets");
      await world.advance(2_000);
    }
    const lobbies = new Set(world.calls.filter((call) => call.endsWith(" snapshot")));
    expect(lobbies).toEqual(
      new Set(["lobby/0 snapshot", "lobby/3 snapshot", "lobby/4 snapshot", "lobby/5 snapshot"]),
    );
  });

  test("[SNAP-10] one bad answer is retried where the platform says that it helps", async () => {
    let asks = 0;
    const { snapshot } = world.lobby;
    world.lobby.snapshot = (since) =>
      asks++ === 0
        ? Promise.reject(Object.assign(new Error("reset"), { retryable: true }))
        : snapshot(since);
    const answering = world.fetch("/tickets");
    await world.advance(50);
    expect((await answering).headers.get("Seiriken-Status")).toBe("queued; room=shop");
    expect(asks).toBe(2);
  });

  test("[SNAP-10] an overloaded object is not asked again", async () => {
    let asks = 0;
    world.lobby.snapshot = () => {
      asks++;
      const error = new Error("overloaded");
      return Promise.reject(Object.assign(error, { retryable: true, overloaded: true }));
    };
    await world.fetch("/tickets");
    expect(asks).toBe(1);
  });
});

describe("when the room cannot be reached", () => {
  test("[FAIL-1] live passes go on for 30 s, and the log says so", async () => {
    await world.fetch("/tickets");
    const pass = await world.passToken({ until: after(world.now, 300_000) });
    world.breakObjects();
    await world.advance(29_999);
    expect(await statusWith(pass)).toBe(200);
    expect(world.log.map(({ event, room }) => [event, room])).toContainEqual([
      "snapshot-old",
      "shop",
    ]);
    await world.advance(1);
    expect(await statusWith(pass)).toBe(503);
    expect(world.log.map(({ event }) => event)).toContain("snapshot-lost");
  });

  test("[FAIL-2] on_failure closed: the page with retry, 503, and nothing reaches the origin", async () => {
    world = new World({ rooms: [roomOf({ queueingStatusCode: 200 })] });
    world.breakObjects();
    for (const headers of [DOCUMENT, JSON_APP]) {
      const answer = await world.fetch("/tickets", { headers });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("5");
      expect(answer.headers.get("Seiriken-Status")).toBe("error; room=shop");
    }
    expect(world.seen).toEqual([]);
    const failure = world.log.find(({ event }) => event === "room-unreachable");
    expect(failure).toMatchObject({ room: "shop", on_failure: "closed" });
  });

  test("[FAIL-3] on_failure open: forwarded, and the log says so", async () => {
    world = new World({ rooms: [roomOf({ onFailure: "open" })] });
    world.breakObjects();
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Seiriken-Status")).toBe("error; room=shop");
    expect(world.log.find(({ event }) => event === "room-unreachable")).toMatchObject({
      on_failure: "open",
    });
  });

  test.each(["take", "claim", "enter"] as const)(
    "[FAIL-4] a %s that gets no answer in 5 s is a failure too",
    async (method) => {
      world.say({ mode: method === "enter" ? "open" : "queues" });
      if (method === "claim") {
        const { take } = world.lobby;
        world.lobby.take = async (ask) => {
          const reply = await take(ask);
          return reply.kind === "ticket"
            ? { ...reply, view: { ...reply.view, state: "called" } }
            : reply;
        };
      }
      Object.assign(world.lobby, { [method]: () => never() });
      const Cookie = cookieFor("visitor", await world.visitorToken());
      const answering = world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
      await world.advance(5_000);
      expect((await answering).headers.get("Seiriken-Status")).toBe("error; room=shop");
      expect(world.seen).toEqual([]);
    },
  );

  test("[FAIL-5] after a failure nobody waits for another second", async () => {
    world.lobby.snapshot = () => never();
    const first = world.fetch("/tickets");
    await world.advance(2_000);
    expect((await first).status).toBe(503);
    const before = snapshotsOf(world);
    expect((await world.fetch("/tickets")).status).toBe(503);
    expect(snapshotsOf(world)).toBe(before);
  });

  test("[FAIL-6] a bug of ours never lets anything through", async () => {
    world = new World({ rooms: [roomOf({ onFailure: "open" })] });
    world.say({ mode: "queues" });
    world.lobby.take = async () => null as never;
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...JSON_APP, Cookie } });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("TypeError");
    expect(answer.headers.get("Seiriken-Status")).toMatch(/^error/);
    expect(world.log.at(-1)).toMatchObject({ event: "internal-error" });
    expect(world.seen).toEqual([]);
  });

  test("[FAIL-7] an outage fills no log: one line a second for each event and room", async () => {
    world.breakObjects();
    for (let request = 0; request < 50; request++) await world.fetch("/tickets");
    expect(world.log).toHaveLength(2);
    await world.advance(1_000);
    await world.fetch("/tickets");
    expect(world.log).toHaveLength(4);
    expect(world.log.at(-1)).toMatchObject({ unsaid: 49 });
  });

  test("[FAIL-9] log lines carry no token, address or query", async () => {
    world.breakObjects();
    const pass = await world.passToken();
    const headers = { Cookie: cookieFor("pass", pass), "CF-Connecting-IP": "192.0.2.9" };
    await world.fetch("/tickets?secret=1", { headers });
    const text = JSON.stringify(world.log);
    for (const secret of [pass, "192.0.2.9", "secret=1"]) expect(text.includes(secret)).toBe(false);
    expect(world.log[0]?.reference).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
  });
});

describe("definitions", () => {
  test("[FAIL-10] are used for 5 s; in the last of them the next are fetched", async () => {
    await world.fetch("/about");
    await world.advance(3_999);
    await world.fetch("/about");
    expect(definitionsOf(world)).toBe(1);
    await world.advance(1);
    await world.fetch("/about");
    await world.settled();
    expect(definitionsOf(world)).toBe(2);
    await world.advance(5_000);
    world.definitions = { ...world.definitions, version: 2, rooms: [] };
    const answer = await world.fetch("/tickets");
    expect(answer.headers.get("Seiriken-Status")).toBe("unprotected");
  });

  test("[FAIL-11] go on for 24 h when the Registry is silent, and the log says so", async () => {
    await world.fetch("/tickets");
    world.registry.definitions = () => Promise.reject(new Error("gone"));
    await world.advance(24 * 3_600_000 - 1_000);
    expect((await world.fetch("/about")).status).toBe(200);
    expect(world.log.map(({ event }) => event)).toContain("definitions-old");
    await world.advance(1_000);
    const answer = await world.fetch("/about", { headers: JSON_APP });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "not-ready" });
  });

  test("[FAIL-12] an isolate with none lets nothing through, protected or not", async () => {
    world.registry.definitions = () => Promise.reject(new Error("gone"));
    for (const path of ["/tickets", "/about", "/.seiriken/rooms/shop"]) {
      const answer = await world.fetch(path, { headers: DOCUMENT });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("5");
      expect(answer.headers.get("Content-Type")).toContain("text/html");
    }
    expect(world.seen).toEqual([]);
  });

  test("[FAIL-13] a change that came through this isolate is asked for at once", async () => {
    world = new World({ env: { ADMIN_TOKEN: "an-admin-token-for-tests" } });
    await world.fetch("/tickets");
    const headers = { Authorization: "Bearer an-admin-token-for-tests" };
    await world.fetch("/.seiriken/api/keys/rotate", { method: "POST", headers });
    const before = definitionsOf(world);
    await world.fetch("/tickets");
    expect(definitionsOf(world)).toBe(before + 1);
  });

  const FAILED = [
    ["POST", "/.seiriken/client/v4/zones/z/waiting_rooms", 401, "Bearer nobody-knows-this-one"],
    ["POST", "/.seiriken/api/keys/rotate", 401, ""],
    ["DELETE", "/.seiriken/api/lock-rules/x", 401, ""],
    ["POST", "/.seiriken/client/v4/nothing", 404, "Bearer an-admin-token-for-tests"],
    ["POST", "/.seiriken/client/v4/zones/z/waiting_rooms", 400, "Bearer an-admin-token-for-tests"],
    ["POST", "/.seiriken/api/nothing", 404, "Bearer an-admin-token-for-tests"],
    ["DELETE", "/.seiriken/api/rooms/shop/visits/7", 204, "Bearer an-admin-token-for-tests"],
  ] as const;
  test.each(FAILED)(
    "[FAIL-14] %s %s (%i) makes nobody ask",
    async (method, path, status, token) => {
      world = new World({ env: { ADMIN_TOKEN: "an-admin-token-for-tests" } });
      await world.fetch("/tickets");
      const headers = { Authorization: token };
      const body = method === "POST" ? "{}" : null;
      expect((await world.fetch(path, { method, headers, body })).status).toBe(status);
      const before = definitionsOf(world);
      await world.fetch("/tickets");
      expect(definitionsOf(world)).toBe(before);
    },
  );

  test("[FAIL-13] by everybody who comes while the answer is under way", async () => {
    world = new World({ env: { ADMIN_TOKEN: "an-admin-token-for-tests" } });
    await world.fetch("/tickets");
    const headers = { Authorization: "Bearer an-admin-token-for-tests" };
    await world.fetch("/.seiriken/api/keys/rotate", { method: "POST", headers });
    const before = definitionsOf(world);
    world.definitions = { ...world.definitions, version: 2, rooms: [] };
    const answers = await Promise.all([1, 2, 3].map(() => world.fetch("/tickets")));
    expect(answers.map((answer) => answer.headers.get("Seiriken-Status"))).toEqual(
      new Array(3).fill("unprotected"),
    );
    expect(definitionsOf(world)).toBe(before + 1);
  });
});
