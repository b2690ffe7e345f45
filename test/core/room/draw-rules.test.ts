import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { QUICKNET, roundAt, roundForStart } from "../../../src/core/draw/drand-chain.ts";
import { DrawnOrder } from "../../../src/core/draw/drawn-order.ts";
import type { PublicValue } from "../../../src/core/draw/record.ts";
import { commitmentOf } from "../../../src/core/draw/seed.ts";
import type { EventDraw, RoomEvent } from "../../../src/core/events/event.ts";
import { plannedEventsOf } from "../../../src/core/events/planned.ts";
import { bytesOfHex } from "../../../src/core/hex.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import { drawsOf } from "../../../src/core/room/draws.ts";
import { roomStatusOf } from "../../../src/core/room/view.ts";
import { instant } from "../../../src/core/time.ts";
import { roomEvent } from "../../support/events.ts";
import { World } from "./world.ts";

const MINUTE = 60_000;
const T0 = new World().now;
const PREQUEUE = T0 + 10 * MINUTE;
const START = T0 + 20 * MINUTE;
const SECRET = "5e".repeat(32);
const ROUND = roundForStart(QUICKNET, instant(START));
const DUE = roundAt(QUICKNET, ROUND);

const drand: EventDraw = {
  secret: SECRET,
  commitment: commitmentOf(bytesOfHex(SECRET)!),
  announcedAt: instant(T0),
  promised: { from: "drand", chain: QUICKNET, round: ROUND },
};
const witnesses: EventDraw = { ...drand, promised: { from: "witnesses" } };
const value: PublicValue = {
  from: "drand",
  round: ROUND,
  signature: "c0ffee",
  previousSignature: null,
};

type More = Parameters<typeof roomEvent>[1];
const sale = (draw: EventDraw, more: More = {}): RoomEvent =>
  roomEvent(START, { prequeueAt: instant(PREQUEUE), shuffle: true, draw, ...more });
const planned = (...list: readonly RoomEvent[]) =>
  plannedEventsOf({ events: { changedAt: instant(1), list } });

const EVENT = sale(drand);
const goTo = (w: World, at: number): void => w.tick(at - w.now);

/** The start has just been: `before` joined before the prequeue, `drawn` in it. */
const atStart = (draw: EventDraw, before = 2, drawn = 30): World => {
  const w = new World({ permitsMax: 1, paused: true });
  w.configure({}, planned(sale(draw)));
  w.crowd(before);
  goTo(w, PREQUEUE);
  w.configure({ paused: false });
  w.crowd(drawn);
  goTo(w, START);
  return w;
};
const draw = (w: World, what: PublicValue = value) =>
  w.run({ type: "draw", event: EVENT.id, value: what });
const record = (w: World) =>
  drawsOf(w.state).find(({ record: { event } }) => event === EVENT.id)?.record ?? null;
/** The numbers of the record's draw, the first rank first. */
const ranked = (w: World): number[] => {
  const { closed, drawn } = record(w)!;
  const order = new DrawnOrder(bytesOfHex(drawn!.seed)!, closed!);
  return Array.from({ length: order.size }, (_, at) => Number(order.numberAt(at + 1)));
};
/** Whom the room calls, one after another, when each leaves at once. */
const calledInTurn = (w: World, most: number): number[] => {
  const called: number[] = [];
  while (called.length < most) {
    const [number] = [...w.state.permits.all()].map(({ permit }) => Number(permit.number));
    if (number === undefined) break;
    called.push(number);
    w.leave(number);
    w.tick(1_000);
  }
  return called;
};

describe("the start of an event that shuffles", () => {
  test("[DRAW-18] closes the numbers of its prequeue, and writes them down at once", () => {
    const w = atStart(drand);
    expect(w.called).toBe(0);
    expect(record(w)).toEqual({
      event: EVENT.id,
      announced: {
        at: T0,
        startsAt: START,
        commitment: drand.commitment,
        publicValue: drand.promised,
      },
      closed: { at: START, first: 3, last: 32 },
      drawn: null,
    });
    expect(JSON.stringify(record(w))).not.toContain(SECRET);
    expect(w.store.load().draws).toMatchObject([{ secret: SECRET, record: record(w) }]);
    w.crowd(5);
    expect(record(w)?.closed).toMatchObject({ first: 3, last: 32 });
  });

  test("[DRAW-18] of a prequeue that nobody joined draws nothing", () => {
    const w = atStart(drand, 2, 0);
    expect([record(w)?.closed, w.snapshot().event?.phase]).toEqual([null, "running"]);
    expect(draw(w)).toBe("not-drawing");
    expect(w.state.line.order.isPlain).toBe(true);
  });

  test("[DRAW-22] wants the round from the moment it is due, once a second until it is there", () => {
    const w = atStart(drand);
    const wanted = () => w.last!.roundWanted?.round ?? null;
    expect([wanted(), w.wakeAt]).toEqual([null, DUE < START + 1_000 ? DUE : w.wakeAt]);
    goTo(w, DUE - 1);
    expect([wanted(), w.wakeAt]).toEqual([null, DUE]);
    goTo(w, DUE);
    expect([wanted(), w.wakeAt]).toEqual([ROUND, Math.floor(DUE / 1_000 + 1) * 1_000]);
    w.tick(999);
    expect(wanted()).toBeNull();
    w.tick(1);
    expect(wanted()).toBe(ROUND);
    draw(w);
    w.tick(5_000);
    expect(wanted()).toBeNull();
  });

  test("[DRAW-22] of witnesses wants nothing from outside", () => {
    const w = atStart(witnesses);
    w.tick(20_000);
    expect(w.last!.roundWanted).toBeNull();
  });
});

describe("the draw", () => {
  test("[DRAW-19] calls follow the published ranks, the older numbers before, late comers behind", () => {
    const w = atStart(drand);
    const late = w.crowd(3);
    goTo(w, DUE);
    expect(draw(w)).toBe("drawn");
    const expected = [1, 2, ...ranked(w), ...late];
    expect(ranked(w)).not.toEqual([...ranked(w)].sort((a, b) => a - b));
    expect(w.last?.positionsTable).not.toBeNull();
    expect(roomStatusOf(w.state, instant(w.now)).order).toHaveLength(1);
    expect(calledInTurn(w, 35)).toEqual(expected);
    expect(record(w)?.drawn).toMatchObject({ at: DUE, secret: SECRET, publicValue: value });
  });

  test("[DRAW-19] comes once: a second value changes nothing, and of another kind none counts", () => {
    const w = atStart(drand);
    expect(draw(w, { from: "witnesses", text: "7 13 21" })).toBe("other-value");
    expect(draw(w, { ...value, round: ROUND + 1 })).toBe("other-value");
    expect(w.state.drawing).not.toBeNull();
    draw(w);
    const drawn = record(w);
    expect(draw(w, { ...value, signature: "00" })).toBe("drawn-before");
    expect([record(w), w.run({ type: "draw", event: sale(drand).id, value })]).toEqual([
      drawn,
      "drawn-before",
    ]);
  });

  test("[DRAW-23] by witnesses takes the text that was entered", () => {
    const w = atStart(witnesses);
    expect(draw(w)).toBe("other-value");
    expect(draw(w, { from: "witnesses", text: "7 13 21" })).toBe("drawn");
    expect(record(w)?.drawn?.publicValue).toEqual({ from: "witnesses", text: "7 13 21" });
    expect(calledInTurn(w, 32)).toEqual([1, 2, ...ranked(w)]);
  });

  test("[DRAW-16] who was away at the start comes back to the rank", () => {
    const w = atStart(drand, 0);
    w.away(...Array.from({ length: 30 }, (_, at) => at + 1));
    goTo(w, DUE);
    draw(w);
    const [first, second, third] = ranked(w);
    w.present(second!, third!);
    expect(w.justCalled).toEqual([second]);
    w.present(first!);
    w.leave(second!);
    expect(w.justCalled).toEqual([first]);
  });

  test.each([
    ["drand", drand, DUE + MINUTE, /no relay of drand gave round \d+/],
    ["witnesses", witnesses, START + 10 * MINUTE, /nobody entered a value/],
  ])(
    "[DRAW-20] without a value of %s in time it is drawn, and the record says so",
    (_, of, at, why) => {
      const w = atStart(of);
      goTo(w, at - 1);
      expect([record(w)?.drawn, w.called]).toEqual([null, 0]);
      goTo(w, at);
      const { publicValue } = record(w)!.drawn!;
      expect(publicValue).toEqual({ from: "none", reason: expect.stringMatching(why) as string });
      expect(w.snapshot().event?.phase).toBe("running");
      expect(calledInTurn(w, 32)).toEqual([1, 2, ...ranked(w)]);
    },
  );

  test("[DRAW-20] an event that ends before is drawn at its end", () => {
    const w = new World({ permitsMax: 1 });
    w.configure({}, planned(sale(witnesses, { endsAt: instant(START + MINUTE) })));
    goTo(w, PREQUEUE);
    w.crowd(9);
    goTo(w, START);
    goTo(w, START + MINUTE);
    expect(record(w)?.drawn?.publicValue).toMatchObject({ reason: expect.stringMatching(/ended/) });
    expect(calledInTurn(w, 9)).toEqual(ranked(w));
  });

  test.each([
    ["deleted", []],
    ["suspended", [sale(drand, { suspended: true })]],
  ])("[DRAW-20] an event that is %s while it draws draws nothing", (_, list) => {
    const w = atStart(drand, 0, 9);
    w.configure({}, planned(...list));
    w.tick(1_000);
    expect(draw(w)).toBe("not-drawing");
    expect(record(w)).toMatchObject({ closed: { last: 9 }, drawn: null });
    expect(calledInTurn(w, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("[DRAW-24] is told of with its event's name, also when the event is deleted", () => {
    const w = atStart(drand);
    expect(drawsOf(w.state)).toEqual([{ name: EVENT.name, record: record(w) }]);
    goTo(w, DUE);
    draw(w);
    const told = drawsOf(w.state);
    w.configure({}, []);
    w.crash();
    expect(drawsOf(w.state)).toEqual(told);
  });

  test("[DRAW-24] of an event that is planned anew is the one to come, and then both orders hold", () => {
    const w = atStart(drand, 0, 9);
    goTo(w, DUE);
    draw(w);
    const first = ranked(w);
    const startsAt = instant(START + 120 * MINUTE);
    const again: EventDraw = { ...witnesses, secret: "77".repeat(32), commitment: "77".repeat(32) };
    w.configure(
      {},
      planned(
        sale(again, {
          prequeueAt: instant(startsAt - MINUTE),
          startsAt,
          endsAt: instant(startsAt + MINUTE),
        }),
      ),
    );
    expect(record(w)).toMatchObject({ announced: { commitment: "77".repeat(32) }, closed: null });
    w.configure({ paused: true }, w.state.plan.list);
    goTo(w, startsAt - 1_000);
    const second = w.crowd(9);
    goTo(w, startsAt);
    draw(w, { from: "witnesses", text: "again" });
    expect(w.state.line.order.stretches).toHaveLength(2);
    const order = Array.from({ length: w.state.line.standing }, (_, k) => w.state.line.memberAt(k));
    const left = first.filter((number) => w.state.line.isPresent(ticketNumber(number)));
    expect(order).toEqual([...left, ...ranked(w)]);
    expect([...ranked(w)].sort((a, b) => a - b)).toEqual(second);
  });
});

describe("[DRAW-21] a crash", () => {
  const phases: readonly [string, (w: World, crash: () => void) => void][] = [
    ["in the prequeue", (w, crash) => (crash(), goTo(w, DUE), draw(w))],
    ["right after the start", (w, crash) => (goTo(w, START), crash(), goTo(w, DUE), draw(w))],
    [
      "when the round is due",
      (w, crash) => (goTo(w, START), goTo(w, DUE), crash(), w.tick(0), draw(w)),
    ],
    [
      "that loses the step of the draw",
      (w, crash) => {
        goTo(w, START);
        goTo(w, DUE);
        w.runLost({ type: "draw", event: EVENT.id, value });
        crash();
        draw(w);
      },
    ],
    ["after the draw", (w, crash) => (goTo(w, START), goTo(w, DUE), draw(w), crash())],
  ];

  test.each(phases)("%s gives the same ranks", (_, live) => {
    const [undisturbed, w] = [() => {}, () => {}].map(() => {
      const world = new World({ permitsMax: 1 });
      world.configure({}, planned(sale(drand)));
      goTo(world, PREQUEUE);
      world.crowd(30);
      return world;
    }) as [World, World];
    live(undisturbed, () => {});
    live(w, () => {
      w.crash();
      w.report(Array.from({ length: 30 }, (_unused, at) => at + 1));
    });
    expect(record(w)?.drawn?.seed).toBe(record(undisturbed)?.drawn?.seed);
    expect(record(w)?.closed).toMatchObject({ first: 1, last: 30 });
    w.tick(10_000);
    expect(calledInTurn(w, 30)).toEqual(ranked(undisturbed));
  });
});

test("[DRAW-19] nobody is ever overtaken by whoever has a worse rank, whatever the crowd does", () => {
  const action = fc.oneof(
    fc.record({ do: fc.constantFrom("away", "present", "leave"), at: fc.nat(19) }),
    fc.record({ do: fc.constantFrom("crash", "join"), at: fc.nat(19) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const w = atStart(drand, 0, 20);
      goTo(w, DUE);
      draw(w);
      const rank = new Map(ranked(w).map((number, at) => [number, at]));
      const rankOf = (number: number): number => rank.get(number) ?? number;
      for (const { do: what, at } of actions) {
        const number = at + 1;
        if (what === "crash") {
          const there = [...rank.keys()].filter((one) => w.standing(one) === "waiting");
          w.crash();
          w.report(there);
        } else if (what === "join") w.join();
        else if (what === "leave") w.leave(number);
        else if (what === "away") w.away(number);
        else w.present(number);
        for (const called of w.justCalled) {
          const overtaken = [...rank.keys()].filter(
            (other) => w.standing(other) === "waiting" && rankOf(other) < rankOf(called),
          );
          expect(overtaken).toEqual([]);
        }
        w.tick(1_000);
      }
    }),
    { numRuns: 150 },
  );
});
