import { beforeEach, describe, expect, test, vi } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import type { VisitReply } from "../../src/durable/contract.ts";
import { CollectionPacer } from "../../src/core/collection-pacer.ts";
import {
  cookieFor,
  cookiesFrom,
  DOCUMENT,
  JSON_APP,
  roomOf,
  viewOf,
  visitOf,
  World,
} from "./fakes.ts";

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const statusOf = (answer: Response): string | null => answer.headers.get("Seiriken-Status");

let world: World;
beforeEach(() => {
  world = new World();
  world.say({ mode: "queues" });
});

const withPass = (token: string, headers: Record<string, string> = DOCUMENT): RequestInit => ({
  headers: { ...headers, Cookie: cookieFor("pass", token) },
});

describe("a pass that was never given", () => {
  const YEARS_MS = 10 * 365 * 24 * 3_600_000;

  test("[TOKEN-17] for ten years opens nothing", async () => {
    const pass = await world.passToken({ until: after(world.now, YEARS_MS) });
    expect(statusOf(await world.fetch("/tickets", withPass(pass)))).toBe("queued; room=shop");
    expect(world.seen).toEqual([]);
  });

  test.each([
    [60_000, [], 1],
    [60_001, ["lobby/0 renew"], 0],
    [YEARS_MS, ["lobby/0 renew"], 0],
  ])("[TOKEN-18] dated %i ms ahead: asks for %j", async (aheadMs, asked, passed) => {
    world.lobby.renew = async () => ({ kind: "ended" });
    const mintedAt = after(world.now, aheadMs);
    const pass = await world.passToken({ mintedAt });
    await world.fetch("/tickets", withPass(pass));
    expect(world.asked).toEqual(asked);
    expect(world.seen).toHaveLength(passed);
  });
});

test("[RUN-29] [RUN-32] a request counts as a visitor's with a live pass, and as any without", async () => {
  using any = vi.spyOn(CollectionPacer.prototype, "requestCame");
  using visitors = vi.spyOn(CollectionPacer.prototype, "visitorCame");
  await world.fetch("/tickets", { headers: DOCUMENT });
  await world.fetch("/tickets", withPass("no.pass.atall"));
  expect([any.mock.calls.length, visitors.mock.calls.length]).toEqual([2, 0]);
  await world.fetch("/tickets", withPass(await world.passToken()));
  expect([any.mock.calls.length, visitors.mock.calls.length]).toEqual([3, 1]);
});

test("[RUN-29] [RUN-32] one that takes a ticket counts as a visitor's, one that looks at it as any", async () => {
  using any = vi.spyOn(CollectionPacer.prototype, "requestCame");
  using visitors = vi.spyOn(CollectionPacer.prototype, "visitorCame");
  await world.fetch("/.seiriken/rooms/shop/tickets", { method: "POST", headers: JSON_APP });
  expect([any.mock.calls.length, visitors.mock.calls.length]).toEqual([1, 1]);
  await world.fetch("/.seiriken/rooms/shop/tickets/mine", { headers: JSON_APP });
  expect([any.mock.calls.length, visitors.mock.calls.length]).toEqual([2, 1]);
});

test("[RUN-29] in a room of requests one that has its turn counts as a waiter's, and none that is sent away", async () => {
  using came = vi.spyOn(CollectionPacer.prototype, "waiterCame");
  world = new World({ rooms: [roomOf({ limits: { permit: "request" } })] });
  world.lobby.wait = async () => ({
    kind: "not-yet",
    view: viewOf(world.now, { number: ticketNumber(9), state: "away" }),
    retryAfterMs: 41_000,
  });
  await world.fetch("/tickets", { headers: JSON_APP });
  expect(came).not.toHaveBeenCalled();
  world.lobby.wait = async () => ({ kind: "visit", visit: visitOf(world.now), rate: null });
  const answer = await world.fetch("/tickets", { headers: JSON_APP });
  expect([answer.status, came.mock.calls.length]).toEqual([200, 1]);
});

describe("renewal", () => {
  test.each([
    [30_000, []],
    [30_001, ["lobby/0 renew"]],
  ])("[GATE-34] a pass of 300 s that is %i ms old asks for %j", async (ageMs, asked) => {
    const pass = await world.passToken({ mintedAt: after(world.now, -ageMs) });
    const answer = await world.fetch("/tickets", withPass(pass));
    expect(answer.status).toBe(200);
    expect(world.asked).toEqual(asked);
    expect(answer.headers.getSetCookie()).toHaveLength(asked.length);
  });

  test("[GATE-35] a provisional pass is confirmed by the request that brings it back", async () => {
    const answer = await world.fetch(
      "/tickets",
      withPass(await world.passToken({ provisional: true })),
    );
    expect(world.asked).toEqual(["lobby/0 renew"]);
    const next = await world.fetch("/tickets", {
      headers: { ...DOCUMENT, Cookie: cookiesFrom(answer) },
    });
    expect(next.status).toBe(200);
    expect(world.asked).toEqual(["lobby/0 renew"]);
  });

  test("[GATE-36] runs beside the origin, and the headers wait for it at most 250 ms", async () => {
    world.lobby.renew = () => never();
    const pass = await world.passToken({ mintedAt: after(world.now, -60_000) });
    let answer: Response | null = null;
    void world.fetch("/tickets", withPass(pass)).then((response) => (answer = response));
    await world.advance(249);
    expect(world.seen).toHaveLength(1);
    expect(answer).toBeNull();
    await world.advance(1);
    expect(answer).not.toBeNull();
    expect(answer!.headers.getSetCookie()).toEqual([]);
  });

  test("[GATE-36] an answer takes the new pass along when it comes in time", async () => {
    let renewed: (reply: VisitReply) => void = () => undefined;
    world.lobby.renew = () => new Promise((resolve) => (renewed = resolve));
    const pass = await world.passToken({ mintedAt: after(world.now, -60_000) });
    const answering = world.fetch("/tickets", withPass(pass));
    await world.advance(200);
    renewed({ kind: "visit", visit: visitOf(world.now) });
    const answer = await answering;
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
    expect(answer.headers.get("Seiriken-Pass")).not.toBeNull();
  });

  test("[GATE-37] a page and its pictures share one renewal", async () => {
    const pass = await world.passToken({ mintedAt: after(world.now, -60_000) });
    const all = Array.from({ length: 20 }, () => world.fetch("/tickets/x", withPass(pass)));
    for (const answer of await Promise.all(all))
      expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(world.asked).toEqual(["lobby/0 renew"]);
  });

  test("[GATE-38] a renewal that fails costs the request nothing", async () => {
    world.breakObjects();
    world.lobby.snapshot = async () => ({ snapshot: world.snapshot, ageMs: 0 });
    const pass = await world.passToken({ mintedAt: after(world.now, -60_000) });
    expect((await world.fetch("/tickets", withPass(pass))).status).toBe(200);
  });

  test("[GATE-39] a renewal that finds the visit ended leaves the pass, which opens nothing", async () => {
    world.lobby.renew = async () => ({ kind: "ended" });
    const pass = await world.passToken({ mintedAt: after(world.now, -60_000) });
    const first = await world.fetch("/tickets", withPass(pass));
    expect(first.headers.getSetCookie()).toEqual([]);
    expect((await world.fetch("/tickets", withPass(pass))).status).toBe(503);
    expect(world.seen).toHaveLength(1);
  });

  test("[GATE-40] disable_session_renewal: no pass is renewed beside a request", async () => {
    world = new World({ rooms: [roomOf({ limits: { leaseRenews: false } })] });
    const pass = await world.passToken({ mintedAt: after(world.now, -200_000) });
    expect((await world.fetch("/tickets", withPass(pass))).status).toBe(200);
    expect(world.asked).toEqual([]);
  });
});

describe("a pass that is over", () => {
  const over = (): Promise<string> =>
    world.passToken({ until: world.now, mintedAt: after(world.now, -300_000) });

  test("[GATE-41] one millisecond before its end it is live; at its end it is not", async () => {
    const last = await world.passToken({ until: after(world.now, 1) });
    await world.fetch("/tickets", withPass(last));
    expect(world.asked).toEqual([]);
    await world.fetch("/tickets", withPass(await over()));
    expect(world.asked).toEqual(["lobby/0 renew"]);
  });

  test("[GATE-42] is asked about once, and lives on if its visit does", async () => {
    const answer = await world.fetch("/tickets", withPass(await over()));
    expect(statusOf(answer)).toBe("admitted; room=shop");
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
    expect(world.asked).toEqual(["lobby/0 renew"]);
  });

  test("[GATE-42] is asked about once, and is remembered as ended", async () => {
    world.lobby.renew = async () => ({ kind: "ended" });
    const token = await over();
    for (let request = 0; request < 5; request++)
      expect((await world.fetch("/tickets", withPass(token, JSON_APP))).status).toBe(503);
    expect(world.asked).toEqual(["lobby/0 renew"]);
    expect(world.seen).toEqual([]);
  });

  test("[GATE-43] nothing passes while nobody can say whether its visit lives", async () => {
    world.lobby.renew = () => Promise.reject(new Error("gone"));
    const answer = await world.fetch("/tickets", withPass(await over()));
    expect(answer.status).toBe(503);
    expect(statusOf(answer)).toBe("error; room=shop");
    expect(world.seen).toEqual([]);
  });

  test("[GATE-44] of an earlier epoch is dead, and nobody is asked", async () => {
    world.say({ epoch: 2, epochAt: world.now });
    const answer = await world.fetch("/tickets", withPass(await world.passToken({ epoch: 1 })));
    expect(answer.status).toBe(503);
    expect(world.asked).toEqual([]);
  });

  test("[GATE-44] of an epoch that the snapshot has not reached is live", async () => {
    const answer = await world.fetch("/tickets", withPass(await world.passToken({ epoch: 2 })));
    expect(answer.status).toBe(200);
  });

  test("[GATE-45] of a visit that the snapshot tells as ended is dead", async () => {
    const visit = ticketNumber(7);
    world.say({ ended: [{ visit, version: 1, passesUntil: after(world.now, 60_000) }] });
    expect((await world.fetch("/tickets", withPass(await world.passToken()))).status).toBe(503);
    const other = await world.passToken({ visit: ticketNumber(8) });
    expect((await world.fetch("/tickets", withPass(other))).status).toBe(200);
  });
});

describe("a strict room", () => {
  beforeEach(() => {
    world = new World({ rooms: [roomOf({ strict: true })] });
    world.say({ mode: "queues" });
  });

  test("[GATE-46] asks the Room itself at each request", async () => {
    const pass = withPass(await world.passToken());
    await world.fetch("/tickets", pass);
    expect((await world.fetch("/tickets", pass)).status).toBe(200);
    expect(world.asked).toEqual(["room peek", "room peek"]);
    world.room.peek = async () => ({ kind: "ended" });
    expect((await world.fetch("/tickets", pass)).status).toBe(503);
    expect(world.seen).toHaveLength(2);
  });

  test("[GATE-46] lets nothing pass while the Room is silent", async () => {
    world.room.peek = () => never();
    const answering = world.fetch("/tickets", withPass(await world.passToken()));
    await world.advance(2_000);
    const answer = await answering;
    expect(answer.status).toBe(503);
    expect(statusOf(answer)).toBe("error; room=shop");
  });
});

describe("transient permits", () => {
  const entered = ["lobby/0 enter", "lobby/0 end"];
  beforeEach(() => world.say({ mode: "open" }));

  test("[GATE-47] are held until the answer's body has ended, not before", async () => {
    const body = new TransformStream<Uint8Array>();
    world.origin = () => new Response(body.readable);
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    const reader = answer.body!.getReader();
    const writer = body.writable.getWriter();
    void writer.write(new TextEncoder().encode("part"));
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("part");
    await world.breathe();
    expect(world.asked).toEqual(["lobby/0 enter"]);
    void writer.close();
    expect((await reader.read()).done).toBe(true);
    await world.settled();
    expect(world.asked).toEqual(entered);
  });

  test("[GATE-47] are freed when the origin fails in the middle", async () => {
    const body = new TransformStream<Uint8Array>();
    world.origin = () => new Response(body.readable);
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    const writer = body.writable.getWriter();
    const reading = answer.text().catch(String);
    void writer.abort(new Error("lost")).catch(() => undefined);
    await world.breathe();
    expect(world.asked).toEqual(entered);
    await world.advance(500);
    expect(await reading).toContain("broken off");
    await world.settled();
    expect(world.asked).toEqual(entered);
  });

  test("[GATE-47] are freed when the client stops reading, as soon as there is more to read", async () => {
    const body = new TransformStream<Uint8Array>();
    world.origin = () => new Response(body.readable);
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    await answer.body!.cancel("gone");
    const writer = body.writable.getWriter();
    void writer.write(new Uint8Array(1)).catch(() => undefined);
    await world.settled();
    expect(world.asked).toEqual(entered);
  });

  test("[GATE-47] are freed when the client goes away before the origin has answered", async () => {
    world.origin = () => never();
    const leaving = new AbortController();
    void world.fetch("/tickets", { headers: JSON_APP, signal: leaving.signal }).catch(() => null);
    await world.breathe();
    leaving.abort();
    await world.breathe();
    expect(world.asked).toEqual(entered);
  });

  test("[GATE-47] are freed when the origin cannot be reached", async () => {
    world.origin = () => Promise.reject(new Error("refused"));
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    expect(answer.status).toBe(502);
    await answer.text();
    await world.settled();
    expect(world.asked).toEqual(entered);
  });

  test("[GATE-48] are renewed while the answer goes on", async () => {
    const body = new TransformStream<Uint8Array>();
    world.origin = () => new Response(body.readable);
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    const reader = answer.body!.getReader();
    const writer = body.writable.getWriter();
    for (let part = 0; part < 3; part++) {
      void writer.write(new Uint8Array(10));
      await reader.read();
      await world.advance(6_000);
    }
    expect(world.asked).toEqual(["lobby/0 enter", "lobby/0 renew"]);
  });

  test("[GATE-53] of server-sent events end with a lease, however lively", async () => {
    const leaseMs = 30_000;
    world = new World({ rooms: [roomOf({ limits: { leaseMs } })] });
    const events = { "Content-Type": "text/event-stream" };
    const body = new TransformStream<Uint8Array>();
    world.origin = () => new Response(body.readable, { headers: events });
    const writer = body.writable.getWriter();
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    const reader = answer.body!.getReader();
    const ended = () => world.asked.includes("lobby/0 end");
    for (let part = 0; part < 3; part++) {
      await world.advance(leaseMs / 3 - 1);
      void writer.write(new Uint8Array(10));
      await reader.read();
    }
    expect(ended()).toBe(false);
    await world.advance(3);
    expect(ended()).toBe(true);
  });

  test("[GATE-49] an answer without a body frees at once", async () => {
    world.origin = () => new Response(null, { status: 204 });
    const answer = await world.fetch("/tickets", { method: "DELETE", headers: JSON_APP });
    expect(answer.status).toBe(204);
    await world.settled();
    expect(world.asked).toEqual(entered);
  });
});
