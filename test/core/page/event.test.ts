import { describe, expect, test } from "vitest";
import { eventHeard, phaseAt, withEvent } from "../../../src/page/event.ts";
import type { EventState, PageEvent, PageState } from "../../../src/page/state.ts";
import { viewOf } from "../../../src/page/view.ts";
import { createWords } from "../../../src/page/words.ts";
import { catalogOf } from "../../../src/worker/page/catalogs.ts";

const { page, event: eventWords, server } = catalogOf("en");
const { ahead, among, wait } = server;
const words = createWords("en-GB", { ...page, ...eventWords, ahead, among, wait });
const spans = { returnWindow: 3_600, claimWithin: 60, session: 300 };
const START = Date.UTC(2026, 10, 22, 12, 0, 0);

const told = (change: Partial<PageEvent> = {}): PageEvent => ({
  id: "e".repeat(32),
  phase: "prequeue",
  starts_at: new Date(START).toISOString(),
  shuffle: true,
  ...change,
});
const eventOf = (change: Partial<PageEvent> = {}, opensAt: number | null = START): EventState => {
  const event = told(change);
  return { told: event, phase: event.phase, opensInMs: 90_000, opensAt };
};
const state = (given: Partial<PageState>): PageState => ({
  phase: "waiting",
  ticket: { number: 1_248, state: "waiting", ahead: null, among: 4_000 },
  paused: true,
  message: null,
  closed: null,
  formLost: false,
  waiting: 4_000,
  startAhead: null,
  takenAt: null,
  heardAt: null,
  claimBy: null,
  asks: false,
  takesIn: true,
  missedAt: null,
  lost: null,
  link: "live",
  problem: null,
  ...given,
});
const view = (given: Partial<PageState>, now: number | null) =>
  withEvent(viewOf(state(given), spans, "Shop", words), state(given), "Shop", words, now);

describe("before the start", () => {
  test.each([
    [1, "0:01"],
    [59_001, "1:00"],
    [750_000, "12:30"],
    [3_599_000, "59:59"],
    [3_600_000, "1:00:00"],
    [86_399_000, "23:59:59"],
    [86_400_000, "24 hours"],
    [180_000_000, "50 hours"],
    [0, "0:00"],
    [-5_000, "0:00"],
  ])("[DOORS-1] %i ms before, the page shows %s", (leftMs, shown) => {
    const shownNow = view({ event: eventOf() }, START - leftMs);
    expect([shownNow.waitLabel, shownNow.wait]).toEqual(["The doors open in", shown]);
    expect(shownNow.title).toBe(`${shown} The doors are not open yet · Shop`);
  });

  test("[DOORS-1] when that is, in the visitor's zone; with a date where it is not soon", () => {
    expect(view({ event: eventOf() }, START - 60_000).why).toMatch(/^\d\d:\d\d$/);
    expect(view({ event: eventOf() }, START - 50 * 3_600_000).why).toMatch(
      /^Sunday 22 November at \d\d:\d\d$/,
    );
  });

  test("[DOORS-1] the Worker prints the time left, which is true in every zone", () => {
    const printed = view({ event: eventOf({}, null) }, null);
    expect([printed.wait, printed.why]).toEqual(["90 seconds", ""]);
    expect(printed.title).toBe("The doors are not open yet · Shop");
  });

  test.each([
    [true, "the order is drawn", "You are one of", "4,000"],
    [false, "numbers are called in order", "Ahead of you", "7"],
  ])("[DOORS-1] how it goes on, shuffled: %s", (shuffle, order, label, counted) => {
    const ticket = {
      number: 8,
      state: "waiting",
      ahead: shuffle ? null : 7,
      among: 4_000,
    } as const;
    const shown = view({ event: eventOf({ shuffle }), ticket }, START - 1);
    expect(shown.headline).toBe("The doors are not open yet");
    expect(shown.lead).toContain(order);
    expect(shown.lead).toContain("takes you in by itself");
    expect([shown.aheadLabel, shown.ahead, shown.placed]).toEqual([label, counted, !shuffle]);
    expect(shown.paused).toBe(true);
  });

  test("[DOORS-1] whoever has no number yet, or is called, hears of that first", () => {
    const taking = view({ event: eventOf(), phase: "taking", ticket: null }, START - 1);
    expect([taking.headline, taking.lead]).toEqual([
      "The doors are not open yet",
      "One moment. Your number is on its way.",
    ]);
    const called = view({ event: eventOf(), phase: "called" }, START - 1);
    expect([called.headline, called.saying]).toEqual(["It is your turn", ""]);
  });
});

describe("at the start and after it", () => {
  test.each([
    ["prequeue", true, -1, "prequeue"],
    ["prequeue", true, 0, "drawing"],
    ["prequeue", false, 0, "running"],
    ["drawing", true, 60_000, "drawing"],
    ["running", true, -1, "running"],
  ] as const)("[DOORS-3] told %s, shuffled: %s, at %i ms: %s", (phase, shuffle, afterMs, is) => {
    expect(phaseAt(told({ phase, shuffle }), START, START + afterMs)).toBe(is);
  });

  test("[DOORS-3] without a clock the page goes by what it was told", () => {
    expect(phaseAt(told(), null, START + 1)).toBe("prequeue");
  });

  test("[DOORS-3] while the order is drawn it says so, and no place", () => {
    const shown = view({ event: eventOf({ phase: "drawing" }) }, START + 1);
    expect(shown.headline).toBe("The order is being drawn");
    expect([shown.aheadLabel, shown.placed, shown.wait]).toEqual([
      "You are one of",
      false,
      "Not known yet",
    ]);
    expect(shown.fair).toBe("");
  });

  test.each([
    [true, "Those who were here when the doors opened had their order drawn by lot."],
    [false, ""],
  ])("[DOORS-4] that the order was drawn is said where it was: %s", (shuffle, text) => {
    const ticket = { number: 8, state: "waiting", ahead: 31 } as const;
    const shown = view(
      { event: eventOf({ phase: "running", shuffle }), ticket, paused: false },
      START,
    );
    expect(shown.fair.startsWith(text) && (text !== "" || shown.fair === "")).toBe(true);
    expect([shown.headline, shown.aheadLabel, shown.ahead, shown.placed]).toEqual([
      "You are in line",
      "Ahead of you",
      "31",
      true,
    ]);
  });
});

describe("what the page hears", () => {
  const heard = (opensAt: number, before: EventState | null, now = START - 60_000) =>
    eventHeard(told(), opensAt, before, now).opensAt;

  test("[DOORS-1] of two readings of one start the earlier counts: all come late", () => {
    const first = eventHeard(told(), START + 900, null, START - 60_000);
    expect(first.opensAt).toBe(START + 900);
    expect(heard(START + 40, first)).toBe(START + 40);
    expect(heard(START + 1_500, first)).toBe(START + 900);
  });

  test("[DOORS-1] another start, or a clock that was set, counts at once", () => {
    const first = eventHeard(told(), START, null, START - 60_000);
    expect(heard(START + 2_000, first)).toBe(START + 2_000);
    const later = told({ starts_at: new Date(START + 1_000).toISOString() });
    expect(eventHeard(later, START + 1_000, first, START - 60_000).opensAt).toBe(START + 1_000);
  });

  test("[DOORS-3] what was known before the start undoes no start", () => {
    expect(eventHeard(told({ shuffle: false }), START, null, START + 500).phase).toBe("running");
  });
});

describe("for those who listen", () => {
  const milestones = (from: number) => {
    const said: string[] = [];
    let last: number | null = null;
    for (let left = from; left >= 0; left -= 1) {
      const { milestone, saying } = view({ event: eventOf() }, START - left * 1_000);
      if (milestone !== last) said.push(saying);
      last = milestone;
    }
    return said;
  };

  test("[DOORS-8] milestones, never seconds", () => {
    expect(milestones(47 * 60)).toEqual([
      "The doors open in 47 minutes.",
      "The doors open in 30 minutes.",
      "The doors open in 10 minutes.",
      "The doors open in 5 minutes.",
      "The doors open in 60 seconds.",
    ]);
  });

  test("[DOORS-8] the draw, and that it is made", () => {
    const drawing = view({ event: eventOf({ phase: "drawing" }) }, START);
    const running = view({ event: eventOf({ phase: "running" }) }, START);
    expect(drawing.saying).toBe("The order is being drawn");
    expect(running.saying).toContain("drawn by lot");
    const all = [view({ event: eventOf() }, START - 1), drawing, running];
    expect(new Set(all.map(({ milestone }) => milestone)).size).toBe(3);
  });
});
