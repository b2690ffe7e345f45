import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import type { Op, OpReply } from "../../../src/core/room/commands.ts";
import { World } from "./world.ts";

const HOLD_MS = 20_000;

const requests = (limits: Partial<RoomLimits> = {}) =>
  new World({ permit: "request", permitsMax: 1, leaseMs: 60_000, ...limits });

const ask = (ticket: number | null, heardAgoMs = 0, at = 0): Op => ({
  op: "request",
  ticket:
    ticket === null ? null : { number: ticketNumber(ticket), heardAt: (at - heardAgoMs) as never },
  holdMs: HOLD_MS,
  address: null,
});
const request = (w: World, ticket: number | null = null, heardAgoMs = 0): OpReply =>
  w.one(ask(ticket, heardAgoMs, w.now));

describe("a room of requests", () => {
  test("[REQUEST-1] a request that finds a free permit has its visit in the same step", () => {
    const w = requests();
    expect(request(w)).toMatchObject({ kind: "visit", isNew: true, visit: { visit: 1 } });
    expect([w.visiting, w.called, w.tally("entriesByUsher")]).toEqual([1, 0, 1]);
  });

  test("[REQUEST-2] otherwise it waits in line, and its visit begins with its call, in order", () => {
    const w = requests();
    request(w);
    expect(request(w)).toMatchObject({ kind: "place", place: { number: 2, state: "waiting" } });
    expect(request(w)).toMatchObject({ place: { number: 3, ahead: 1 } });
    w.end(1);
    const calls = [...(w.last?.calls.values() ?? [])].flat();
    expect(calls).toMatchObject([{ number: 2, visit: { visit: 2 } }]);
    expect([w.standing(2), w.standing(3)]).toEqual(["visiting", "waiting"]);
    expect(w.tally("entriesByBaton")).toBe(1);
  });

  test("[REQUEST-1] its visit lasts as long as the room's lease, and counts for the estimate", () => {
    const w = requests({ leaseMs: 120_000 });
    request(w);
    expect(w.state.attended.size).toBe(0);
    for (let second = 1; second < 120; second += 1) w.tick(1_000);
    w.tick(999);
    expect([w.visiting, w.snapshot().entriesPerMinute > 0]).toEqual([1, true]);
    w.tick(1);
    expect(w.visiting).toBe(0);
  });

  test("[REQUEST-3] one that has waited long enough leaves with its number, and is not called", () => {
    const w = requests();
    request(w);
    request(w);
    request(w);
    expect(w.one({ op: "withdraw", number: ticketNumber(2) })).toMatchObject({
      kind: "not-yet",
      place: { number: 2, state: "away" },
      retryAt: w.now + 1_000,
    });
    w.end(1);
    expect(w.standing(3)).toBe("visiting");
    expect(request(w, 2)).toMatchObject({ place: { number: 2, state: "waiting", ahead: 0 } });
  });

  test("[REQUEST-3] when its turn came meanwhile it is told so, and keeps its visit", () => {
    const w = requests();
    request(w);
    request(w);
    w.end(1);
    expect(w.one({ op: "withdraw", number: ticketNumber(2) })).toMatchObject({
      kind: "visit",
      isNew: false,
      visit: { visit: 2 },
    });
  });

  test("[REQUEST-4] one that the ring cannot let start in time is told the moment to come back", () => {
    const w = requests({ permitsMax: 100, startsPerSecondMax: 1, ringGuardMs: 0 });
    const replies = w.batch(Array.from({ length: 25 }, () => ask(null)));
    expect(replies.map(({ kind }) => kind)).toEqual([
      "visit",
      ...new Array(20).fill("place"),
      ...new Array(4).fill("not-yet"),
    ]);
    const moments = replies.flatMap((reply) => (reply.kind === "not-yet" ? [reply.retryAt] : []));
    expect(moments).toEqual([21, 22, 23, 24].map((second) => w.now + second * 1_000));
    expect(w.standing(22)).toBe("away");
    const came = moments[0] ?? 0;
    while (w.now < came) w.tick(1_000);
    expect(request(w, 22, 21_000)).toMatchObject({ kind: "visit", visit: { visit: 22 } });
  });

  test.each([
    [3_600_000 - 1, 2],
    [3_600_000, 3],
  ])("[REQUEST-5] back %i ms after it was heard last: number %i", (ms, number) => {
    const w = requests({ leaseMs: 86_400_000 });
    request(w);
    request(w);
    w.one({ op: "withdraw", number: ticketNumber(2) });
    expect(request(w, 2, ms)).toMatchObject({ place: { number } });
    expect(w.standing(2)).toBe(number === 2 ? "waiting" : "ended");
  });

  test("[REQUEST-5] a number that stands in line is there, however old its ticket is", () => {
    const w = requests();
    request(w);
    request(w);
    expect(request(w, 2, 3_600_000)).toMatchObject({ place: { number: 2, state: "waiting" } });
  });

  test("[REQUEST-3] one that was withdrawn begins no visit unless it asks again", () => {
    const w = requests();
    request(w);
    request(w);
    w.one({ op: "withdraw", number: ticketNumber(2) });
    w.present(2);
    w.end(1);
    expect([w.standing(2), w.visiting]).toEqual(["called", 0]);
  });

  test("[REQUEST-3] it is told the moment from the ring where that knows one", () => {
    const w = requests({ permitsMax: 100, startsPerSecondMax: 1, ringGuardMs: 0 });
    w.batch(Array.from({ length: 5 }, () => ask(null)));
    expect(w.one({ op: "withdraw", number: ticketNumber(5) })).toMatchObject({
      kind: "not-yet",
      retryAt: w.now + 4_000,
    });
  });

  test("[BATCH-5] a request whose number is given up in the same batch has ended", () => {
    const w = requests({ permitsMax: 100, startsPerSecondMax: 1, ringGuardMs: 0 });
    const leave = (number: number): Op => ({ op: "leave", number: ticketNumber(number) });
    const asks = Array.from({ length: 22 }, () => ask(null));
    const replies = w.batch([...asks, leave(2), leave(22)]);
    expect([replies[1], replies[21]]).toEqual([{ kind: "ended" }, { kind: "ended" }]);
  });

  test("[REQUEST-4] one that is spent meanwhile counts for nobody behind it", () => {
    const w = requests({ permitsMax: 100, startsPerSecondMax: 1, ringGuardMs: 0 });
    w.batch(Array.from({ length: 23 }, () => ask(null)));
    expect(w.state.scheduledReturns.size).toBe(2);
    w.leave(22);
    expect(w.state.scheduledReturns.size).toBe(1);
    // It takes the moment that has become free; number 23 comes back after it.
    expect(request(w)).toMatchObject({ kind: "not-yet", retryAt: w.now + 21_000 });
    expect(request(w)).toMatchObject({ kind: "not-yet", retryAt: w.now + 23_000 });
  });

  test("[REQUEST-4] one that is sent away waits no more, nor does an earlier one with its ticket", () => {
    const w = requests({ permitsMax: 100, startsPerSecondMax: 1, ringGuardMs: 0 });
    w.batch([ask(null), ask(null)]);
    expect(w.state.attended.size).toBe(1);
    const again = { ...ask(2, 0, w.now), holdMs: 999 } as Op;
    expect(w.one(again)).toMatchObject({ kind: "not-yet", retryAt: w.now + 1_000 });
    expect(w.state.attended.size).toBe(0);
    // So it is called, and nothing begins for a request that is not there.
    w.now += 1_000;
    w.present(2);
    expect([w.standing(2), w.visiting]).toEqual(["called", 1]);
  });

  test.each(["calendar", "sliding"] as const)(
    "[REQUEST-14] %s: those who were sent away and do not come back leave no second unused",
    (ring) => {
      const w = requests({ permitsMax: 100, startsPerSecondMax: 2, ringGuardMs: 0, ring });
      const replies = w.batch(Array.from({ length: 100 }, () => ask(null)));
      expect(replies.filter(({ kind }) => kind === "not-yet")).toHaveLength(58);
      for (let second = 0; second < 21; second += 1) w.tick(1_000);
      expect(w.visiting).toBe(42);
      // Nobody of them is here, so a newcomer starts at once; and so does the next of them.
      w.tick(1_500);
      expect(request(w)).toMatchObject({ kind: "visit", visit: { visit: 101 } });
      expect(request(w, 43)).toMatchObject({ kind: "visit", visit: { visit: 43 } });
      // The seconds to come belong to those who were told them, until they have not come.
      expect(request(w)).toMatchObject({ kind: "not-yet", place: { number: 102 } });
      w.tick(1_000);
      expect(request(w)).toMatchObject({ kind: "visit", visit: { visit: 103 } });
    },
  );

  test("[REQUEST-15] who could start only after its return window is refused: the line is full", () => {
    const w = requests({
      permitsMax: 100,
      startsPerSecondMax: 1,
      ringGuardMs: 0,
      returnWindowMs: 60_000,
    });
    const replies = w.batch(Array.from({ length: 70 }, () => ask(null)));
    expect(replies.slice(0, 60).every(({ kind }) => kind !== "refused")).toBe(true);
    expect(replies.slice(60)).toEqual(
      new Array(10).fill({ kind: "refused", refusal: "line-full", retryAfterMs: 30_000 }),
    );
    expect([w.state.line.issued, w.tally("refused")]).toEqual([60, 10]);
    // Whoever has a number is not new; and in a held room nobody knows when anybody could start.
    expect(request(w, 60)).toMatchObject({ kind: "not-yet", place: { number: 60 } });
    w.configure({ paused: true });
    expect(request(w)).toMatchObject({ kind: "place", place: { number: 61 } });
  });

  test("[REQUEST-4] one that came back and waits counts as one that is there", () => {
    const w = requests({ permitsMax: 100, startsPerSecondMax: 1, ringGuardMs: 0 });
    w.batch(Array.from({ length: 23 }, () => ask(null)));
    w.now += 2_000;
    expect(request(w, 22, 2_000)).toMatchObject({ kind: "place", place: { number: 22 } });
    expect(w.state.scheduledReturns.size).toBe(1);
  });

  test.each(["request", "visit"] as const)(
    "[REQUEST-7] nothing begins in a second's guarded end, also when the room is one of %ss by then",
    (permit) => {
      const w = requests({ permitsMax: 9, startsPerSecondMax: 2, ringGuardMs: 100 });
      w.now += 950;
      request(w);
      w.configure({ permit });
      expect([w.visiting, w.called]).toEqual([0, 0]);
      w.tick(49);
      expect([w.visiting, w.called]).toEqual([0, 0]);
      w.tick(1);
      expect([w.visiting, w.called]).toEqual([1, 0]);
    },
  );

  test("[REQUEST-7] those who lost their lobby are not called in a second's guarded end", () => {
    const w = requests({ permitsMax: 9, startsPerSecondMax: 2, ringGuardMs: 100, paused: true });
    request(w);
    w.crash();
    w.now += 950;
    w.report([1]);
    w.configure({ paused: false });
    expect(w.called).toBe(0);
    w.tick(50);
    expect(w.called).toBe(1);
  });

  test("[LIMIT-4] what started as a request counts when the room becomes one of visits", () => {
    const w = requests({ permitsMax: 9, startsPerSecondMax: 2, ringGuardMs: 0 });
    w.batch([ask(null), ask(null)]);
    w.configure({ permit: "visit" });
    w.crowd(3);
    expect([w.visiting, w.called]).toEqual([2, 0]);
    w.tick(1_000);
    expect(w.called).toBe(2);
  });

  test("[REQUEST-4] in every second as many start as the ring allows", () => {
    const w = requests({ permitsMax: 100, startsPerSecondMax: 4, ringGuardMs: 0 });
    w.batch(Array.from({ length: 12 }, () => ask(null)));
    const visiting = [w.visiting];
    for (let second = 1; second <= 3; second += 1) {
      w.tick(1_000);
      visiting.push(w.visiting);
    }
    expect(visiting).toEqual([4, 8, 12, 12]);
  });

  test("[REQUEST-5] a number whose visit runs starts no other: the request takes a new one", () => {
    const w = requests({ permitsMax: 2 });
    request(w);
    expect(request(w, 1)).toMatchObject({ kind: "visit", visit: { visit: 2 } });
    expect(request(w, 1)).toMatchObject({ kind: "place", place: { number: 3 } });
    expect(w.visiting).toBe(2);
  });

  test("[REQUEST-3] only a request that waits is there: a join, a return and a claim are not", () => {
    const w = requests();
    request(w);
    expect(w.one({ op: "join", address: null })).toMatchObject({ place: { state: "away" } });
    expect(w.back(2, 0)).toMatchObject({ kind: "place", place: { number: 2, state: "away" } });
    expect(w.claim(2)).toMatchObject({ kind: "not-yet", place: { state: "away" } });
    expect(w.claim(99)).toEqual({ kind: "ended" });
    w.end(1);
    expect(w.called + w.visiting).toBe(0);
  });

  test("[REQUEST-8] a closed room refuses at once, with and without a ticket; a held one lets wait", () => {
    const w = requests();
    request(w);
    request(w);
    w.one({ op: "withdraw", number: ticketNumber(2) });
    w.configure({ closed: "sold out" });
    expect(request(w, 2)).toMatchObject({ kind: "refused", refusal: "room-closed" });
    expect(request(w)).toMatchObject({ kind: "refused", refusal: "room-closed" });
    w.configure({ closed: null, paused: true });
    w.end(1);
    expect(request(w, 2)).toMatchObject({ kind: "place", place: { number: 2, ahead: 0 } });
    w.configure({ paused: false });
    expect(w.standing(2)).toBe("visiting");
  });

  test("[REQUEST-9] a full line refuses new requests, and none that brings its number", () => {
    const w = requests({ lineMax: 2 });
    for (let n = 1; n <= 3; n += 1) request(w);
    expect(request(w)).toMatchObject({ kind: "refused", refusal: "line-full" });
    w.one({ op: "withdraw", number: ticketNumber(2) });
    expect(request(w)).toMatchObject({ kind: "place", place: { number: 4 } });
    expect(request(w, 2)).toMatchObject({ kind: "place", place: { number: 2, ahead: 0 } });
  });

  test("[REQUEST-10] a call that a restart left open is taken up by its request, or given back", () => {
    const w = requests({ permitsMax: 2, paused: true });
    for (let n = 1; n <= 3; n += 1) request(w);
    w.crash();
    w.configure({ paused: false });
    w.report([1, 2, 3]);
    expect([w.called, w.visiting]).toEqual([2, 0]);
    expect(request(w, 1)).toMatchObject({ kind: "visit", visit: { visit: 1 } });
    expect(w.one({ op: "withdraw", number: ticketNumber(2) })).toMatchObject({
      kind: "not-yet",
      place: { number: 2, state: "away" },
    });
    expect([w.standing(3), w.tally("missed")]).toEqual(["called", 0]);
  });

  test("[REQUEST-10] a call that is given back counts against no limit, and goes to the hand", () => {
    const w = requests({ permitsMax: 2, startsPerMinuteMax: 1, paused: true });
    request(w);
    request(w);
    w.crash();
    w.configure({ paused: false });
    w.report([1, 2]);
    expect(w.called).toBe(1);
    w.one({ op: "withdraw", number: ticketNumber(1) });
    expect([w.standing(1), w.standing(2)]).toEqual(["away", "called"]);
    w.one({ op: "withdraw", number: ticketNumber(2) });
    expect([w.called, w.state.permits.free]).toEqual([0, 2]);
  });

  test("[REQUEST-7] a lobby that began anew has lost its requests, and no other lobby has", () => {
    const w = requests({ permitsMax: 1 });
    const TWO = lobbyIndex(1);
    request(w);
    w.one(ask(null), { lobby: TWO });
    request(w);
    w.report([2], { lobby: TWO, instance: "b" });
    w.end(1);
    expect([w.standing(2), w.standing(3)]).toEqual(["called", "waiting"]);
    w.one({ op: "withdraw", number: ticketNumber(2) });
    expect([w.standing(2), w.standing(3)]).toEqual(["away", "visiting"]);
  });

  test("[REQUEST-11] no edge has to hear of its end, as there is no pass for it", () => {
    const w = requests({ permitsMax: 2 });
    request(w);
    w.renew(1);
    w.end(1);
    expect(w.snapshot()).toMatchObject({ ended: [], version: { ended: 0 } });
  });

  test("[REQUEST-6] a repeated batch begins nothing twice, also after a crash", () => {
    const w = requests({ permitsMax: 3 });
    const batch = w.compose([ask(null), ask(null)]);
    const first = w.run({ type: "batch", batch }).replies;
    w.crash();
    expect(w.run({ type: "batch", batch }).replies).toEqual(first);
    expect([w.visiting, w.state.line.issued]).toEqual([2, 2]);
  });

  test("[REQUEST-7] after a start those who wait are called, as many as the ring allows", () => {
    const w = requests({ permitsMax: 20, startsPerSecondMax: 3, ringGuardMs: 0, paused: true });
    for (let n = 1; n <= 12; n += 1) request(w);
    w.crash();
    w.configure({ paused: false });
    w.report([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect([w.called, w.visiting]).toEqual([3, 0]);
    expect(w.claim(1)).toMatchObject({ kind: "visit" });
    w.tick(1_000);
    expect(w.called).toBe(5);
  });

  test("[REQUEST-7] requests that wait when the room becomes one of visits start within the ring", () => {
    const w = requests({ permitsMax: 5, startsPerSecondMax: 2, ringGuardMs: 0 });
    const replies = w.batch(Array.from({ length: 8 }, () => ask(null)));
    expect(replies.filter(({ kind }) => kind === "visit")).toHaveLength(2);
    w.configure({ permit: "visit" });
    expect(w.visiting).toBe(2);
    w.tick(1_000);
    expect(w.visiting).toBe(4);
  });
});
