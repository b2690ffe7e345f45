import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visitorResource } from "../../../src/api/rooms/visitor.ts";
import { ticketNumber, type VisitorId } from "../../../src/core/ids.ts";
import { referenceOf } from "../../../src/core/reference.ts";
import { numberUnder, type DeskAct, type DeskReply } from "../../../src/core/room/desk.ts";
import {
  Happenings,
  ROW_ENTRIES_MAX,
  TAIL_MAX,
  type HappenedTail,
} from "../../../src/core/room/happenings.ts";
import { MemoryRoomStore } from "../../../src/core/room/memory-store.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const MINUTE = 60_000;
const desk = (w: World, number: number, act: DeskAct = { act: "look" }): DeskReply =>
  w.run({ type: "desk", number: ticketNumber(number), act });
const found = (w: World, number: number, act?: DeskAct) => {
  const reply = desk(w, number, act);
  if (reply.kind !== "found") throw new Error(`nobody but ${reply.kind}`);
  return reply;
};
const says = (w: World, number: number) =>
  visitorResource("shop", found(w, number).visitor, instant(w.now)).says;
const more = (minutes: number): DeskAct => ({ act: "more-time", ms: minutes * MINUTE });
const AGAIN: DeskAct = { act: "call-again" };
const END: DeskAct = { act: "end" };

describe("where a visitor stands", () => {
  test("[DESK-1] waiting, away, called, visiting, ended, and never issued", () => {
    const w = new World({ permitsMax: 2, leaseMs: 5 * MINUTE });
    w.crowd(5);
    w.visit(1);
    w.away(5);
    w.leave(4);
    const states = [1, 2, 3, 4, 5].map((number) => found(w, number).visitor.state);
    expect(states).toEqual(["visiting", "called", "waiting", "ended", "away"]);
    expect(desk(w, 6)).toEqual({ kind: "never-issued" });
    expect(found(w, 3).visitor).toMatchObject({ ahead: 0, claimBy: null, joinedAt: w.now });
    expect(found(w, 2).visitor).toMatchObject({ claimBy: w.now + 60_000 });
    expect(found(w, 1).visitor.visit).toMatchObject({ leaseUntil: w.now + 5 * MINUTE });
  });

  test("[DESK-1] to look changes nothing, and writes nothing", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3);
    for (const number of [1, 2, 3, 9]) {
      desk(w, number);
      expect(w.last?.changes).toEqual([]);
    }
  });

  test("[DESK-2] it says so in words to read out", () => {
    const w = new World({ permitsMax: 2, leaseMs: 5 * MINUTE, claimWithinMs: 2 * MINUTE });
    w.crowd(5);
    w.visit(1);
    w.away(5);
    w.leave(4);
    expect(says(w, 1)).toMatch(
      /^Number 1 is on the site since .* UTC\. Without activity its visit ends within 5 minutes/,
    );
    expect(says(w, 2)).toMatch(
      /^It is the turn of number 2: it may enter within 2 minutes, until .* UTC\.$/,
    );
    expect(says(w, 3)).toMatch(/^Number 3 waits at the head of the line\./);
    expect(says(w, 4)).toMatch(/^Number 4 is over: its visitor gave the place up at .* UTC\./);
    expect(says(w, 5)).toMatch(
      /^Number 5 keeps its place, 1 before it, but its page has not been heard from\./,
    );
    w.end(1);
    expect(says(w, 1)).toMatch(/finished, by its visitor or by the site at/);
  });

  test("[DESK-3] what happened to it is told in order, for as long as the Room remembers", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: MINUTE });
    const begun = w.now;
    w.crowd(1);
    w.tick(MINUTE);
    w.back(1, 0);
    w.visit(1);
    w.end(1);
    expect(found(w, 1).visitor.happenings.map(({ what, at }) => [what, at - begun])).toEqual([
      ["joined", 0],
      ["called", 0],
      ["missed", MINUTE],
      ["called", MINUTE],
      ["entered", MINUTE],
      ["visit-finished", MINUTE],
    ]);
    const before = found(w, 1).visitor.happenings;
    w.now += MINUTE;
    w.crash();
    expect(found(w, 1).visitor).toMatchObject({ happenings: before, rememberedSince: begun });
    expect(says(w, 1)).toMatch(/^Number 1 is over: its visit was finished/);
  });

  test("[DESK-3] what the head has no room for is a row, and outlives a crash as well", () => {
    const w = new World({ permitsMax: 1 });
    const begun = w.now;
    w.crowd(TAIL_MAX - 2);
    expect(w.store.happened(ticketNumber(1), 9)).toEqual({ rows: [], oldest: null });
    w.crowd(1);
    const kept = w.store.happened(ticketNumber(1), 9);
    expect(kept.rows).toMatchObject([{ id: 1, from: begun, lowest: 1, highest: TAIL_MAX - 1 }]);
    w.crash();
    w.visit(1);
    w.end(1);
    w.crash();
    const reply = w.run({
      type: "desk",
      number: ticketNumber(1),
      act: { act: "look" },
      kept: w.store.happened(ticketNumber(1), 9),
    });
    if (reply.kind !== "found") throw new Error(reply.kind);
    expect(reply.visitor.happenings.map(({ what, at }) => [what, at - begun])).toEqual([
      ["joined", 0],
      ["called", 0],
      ["entered", 0],
      ["visit-finished", 0],
    ]);
    expect(reply.visitor).toMatchObject({ rememberedSince: begun, joinedAt: begun });
  });

  test("[DESK-3] 1,000 whole lives cost less than 0.05 rows each; a repeated batch adds none", () => {
    const w = new World({ permitsMax: 1_000, startsPerMinuteMax: 100_000 });
    let rows = 0;
    const count = () => {
      rows +=
        w.last?.changes.filter((change) => "put" in change && change.put === "happened").length ??
        0;
    };
    for (let number = 1; number <= 1_000; number += 1) {
      w.join();
      count();
      w.visit(number);
      count();
      w.end(number);
      count();
    }
    expect(rows).toBeGreaterThan(10);
    expect(rows).toBeLessThan(50);
    const batch = w.compose([{ op: "join", address: null } as never]);
    w.run({ type: "batch", batch });
    const once = JSON.stringify(w.state.happenings);
    w.run({ type: "batch", batch });
    expect(JSON.stringify(w.state.happenings)).toBe(once);
    w.now += 46 * 24 * 60 * MINUTE;
    w.tick(0);
    expect(w.store.happened(ticketNumber(1), 9)).toEqual({ rows: [], oldest: null });
  });

  test("[DESK-3] any happenings are read back as they were noted, through any restarts", () => {
    const noted = fc.record({
      number: fc.integer({ min: 1, max: 40 }),
      what: fc.constantFrom("joined", "called", "missed", "visit-finished", "removed"),
      laterMs: fc.nat(100_000),
      isSaved: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(noted, { maxLength: 900 }), (all) => {
        const store = new MemoryRoomStore();
        let kept = new Happenings(null, instant(5));
        let now = instant(1_800_000_000_000);
        const expected: { number: number; what: string; at: number }[] = [];
        for (const { number, what, laterMs, isSaved } of all) {
          now = instant(now + laterMs);
          kept.note(ticketNumber(number), what, now);
          expected.push({ number, what, at: now });
          if (!isSaved) continue;
          store.write(kept.drainRows().map((row) => ({ put: "happened", row })));
          kept = new Happenings(JSON.parse(JSON.stringify(kept)) as HappenedTail, now);
        }
        for (let number = 1; number <= 40; number += 1) {
          const rows = store.happened(ticketNumber(number), 5_000);
          const told = kept.of(ticketNumber(number), rows, instant(0));
          const own = expected.filter((one) => one.number === number);
          expect(told).toEqual(own.map(({ what, at }) => ({ what, at })));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("[DESK-3] a step of many writes few rows, and dropped rows are told of", () => {
    const kept = new Happenings(null, instant(5));
    for (let at = 1; at <= 2 * ROW_ENTRIES_MAX + 1; at += 1)
      kept.note(ticketNumber(at), "joined", instant(10 + at));
    expect(kept.of(ticketNumber(1), null, instant(0))).toHaveLength(1);
    expect(kept.drainRows().map(({ id, from }) => [id, from])).toEqual([
      [1, 11],
      [2, 11 + ROW_ENTRIES_MAX],
    ]);
    expect(kept.drainRows()).toEqual([]);
    const since = (id: number) =>
      kept.since({ rows: [], oldest: { id, from: instant(900) } }, instant(0));
    expect([since(1), since(2)]).toEqual([5, 900]);
    expect(kept.since(null, instant(1_000))).toBe(1_000);
  });
});

describe("by its reference", () => {
  const visitor = Buffer.alloc(16, 7).toString("base64url") as VisitorId;
  const reference = referenceOf(visitor);

  test("[DESK-4] the Room knows the visit that runs, and otherwise the latest that ended", () => {
    const w = new World({ permitsMax: 1 });
    const under = () => numberUnder(w.state, reference);
    w.crowd(3);
    expect(under()).toEqual({ visiting: null, ended: null });
    w.one({ op: "claim", number: ticketNumber(1), visitor });
    expect(under()).toEqual({ visiting: 1, ended: null });
    w.end(1);
    expect(under()).toEqual({ visiting: null, ended: 1 });
    w.one({ op: "claim", number: ticketNumber(2), visitor });
    w.end(2);
    expect(under()).toEqual({ visiting: null, ended: 2 });
    const other = Buffer.alloc(16, 8).toString("base64url") as VisitorId;
    expect(numberUnder(w.state, referenceOf(other))).toEqual({ visiting: null, ended: null });
  });
});

describe("more time", () => {
  test("[DESK-5] a visit's lease and its last moment move, and no renewal takes it back", () => {
    const w = new World({ permitsMax: 1, leaseMs: 5 * MINUTE, visitMaxMs: 7 * MINUTE });
    w.crowd(1);
    w.visit(1);
    const begun = w.now;
    expect(found(w, 1, more(10)).visitor).toMatchObject({
      givenMs: 10 * MINUTE,
      visit: { leaseUntil: begun + 15 * MINUTE, endsAt: begun + 17 * MINUTE },
    });
    w.tick(2 * MINUTE);
    expect(w.renew(1)).toMatchObject({ visit: { leaseUntil: begun + 15 * MINUTE } });
    w.tick(11 * MINUTE);
    expect(w.renew(1)).toMatchObject({ visit: { leaseUntil: begun + 18 * MINUTE } });
    w.tick(4 * MINUTE - 1);
    expect(w.visiting).toBe(1);
    w.tick(1);
    expect(w.visiting).toBe(0);
  });

  test("[DESK-5] it outlives a crash", () => {
    const w = new World({ permitsMax: 1, leaseMs: 5 * MINUTE });
    w.crowd(1);
    w.visit(1);
    const until = w.now + 65 * MINUTE;
    desk(w, 1, more(60));
    w.crash();
    expect(found(w, 1).visitor).toMatchObject({
      givenMs: 60 * MINUTE,
      visit: { leaseUntil: until },
    });
    expect(w.renew(1)).toMatchObject({ visit: { leaseUntil: until } });
  });

  test("[DESK-5] a called number has longer to come, and its lobby is told", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: MINUTE });
    w.crowd(2);
    const claimBy = w.now + 6 * MINUTE;
    expect(found(w, 1, more(5)).visitor).toMatchObject({ claimBy });
    expect([...(w.last?.calls.values() ?? [])].flat()).toEqual([{ number: 1, claimBy }]);
    w.tick(6 * MINUTE - 1);
    expect(w.standing(1)).toBe("called");
    w.tick(1);
    expect([w.standing(1), w.standing(2)]).toEqual(["away", "called"]);
  });

  test("[DESK-5] all together it is 600 minutes at most, and nothing more is written", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(1);
    w.visit(1);
    for (let time = 0; time < 10; time += 1) expect(found(w, 1, more(60)).refused).toBeNull();
    expect(found(w, 1, more(1)).refused).toBe("enough");
    expect(w.last?.changes).toEqual([]);
  });

  test("[DESK-5] who waits, or is over, or leaves already, gets none", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(4);
    w.leave(4);
    w.visit(1);
    w.end(1, 30_000);
    expect([1, 3, 4].map((number) => found(w, number, more(5)).refused)).toEqual([
      "leaving",
      "no-time",
      "ended",
    ]);
  });
});

describe("called again", () => {
  test("[DESK-6] a missed number stands where it stands, and is called next, never above P", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: MINUTE });
    w.crowd(4);
    w.tick(MINUTE);
    expect([w.standing(1), w.standing(2)]).toEqual(["away", "called"]);
    expect(found(w, 1, AGAIN)).toMatchObject({
      refused: null,
      isChanged: true,
      visitor: { state: "waiting", ahead: 0, misses: 0 },
    });
    expect(w.state.permits.out).toBe(1);
    w.visit(2);
    w.end(2);
    expect([w.standing(1), w.standing(3)]).toEqual(["called", "waiting"]);
  });

  test("[DESK-6] with a free permit it is called in the same step", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: MINUTE });
    w.crowd(1);
    w.tick(MINUTE);
    expect(w.standing(1)).toBe("away");
    expect(found(w, 1, AGAIN).visitor.state).toBe("called");
  });

  test("[DESK-6] its misses begin anew: the third after it spends the number", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: MINUTE });
    w.crowd(1);
    w.tick(MINUTE);
    w.back(1, 0);
    w.tick(MINUTE);
    expect(found(w, 1).visitor.misses).toBe(2);
    desk(w, 1, AGAIN);
    w.crash();
    w.report([1]);
    expect(found(w, 1).visitor.misses).toBe(0);
    w.tick(MINUTE);
    expect(w.standing(1)).toBe("away");
  });

  test("[DESK-6] a call that is out is told once more; twice the same changes nothing", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    expect(found(w, 1, AGAIN)).toMatchObject({ refused: null, isChanged: false });
    expect(w.told).toEqual([1]);
    expect(found(w, 2, AGAIN)).toMatchObject({ refused: null, isChanged: false });
    expect(w.last?.changes).toEqual([]);
  });

  test("[DESK-6] who is inside needs no call, and a spent number never comes back", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.visit(1);
    w.leave(2);
    expect([1, 2].map((number) => found(w, number, AGAIN).refused)).toEqual(["visiting", "ended"]);
    expect(w.standing(2)).toBe("ended");
  });

  test("[DESK-6] in a room of requests a number is present only while its request waits", () => {
    const w = new World({ permit: "request", permitsMax: 1 });
    w.join();
    expect(found(w, 1, AGAIN)).toMatchObject({ isChanged: false, visitor: { state: "away" } });
    expect(w.called).toBe(0);
  });
});

describe("ended", () => {
  test("[DESK-7] a visit ends, once, and its permit goes to the head of the line", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.visit(1);
    expect(found(w, 1, END)).toMatchObject({ isChanged: true, visitor: { state: "ended" } });
    expect(w.standing(2)).toBe("called");
    expect(w.state.history.current).toMatchObject({ revoked: 1, finished: 0 });
    expect(says(w, 1)).toMatch(/an operator ended its visit at/);
    expect(found(w, 1, END).isChanged).toBe(false);
    expect(w.state.history.current).toMatchObject({ revoked: 1 });
    expect(w.snapshot().ended.map(({ visit }) => visit)).toEqual([1]);
  });

  test("[DESK-7] a number that waits, is away or called is spent; its call is not missed", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(4);
    w.away(3);
    for (const number of [1, 3, 4]) expect(found(w, number, END).isChanged).toBe(true);
    expect([1, 2, 3, 4].map((number) => w.standing(number))).toEqual([
      "ended",
      "called",
      "ended",
      "ended",
    ]);
    expect(w.state.history.current).toMatchObject({ removed: 3, missed: 0, joined: 4 });
    expect(w.back(3, 0)).toEqual({ kind: "ended" });
    w.crash();
    expect(w.standing(4)).toBe("ended");
  });
});
