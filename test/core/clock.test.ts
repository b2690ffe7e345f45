import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RoomClock } from "../../src/core/clock.ts";
import { instant } from "../../src/core/time.ts";

const T0 = 1_700_000_040_000;
const HOUR_MS = 3_600_000;

/** A clock that has read `T0 + readMs` on a machine that was right. */
const clockAt = (readMs: number): RoomClock => RoomClock.restore(instant(T0 + readMs));

describe("RoomClock", () => {
  test("[CLOCK-1] readings never fall, however the machine's clock jumps", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), { size: "large" }),
        (moves) => {
          const clock = RoomClock.restore(null);
          let machine = T0;
          let last = clock.read(machine);
          for (const moved of moves) {
            machine += moved;
            const reading = clock.read(machine);
            expect(reading).toBeGreaterThanOrEqual(last);
            last = reading;
          }
        },
      ),
    );
  });

  test.each([
    [-1, 1, 0],
    [-999, 999, 0],
    [-1_000, 0, 0],
    [-1_000, 1, 1],
    [-1_500, 499, 0],
    [-1_500, 501, 1],
    [-HOUR_MS, 7, 7],
  ])("[CLOCK-2] a jump of %i ms: after %i ms more the clock is %i ms on", (jumpMs, more, on) => {
    const clock = clockAt(400);
    expect(clock.read(T0 + 400 + jumpMs)).toBe(T0 + 400);
    expect(clock.read(T0 + 400 + jumpMs + more)).toBe(T0 + 400 + on);
  });

  test("[CLOCK-2] after a jump back its seconds begin when the machine's do", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: HOUR_MS }), (backMs) => {
        const clock = clockAt(0);
        clock.read(T0 - backMs);
        const machine = T0 - backMs + 1_000;
        expect((clock.read(machine) - machine) % 1_000).toBe(0);
      }),
    );
  });

  test("[CLOCK-2] it stands still for less than a second of the machine's time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: HOUR_MS }), (backMs) => {
        const clock = clockAt(0);
        clock.read(T0 - backMs);
        expect(clock.read(T0 - backMs + 1_000)).toBeGreaterThan(T0);
      }),
    );
  });

  test("[CLOCK-3] a jump forward is followed", () => {
    expect(clockAt(0).read(T0 + HOUR_MS)).toBe(T0 + HOUR_MS);
  });

  test("[CLOCK-3] back by an hour and forth again: the clock is right again", () => {
    const clock = clockAt(0);
    expect(clock.read(T0 - HOUR_MS + 250)).toBe(T0);
    expect(clock.read(T0 + 500)).toBe(T0 + 500);
    expect(clock.onMachine(instant(T0 + 900))).toBe(T0 + 900);
  });

  test("[CLOCK-3] forth again to the very instant of the last reading: it is right at once", () => {
    const clock = clockAt(0);
    clock.read(T0 - 2_000);
    expect(clock.read(T0)).toBe(T0);
    expect(clock.onMachine(instant(T0))).toBe(T0);
  });

  test("[CLOCK-4] after a restart it goes on from the last reading that was written", () => {
    const clock = clockAt(0);
    clock.read(T0 + 700);
    const next = RoomClock.restore(JSON.parse(JSON.stringify(clock)) as ReturnType<typeof instant>);
    expect(next.read(T0 - HOUR_MS)).toBe(T0 + 700);
  });

  test("[CLOCK-5] an alarm for an instant of ours is set on the machine's clock", () => {
    const clock = clockAt(0);
    const now = clock.read(T0 - HOUR_MS);
    expect(now).toBe(T0);
    expect(clock.onMachine(instant(T0 + 5_000))).toBe(T0 - HOUR_MS + 5_000);
  });
});
