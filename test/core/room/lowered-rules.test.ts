import { describe, expect, test } from "vitest";
import type { EdgeReport } from "../../../src/core/edge-report.ts";
import { LogHistogram } from "../../../src/core/collections/log-histogram.ts";
import { PACE_CHANGES_MAX } from "../../../src/core/pace/pace.ts";
import type { PaceAsk } from "../../../src/core/pace/signal.ts";
import { World } from "./world.ts";

const ask = (said: Partial<PaceAsk>): PaceAsk => ({
  ...{ permits: null, startsPerSecond: null, startsPerMinute: null, stockLeft: null },
  ...{ ttlSeconds: 60, reason: "the shop is slow" },
  ...said,
});

const signal = (w: World, said: Partial<PaceAsk> | null) =>
  w.run({ type: "signal", ask: said === null ? "taken-back" : ask(said) });

const look = (w: World) => {
  w.tick();
  return {
    permits: w.state.limits.permitsMax,
    perSecond: w.state.limits.startsPerSecondMax,
    perMinute: w.state.limits.startsPerMinuteMax,
    closed: w.state.limits.closed,
  };
};

const fromOrigin = (said: Partial<PaceAsk>, ageMs = 0): EdgeReport => ({
  ...{ bypassed: 0, arrivals: 0, origin: null },
  pace: { ask: ask(said), ageMs },
});

const hear = (w: World, report: EdgeReport) => w.run({ type: "snapshot", since: null, report });

/** So many seconds of answers that take so long. */
const answers = (w: World, seconds: number, latencyMs: number, errors = 0): void => {
  const histogram = new LogHistogram();
  histogram.add(latencyMs, 20);
  const origin = { answers: 20, errors, latencyMs: histogram.toJSON() };
  for (let second = 0; second < seconds; second += 1) {
    w.now += 1_000;
    hear(w, { bypassed: 0, arrivals: 0, origin });
  }
};

const OWN = { permitsMax: 10, startsPerSecondMax: 5, startsPerMinuteMax: 200 };

describe("a signal", () => {
  test("[SIGNAL-1] lowers limits and never raises them", () => {
    const w = new World(OWN);
    signal(w, { permits: 4, startsPerSecond: 2, startsPerMinute: 60 });
    expect(look(w)).toMatchObject({ permits: 4, perSecond: 2, perMinute: 60, closed: null });
    signal(w, { permits: 400, startsPerSecond: 20, startsPerMinute: 6_000 });
    expect(look(w)).toMatchObject({ permits: 10, perSecond: 5, perMinute: 200 });
    const view = signal(w, { permits: 3 });
    expect(view).toMatchObject({ operator: OWN, inEffect: { ...OWN, permitsMax: 3 } });
  });

  test("[SIGNAL-1] lowers an event's limits as well, and an operator's new ones", () => {
    const w = new World(OWN);
    signal(w, { permits: 4 });
    w.configure({ permitsMax: 3 });
    expect(look(w).permits).toBe(3);
    w.configure({ permitsMax: 30 });
    expect(look(w).permits).toBe(4);
  });

  test("[SIGNAL-2] holds until its time is over, to the millisecond, and the room wakes for it", () => {
    const w = new World(OWN);
    signal(w, { permits: 4, ttlSeconds: 30 });
    expect(w.wakeAt).toBe(w.now + 30_000);
    w.now += 29_999;
    expect(look(w).permits).toBe(4);
    w.now += 1;
    expect(look(w).permits).toBe(10);
    expect(w.wakeAt === null || w.wakeAt > w.now).toBe(true);
  });

  test("[SIGNAL-2] outlives a crash, and is over after one that lasts longer", () => {
    const w = new World(OWN);
    signal(w, { permits: 4, ttlSeconds: 30 });
    w.crash();
    expect(look(w).permits).toBe(4);
    expect(w.state.permits.max).toBe(4);
    w.now += 60_000;
    w.crash();
    expect(look(w).permits).toBe(10);
  });

  test("[PERMIT-3] calls nobody until what is out fits, and calls again when its time is over", () => {
    const w = new World({ permitsMax: 4 });
    const visits = w.crowd(8).slice(0, 4);
    for (const number of visits) w.visit(number);
    signal(w, { permits: 2, ttlSeconds: 10 });
    w.end(visits[0]!);
    w.end(visits[1]!);
    expect([w.visiting, w.called]).toEqual([2, 0]);
    w.end(visits[2]!);
    expect([w.visiting, w.called]).toEqual([1, 1]);
    w.tick(10_000);
    expect(w.visiting + w.called).toBe(4);
  });

  test("[SIGNAL-3] of two that hold at once the lower holds, each for its own time", () => {
    const w = new World(OWN);
    signal(w, { permits: 6, startsPerSecond: 1, ttlSeconds: 20 });
    hear(w, fromOrigin({ permits: 3, startsPerSecond: 4, ttlSeconds: 40 }));
    expect(look(w)).toMatchObject({ permits: 3, perSecond: 1 });
    w.now += 20_000;
    expect(look(w)).toMatchObject({ permits: 3, perSecond: 4 });
    w.now += 20_000;
    expect(look(w)).toMatchObject({ permits: 10, perSecond: 5 });
  });

  test("[SIGNAL-3] what an isolate tells late does not undo what was said since", () => {
    const w = new World(OWN);
    hear(w, fromOrigin({ permits: 3 }, 100));
    hear(w, fromOrigin({ permits: 8 }, 1_900));
    expect(look(w).permits).toBe(3);
    w.now += 10;
    hear(w, fromOrigin({ permits: 7 }, 0));
    expect(look(w).permits).toBe(7);
    hear(w, fromOrigin({ permits: 2, ttlSeconds: 1 }, 5_000));
    expect(look(w).permits).toBe(7);
  });
});

describe("stock", () => {
  test("[SIGNAL-4] P is never above what is left, and at none the room is closed", () => {
    const w = new World(OWN);
    signal(w, { stockLeft: 7 });
    expect(look(w)).toMatchObject({ permits: 7, closed: null });
    const inside = w.entered();
    signal(w, { stockLeft: 0 });
    expect(look(w)).toMatchObject({ permits: 1, closed: "Sold out." });
    expect(w.one({ op: "join", address: null })).toMatchObject({ refusal: "room-closed" });
    expect(w.renew(inside.visit)).toMatchObject({ kind: "visit" });
  });

  test("[SIGNAL-4] with the operator's words", () => {
    const w = new World(OWN);
    const pace = { adaptive: false, leastPermits: null, soldOut: "All gone. See you in May." };
    w.run({ type: "configure", limits: w.state.own, pace });
    signal(w, { stockLeft: 0 });
    expect(w.snapshot()).toMatchObject({ mode: "closed", closed: "All gone. See you in May." });
  });

  test("[SIGNAL-5] stays closed when the signal's time is over, until one says that something is left", () => {
    const w = new World(OWN);
    hear(w, fromOrigin({ stockLeft: 0, ttlSeconds: 5 }));
    w.now += 6_000;
    expect(look(w)).toMatchObject({ permits: 10, closed: "Sold out." });
    w.crash();
    signal(w, { permits: 5 });
    expect(look(w).closed).toBe("Sold out.");
    hear(w, fromOrigin({ stockLeft: 2 }));
    expect(look(w)).toMatchObject({ permits: 2, closed: null });
  });

  test("[SIGNAL-5] or until an operator takes it back, or opens what is closed", () => {
    const w = new World(OWN);
    signal(w, { stockLeft: 0 });
    expect(signal(w, null)).toMatchObject({ closedBy: null, signals: { api: null, origin: null } });
    expect(look(w)).toMatchObject({ permits: 10, closed: null });
    signal(w, { stockLeft: 0, ttlSeconds: 1 });
    w.configure({ closed: "for today" });
    expect(look(w).closed).toBe("for today");
    w.configure({ closed: null });
    expect(look(w).closed).toBeNull();
  });

  test("[SIGNAL-5] never opens what the operator has closed, nor what another signal says is gone", () => {
    const w = new World({ ...OWN, closed: "for today" });
    signal(w, { stockLeft: 5 });
    expect(look(w).closed).toBe("for today");
    w.configure({ closed: null });
    hear(w, fromOrigin({ stockLeft: 0 }));
    signal(w, { stockLeft: 5 });
    expect(look(w).closed).toBe("Sold out.");
  });
});

describe("every change", () => {
  test("[SIGNAL-6] stands with its reason and the limits from then on, a bounded number of them", () => {
    const w = new World(OWN);
    signal(w, { permits: 4, ttlSeconds: 10 });
    hear(w, fromOrigin({ permits: 9 }));
    const until = w.now + 10_000;
    w.now = until;
    const { changes } = signal(w, { stockLeft: 0, reason: "sold out" });
    expect(changes).toMatchObject([
      { source: "api", reason: "the shop is slow", permitsMax: 4, isClosed: false },
      { source: "api", reason: "the time of its signal is over", permitsMax: 9, at: until },
      { source: "api", reason: "sold out", permitsMax: 1, isClosed: true },
    ]);
    for (let time = 0; time < 80; time += 1) signal(w, { permits: 1 + (time % 5) });
    w.crash();
    w.tick();
    expect(w.state.pace.changes).toHaveLength(PACE_CHANGES_MAX);
  });

  test("[SIGNAL-6] what an origin says with each answer costs no row each", () => {
    const w = new World(OWN);
    hear(w, fromOrigin({ permits: 4 }));
    let rows = 0;
    const alarms = new Set<number | null>();
    for (let second = 0; second < 60; second += 1) {
      w.now += 1_000;
      hear(w, fromOrigin({ permits: 4, ttlSeconds: 5 }));
      rows += w.written("pace").length;
      alarms.add(w.wakeAt);
    }
    expect(rows).toBeLessThanOrEqual(4);
    expect(alarms.size).toBeLessThanOrEqual(14);
    expect(look(w).permits).toBe(4);
    w.sleep(3);
    expect(look(w).permits).toBe(10);
  });

  test("[SIGNAL-6] a stock that runs down fills no list", () => {
    const w = new World(OWN);
    for (let left = 9; left > 2; left -= 1) {
      w.now += 1_000;
      hear(w, fromOrigin({ stockLeft: left }));
    }
    expect(w.state.pace.changes).toMatchObject([{ source: "origin", permitsMax: 3 }]);
    hear(w, fromOrigin({ stockLeft: 0 }, -1));
    expect(w.state.pace.changes).toMatchObject([{ permitsMax: 3 }, { isClosed: true }]);
  });
});

describe("adapting", () => {
  const adaptive = (w: World): void => {
    const pace = { adaptive: true, leastPermits: 2, soldOut: null };
    w.run({ type: "configure", limits: w.state.own, pace });
  };
  const full = (): World => {
    const w = new World({ permitsMax: 20, leaseMs: 86_400_000 });
    for (let visit = 0; visit < 20; visit += 1) w.renew(w.entered().visit);
    return w;
  };

  test("[ADAPT-8] is off unless it is asked for", () => {
    const w = full();
    answers(w, 60, 100);
    answers(w, 120, 5_000, 20);
    expect(look(w).permits).toBe(20);
  });

  test("[ADAPT-8] lowers P and the entries a second, not below the least, and tells why", () => {
    const w = full();
    adaptive(w);
    answers(w, 60, 100);
    expect(look(w).permits).toBe(20);
    answers(w, 30, 2_000);
    const { permits, perSecond } = look(w);
    expect(permits).toBeLessThan(20);
    expect(perSecond).toBe(Math.ceil(permits / 4));
    expect(w.state.pace.changes[0]).toMatchObject({ source: "adaptive", permitsMax: permits });
    expect(w.state.pace.changes[0]?.reason).toMatch(/^slower: answers take 1961 ms, in quiet/);
    for (const { permit } of w.state.permits.all()) w.end(permit.number);
    answers(w, 300, 2_000);
    expect(look(w).permits).toBeGreaterThanOrEqual(2);
  });

  test("[ADAPT-8] what it found outlives a crash, and is gone when it is turned off", () => {
    const w = full();
    adaptive(w);
    answers(w, 60, 100);
    answers(w, 30, 2_000);
    const { permits } = look(w);
    w.crash();
    expect(look(w).permits).toBe(permits);
    w.run({ type: "configure", limits: w.state.own });
    expect(look(w)).toMatchObject({ permits: 20, perSecond: null });
  });

  test("[ADAPT-8] a signal below it holds, and neither raises the other", () => {
    const w = full();
    adaptive(w);
    answers(w, 60, 100);
    answers(w, 30, 2_000);
    const { permits } = look(w);
    signal(w, { permits: permits - 2, ttlSeconds: 5 });
    expect(look(w).permits).toBe(permits - 2);
    w.now += 5_000;
    expect(look(w).permits).toBe(permits);
  });
});

test("[SIGNAL-7] in a room of requests batons by the limits until now are over before new ones hold", () => {
  const w = new World({ permit: "request", permitsMax: 4 });
  w.state.nextNamedUntil = (w.now + 150) as typeof w.state.nextNamedUntil;
  expect(signal(w, { permits: 2 }).inEffect.permitsMax).toBe(2);
  expect(w.state.limits.permitsMax).toBe(4);
  expect(w.wakeAt).toBe(w.now + 150);
  w.tick(149);
  expect(w.state.limits.permitsMax).toBe(4);
  w.tick(1);
  expect(w.state.limits.permitsMax).toBe(2);
});
