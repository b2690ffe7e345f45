import { describe, expect, test } from "vitest";
import { QUICKNET, roundForStart } from "../../../src/core/draw/drand-chain.ts";
import type { EventDraw, RoomEvent } from "../../../src/core/events/event.ts";
import { plannedEventsOf } from "../../../src/core/events/planned.ts";
import { endDrawing } from "../../../src/core/room/events.ts";
import { instant } from "../../../src/core/time.ts";
import { eventId, roomEvent } from "../../support/events.ts";
import { World } from "./world.ts";

const MINUTE = 60_000;
const T0 = new World().now;
const PREQUEUE = T0 + 10 * MINUTE;
const START = T0 + 20 * MINUTE;
const END = START + 60 * MINUTE;

type More = Parameters<typeof roomEvent>[1];

const sale = (more: More = {}): RoomEvent =>
  roomEvent(START, { prequeueAt: instant(PREQUEUE), ...more });

const planned = (...list: readonly RoomEvent[]) =>
  plannedEventsOf({ events: { changedAt: instant(1), list } });

/** A room with one permit, told of its events ten minutes before the first of them. */
const roomWith = (...events: readonly RoomEvent[]): World => {
  const w = new World({ permitsMax: 1 });
  w.configure({}, planned(...events));
  return w;
};

const drand: EventDraw = {
  secret: "ab".repeat(32),
  commitment: "",
  announcedAt: instant(T0),
  promised: { from: "drand", chain: QUICKNET, round: roundForStart(QUICKNET, instant(START)) },
};
const witnesses: EventDraw = { ...drand, promised: { from: "witnesses" } };

const goTo = (w: World, at: number): void => w.tick(at - w.now);

describe("[EVENT-2] in the prequeue", () => {
  test("tickets are taken and nobody is called, though a permit is free", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE);
    expect(w.enter()).toMatchObject({ kind: "queue" });
    const crowd = w.crowd(5);
    w.tick(START - 1 - w.now);
    expect(crowd.map((number) => w.standing(number))).toEqual(crowd.map(() => "waiting"));
    expect([w.called, w.visiting, w.justCalled]).toEqual([0, 0, []]);
    expect(w.snapshot()).toMatchObject({
      mode: "paused",
      waiting: 5,
      event: { phase: "prequeue" },
    });
    goTo(w, START);
    expect(w.justCalled).toEqual([1]);
    expect(w.snapshot()).toMatchObject({ mode: "queues", event: { phase: "running" } });
  });

  test("until a moment before it the room is as it always is", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE - 1);
    expect(w.snapshot().mode).toBe("open");
    expect(w.snapshot().event).toBeUndefined();
    goTo(w, PREQUEUE);
    expect(w.snapshot().mode).toBe("paused");
    expect(w.snapshot().event).toMatchObject({ id: eventId(1), startsAt: START, endsAt: END });
  });

  test("whoever is inside stays, and whose permit falls free is followed by nobody", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE - MINUTE);
    const { visit } = w.entered();
    w.tick(MINUTE);
    w.join();
    expect(w.renew(visit)).toMatchObject({ kind: "visit" });
    w.end(visit);
    expect(w.justCalled).toEqual([]);
    expect(w.visiting).toBe(0);
  });

  test("a call that was out is still good, one that comes later waits for the start", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE - 1_000);
    const [first, second] = w.crowd(2);
    expect(w.justCalled).toEqual([first]);
    w.tick(1_000);
    expect(w.claim(second!)).toMatchObject({ kind: "not-yet" });
    expect(w.claim(first!)).toMatchObject({ kind: "visit" });
  });

  test("a call that nobody answers is taken back, and nobody is called instead", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE - 1_000);
    w.crowd(2);
    w.tick(61_000);
    expect([w.called, w.justCalled]).toEqual([0, []]);
  });

  test("a room that its operator has paused lets nobody claim in it either", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE - 1_000);
    const number = w.join();
    w.tick(1_000);
    w.configure({ paused: true });
    expect(w.claim(number)).toMatchObject({ kind: "not-yet" });
  });

  test("nobody is asked whether they are awake until shortly before the start", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE);
    w.crowd(3);
    w.tick(1_000);
    expect(w.last?.positionsTable?.nearUntil).toBe(0);
    goTo(w, START - 20_000);
    expect(w.last?.positionsTable?.nearUntil).toBe(3);
  });
});

describe("[EVENT-3] while it runs, and after it", () => {
  const bigger = { overrides: { permitsMax: 4, startsPerMinuteMax: 3, leaseMs: 10_000 } };

  test("its limits hold from the start to the end, and the wake-up comes for each", () => {
    const w = roomWith(sale(bigger));
    const changes: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      changes.push(Number(w.wakeAt));
      goTo(w, Number(w.wakeAt));
    }
    expect(changes).toEqual([PREQUEUE, START, END]);
    expect(w.wakeAt).toBeNull();
  });

  test("the crowd comes in by them: as many permits, as many starts a minute, so long a lease", () => {
    const w = roomWith(sale(bigger));
    goTo(w, PREQUEUE);
    w.crowd(9);
    goTo(w, START);
    expect(w.visit(1).leaseUntil).toBe(START + 10_000);
    for (let second = 1; second < 60; second += 1) w.tick(1_000);
    expect([w.snapshot().permitsMax, w.tally("calls")]).toEqual([4, 3]);
    for (let second = 60; second < 64; second += 1) w.tick(1_000);
    expect(w.tally("calls")).toBe(4);
  });

  test("its end takes nothing from those inside, and lets nobody in until they fit", () => {
    const w = roomWith(
      sale({ overrides: { permitsMax: 3, startsPerMinuteMax: 600, leaseMs: 1e9 } }),
    );
    goTo(w, START);
    const inside = w.crowd(3);
    for (const number of inside) w.visit(number);
    goTo(w, END - 1);
    for (const number of inside) w.renew(number);
    goTo(w, END);
    expect([w.visiting, w.snapshot().permitsMax]).toEqual([3, 1]);
    const next = w.join();
    w.end(inside[0]!);
    w.end(inside[1]!);
    expect(w.justCalled).toEqual([]);
    w.end(inside[2]!);
    expect(w.justCalled).toEqual([next]);
  });

  test("without a prequeue it begins in one step with its limits", () => {
    const w = roomWith(roomEvent(START, { overrides: { permitsMax: 2, startsPerMinuteMax: 100 } }));
    goTo(w, START - 1_000);
    w.entered();
    w.crowd(2);
    w.tick(1_000);
    expect(w.justCalled).toEqual([2]);
  });
});

describe("[EVENT-6] changes take effect with the step that brings them", () => {
  test("limits of the event that runs, and of the room beneath it", () => {
    const w = roomWith(sale({ overrides: { permitsMax: 2, startsPerMinuteMax: 100 } }));
    goTo(w, START);
    const more = sale({ overrides: { permitsMax: 5, startsPerMinuteMax: 100 } });
    w.configure({ leaseMs: 7_000 }, planned(more));
    expect(w.state.limits).toMatchObject({ permitsMax: 5, leaseMs: 7_000 });
    w.configure({}, planned(sale()));
    expect(w.state.limits).toMatchObject({ permitsMax: 1, leaseMs: 7_000 });
  });

  test.each([
    ["deleted", []],
    ["suspended", [sale({ suspended: true })]],
    ["put off", [roomEvent(END + MINUTE)]],
  ])("an event whose prequeue is on is %s: turns come at once", (_, list) => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE);
    w.crowd(2);
    w.configure({}, planned(...list));
    expect(w.justCalled).toEqual([1]);
    expect(w.snapshot().event).toBeUndefined();
  });

  test("an event that is made with its prequeue in the past begins with it, or running", () => {
    const w = new World({ permitsMax: 1 });
    w.now = PREQUEUE + MINUTE;
    w.entered();
    w.configure({}, planned(sale()));
    expect(w.snapshot().event?.phase).toBe("prequeue");
    w.configure({}, []);
    goTo(w, START + MINUTE);
    w.configure({}, planned(sale({ shuffle: true, draw: drand })));
    expect(w.snapshot().event?.phase).toBe("running");
  });

  test("a start that is put off while it runs closes the door again", () => {
    const w = roomWith(sale());
    goTo(w, START);
    w.crowd(1);
    w.leave(1);
    w.configure({}, planned(roomEvent(START + MINUTE, { prequeueAt: instant(PREQUEUE) })));
    w.crowd(1);
    expect(w.justCalled).toEqual([]);
    w.tick(MINUTE);
    expect(w.justCalled).toEqual([2]);
  });
});

describe("[EVENT-7] the clock", () => {
  test("a room that slept over every phase is where the clock is", () => {
    const w = roomWith(sale({ overrides: { permitsMax: 3, startsPerMinuteMax: 100 } }));
    goTo(w, START + 1);
    expect(w.snapshot()).toMatchObject({ permitsMax: 3, event: { phase: "running" } });
    goTo(w, END + 1);
    expect(w.snapshot()).toMatchObject({ permitsMax: 1, mode: "open" });
  });

  test("a machine whose clock runs back begins no phase twice", () => {
    const w = roomWith(sale());
    goTo(w, START);
    w.now -= 15 * MINUTE;
    w.tick();
    expect(w.snapshot().event?.phase).toBe("running");
  });

  test("a step that comes late ends its visits in the prequeue, and passes nobody their baton", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE - 1_000);
    const { visit } = w.entered();
    w.join();
    w.end(visit, 500);
    w.tick(2_000);
    expect([w.visiting, w.called, w.justCalled]).toEqual([0, 0, []]);
  });
});

describe("[EVENT-8] a crash changes nothing", () => {
  test.each([
    ["prequeue", PREQUEUE + MINUTE],
    ["running", START + MINUTE],
    ["over", END + MINUTE],
  ])("in the phase %s: numbers, order, limits and what comes next", (phase, at) => {
    const overrides = { permitsMax: 2, startsPerMinuteMax: 100, leaseRenews: false };
    const w = roomWith(sale({ overrides }));
    goTo(w, PREQUEUE);
    const crowd = w.crowd(6);
    goTo(w, at);
    const before = { limits: w.state.limits, plan: w.state.plan, wakeAt: w.wakeAt };
    const standing = crowd.map((number) => w.standing(number));
    w.crash();
    expect(w.state.limits).toEqual(before.limits);
    w.report(crowd, { instance: "a", sequence: 99 });
    expect(w.state.plan).toEqual({ ...before.plan, isUnsaved: false });
    expect(crowd.map((number) => w.standing(number))).toEqual(standing);
    expect(w.snapshot().event?.phase ?? "over").toBe(phase);
  });

  test("a phase that ended while the room was down has ended with the first step", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE);
    w.crowd(2);
    w.crash();
    w.now = START;
    expect(w.state.limits.paused).toBe(true);
    w.report([1, 2], { instance: "a", sequence: 99 });
    expect(w.justCalled).toEqual([1]);
  });

  test("a room without events writes no row for them", () => {
    const w = new World();
    w.configure({ permitsMax: 3 });
    w.crowd(3);
    expect(w.written("events")).toEqual([]);
    expect(w.store.load().events).toBeNull();
  });
});

describe("[EVENT-9] an event that shuffles", () => {
  const shuffled = (draw: EventDraw | null, more: More = {}) =>
    sale({ shuffle: true, draw, ...more });

  test("closes the numbers of its prequeue at its start, and calls nobody until they are drawn", () => {
    const w = roomWith(shuffled(drand));
    w.crowd(2);
    goTo(w, PREQUEUE);
    w.crowd(5);
    goTo(w, START);
    expect(w.state.drawing).toMatchObject({
      event: eventId(1),
      first: 3,
      last: 7,
      closedAt: START,
    });
    w.join();
    expect(w.state.drawing?.last).toBe(7);
    expect(w.snapshot()).toMatchObject({ mode: "paused", event: { phase: "drawing" } });
    expect(w.justCalled).toEqual([]);
  });

  test.each([
    ["a minute after the round is due", drand, 60_000, 70_000],
    ["ten minutes after the start", witnesses, 600_000, 600_000],
    ["at once, where nothing was announced", null, 0, 0],
  ])("without a value it goes on %s", (_, draw, least, most) => {
    const w = roomWith(shuffled(draw));
    goTo(w, PREQUEUE);
    w.crowd(5);
    goTo(w, START);
    const until = Number(w.state.drawing?.until ?? START);
    expect(until - START).toBeGreaterThanOrEqual(least);
    expect(until - START).toBeLessThanOrEqual(most);
    if (until > START) goTo(w, until - 1);
    expect(w.called).toBe(draw === null ? 1 : 0);
    goTo(w, until);
    expect([w.called, w.state.drawing]).toEqual([1, null]);
    expect(w.snapshot().event?.phase).toBe("running");
  });

  test("once they are drawn, turns come", () => {
    const w = roomWith(shuffled(witnesses));
    goTo(w, PREQUEUE);
    w.crowd(5);
    goTo(w, START);
    endDrawing(w.state, instant(w.now));
    w.tick();
    expect([w.called, w.snapshot().event?.phase]).toEqual([1, "running"]);
  });

  test("without anybody in its prequeue there is nothing to draw", () => {
    const w = roomWith(shuffled(drand));
    goTo(w, PREQUEUE);
    goTo(w, START);
    expect([w.state.drawing, w.snapshot().mode]).toEqual([null, "open"]);
  });

  test("numbers that are closed stay closed: over a crash, and when the start is put off", () => {
    const w = roomWith(shuffled(witnesses));
    goTo(w, PREQUEUE);
    w.crowd(5);
    goTo(w, START);
    const { drawing } = w.state;
    w.crash();
    expect(w.state.drawing).toEqual(drawing);
    const later = roomEvent(START + 30 * MINUTE, { prequeueAt: instant(PREQUEUE) });
    w.configure({}, planned({ ...later, shuffle: true, draw: witnesses }));
    expect(w.state.drawing).toEqual(drawing);
    goTo(w, Number(drawing?.until));
    expect(w.snapshot().event?.phase).toBe("prequeue");
    goTo(w, later.startsAt);
    expect([w.state.drawing, w.snapshot().event?.phase]).toEqual([null, "running"]);
  });

  test.each([
    ["deleted", []],
    ["suspended", [shuffled(drand, { suspended: true })]],
    ["no longer to shuffle", [sale()]],
  ])("while it is drawn it is %s: turns come at once", (_, list) => {
    const w = roomWith(shuffled(drand));
    goTo(w, PREQUEUE);
    w.crowd(2);
    goTo(w, START);
    w.configure({}, planned(...list));
    expect([w.justCalled, w.state.drawing]).toEqual([[1], null]);
  });

  test("told to shuffle only when it runs, it draws nobody", () => {
    const w = roomWith(sale());
    goTo(w, PREQUEUE);
    w.crowd(3);
    goTo(w, START);
    w.configure({}, planned(shuffled(drand)));
    expect([w.state.drawing, w.snapshot().event?.phase]).toEqual([null, "running"]);
  });
});

describe("[EVENT-10] what a newcomer is told of the wait", () => {
  test("in the prequeue and the draw nobody knows, and why; after them it is known again", () => {
    const w = roomWith(sale({ shuffle: true, draw: drand, overrides: { permitsMax: 3 } }));
    const reasons: unknown[] = [];
    const ask = (at: number): void => {
      goTo(w, at);
      const { newcomer } = w.snapshot();
      reasons.push(newcomer.known ? "known" : newcomer.reason);
    };
    ask(PREQUEUE - 1);
    ask(PREQUEUE);
    w.crowd(2);
    ask(START - 1);
    ask(START);
    ask(Number(w.state.drawing?.until));
    expect(reasons).toEqual(["known", "prequeue", "prequeue", "drawing", "known"]);
    w.configure({ paused: true });
    expect(w.snapshot().newcomer).toEqual({ known: false, reason: "paused" });
  });
});

describe("[EVENT-4] ways of queueing", () => {
  test("random: in the prequeue nobody is ahead of anybody, from the start turns are drawn", () => {
    const w = roomWith(sale({ overrides: { queueingMethod: "random" } }));
    goTo(w, PREQUEUE);
    w.crowd(40);
    expect(w.place(7)).toMatchObject({ ahead: null, among: 40 });
    goTo(w, START);
    expect(w.called).toBe(1);
    goTo(w, END);
    expect(w.place(w.state.line.head()!)).toMatchObject({ ahead: 0 });
  });

  test("passthrough: in the prequeue all wait, from the start the room lets everybody through", () => {
    const w = roomWith(sale({ overrides: { queueingMethod: "passthrough" } }));
    goTo(w, PREQUEUE);
    w.crowd(4);
    expect(w.snapshot().mode).toBe("paused");
    goTo(w, START);
    expect([w.snapshot().mode, w.justCalled]).toEqual(["suspended", []]);
    goTo(w, END);
    expect(w.justCalled).toEqual([1]);
    expect(w.snapshot().mode).toBe("queues");
  });

  test("reject: those of the prequeue come in before the door opens to others", () => {
    const w = roomWith(sale({ overrides: { queueingMethod: "reject" } }));
    goTo(w, PREQUEUE);
    w.crowd(1);
    goTo(w, START);
    expect(w.justCalled).toEqual([1]);
    expect(w.snapshot().mode).toBe("queues");
  });
});
