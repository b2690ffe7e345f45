import { describe, expect, test } from "vitest";
import * as acts from "../../../static/dashboard/changes/acts.ts";
import type { Act, Limits } from "../../../static/dashboard/changes/acts.ts";

const seen = { waiting: 40, called: 2, visiting: 6 };
const from: Limits = { permits: 8, perMinute: 60, perSecond: null };

describe("[DASH-6] what asks first, and how firmly", () => {
  test.each<[string, Act, Act["asking"]]>([
    ["other limits", acts.limitsAct(from, { ...from, permits: 9 }, seen), "asks"],
    ["a pause", acts.pauseAct(seen), "asks"],
    ["its end", acts.resumeAct(seen), "asks"],
    ["closing", acts.closeAct("Sold out", seen), "asks"],
    ["opening again", acts.reopenAct(seen), "asks"],
    ["a message", acts.messageAct("Soon"), "at-once"],
    ["ending a visit", acts.revokeOneAct(7), "asks"],
    ["ending every visit", acts.revokeAllAct(seen), "typed"],
    ["letting everybody through", acts.suspendAct(seen), "typed"],
    ["limiting again", acts.guardAct(), "asks"],
  ])("%s", (_, act, asking) => {
    expect(act.asking).toBe(asking);
    expect(act.says.length).toBeGreaterThan(0);
  });
});

test("[DASH-6] lowering P says that nobody is sent away, where more are out", () => {
  const says = (permits: number): string =>
    acts.limitsAct(from, { ...from, permits }, seen).says.join(" ");
  expect(says(7)).toContain("Nobody is sent away: 8 permits are out");
  expect(says(9)).not.toContain("Nobody is sent away");
});

test.each([
  [16, false],
  [17, true],
])("[DASH-6] P from 8 to %i is called steep: %s", (permits, isSteep) => {
  const { says } = acts.limitsAct(from, { ...from, permits }, seen);
  expect(says.join(" ").includes("more than twice")).toBe(isSteep);
});

test("[DASH-6] to lift a limit is steep, to set one is not", () => {
  const lifted = acts.limitsAct({ ...from, perSecond: 5 }, from, seen);
  expect(lifted.says.join(" ")).toContain("more than twice");
  const set = acts.limitsAct(from, { ...from, perSecond: 5 }, seen);
  expect(set.says).toEqual(["Entering in a second: no limit becomes 5."]);
});

test.each([
  ["1", 1],
  ["100", 100],
  ["101", null],
  ["0", null],
  ["", null],
  ["1.5", null],
  ["-3", null],
  ["1e2", null],
])("a whole number from 1 to 100 in %j: %j", (text, value) => {
  expect(acts.wholeOf(text, 1, 100)).toBe(value);
});
