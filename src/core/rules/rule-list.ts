/** What can be done with a room's list of rules. Its input has been parsed and checked already. */
import { instant, type InstantMs } from "../time.ts";
import { RULES_MAX, type BypassRule, type BypassRules } from "./bypass-rule.ts";

/** What an operator says of a rule. */
export type RuleSettings = Pick<BypassRule, "expression" | "description" | "enabled">;

/** `index` counts from 1. Before or after no rule in particular: at the begin or the end. */
export type RulePosition =
  | { readonly index: number }
  | { readonly before: BypassRule["id"] | null }
  | { readonly after: BypassRule["id"] | null };

/** A rule of a new list. What names no rule that stands is the one with its expression, or a new one. */
export interface RuleGiven {
  readonly named: BypassRule["id"] | null;
  readonly newId: BypassRule["id"];
  readonly settings: RuleSettings;
}

export type RulesChange =
  | { readonly do: "replace"; readonly rules: readonly RuleGiven[] }
  | {
      readonly do: "add";
      readonly id: string;
      readonly settings: RuleSettings;
      readonly position: RulePosition | null;
    }
  | {
      readonly do: "edit";
      readonly id: string;
      readonly settings: Partial<RuleSettings>;
      readonly position: RulePosition | null;
    }
  | { readonly do: "remove"; readonly id: string };

export type RulesRefusal = "no-such-rule" | "no-such-position" | "too-many-rules" | "id-twice";

export type RulesReply =
  | { readonly ok: true; readonly rules: BypassRules }
  | { readonly ok: false; readonly refusal: RulesRefusal };

const NO_RULES: BypassRules = { changedAt: instant(0), list: [] };

/** A change that changes nothing leaves everything as it was, its time too. */
export const changedRules = (
  standing: BypassRules | undefined,
  change: RulesChange,
  now: InstantMs,
): RulesReply => {
  const before = standing ?? NO_RULES;
  const list = listAfter(before.list, change, now);
  if (typeof list === "string") return { ok: false, refusal: list };
  if (list.length > RULES_MAX) return { ok: false, refusal: "too-many-rules" };
  if (new Set(list.map(({ id }) => id)).size < list.length)
    return { ok: false, refusal: "id-twice" };
  const isSame =
    list.length === before.list.length && list.every((rule, index) => rule === before.list[index]);
  if (isSame) return { ok: true, rules: before };
  return { ok: true, rules: { changedAt: instant(Math.max(now, before.changedAt + 1)), list } };
};

const listAfter = (
  list: readonly BypassRule[],
  change: RulesChange,
  now: InstantMs,
): readonly BypassRule[] | RulesRefusal => {
  switch (change.do) {
    case "replace":
      return replaced(list, change.rules, now);
    case "add": {
      const rule = made(change.id, change.settings, now);
      return placed(list, rule, change.position ?? { after: null });
    }
    case "edit": {
      const at = list.findIndex(({ id }) => id === change.id);
      const standing = list[at];
      if (standing === undefined) return "no-such-rule";
      const rule = edited(standing, change.settings, now);
      if (change.position === null) return list.with(at, rule);
      return placed(list.toSpliced(at, 1), rule, change.position);
    }
    case "remove": {
      const left = list.filter(({ id }) => id !== change.id);
      return left.length === list.length ? "no-such-rule" : left;
    }
    default:
      return change satisfies never;
  }
};

const replaced = (
  list: readonly BypassRule[],
  given: readonly RuleGiven[],
  now: InstantMs,
): readonly BypassRule[] => {
  const named = new Set(given.map((rule) => rule.named));
  const unnamed = list.filter(({ id }) => !named.has(id));
  const standingFor = (rule: RuleGiven): BypassRule | undefined => {
    if (rule.named !== null) return list.find(({ id }) => id === rule.named);
    const at = unnamed.findIndex(({ expression }) => expression === rule.settings.expression);
    return at === -1 ? undefined : unnamed.splice(at, 1)[0];
  };
  return given.map((rule) => {
    const standing = standingFor(rule);
    return standing === undefined
      ? made(rule.newId, rule.settings, now)
      : edited(standing, rule.settings, now);
  });
};

const made = (id: string, settings: RuleSettings, now: InstantMs): BypassRule => ({
  id,
  version: 1,
  ...settings,
  updatedAt: now,
});

const edited = (rule: BypassRule, settings: Partial<RuleSettings>, now: InstantMs): BypassRule => {
  const next = { ...rule, ...settings };
  const isSame =
    next.expression === rule.expression &&
    next.description === rule.description &&
    next.enabled === rule.enabled;
  return isSame ? rule : { ...next, version: rule.version + 1, updatedAt: now };
};

/** The rule among the others. */
const placed = (
  others: readonly BypassRule[],
  rule: BypassRule,
  position: RulePosition,
): readonly BypassRule[] | RulesRefusal => {
  const at = placeOf(others, position);
  return at === null ? "no-such-position" : others.toSpliced(at, 0, rule);
};

const placeOf = (others: readonly BypassRule[], position: RulePosition): number | null => {
  if ("index" in position) return position.index <= others.length + 1 ? position.index - 1 : null;
  const isBefore = "before" in position;
  const named = isBefore ? position.before : position.after;
  if (named === null) return isBefore ? 0 : others.length;
  const at = others.findIndex(({ id }) => id === named);
  if (at === -1) return null;
  return isBefore ? at : at + 1;
};
