import { describe, expect, test } from "vitest";
import { isGivenUp, nextTryAt, restsUntil } from "../../../src/core/alerts/backoff.ts";
import { afterTry, type Attempt, type Webhook } from "../../../src/core/alerts/webhook.ts";
import { instant } from "../../../src/core/time.ts";

const AT = instant(1_800_000_000_000);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const spanOf = (tries: number, chance: number, retryAfterMs: number | null = null) => {
  const next = nextTryAt({ tries, firstAt: AT, retryAfterMs }, chance, AT);
  return next === null ? null : next - AT;
};

describe("[WEBHOOK-5] when a delivery is tried again", () => {
  test.each([
    [1, 5_000],
    [2, 15_000],
    [3, 45_000],
    [8, 10_935_000],
    [9, 4 * HOUR],
    [10_000, 4 * HOUR],
  ])("after %i tries, %i ms later, a fifth sooner or later by chance", (tries, ms) => {
    expect([spanOf(tries, 0.5), spanOf(tries, 0), spanOf(tries, 0.999_999)]).toEqual([
      ms,
      Math.round(0.8 * ms),
      expect.closeTo(1.2 * ms, -2),
    ]);
  });

  test("a receiver that goes on failing is asked some thirteen times within the day, never after it", () => {
    for (const chance of [0, 0.5, 0.999]) {
      let now = AT;
      let tries = 0;
      for (;;) {
        tries += 1;
        const next = nextTryAt({ tries, firstAt: AT, retryAfterMs: null }, chance, now);
        if (next === null) break;
        expect(next).toBeGreaterThan(now);
        now = next;
      }
      expect(tries).toBeGreaterThanOrEqual(12);
      expect(tries).toBeLessThanOrEqual(16);
      expect(now - AT).toBeGreaterThan(18 * HOUR);
      expect(now - AT).toBeLessThan(DAY);
    }
  });

  test.each([
    [1, 60_000, 60_000],
    [9, 60_000, 4 * HOUR],
    [1, 4 * HOUR, 4 * HOUR],
    [1, 400 * HOUR, 4 * HOUR],
    [1, 0, 5_000],
  ])("after %i tries a receiver that asks for %i ms gets %i", (tries, asked, ms) => {
    expect(spanOf(tries, 0.5, asked)).toBe(ms);
  });

  test.each([
    [DAY - 1, false],
    [DAY, true],
  ])("%i ms after its alert a delivery is given up: %s", (ms, isOver) => {
    expect(isGivenUp(AT, instant(AT + ms))).toBe(isOver);
  });
});

test.each([
  [1, null, 5_000],
  [2, null, 10_000],
  [7, null, 300_000],
  [100_000, null, 300_000],
  [1, HOUR, HOUR],
  [1, 9 * HOUR, 4 * HOUR],
])("[WEBHOOK-7] after %i failures in a row, asked for %s, it rests %i ms", (inARow, asked, ms) => {
  expect(restsUntil(inARow, asked, 0.5, AT) - AT).toBe(ms);
});

describe("[WEBHOOK-6] what becomes of a webhook whose receiver fails", () => {
  const webhook = { enabled: true, failingSince: null, failedInARow: 0 } as unknown as Webhook;
  const attempt = (at: number, status: number | null): Attempt => ({
    at: instant(at),
    status,
    tookMs: 1,
    problem: status === 200 ? null : "no",
  });
  const rests = instant(AT + 1);

  test.each([
    [5 * DAY - 1, true],
    [5 * DAY, false],
  ])("%i ms without a yes: it is on: %s", (ms, enabled) => {
    const first = afterTry(webhook, attempt(AT, null), rests);
    expect(first).toMatchObject({ enabled: true, failingSince: AT, failedInARow: 1 });
    const later = afterTry(first, attempt(AT + ms, 500), rests);
    expect(later).toMatchObject({ enabled, failingSince: AT, failedInARow: 2 });
  });

  test("410 is obeyed at once, and a yes forgets what was", () => {
    expect(afterTry(webhook, attempt(AT, 410), rests)).toMatchObject({
      enabled: false,
      offReason: "gone",
    });
    const failed = afterTry(webhook, attempt(AT, 500), rests);
    expect(afterTry(failed, attempt(AT, 200), rests)).toMatchObject({
      failingSince: null,
      failedInARow: 0,
      restsUntil: null,
    });
  });
});
