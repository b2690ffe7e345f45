import { describe, expect, test } from "vitest";
import type { BypassRules } from "../../../src/core/rules/bypass-rule.ts";
import {
  changedRules,
  type RulePosition,
  type RulesChange,
} from "../../../src/core/rules/rule-list.ts";
import { instant } from "../../../src/core/time.ts";

const START = instant(1_000_000);
const settings = (expression: string) => ({ expression, description: "", enabled: true });
const given = (expression: string, named: string | null = null) => ({
  named,
  newId: `new-${expression}`,
  settings: settings(expression),
});

const rulesAfter = (
  standing: BypassRules | undefined,
  change: RulesChange,
  now = instant((standing?.changedAt ?? START) + 5),
): BypassRules => {
  const reply = changedRules(standing, change, now);
  if (!reply.ok) throw new Error(reply.refusal);
  return reply.rules;
};
const idsOf = (rules: BypassRules): string => rules.list.map(({ id }) => id).join(" ");

const listOf = (...ids: readonly string[]): BypassRules => ({
  changedAt: START,
  list: ids.map((id) => ({ id, version: 1, ...settings(id), updatedAt: START })),
});
const ABCD = listOf("a", "b", "c", "d");

describe("[BYPASS-1] rules are added, edited, moved and removed", () => {
  test("the first one makes the list", () => {
    const change = { do: "add", id: "a", settings: settings("ssl"), position: null } as const;
    expect(rulesAfter(undefined, change, START)).toEqual({
      changedAt: START,
      list: [{ id: "a", version: 1, ...settings("ssl"), updatedAt: START }],
    });
  });

  test.each<[RulePosition, string]>([
    [{ index: 1 }, "c a b d"],
    [{ index: 2 }, "a c b d"],
    [{ index: 4 }, "a b d c"],
    [{ before: "a" }, "c a b d"],
    [{ before: "d" }, "a b c d"],
    [{ before: null }, "c a b d"],
    [{ after: "d" }, "a b d c"],
    [{ after: "a" }, "a c b d"],
    [{ after: null }, "a b d c"],
  ])("c goes to %j: %s", (position, order) => {
    const change = { do: "edit", id: "c", settings: {}, position } as const;
    const moved = rulesAfter(ABCD, change);
    expect(idsOf(moved)).toBe(order);
    // A rule that only moves is the same rule.
    expect(moved.list.every(({ version }) => version === 1)).toBe(true);
  });

  test.each<[RulePosition, string]>([
    [{ index: 5 }, "a b c d new"],
    [{ index: 1 }, "new a b c d"],
    [{ before: "b" }, "a new b c d"],
  ])("a new one at %j: %s", (position, order) => {
    const change = { do: "add", id: "new", settings: settings("ssl"), position } as const;
    expect(idsOf(rulesAfter(ABCD, change))).toBe(order);
  });

  test("an edit raises the version of that rule alone", () => {
    const change = { do: "edit", id: "b", settings: { enabled: false }, position: null } as const;
    const edited = rulesAfter(ABCD, change, instant(2_000_000));
    expect(edited.changedAt).toBe(2_000_000);
    expect(edited.list[1]).toEqual({
      ...ABCD.list[1],
      enabled: false,
      version: 2,
      updatedAt: 2_000_000,
    });
    expect(edited.list.toSpliced(1, 1)).toEqual(ABCD.list.toSpliced(1, 1));
  });

  test("a removal leaves the others", () => {
    expect(idsOf(rulesAfter(ABCD, { do: "remove", id: "b" }))).toBe("a c d");
  });
});

test.each<[RulesChange, string]>([
  [{ do: "remove", id: "x" }, "no-such-rule"],
  [{ do: "edit", id: "x", settings: {}, position: null }, "no-such-rule"],
  [{ do: "edit", id: "a", settings: {}, position: { index: 5 } }, "no-such-position"],
  [{ do: "edit", id: "a", settings: {}, position: { before: "x" } }, "no-such-position"],
  [{ do: "edit", id: "a", settings: {}, position: { after: "a" } }, "no-such-position"],
  [{ do: "add", id: "e", settings: settings("ssl"), position: { index: 6 } }, "no-such-position"],
  [{ do: "replace", rules: [given("x", "a"), given("y", "a")] }, "id-twice"],
])("[BYPASS-2] %j: %s", (change, refusal) => {
  expect(changedRules(ABCD, change, START)).toEqual({ ok: false, refusal });
});

test("[BYPASS-2] a room has at most 100 rules", () => {
  const ids = Array.from({ length: 100 }, (_, index) => `rule-${index}`);
  const full = listOf(...ids);
  const one = { do: "add", id: "more", settings: settings("ssl"), position: null } as const;
  expect(rulesAfter(listOf(...ids.slice(1)), one).list).toHaveLength(100);
  expect(changedRules(full, one, START)).toEqual({ ok: false, refusal: "too-many-rules" });
  const rules = [...ids, "more"].map((id) => given(id));
  expect(changedRules(undefined, { do: "replace", rules }, START)).toEqual({
    ok: false,
    refusal: "too-many-rules",
  });
});

describe("[BYPASS-3] a new list keeps the rules that are in it", () => {
  test("by id, or by expression where no id is named", () => {
    const rules = [given("d"), given("fresh"), given("x", "b"), given("a")];
    const after = rulesAfter(ABCD, { do: "replace", rules }, instant(2_000_000));
    expect(idsOf(after)).toBe("d new-fresh b a");
    expect(after.list.map(({ version }) => version)).toEqual([1, 1, 2, 1]);
  });

  test("the same expression twice are two rules", () => {
    const rules = [given("a"), given("a")].map((rule, index) => ({
      ...rule,
      newId: `new-${index}`,
    }));
    expect(idsOf(rulesAfter(ABCD, { do: "replace", rules }))).toBe("a new-1");
  });

  test("the same list again changes nothing, and not its time", () => {
    const rules = ["a", "b", "c", "d"].map((id) => given(id));
    expect(rulesAfter(ABCD, { do: "replace", rules }, instant(9_000_000))).toBe(ABCD);
  });

  test("an id that no rule has makes a new rule with an id of ours", () => {
    expect(idsOf(rulesAfter(ABCD, { do: "replace", rules: [given("z", "elsewhere")] }))).toBe(
      "new-z",
    );
  });

  test("no rules are a list too", () => {
    expect(rulesAfter(ABCD, { do: "replace", rules: [] }).list).toEqual([]);
  });
});

test("[BYPASS-3] the time of a list rises also when the clock runs back", () => {
  const after = rulesAfter(ABCD, { do: "remove", id: "a" }, instant(START - 5_000));
  expect(after.changedAt).toBe(START + 1);
});
