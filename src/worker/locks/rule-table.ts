import type { LockRule } from "../../core/locks/rule.ts";
import { segmentsOf } from "./rule-schema.ts";

interface Entry {
  readonly rule: LockRule;
  readonly segments: readonly string[];
}

/** several: readings of the path fall under different rules, so it has no single meaning. */
export type RuleMatch =
  | { readonly kind: "none" | "several" }
  | { readonly kind: "one"; readonly rule: LockRule; readonly path: string };

const isParameter = (segment: string): boolean => segment.startsWith(":");

/** Which rule is for which request. Built once for each version of the rules. */
export class RuleTable {
  readonly #entries: readonly Entry[];

  constructor(rules: readonly LockRule[]) {
    this.#entries = rules
      .map((rule) => ({ rule, segments: segmentsOf(rule.path) }))
      .toSorted(moreSpecificFirst);
  }

  /** A path that any reading puts under a rule is that rule's; under two of them, it is nobody's. */
  match(method: string, host: string, readings: readonly string[]): RuleMatch {
    let match: Extract<RuleMatch, { kind: "one" }> | null = null;
    for (const path of readings) {
      const rule = this.#find(method, host, path);
      if (rule === null) continue;
      if (match !== null && match.rule.name !== rule.name) return { kind: "several" };
      match ??= { kind: "one", rule, path };
    }
    return match ?? { kind: "none" };
  }

  /** Is there a rule for any path of this host? */
  guards(method: string, host: string): boolean {
    return this.#entries.some(({ rule }) => isFor(rule, method, host));
  }

  #find(method: string, host: string, path: string): LockRule | null {
    const given = segmentsOf(path);
    const found = this.#entries.find(
      ({ rule, segments }) =>
        isFor(rule, method, host) &&
        segments.length <= given.length &&
        segments.every((segment, at) => isParameter(segment) || segment === given[at]),
    );
    return found?.rule ?? null;
  }
}

const isFor = (rule: LockRule, method: string, host: string): boolean =>
  (rule.host === "*" || rule.host === host) && rule.methods.includes(method);

/** More segments first; of two as long, the one that spells out the earlier one; then the exact host. */
const moreSpecificFirst = (a: Entry, b: Entry): number => {
  if (a.segments.length !== b.segments.length) return b.segments.length - a.segments.length;
  for (const [at, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[at] ?? ""));
    if (difference !== 0) return difference;
  }
  return Number(a.rule.host === "*") - Number(b.rule.host === "*");
};
