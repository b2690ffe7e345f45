import { describe, expect, test } from "vitest";
import { StartLimiter } from "../../../src/core/ring/limiter.ts";
import type { StartLimits } from "../../../src/core/ring/limiter.ts";
import { instant } from "../../../src/core/time.ts";

/** A whole minute of the clock. */
const T0 = 1_700_000_040_000;
const at = (ms: number) => instant(T0 + ms);

const limits = (changed: Partial<StartLimits>): StartLimits => ({
  perSecondMax: null,
  perMinuteMax: null,
  ring: "calendar",
  guardMs: 0,
  ...changed,
});

/** Tries `tries` times at one instant and says how many got in. */
const start = (limiter: StartLimiter, ms: number, tries = 1): number => {
  let started = 0;
  for (let i = 0; i < tries; i++) if (limiter.tryStart(at(ms)).ok) started += 1;
  return started;
};

describe("calendar", () => {
  test.each([
    [999, 0],
    [1_000, 3],
  ])("[RING-1] 3 a second: after a full one, at %i ms %i more start", (ms, more) => {
    const limiter = new StartLimiter(limits({ perSecondMax: 3 }));
    expect(start(limiter, 0, 5)).toBe(3);
    expect(start(limiter, ms, 5)).toBe(more);
  });

  test.each([
    [899, 1],
    [900, 0],
    [999, 0],
    [1_000, 1],
  ])("[RING-3] with a guard of 100 ms, at %i ms into the clock %i starts", (ms, started) => {
    const limiter = new StartLimiter(limits({ perSecondMax: 1, guardMs: 100 }));
    expect(start(limiter, ms)).toBe(started);
  });

  test("[RING-3] the guard keeps nobody waiting where there is no limit per second", () => {
    const limiter = new StartLimiter(limits({ perMinuteMax: 60, guardMs: 100 }));
    expect(start(limiter, 999)).toBe(1);
  });

  test("[RING-6] a refused start learns the first instant of the next second", () => {
    const limiter = new StartLimiter(limits({ perSecondMax: 1, guardMs: 100 }));
    start(limiter, 5);
    expect(limiter.tryStart(at(5))).toEqual({ ok: false, retryAt: at(1_000) });
    expect(limiter.nextAt(at(950))).toBe(at(1_000));
  });
});

describe("sliding", () => {
  test.each([
    [0, 999, 0],
    [0, 1_000, 1],
    [100, 1_099, 0],
    [100, 1_100, 1],
  ])("[RING-4] guard %i: %i ms after the start that matters, %i starts", (guardMs, ms, more) => {
    const limiter = new StartLimiter(limits({ perSecondMax: 2, ring: "sliding", guardMs }));
    expect(start(limiter, 0)).toBe(1);
    expect(start(limiter, 700)).toBe(1);
    expect(start(limiter, 700)).toBe(0);
    expect(start(limiter, ms)).toBe(more);
  });

  test("[RING-4] two seconds that meet hold no more than one window allows", () => {
    const limiter = new StartLimiter(limits({ perSecondMax: 20, ring: "sliding" }));
    expect(start(limiter, 900, 50)).toBe(20);
    expect(start(limiter, 1_000, 50)).toBe(0);
    expect(limiter.nextAt(at(1_000))).toBe(at(1_900));
  });
});

describe("a minute", () => {
  test.each([
    [59_999, 0],
    [60_000, 5],
  ])("[RING-5] 5 a minute: %i ms after the second of the first, %i start", (ms, more) => {
    const limiter = new StartLimiter(limits({ perMinuteMax: 5 }));
    expect(start(limiter, 0, 9)).toBe(5);
    expect(start(limiter, ms, 9)).toBe(more);
  });

  test("[RING-5] the minute is the last sixty seconds, not the clock's", () => {
    const limiter = new StartLimiter(limits({ perMinuteMax: 4 }));
    expect(start(limiter, 30_500, 3)).toBe(3);
    expect(start(limiter, 59_000, 3)).toBe(1);
    expect(start(limiter, 89_999, 3)).toBe(0);
    expect(limiter.nextAt(at(60_000))).toBe(at(90_000));
    expect(start(limiter, 90_000, 9)).toBe(3);
  });
});

describe("room", () => {
  test("[RING-6] room says how many more may start, and has no bound without limits", () => {
    expect(new StartLimiter(limits({})).room(at(0))).toBe(Infinity);
    const limiter = new StartLimiter(limits({ perSecondMax: 3, perMinuteMax: 5, guardMs: 100 }));
    expect(limiter.room(at(0))).toBe(3);
    start(limiter, 0, 3);
    expect(limiter.room(at(0))).toBe(0);
    expect(limiter.room(at(1_000))).toBe(2);
    expect(limiter.room(at(1_900))).toBe(0);
  });
});

describe("changing limits", () => {
  test.each(["calendar", "sliding"] as const)(
    "[RING-7] raising takes effect at once (%s)",
    (ring) => {
      const limiter = new StartLimiter(limits({ perSecondMax: 2, ring }));
      expect(start(limiter, 0, 9)).toBe(2);
      limiter.setLimits(limits({ perSecondMax: 5, ring }));
      expect(start(limiter, 0, 9)).toBe(3);
    },
  );

  test.each(["calendar", "sliding"] as const)(
    "[RING-7] lowering counts what has started already (%s)",
    (ring) => {
      const limiter = new StartLimiter(limits({ perSecondMax: 9, perMinuteMax: 9, ring }));
      expect(start(limiter, 0, 5)).toBe(5);
      limiter.setLimits(limits({ perSecondMax: 4, perMinuteMax: 9, ring }));
      expect(limiter.room(at(0))).toBe(0);
      expect(start(limiter, 999, 9)).toBe(0);
      expect(start(limiter, 1_000, 9)).toBe(4);
      limiter.setLimits(limits({ perSecondMax: 4, perMinuteMax: 5, ring }));
      expect(start(limiter, 59_999, 9)).toBe(0);
    },
  );

  test("[RING-7] a change of the ring or of its guard knows the milliseconds before it", () => {
    const limiter = new StartLimiter(limits({ perSecondMax: 2 }));
    expect(start(limiter, 999, 2)).toBe(2);
    limiter.setLimits(limits({ perSecondMax: 2, ring: "sliding", guardMs: 900 }));
    expect(start(limiter, 2_898)).toBe(0);
    expect(start(limiter, 2_899)).toBe(1);
  });

  test.each([
    [{ guardMs: 900 }, true],
    [{ guardMs: 901 }, false],
    [{ guardMs: -1 }, false],
    [{ perSecondMax: 1 }, true],
    [{ perSecondMax: 0 }, false],
    [{ perSecondMax: 1.5 }, false],
    [{ perMinuteMax: 0 }, false],
  ])("[RING-13] limits of %j are taken: %s", (changed, taken) => {
    const limiter = new StartLimiter(limits({}));
    const change = () => limiter.setLimits(limits(changed));
    if (taken) expect(change).not.toThrow();
    else expect(change).toThrow(RangeError);
  });

  test("[RING-13] a limit that is not taken is named", () => {
    const limiter = new StartLimiter(limits({}));
    expect(() => limiter.setLimits(limits({ guardMs: 901 }))).toThrow("0 to 900 ms, not 901");
    expect(() => limiter.setLimits(limits({ perMinuteMax: 0 }))).toThrow("at least 1, not 0");
  });
});

describe("giving back", () => {
  test.each(["calendar", "sliding"] as const)(
    "[RING-8] a call that was missed makes room again, once (%s)",
    (ring) => {
      const limiter = new StartLimiter(limits({ perSecondMax: 2, perMinuteMax: 2, ring }));
      expect(start(limiter, 500, 9)).toBe(2);
      limiter.giveBack(at(500));
      expect(limiter.room(at(500))).toBe(1);
      expect(limiter.room(at(20_000))).toBe(1);
    },
  );

  test("[RING-8] what has left the minute has nothing to give back", () => {
    const limiter = new StartLimiter(limits({ perMinuteMax: 2 }));
    start(limiter, 0, 1);
    start(limiter, 60_000, 1);
    limiter.giveBack(at(0));
    expect(limiter.room(at(60_000))).toBe(1);
  });
});

describe("a restart", () => {
  const restarted = (limiter: StartLimiter, under: StartLimits, ms: number): StartLimiter =>
    StartLimiter.restore(under, JSON.parse(JSON.stringify(limiter)) as readonly number[], at(ms));

  test("[RING-9] calendar: the same second stays full, the next is free", () => {
    const both = limits({ perSecondMax: 2, perMinuteMax: 3 });
    const limiter = new StartLimiter(both);
    start(limiter, 100, 2);
    const next = restarted(limiter, both, 200);
    expect(start(next, 999)).toBe(0);
    expect(start(next, 1_000, 9)).toBe(1);
  });

  test.each([
    [0, 100, 200, 1_199, 0],
    [0, 100, 200, 1_200, 2],
    [0, 100, 1_500, 1_998, 0],
    [0, 100, 1_500, 1_999, 2],
    [0, 100, 2_100, 2_100, 2],
    [900, 100, 2_100, 2_898, 0],
    [900, 100, 2_100, 2_899, 2],
  ])(
    "[RING-9] sliding, guard %i: started at %i, back at %i: at %i %i start",
    (guardMs, startedMs, backMs, triedMs, started) => {
      const sliding = limits({ perSecondMax: 2, ring: "sliding", guardMs });
      const limiter = new StartLimiter(sliding);
      expect(start(limiter, startedMs, 2)).toBe(2);
      expect(start(restarted(limiter, sliding, backMs), triedMs, 9)).toBe(started);
    },
  );

  test("[RING-9] a room that was never written starts empty", () => {
    expect(StartLimiter.restore(limits({ perSecondMax: 2 }), null, at(0)).room(at(0))).toBe(2);
  });
});
