import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber, type VisitorId } from "../../../src/core/ids.ts";
import type { OpReply } from "../../../src/core/room/commands.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const ANN = "a".repeat(22) as VisitorId;
const BEN = "b".repeat(22) as VisitorId;
const ELSEWHERE = { lobby: lobbyIndex(3) };

const enter = (w: World, visitor: VisitorId, number: number | null = null): OpReply =>
  w.one({
    op: "enter",
    transient: false,
    visitor,
    number: number === null ? null : ticketNumber(number),
  });
const join = (w: World, visitor: VisitorId, more = {}): OpReply =>
  w.one({ op: "join", address: null, visitor }, more);
const claim = (w: World, number: number, visitor: VisitorId): OpReply =>
  w.one({ op: "claim", number: ticketNumber(number), visitor });

describe("a visitor has one visit", () => {
  test("[VISIT-6] who enters at many places at once gets one visit", () => {
    const w = new World({ permitsMax: 40 });
    const replies = w.batch(
      Array.from({ length: 48 }, () => ({ op: "enter", transient: false, visitor: ANN }) as const),
    );
    expect(
      new Set(replies.map((reply) => (reply.kind === "visit" ? reply.visit.visit : 0))),
    ).toEqual(new Set([1]));
    expect([w.visiting, w.tally("entriesByDoor"), w.state.line.issued]).toEqual([1, 1, 1]);
    expect(enter(w, BEN)).toMatchObject({ isNew: true, visit: { visit: 2 } });
  });

  test.each([
    ["is full", {}],
    ["is paused", { paused: true }],
    ["is closed", { closed: "sold out" }],
    ["is suspended", { suspended: true }],
  ])(
    "[VISIT-6] who comes back when the room %s is told of the visit, at any lobby",
    (_, limits) => {
      const w = new World({ permitsMax: 1 });
      enter(w, ANN);
      w.configure(limits);
      expect(join(w, ANN, ELSEWHERE)).toMatchObject({ place: { number: 1, state: "visiting" } });
      expect(enter(w, ANN)).toMatchObject({ isNew: false, visit: { visit: 1 } });
      expect(w.state.line.issued).toBe(1);
    },
  );

  test("[VISIT-6] coming back is a sign of life: the lease begins anew", () => {
    const w = new World({ permitsMax: 2, leaseMs: 60_000 });
    enter(w, ANN);
    w.now += 59_999;
    expect(enter(w, ANN)).toMatchObject({
      visit: { leaseUntil: w.now + 60_000, provisional: false },
    });
    w.now += 60_000;
    expect(enter(w, ANN)).toMatchObject({ isNew: true, visit: { visit: 2 } });
  });

  test("[VISIT-6] once the visit has ended its visitor takes a new place", () => {
    const w = new World({ permitsMax: 1 });
    enter(w, ANN);
    w.end(1);
    expect(join(w, ANN)).toMatchObject({ place: { number: 2, state: "called" } });
    expect(claim(w, 2, ANN)).toMatchObject({ isNew: true, visit: { visit: 2 } });
    w.run({ type: "revoke-all" });
    expect(join(w, ANN)).toMatchObject({ place: { number: 3 } });
  });

  test("[VISIT-6] a second ticket of its visitor leads to the visit, and its call goes on", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(3);
    expect(claim(w, 1, ANN)).toMatchObject({ isNew: true, visit: { visit: 1 } });
    expect(claim(w, 2, ANN)).toMatchObject({ isNew: false, visit: { visit: 1 } });
    expect(w.justCalled).toEqual([3]);
    expect([w.standing(2), w.visiting, w.called]).toEqual(["ended", 1, 1]);
  });

  test("[VISIT-6] a second ticket that waits is given up, and does not come back", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    claim(w, 1, ANN);
    expect(claim(w, 2, ANN)).toMatchObject({ isNew: false, visit: { visit: 1 } });
    expect(w.back(2, 0)).toEqual({ kind: "ended" });
  });

  test("[VISIT-6] whose a visit is outlives a crash, in its permit's row and no other", () => {
    const w = new World({ permitsMax: 1 });
    enter(w, ANN);
    expect(w.written("permit").map(({ permit }) => permit)).toMatchObject([{ visitor: ANN }]);
    join(w, BEN);
    expect(w.written("permit")).toEqual([]);
    w.crash();
    expect(join(w, ANN)).toMatchObject({ place: { number: 1, state: "visiting" } });
    expect(claim(w, 1, ANN)).toMatchObject({ isNew: false, visit: { visit: 1 } });
  });

  test("[VISIT-6] a repeated batch gives the same visit", () => {
    const w = new World({ permitsMax: 4 });
    const batch = w.compose([{ op: "enter", transient: false, visitor: ANN }]);
    const { replies } = w.run({ type: "batch", batch });
    w.crash();
    expect(w.run({ type: "batch", batch }).replies).toEqual(replies);
    expect(w.visiting).toBe(1);
  });
});

describe("the door, and what its visitor held before", () => {
  test("[VISIT-7] a number that is called is claimed, and its permit used", () => {
    const w = new World({ permitsMax: 4 });
    join(w, ANN);
    expect(enter(w, ANN, 1)).toMatchObject({ isNew: true, visit: { visit: 1 } });
    expect([w.visiting, w.called, w.state.line.issued]).toEqual([1, 0, 1]);
  });

  test("[VISIT-7] one that is away is given up", () => {
    const w = new World({ permitsMax: 2, claimWithinMs: 5_000 });
    w.crowd(1);
    w.tick(5_000);
    expect(w.standing(1)).toBe("away");
    expect(enter(w, ANN, 1)).toMatchObject({ isNew: true, visit: { visit: 2 } });
    expect(w.back(1, 0)).toEqual({ kind: "ended" });
  });

  test("[VISIT-7] one that waits keeps its place: nobody passes the line by the door", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.visit(1);
    expect(enter(w, ANN, 2)).toEqual({ kind: "queue" });
    expect(w.standing(2)).toBe("waiting");
  });

  test("[VISIT-8] what is let in for one answer only is nobody's visit", () => {
    const w = new World({ permitsMax: 3 });
    w.entered(true);
    w.entered(true);
    expect(w.visiting).toBe(2);
    expect(w.written("permit").map(({ permit }) => permit)).not.toContainEqual(
      expect.objectContaining({ visitor: expect.anything() }),
    );
  });
});

describe("the open door counts addresses", () => {
  const from = (w: World, address: string, transient = false): OpReply =>
    w.one({ op: "enter", transient, address });

  test("[ISSUE-9] entries and joins of an address are one count", () => {
    const w = new World({ permitsMax: 40, joinsPerAddressPerMinuteMax: 3 });
    expect(from(w, "x")).toMatchObject({ kind: "visit" });
    w.one({ op: "join", address: "x" });
    expect(from(w, "x")).toMatchObject({ kind: "visit" });
    const refused = { kind: "refused", refusal: "too-many-joins", retryAfterMs: 60_000 };
    expect(from(w, "x")).toEqual(refused);
    expect(w.one({ op: "join", address: "x" })).toEqual(refused);
    expect(from(w, "y")).toMatchObject({ kind: "visit" });
    expect([w.state.permits.out, w.tally("refused")]).toEqual([4, 2]);
    w.now += 60_000;
    expect(from(w, "x")).toMatchObject({ kind: "visit" });
  });

  test("[ISSUE-9] entries for one answer are counted apart, by the same limit", () => {
    const w = new World({ permitsMax: 40, joinsPerAddressPerMinuteMax: 2 });
    const kinds = Array.from({ length: 4 }, () => from(w, "x", true).kind);
    expect(kinds).toEqual(["visit", "visit", "refused", "refused"]);
    expect(from(w, "x")).toMatchObject({ kind: "visit" });
  });

  test("[ISSUE-9] whoever queues is not counted at the door", () => {
    const w = new World({ permitsMax: 1, joinsPerAddressPerMinuteMax: 1 });
    w.entered(true);
    expect(from(w, "x")).toEqual({ kind: "queue" });
    expect(w.one({ op: "join", address: "x" })).toMatchObject({ kind: "place" });
  });

  test("[ISSUE-9] a visitor who is inside, or called, is not locked out by its address", () => {
    const w = new World({ permitsMax: 9, joinsPerAddressPerMinuteMax: 1 });
    w.one({ op: "enter", transient: false, visitor: ANN, address: "x" });
    expect(from(w, "x")).toMatchObject({ kind: "refused" });
    const again = { op: "enter", transient: false, visitor: ANN, address: "x" } as const;
    expect(w.one(again)).toMatchObject({ isNew: false });
    expect(w.one({ op: "join", visitor: ANN, address: "x" })).toMatchObject({
      place: { state: "visiting" },
    });
    const called = w.join();
    const turn = { op: "enter", transient: false, visitor: BEN, number: called } as const;
    expect(w.one({ ...turn, address: "x" })).toMatchObject({
      isNew: true,
      visit: { visit: called },
    });
  });
});

describe("a claim that comes after the return window", () => {
  const late = (w: World, ms: number, exact: boolean): OpReply => {
    const heardAt = instant(w.now - ms);
    return w.one({ op: "claim", number: ticketNumber(2), heardAt, exact });
  };
  const twoAway = () => {
    const w = new World({ permitsMax: 1, returnWindowMs: 60_000 });
    w.crowd(3);
    w.visit(1);
    w.away(2);
    return w;
  };

  test.each([
    [59_999, true, "not-yet"],
    [60_000, true, "ended"],
    [74_999, false, "not-yet"],
    [75_000, false, "ended"],
  ])("[RETURN-8] %i ms after it was heard, exact: %s: %s", (ms, exact, kind) => {
    const w = twoAway();
    expect(late(w, ms, exact).kind).toBe(kind);
    expect(w.standing(2)).toBe(kind === "ended" ? "ended" : "waiting");
  });

  test("[RETURN-8] a number that is called is claimed however old its ticket is", () => {
    const w = twoAway();
    w.present(2);
    w.end(1);
    expect(late(w, 9_000_000, false)).toMatchObject({ kind: "visit" });
  });
});
