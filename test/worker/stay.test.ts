import { beforeEach, describe, expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import { IdleTimer } from "../../src/worker/platform/idle-timer.ts";
import { cookieFor, JSON_APP, roomOf, visitOf, World } from "./fakes.ts";

let world: World;
/** The origin's end of the answer that streams. */
let writer: WritableStreamDefaultWriter<Uint8Array>;

const LEASE_MS = 300_000;
/** Bytes renew the lease from this moment after its last renewal on. */
const DUE_MS = LEASE_MS / 4;

beforeEach(() => {
  world = new World();
  stream();
});

const stream = (headers: Readonly<Record<string, string>> = {}): void => {
  world.origin = () => {
    const body = new TransformStream<Uint8Array>();
    writer = body.writable.getWriter();
    return new Response(body.readable, { headers });
  };
};

const withPass = async () => ({
  headers: { ...JSON_APP, Cookie: cookieFor("pass", await world.passToken()) },
});

/** A piece of the origin's, as the client gets it. */
const piece = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  void writer.write(new Uint8Array(10));
  await reader.read();
  await world.breathe();
};

const opened = async () => {
  const answer = await world.fetch("/tickets", await withPass());
  return answer.body!.getReader();
};

describe("what streams in the name of a visit", () => {
  test("[STAY-1] renews it once a quarter of its lease is over, and not before", async () => {
    const reader = await opened();
    await world.advance(DUE_MS - 1);
    await piece(reader);
    expect(world.asked).toEqual([]);
    await world.advance(1);
    await piece(reader);
    await piece(reader);
    expect(world.asked).toEqual(["lobby/0 renew"]);
    await world.advance(DUE_MS);
    await piece(reader);
    expect(world.asked).toEqual(["lobby/0 renew", "lobby/0 renew"]);
  });

  test("[STAY-1] silence renews nothing, and costs nothing", async () => {
    await opened();
    await world.advance(2 * LEASE_MS);
    expect(world.asked).toEqual([]);
  });

  test("[STAY-1] a renewal that did not arrive is tried again by what comes a second later", async () => {
    const reader = await opened();
    world.lobby.renew = () => Promise.reject(new Error("gone"));
    await world.advance(DUE_MS);
    await piece(reader);
    await world.advance(999);
    await piece(reader);
    expect(world.asked).toEqual(["lobby/0 renew"]);
    await world.advance(1);
    await piece(reader);
    expect(world.asked).toEqual(["lobby/0 renew", "lobby/0 renew"]);
  });

  test("[STAY-2] goes on when its visit has ended, which is told once", async () => {
    const reader = await opened();
    world.lobby.renew = async () => ({ kind: "ended" });
    for (let quarter = 0; quarter < 3; quarter++) {
      await world.advance(DUE_MS);
      await piece(reader);
    }
    expect(world.asked).toEqual(["lobby/0 renew"]);
    expect(world.log.filter(({ event }) => event === "visit-outlived")).toMatchObject([
      { level: "info", room: "shop", what: "stream" },
    ]);
    const next = await world.fetch("/tickets", await withPass());
    expect(next.status).toBe(200);
  });

  test.each([
    ["16 bytes a millisecond of the lease", { "Content-Length": String(16 * LEASE_MS) }, []],
    ["one more", { "Content-Length": String(16 * LEASE_MS + 1) }, ["lobby/0 renew"]],
    ["a page of unknown length", { "Content-Type": "text/html; charset=utf-8" }, []],
    ["JSON of unknown length", { "Content-Type": "application/json" }, []],
    ["lines of JSON", { "Content-Type": "application/x-ndjson" }, ["lobby/0 renew"]],
    ["server-sent events", { "Content-Type": "text/event-stream" }, ["lobby/0 renew"]],
  ])("[STAY-5] is followed where it may be long: %s", async (_, headers, asked) => {
    stream(headers);
    const reader = await opened();
    await world.advance(DUE_MS);
    await piece(reader);
    expect(world.asked).toEqual(asked);
  });

  test("[STAY-5] pages too are followed where a lease is shorter than a minute", async () => {
    const limits = { leaseMs: 59_999 };
    world = new World({ rooms: [roomOf({ limits })] });
    stream({ "Content-Type": "text/html" });
    const pass = await world.passToken({ until: after(world.now, 59_999) });
    const answer = await world.fetch("/tickets", {
      headers: { ...JSON_APP, Cookie: cookieFor("pass", pass) },
    });
    const reader = answer.body!.getReader();
    await world.advance(15_000);
    await piece(reader);
    expect(world.asked).toEqual(["lobby/0 renew"]);
  });

  test("[STAY-6] where leases do not renew it renews nothing", async () => {
    world = new World({ rooms: [roomOf({ limits: { leaseRenews: false } })] });
    stream();
    const reader = await opened();
    await world.advance(DUE_MS);
    await piece(reader);
    expect(world.asked).toEqual([]);
  });
});

describe("with close_sockets", () => {
  beforeEach(() => {
    world = new World({ rooms: [roomOf({ closeSockets: true })] });
    stream();
  });

  const isOpen = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> => {
    void writer.write(new Uint8Array(1)).catch(() => undefined);
    return reader.read().then(
      ({ done }) => !done,
      () => false,
    );
  };

  test("[STAY-3] what streams ends at the visit's last moment", async () => {
    let isOver = false;
    const endsAt = after(world.now, 10_000);
    world.lobby.peek = async (visit) =>
      isOver
        ? { kind: "ended" }
        : { kind: "visit", visit: { ...visitOf(world.now, visit), endsAt } };
    const reader = await opened();
    await world.advance(9_999);
    expect(await isOpen(reader)).toBe(true);
    isOver = true;
    await world.advance(1);
    expect(world.asked).toEqual(["lobby/0 peek", "lobby/0 peek"]);
    // What runs beside the request gets half a second, for it ends with it (PROXY-8).
    await world.advance(500);
    expect(await isOpen(reader)).toBe(false);
  });

  test("[STAY-3] within 2 s of a snapshot that tells of the end", async () => {
    const reader = await opened();
    await world.advance(100);
    world.lobby.peek = async () => ({ kind: "ended" });
    const visit = ticketNumber(7);
    world.say({ ended: [{ visit, version: 1, passesUntil: after(world.now, 60_000) }] });
    await world.advance(4_000);
    expect(await isOpen(reader)).toBe(false);
  });

  test("[STAY-3] when every visit is revoked", async () => {
    const reader = await opened();
    await world.advance(100);
    world.lobby.peek = async () => ({ kind: "ended" });
    world.say({ epoch: 2 });
    await world.advance(4_000);
    expect(await isOpen(reader)).toBe(false);
  });

  test("[STAY-3] a lobby out of reach ends nothing", async () => {
    const reader = await opened();
    world.breakObjects();
    await world.advance(LEASE_MS + 10_000);
    expect(await isOpen(reader)).toBe(true);
  });

  test("[STAY-3] nobody looks any more once the answer has ended", async () => {
    const reader = await opened();
    await world.advance(100);
    const asked = [...world.asked];
    void writer.close();
    expect((await reader.read()).done).toBe(true);
    await world.settled();
    await world.advance(2 * LEASE_MS);
    expect(world.asked).toEqual(asked);
  });

  test("[STAY-4] the answer that releases its own visit comes whole", async () => {
    stream({ "Seiriken-Command": "release" });
    const reader = await opened();
    world.lobby.peek = async () => ({ kind: "ended" });
    await world.advance(10_000);
    expect(await isOpen(reader)).toBe(true);
    expect(world.asked).toEqual(["lobby/0 end"]);
  });
});

describe("a limit on silence", () => {
  /** Looks at its clock only when its timer runs. */
  const machine = <End extends string>(limits: Record<End, number | null>, first: End) => {
    let now = 0;
    let clockOff = 0;
    let due: { at: number; run: () => void } | null = null;
    const late: string[] = [];
    const ports = {
      now: () => now + clockOff,
      timer: (ms: number, run: () => void) => {
        due = { at: now + ms, run };
        return () => void (due = null);
      },
    };
    const pass = (until: number): void => {
      while (due !== null && due.at <= until) {
        const { at, run } = due;
        due = null;
        now = at;
        run();
      }
      now = until;
    };
    const idle = new IdleTimer<End>(ports, limits, first, (end) => late.push(`${end} ${now}`));
    const setClock = (by: number): void => void (clockOff += by);
    return { idle, pass, late, setClock };
  };

  test("[HOLD-31] runs out when nothing has moved for so long, and once", () => {
    const { idle, pass, late } = machine({ message: 60_000 }, "message");
    pass(59_999);
    idle.waitFor("message");
    pass(119_998);
    expect(late).toEqual([]);
    pass(119_999);
    expect(late).toEqual(["message 119999"]);
    pass(1_000_000);
    expect(late).toEqual(["message 119999"]);
  });

  test("[HOLD-31] waits for one span more when the clock runs back an hour, and no longer", () => {
    const { pass, late, setClock } = machine({ message: 60_000 }, "message");
    pass(30_000);
    setClock(-3_600_000);
    pass(119_999);
    expect(late).toEqual([]);
    pass(120_000);
    expect(late).toEqual(["message 120000"]);
  });

  test("[HOLD-13] is the client's own where the origin may take its time", () => {
    const limits = { origin: null, client: 20_000 };
    const { idle, pass, late } = machine<"origin" | "client">(limits, "origin");
    pass(1_000_000);
    idle.waitFor("client");
    pass(1_019_999);
    expect(late).toEqual([]);
    // It looked last at 1,000 s, before anybody waited for the client.
    pass(1_040_000);
    expect(late).toEqual(["client 1020000"]);
  });
});
