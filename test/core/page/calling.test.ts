import { describe, expect, test } from "vitest";
import type { PageState } from "../../../src/page/state.ts";
import { callingTitle, viewOf } from "../../../src/page/view.ts";
import { createWords } from "../../../src/page/words.ts";
import { catalogOf } from "../../../src/worker/page/catalogs.ts";

const words = createWords("en-GB", catalogOf("en").page);
const spans = { returnWindow: 3_600, claimWithin: 60, session: 300 };
const NOW = Date.UTC(2026, 10, 22, 12, 0, 0);

const state = (given: Partial<PageState>): PageState => ({
  phase: "waiting",
  ticket: { number: 1_248, state: "waiting", ahead: 0 },
  paused: false,
  message: null,
  closed: null,
  formLost: false,
  waiting: 1,
  startAhead: null,
  takenAt: null,
  heardAt: null,
  claimBy: null,
  asks: false,
  takesIn: false,
  missedAt: null,
  lost: null,
  link: "live",
  problem: null,
  ...given,
});
const view = (given: Partial<PageState>, leads = true) =>
  viewOf(state(given), spans, "Shop", words, leads);

describe("the title that calls", () => {
  test.each([
    [60_000, "● 1:00 Turn"],
    [59_001, "● 1:00 Turn"],
    [59_000, "○ 0:59 Turn"],
    [9_000, "○ 0:09 Turn"],
    [1, "○ 0:01 Turn"],
    [0, "● 0:00 Turn"],
    [-5_000, "● 0:00 Turn"],
    [605_000, "○ 10:05 Turn"],
  ])("[MOMENT-4] with %i ms left begins with the time, and its mark changes", (leftMs, title) => {
    expect(callingTitle("Turn", NOW + leftMs, NOW)).toBe(title);
  });

  test("[MOMENT-4] without a claim time has its mark alone", () => {
    expect(callingTitle("Turn", null, NOW)).toBe("● Turn");
  });
});

describe("what the page says", () => {
  const called = { ticket: { number: 9, state: "called", ahead: 0 }, phase: "called" } as const;

  test("[MOMENT-2] while it waits for its visitor: until when, and no more", () => {
    const { headline, lead } = view({ ...called, asks: true, claimBy: NOW });
    expect(headline).toBe("It is your turn");
    expect(lead).toMatch(/^Your turn is kept until \d{1,2}:00:00\.$/);
  });

  test("[MOMENT-7] every tab calls while none is in sight; then the others say where", () => {
    expect(view({ ...called, asks: true }, false).phase).toBe("called");
    expect(view({ ...called, asks: false }, false).phase).toBe("elsewhere");
  });

  test("[MOMENT-5] a turn that passed is told with its number, once the place is taken up again", () => {
    const away = { number: 1_248, state: "away", ahead: 3 } as const;
    expect(view({ ticket: away, missedAt: NOW }).notices).toEqual([]);
    expect(view({ ticket: away, missedAt: NOW }).title).toBe("You missed your call · Shop");
    expect(view({ missedAt: NOW }).notices).toEqual([
      expect.stringMatching(/kept until \d{1,2}:00 and passed unused\. You keep number 1,248/),
    ]);
    expect(view({}).notices).toEqual([]);
  });

  test("[MOMENT-6] beforehand, what happens at the turn: taken in, or called first", () => {
    const ticket = { number: 1, state: "waiting", ahead: 4 } as const;
    const lead = (takesIn: boolean | null) => view({ ticket, takesIn }).lead;
    expect(lead(false)).toContain(
      "this page calls you, and takes you in as soon as you look at it",
    );
    expect(lead(true)).toBe("When it is your turn, this page takes you in by itself.");
    expect(lead(null)).toBe(lead(true));
  });
});
