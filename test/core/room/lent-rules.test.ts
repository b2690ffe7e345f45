import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { NEXT_VALID_MS, type Op, type OpReply } from "../../../src/core/room/commands.ts";
import { World } from "./world.ts";

const requests = (limits: Partial<RoomLimits> = {}) =>
  new World({ permit: "request", permitsMax: 2, leaseMs: 60_000, ...limits });

const ASK: Op = { op: "request", ticket: null, holdMs: 20_000, address: null };
const asks = (count: number): Op[] => Array.from({ length: count }, () => ASK);
const next = (w: World, ops: readonly Op[] = []): readonly number[] | undefined =>
  w.answer(ops, { passesBatons: true }).next;
const baton = (from: number, to: number): Op => ({
  op: "baton",
  from: ticketNumber(from),
  to: ticketNumber(to),
});
const pass = (w: World, from: number, to: number): OpReply => w.one(baton(from, to));

describe("whom a lobby may let in by itself", () => {
  test("[LENT-1] the head of the line, in order, if it asks", () => {
    const w = requests();
    expect(next(w, asks(5))).toEqual([3, 4, 5]);
    expect(w.answer([]).next).toBeUndefined();
    w.one({ op: "withdraw", number: ticketNumber(3) });
    expect(next(w)).toEqual([4, 5]);
  });

  test("[LENT-8] it is told whether somebody with a ticket may come back before them", () => {
    const w = requests();
    const isNobodyAway = () => w.answer([], { passesBatons: true }).nobodyAway;
    next(w, asks(5));
    expect(isNobodyAway()).toBe(true);
    w.one({ op: "withdraw", number: ticketNumber(4) });
    expect(isNobodyAway()).toBe(false);
  });

  test("[LENT-1] at most 128", () => {
    const w = requests();
    expect(next(w, asks(200))).toHaveLength(128);
  });

  test.each<[string, Partial<RoomLimits>]>([
    ["a limit per second", { startsPerSecondMax: 1_000 }],
    ["a minute that may become full", { startsPerMinuteMax: 385 }],
    ["a longest visit", { visitMaxMs: 60_000 }],
  ])("[LENT-1] nobody where there is %s", (_, limits) => {
    expect(next(requests(limits), asks(5))).toBeUndefined();
  });

  test.each<[string, Partial<RoomLimits>]>([
    ["is paused", { paused: true }],
    ["is closed", { closed: "Sold out." }],
    ["has more out than its limit", { permitsMax: 1 }],
  ])("[LENT-1] nobody while the room %s", (_, limits) => {
    const w = requests();
    w.batch(asks(5));
    w.configure(limits);
    expect(next(w)).toBeUndefined();
  });

  test("[LENT-1] the minute must have room for 384 more", () => {
    expect(next(requests({ startsPerMinuteMax: 386 }), asks(5))).toEqual([3, 4, 5]);
  });

  test("[LENT-1] nobody in a room of visits, though requests may wait there from before", () => {
    const w = requests();
    w.batch(asks(5));
    w.configure({ permit: "visit" });
    expect(w.state.attended.size).toBe(3);
    expect(next(w)).toBeUndefined();
  });

  test("[LENT-1] nobody where another lobby may bring somebody back", () => {
    const w = requests();
    const other = { lobby: lobbyIndex(1), instance: "b" };
    w.batch(asks(3));
    w.batch([ASK], other);
    expect(next(w)).toBeUndefined();
    w.batch([{ op: "leave", number: ticketNumber(4) }], other);
    expect(next(w)).toEqual([3]);
  });

  test("[LENT-1] nobody while the room settles", () => {
    const w = requests();
    w.batch(asks(4));
    w.crash();
    expect(next(w)).toBeUndefined();
    expect(w.report([3, 4], { passesBatons: true }).next).toBeUndefined();
  });

  test("[LENT-2] before new limits nobody is named, until what was named has passed", () => {
    const w = requests();
    expect(w.run({ type: "withhold" })).toBe(0);
    w.configure({});
    next(w, asks(4));
    w.now += 50;
    expect(w.run({ type: "withhold" })).toBe(NEXT_VALID_MS - 50);
    expect(next(w)).toBeUndefined();
    w.configure({ permitsMax: 2 });
    expect(next(w)).toEqual([3, 4]);
  });

  test("[LENT-2] a withholding whose limits never come ends by itself", () => {
    const w = requests();
    w.batch(asks(4));
    w.run({ type: "withhold" });
    w.now += 5_000;
    expect(next(w)).toEqual([3, 4]);
  });

  test("[LENT-2] a room that starts anew does not know what its last word was", () => {
    const w = requests();
    next(w, asks(4));
    w.crash();
    expect(w.run({ type: "withhold" })).toBe(NEXT_VALID_MS);
  });
});

describe("a baton that a lobby has passed", () => {
  test("[LENT-3] ends one visit and begins the other under its permit", () => {
    const w = requests();
    w.batch(asks(4));
    w.now += 1_000;
    const slots = () => [...w.state.permits.all()].map(({ slot, permit }) => [slot, permit.number]);
    const before = slots();
    expect(pass(w, 1, 3)).toMatchObject({
      kind: "visit",
      isNew: true,
      visit: { visit: 3, leaseUntil: w.now + 60_000 },
    });
    expect(slots()).toEqual(before.map(([slot, number]) => [slot, number === 1 ? 3 : number]));
    expect([w.standing(1), w.standing(3), w.standing(4)]).toEqual(["ended", "visiting", "waiting"]);
    expect([w.tally("entriesByBaton"), w.tally("finished"), w.visiting]).toEqual([1, 1, 2]);
    // The lobby knows: nobody has to be told.
    expect(w.told).toEqual([]);
    // It counts against the minute's number as any start does.
    expect(w.snapshot().startsLastMinute?.at(-1)).toBe(1);
  });

  test("[LENT-3] batons go on from one to the next within a batch", () => {
    const w = requests();
    w.batch(asks(5));
    w.batch([baton(1, 3), baton(3, 4), baton(2, 5)]);
    expect([1, 2, 3, 4, 5].map((number) => w.standing(number))).toEqual([
      ...["ended", "ended", "ended", "visiting", "visiting"],
    ]);
  });

  test("[LENT-3] its lease is the room's, and survives a crash", () => {
    const w = requests();
    w.batch(asks(3));
    pass(w, 1, 3);
    w.crash();
    expect(w.standing(3)).toBe("visiting");
    w.tick(59_999);
    expect(w.standing(3)).toBe("visiting");
    w.tick(1);
    expect(w.standing(3)).toBe("ended");
  });

  test("[LENT-3] of a visit that has passes, as the room was one of visits, edges hear", () => {
    const w = requests({ permit: "visit", permitsMax: 1 });
    w.join();
    w.visit(1);
    w.configure({ permit: "request" });
    w.batch(asks(1));
    expect(pass(w, 1, 2)).toMatchObject({ isNew: true, visit: { visit: 2 } });
    expect(w.snapshot().ended.map(({ visit }) => visit)).toEqual([1]);
  });

  test("[LENT-4] told twice, also after a crash, it changes nothing", () => {
    const w = requests();
    w.batch(asks(4));
    const batch = w.compose([baton(1, 3), baton(3, 4)]);
    w.run({ type: "batch", batch });
    w.crash();
    w.run({ type: "batch", batch });
    expect([w.standing(2), w.standing(4), w.visiting]).toEqual(["visiting", "visiting", 2]);
  });

  test("[LENT-5] where the permit was taken back meanwhile the one that got it has none", () => {
    const w = requests({ permitsMax: 1 });
    w.batch(asks(3));
    w.run({ type: "end", visit: ticketNumber(1), afterMs: 0 });
    w.run({ type: "end", visit: ticketNumber(2), afterMs: 0 });
    expect(w.standing(3)).toBe("visiting");
    w.batch(asks(1));
    expect(pass(w, 2, 4)).toEqual({ kind: "ended" });
    expect([w.standing(3), w.standing(4), w.visiting]).toEqual(["visiting", "ended", 1]);
  });

  test("[LENT-5] one that the room has let in as well keeps one permit, and the other goes on", () => {
    const w = requests();
    w.batch(asks(4));
    w.run({ type: "end", visit: ticketNumber(2), afterMs: 0 });
    expect(w.standing(3)).toBe("visiting");
    expect(pass(w, 1, 3)).toMatchObject({ kind: "visit", isNew: false });
    expect([w.standing(3), w.standing(4), w.visiting]).toEqual(["visiting", "visiting", 2]);
    expect([w.tally("finished"), w.tally("entriesByBaton")]).toEqual([2, 2]);
  });

  test("[LENT-5] one that has ended as well by then gives its permit to the next", () => {
    const w = requests();
    w.batch(asks(4));
    w.batch([baton(1, 3)]);
    w.end(3);
    expect(w.standing(4)).toBe("visiting");
    w.batch(asks(1));
    expect(pass(w, 2, 3)).toEqual({ kind: "ended" });
    expect([w.standing(2), w.standing(5)]).toEqual(["ended", "visiting"]);
    expect([w.tally("finished"), w.tally("entriesByBaton")]).toEqual([3, 3]);
  });

  test("[LENT-5] a call that a restart left open is given up for it", () => {
    const w = requests({ permitsMax: 1 });
    w.batch(asks(2));
    w.configure({ paused: true, permitsMax: 2 });
    w.crash();
    w.configure({ paused: false });
    w.report([2]);
    expect([w.standing(1), w.standing(2)]).toEqual(["visiting", "called"]);
    expect(pass(w, 1, 2)).toMatchObject({ isNew: true, visit: { visit: 2 } });
    expect([w.standing(2), w.called, w.visiting]).toEqual(["visiting", 0, 1]);
  });

  test("[LENT-5] or taken up, where the other permit is gone", () => {
    const w = requests({ permitsMax: 1 });
    w.batch(asks(2));
    w.configure({ paused: true });
    w.end(1);
    w.crash();
    w.configure({ paused: false });
    w.report([2]);
    expect(pass(w, 1, 2)).toMatchObject({ isNew: true, visit: { visit: 2 } });
    expect([w.standing(2), w.called, w.visiting]).toEqual(["visiting", 0, 1]);
  });

  test("[LENT-5] with more out than a lowered limit it keeps its permit, and the excess falls later", () => {
    const w = requests();
    w.batch(asks(4));
    w.configure({ permitsMax: 1 });
    pass(w, 1, 3);
    expect([w.visiting, w.standing(3)]).toEqual([2, "visiting"]);
    w.end(3);
    w.end(2);
    expect([w.visiting, w.standing(4)]).toEqual([1, "visiting"]);
  });
});
