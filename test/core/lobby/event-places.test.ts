import { expect, test } from "vitest";
import type { CurrentEvent, EventId } from "../../../src/core/events/event.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import {
  placeTold,
  POLLS_PER_SECOND_MAX,
  pollAroundStart,
} from "../../../src/core/lobby/event-places.ts";
import { pollAfterSeconds } from "../../../src/core/lobby/ticket-view.ts";
import type { Place } from "../../../src/core/room/commands.ts";
import { instant } from "../../../src/core/time.ts";
import { seeded } from "../room/seeded.ts";

const START = 1_000_000;
const eventIn = (change: Partial<CurrentEvent> = {}): CurrentEvent => ({
  id: "e".repeat(32) as EventId,
  name: "sale",
  phase: "prequeue",
  startsAt: instant(START),
  endsAt: instant(START + 3_600_000),
  shuffle: false,
  ...change,
});
const placeOf = (number: number, ahead: number): Place => ({
  number: ticketNumber(number),
  state: "waiting",
  ahead,
  claimBy: null,
});

test.each([
  [true, "prequeue", { ahead: null, among: 4_000 }],
  [true, "drawing", { ahead: null, among: 4_000 }],
  [true, "running", { ahead: 7 }],
  [false, "prequeue", { ahead: 7 }],
] as const)("[DOORS-2] shuffled: %s, %s: a place is told as %j", (shuffle, phase, told) => {
  const event = eventIn({ shuffle, phase });
  expect(placeTold(placeOf(8, 7), { event, waiting: 4_000 })).toEqual({
    ...placeOf(8, 7),
    ...told,
  });
});

test("[DOORS-2] until the order is drawn who is away is told no place either", () => {
  const away: Place = { ...placeOf(8, 7), state: "away" };
  expect(placeTold(away, { event: eventIn({ shuffle: true }), waiting: 0 })).toEqual({
    ...away,
    ...{ ahead: null, among: 1 },
  });
});

test("[DOORS-6] without an event the rules for any line hold", () => {
  expect(pollAroundStart(placeOf(1, 0), { waiting: 10 }, instant(START))).toBeNull();
});

test.each([
  ["shuffled, each by its number", true, 0, [32, 19, 14]],
  ["in line, each by its place", false, 0, [10, 10, 10]],
  ["a place that is not known, by its number", false, null, [32, 19, 14]],
] as const)("[DOORS-6] with 100,000 they are spread: %s", (_, shuffle, ahead, seconds) => {
  const status = { event: eventIn({ shuffle }), waiting: 100_000 };
  const asked = [47, 123, 210].map((number) =>
    pollAroundStart({ number: ticketNumber(number), ahead }, status, instant(START - 10_000)),
  );
  expect(asked).toEqual(seconds);
});

test("[DOORS-2] a call that stands is told as it is, and without an event every place", () => {
  const called: Place = { ...placeOf(8, 0), state: "called", claimBy: instant(5) };
  expect(placeTold(called, { event: eventIn({ shuffle: true }), waiting: 9 })).toBe(called);
  expect(placeTold(placeOf(8, 7), { waiting: 9 })).toEqual(placeOf(8, 7));
});

test.each([
  ["long before", "prequeue", START - 600_000, 1, 10, 15],
  ["a poll and a fifth before", "prequeue", START - 18_001, 1, 10, 15],
  ["shortly before, the first in line", "prequeue", START - 18_000, 0, 10, 18],
  ["shortly before, the last in line", "prequeue", START - 18_000, 10, 10, 20],
  ["at the start, by the Room not told yet", "prequeue", START, 0, 10, 0],
  ["long before, with 100,000 in line", "prequeue", START - 600_000, 1, 100_000, 25],
  ["at the start, half way down 100,000", "prequeue", START - 1_000, 50_000, 100_000, 14],
  ["while the order is drawn", "drawing", START + 1, 1, 10, 6],
  ["while it is, with 100,000", "drawing", START + 1, 1, 100_000, 25],
  ["when it runs", "running", START + 1, 1, 10, null],
] as const)("[DOORS-6] %s: a page asks again after", (_, phase, now, ahead, waiting, seconds) => {
  const status = { event: eventIn({ phase }), waiting };
  expect(pollAroundStart(placeOf(ahead + 1, ahead), status, instant(now))).toBe(seconds);
});

test("[DOORS-6] it asks at least four times in a return window, and never within 2 s", () => {
  const eta = { known: false, reason: "paused" } as const;
  expect(pollAfterSeconds("waiting", eta, 40_000, 25)).toBe(10);
  expect(pollAfterSeconds("waiting", eta, 3_600_000, 25)).toBe(25);
  expect(pollAfterSeconds("waiting", eta, 3_600_000, 0)).toBe(2);
  expect(pollAfterSeconds("called", eta, 3_600_000, 25)).toBe(2);
});

test.each([false, true])(
  "[DOORS-6] of 100,000 pages that poll no second sees more than 4,600, shuffled: %s",
  (shuffle) => {
    const waiting = 100_000;
    const below = seeded(12);
    const random = () => below(1_000_000) / 1_000_000;
    const perSecond = new Map<number, number>();
    const first: number[] = [];
    for (let ahead = 0; ahead < waiting; ahead += 1) {
      // Each has asked some time before, and does so until it finds the doors open.
      let now = START - 60_000 + random() * 25_000;
      while (now < START) {
        const status = { event: eventIn({ shuffle }), waiting };
        const seconds = pollAroundStart(
          placeOf(ahead + 1, ahead),
          status,
          instant(Math.floor(now)),
        )!;
        // As the page's own timer does it.
        now += Math.max(2, seconds) * 1_000 * (0.85 + 0.3 * random());
        const second = Math.floor((now - START) / 1_000);
        perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
      }
      if (ahead < 100) first.push(now - START);
    }
    expect(Math.max(...perSecond.values())).toBeLessThan(1.15 * POLLS_PER_SECOND_MAX);
    // Nobody comes later than a spread and a page's own jitter.
    expect(Math.max(...perSecond.keys())).toBeLessThan(36);
    if (!shuffle) expect(Math.max(...first)).toBeLessThan(6_000);
  },
);
