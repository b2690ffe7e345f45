import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Generator } from "../../../src/core/draw/generator.ts";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { chiSquared, chiSquaredBounds } from "../../support/chi-squared.ts";
import { history } from "./histories.ts";
import { JOIN, World } from "./world.ts";

const RANDOM = { order: "random" } as const;

/** Whoever has the one permit goes, and who is called next goes in. */
const handOn = (w: World, visit: number): number => {
  w.end(visit);
  const [called] = w.justCalled;
  if (called === undefined) throw new Error("nobody was called");
  w.visit(called);
  return called;
};

const presentIn = (w: World): number[] => {
  const numbers: number[] = [];
  for (let k = 0; k < w.state.line.waiting; k += 1) numbers.push(Number(w.state.line.presentAt(k)));
  return numbers;
};

const expectChance = (counts: readonly number[], expected: number): void => {
  const [least, most] = chiSquaredBounds(counts.length - 1);
  expect(chiSquared(counts, expected)).toBeGreaterThan(least);
  expect(chiSquared(counts, expected)).toBeLessThan(most);
};

describe("[RANDOM-1] each call is a draw among those present", () => {
  test("by the place among twenty, in 4,000 batons: the newest as often as the oldest", () => {
    const w = new World({ ...RANDOM, permitsMax: 1 });
    w.crowd(21);
    let visit = Number(w.justCalled[0]);
    w.visit(visit);
    const counts = new Array<number>(20).fill(0);
    for (let turn = 0; turn < 4_000; turn += 1) {
      const present = presentIn(w);
      expect(present).toHaveLength(20);
      visit = handOn(w, visit);
      counts[present.indexOf(visit)]! += 1;
      w.now += 10;
      w.join();
    }
    expectChance(counts, 200);
  });

  test("three of four, called in one step: each order as often as any other", () => {
    const counts = new Map<string, number>();
    for (let room = 0; room < 1_200; room += 1) {
      const w = new World({ ...RANDOM, permitsMax: 3, paused: true });
      w.state.generator = Generator.fromSecret(`room ${room}`);
      w.crowd(4);
      w.configure({ paused: false });
      const order = w.justCalled.join(" ");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expectChance([...counts.values()], 50);
  });

  test("those away are not drawn, and those who come back are", () => {
    const w = new World({ ...RANDOM, permitsMax: 1 });
    w.crowd(3);
    const first = Number(w.justCalled[0]);
    w.visit(first);
    const [other, last] = presentIn(w);
    w.away(other!);
    expect(handOn(w, first)).toBe(last);
    w.back(other!, 1_000);
    expect(handOn(w, last!)).toBe(other);
  });

  test("a newcomer who finds a free permit and nobody present is called in the step of its join", () => {
    const w = new World({ ...RANDOM, permitsMax: 2 });
    expect(w.one(JOIN)).toMatchObject({ place: { number: 1, state: "called", ahead: 0 } });
    expect(w.one(JOIN)).toMatchObject({ place: { number: 2, state: "called" } });
    expect(w.one(JOIN)).toMatchObject({ place: { number: 3, state: "waiting", ahead: null } });
  });
});

describe("[RANDOM-2] the generator", () => {
  // Python: hmac.digest(b"seed", n.to_bytes(8, "big"), "sha256")[:6], modulo the limit.
  test("makes the values that everybody can work out", () => {
    const generator = new Generator({ seed: "seed", made: 0 });
    expect([10, 1_000, 2 ** 48].map((limit) => generator.below(limit))).toEqual([
      8, 716, 159946750665358,
    ]);
    expect(generator.toJSON()).toEqual({ seed: "seed", made: 3 });
  });

  test("passes over the values that would favour low numbers", () => {
    const limit = 2 ** 47 + 1;
    const generator = new Generator({ seed: "seed", made: 0 });
    for (let n = 0; n < 50; n += 1) expect(generator.below(limit)).toBeLessThan(limit);
    expect(generator.toJSON().made).toBeGreaterThan(70);
    expect(generator.toJSON().made).toBeLessThan(160);
  });

  test("goes on from its state, and a secret cannot be read in it", () => {
    const one = Generator.fromSecret("life");
    expect(one.toJSON().seed).not.toContain("life");
    for (let n = 0; n < 5; n += 1) one.below(100);
    const other = new Generator(one.toJSON());
    for (let n = 0; n < 5; n += 1) expect(other.below(97)).toBe(one.below(97));
    expect(() => one.below(0)).toThrow("something can be drawn");
  });
});

describe("[RANDOM-3] a restart", () => {
  const drawnAfter = (crashes: boolean): number[] => {
    const w = new World({ ...RANDOM, permitsMax: 1 });
    w.crowd(12);
    let visit = Number(w.justCalled[0]);
    w.visit(visit);
    return Array.from({ length: 8 }, () => {
      if (crashes) {
        const present = presentIn(w);
        w.crash();
        w.report(present);
      }
      visit = handOn(w, visit);
      return visit;
    });
  };

  test("changes no draw", () => {
    expect(drawnAfter(true)).toEqual(drawnAfter(false));
  });

  test("a draw writes no row beside those of its call", () => {
    const [drawing, fifo] = [{ ...RANDOM }, {}].map((order) => {
      const w = new World({ ...order, permitsMax: 1 });
      w.crowd(3);
      const visit = Number(w.justCalled[0]);
      w.visit(visit);
      w.end(visit);
      return (w.last?.changes ?? []).map((change) => Object.values(change)[0]);
    });
    expect(drawing).toEqual(fifo);
  });

  test("a room that has drawn nobody keeps no generator", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    expect(w.store.load().head).not.toHaveProperty("generator");
  });
});

describe("[RANDOM-4] while a room settles", () => {
  const restarted = () => {
    const w = new World({ ...RANDOM, permitsMax: 2 });
    for (let n = 0; n < 6; n += 1) w.join({ lobby: lobbyIndex(n % 2) });
    for (const number of [...w.state.permits.all()].map(({ permit }) => permit.number))
      w.visit(number);
    const present = presentIn(w);
    const visits = [...w.state.permits.all()].map(({ permit }) => Number(permit.number));
    w.crash();
    return { w, present, visits };
  };
  const lobbyOf = (number: number) => lobbyIndex((number - 1) % 2);

  test("nobody is drawn before the others have reported", () => {
    const { w, present, visits } = restarted();
    w.run({ type: "end", visit: ticketNumber(visits[0]!), afterMs: 0 });
    const [first] = present;
    const mine = present.filter((number) => lobbyOf(number) === lobbyOf(first!));
    const others = present.filter((number) => !mine.includes(number));
    expect(others.length).toBeGreaterThan(0);
    w.report(mine, { lobby: lobbyOf(first!) });
    expect(w.justCalled).toEqual([]);
    w.report(others, { lobby: lobbyOf(others[0]!) });
    expect(w.justCalled).toHaveLength(1);
  });

  test("or its time is over", () => {
    const { w, present, visits } = restarted();
    w.run({ type: "end", visit: ticketNumber(visits[0]!), afterMs: 0 });
    const lobby = lobbyOf(present[0]!);
    w.report([present[0]!], { lobby });
    w.tick(3_999);
    expect(w.justCalled).toEqual([]);
    w.tick(1);
    expect(w.justCalled).toEqual([present[0]]);
  });

  test("with a permit for each, those who are there are called", () => {
    const { w, present } = restarted();
    w.configure({ permitsMax: 6 });
    w.back(present[0]!, 1_000);
    expect(w.justCalled).toEqual([present[0]]);
  });
});

test("[RANDOM-5] a place tells among how many, and that nobody knows how long", () => {
  const w = new World({ ...RANDOM, permitsMax: 1 });
  w.crowd(5);
  const [one, two] = presentIn(w);
  expect(w.place(one!)).toEqual({
    number: one,
    state: "waiting",
    ahead: null,
    among: 4,
    claimBy: null,
  });
  w.away(two!);
  expect(w.place(two!)).toMatchObject({ state: "away", ahead: null, among: 3 });
  expect(w.snapshot().newcomer).toEqual({ known: false, reason: "random" });
  w.tick(1_000);
  expect(w.last?.positionsTable).toMatchObject({ nearUntil: 0, among: 3 });
});

test("[RANDOM-6] a change of the order holds from the next step on", () => {
  const w = new World({ permitsMax: 1 });
  w.crowd(200);
  w.visit(1);
  w.configure({ ...RANDOM });
  const drawn = [1, 2, 3].map(() => handOn(w, Number(visitIn(w))));
  expect(drawn).not.toEqual([2, 3, 4]);
  w.configure({ order: "fifo" });
  const [lowest] = presentIn(w);
  expect(handOn(w, Number(visitIn(w)))).toBe(lowest);
  expect(w.place(lowest! + 150)).not.toHaveProperty("among");
});

const visitIn = (w: World) => [...w.state.permits.all()][0]?.permit.number;

test("[RANDOM-7] whatever happens: only those present are called, within P, and no permit lies idle", () => {
  fc.assert(
    fc.property(history, ({ limits, actions }) => {
      const w = new World({ ...limits, ...RANDOM, startsPerMinuteMax: 100_000 });
      const numberOf = (k: number) => 1 + (k % Math.max(1, w.state.line.issued));
      for (const action of actions) {
        const outBefore = w.state.permits.out;
        const mayBePresent = new Set(presentIn(w));
        const issuedBefore = w.state.line.issued;
        const back = new Set<number>();
        if (action.do === "pass" || action.do === "jump") w.now += Math.max(0, action.ms);
        else if (action.do === "crash") w.crash();
        else if (action.do === "configure")
          w.configure({ ...action.limits, ...RANDOM, startsPerMinuteMax: 100_000 });
        else if (action.do === "batch") {
          for (const { op, ...more } of action.ops) {
            const number = "who" in more ? numberOf(more.who.k) : 0;
            if (op === "join") w.one(JOIN);
            else if (op === "claim") void (back.add(number), w.claim(number));
            else if (op === "rejoin") void (back.add(number), w.back(number, 0));
            else if (op === "end") w.end(number);
            else if (op === "leave") w.leave(number);
          }
        } else w.tick();
        const { permits, line, limits: now } = w.state;
        expect(permits.out).toBeLessThanOrEqual(Math.max(outBefore, permits.max));
        for (const { permit } of permits.all())
          if (permit.state === "called") expect(line.standingOf(permit.number)).toBe("called");
        for (const number of w.told)
          expect(
            mayBePresent.has(number) ||
              back.has(number) ||
              number > issuedBefore ||
              permits.of(ticketNumber(number)) !== null,
          ).toBe(true);
        const isFree =
          !now.paused && !now.suspended && now.closed === null && line.unconfirmed === 0;
        if (
          isFree &&
          now.startsPerSecondMax === null &&
          action.do === "batch" &&
          permits.out < permits.max
        )
          expect(line.waiting === 0 || w.state.calls.room(w.last!.now) === 0).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});
