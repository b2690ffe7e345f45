import { describe, expect, test, vi } from "vitest";
import { A_PAGE, NOTHING, outcomeOf } from "../../static/queue/client/outcome.ts";
import type { Step } from "../../static/queue/client/outcome.ts";
import { backoff, jittered, reloadSpread, returnsIn } from "../../static/queue/client/timing.ts";

const withChance = <T>(chance: number, act: () => T): T => {
  const random = vi.spyOn(Math, "random").mockReturnValue(chance);
  try {
    return act();
  } finally {
    random.mockRestore();
  }
};

describe("spread by chance", () => {
  test.each([
    [0, 4_250],
    [0.5, 5_037],
    [0.999_999, 5_750],
  ])("[PAGE-23] chance %f makes 5 s %i ms, never 5,000", (chance, ms) => {
    expect(withChance(chance, () => jittered(5_000))).toBe(ms);
  });

  test.each([
    [null, 2_000],
    [80_000, 2_000],
    [80_040, 2_001],
    [1_000_000, 25_000],
  ])("[PAGE-27] with %s waiting, pages load themselves again within %i ms", (waiting, ms) => {
    expect(reloadSpread(waiting)).toBeCloseTo(ms, 6);
  });

  test.each([0, 100, 27_300])(
    "[PAGE-23] told to be back in %i ms, it is within 2 s of that, and later each time it fails",
    (ms) => {
      expect(withChance(0, () => returnsIn(0, ms))).toBe(ms);
      expect(withChance(1, () => returnsIn(0, ms))).toBe(ms + 2_000);
      const most = Math.min(60_000, 2 * (ms + 2_000));
      expect(withChance(0, () => returnsIn(1, ms))).toBe(most / 2);
      expect(withChance(1, () => returnsIn(1, ms))).toBe(most);
    },
  );

  test("[PAGE-23] later tries wait longer, up to a minute or the first wait where that is longer", () => {
    const most = (attempt: number, first: number) => withChance(1, () => backoff(attempt, first));
    expect([1, 2, 3, 4, 5, 50].map((attempt) => most(attempt, 2_000))).toEqual([
      4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
    expect(most(3, 90_000)).toBe(90_000);
    expect(withChance(0, () => backoff(3, 2_000))).toBe(8_000);
  });
});

describe("what an answer means", () => {
  const json = (status: number, body: object) => ({ status, body, retryMs: 1_000 }) as const;

  test.each([
    ["take", 409, "room-closed", "closed"],
    ["take", 409, "room-suspended", "enter"],
    ["take", 404, "room-not-found", "reload"],
    ["ask", 404, "room-not-found", "reload"],
    ["ask", 404, "no-ticket", "look"],
    ["ask", 410, "ended", "look"],
    ["claim", 410, "ended", "look"],
    ["look", 404, "no-visit", "ended"],
    ["look", 410, "ended", "ended"],
    ["giveUp", 404, "no-ticket", "given-up"],
    ["giveUp", 503, "busy", "busy"],
    ["claim", 429, "too-many-joins", "too-many-joins"],
    ["ask", 500, "internal", "busy"],
    ["claim", 400, "cookies-needed", "cookies"],
    ["take", 503, "lobby-full", "line-full"],
    ["claim", 200, "", "enter"],
    ["look", 200, "", "enter"],
    ["giveUp", 204, "", "given-up"],
    ["ask", A_PAGE, "", "reload"],
    ["ask", NOTHING, "", "unreachable"],
  ] as const)("[PAGE-21] %s, %i %s: %s", (step, status, code, kind) => {
    expect(outcomeOf(step as Step, json(status, { code }))).toBe(kind);
  });

  test("[PAGE-44] a room that is not found is no place given up", () => {
    expect(outcomeOf("giveUp", json(404, { code: "room-not-found" }))).toBe("reload");
    expect(outcomeOf("giveUp", json(404, { code: "no-ticket" }))).toBe("given-up");
  });

  test("[PAGE-28] not yet: the turn stands, or was taken back", () => {
    expect(outcomeOf("claim", json(202, { state: "called" }))).toBe("not-yet");
    expect(outcomeOf("claim", json(202, {}))).toBe("not-yet");
    expect(outcomeOf("claim", json(202, { state: "waiting" }))).toBe("stand");
  });
});
