/** Finds the lock rule for a request by method, host and path. Its key is read by the Worker. */
import type { LockRule } from "./rule.ts";
import { isParameter, isUnder, segmentsOf } from "../url/path-segments.ts";

interface Entry {
  readonly rule: LockRule;
  readonly segments: readonly string[];
}

/**
 * several: readings of the path fall under different rules, so it has no single meaning ·
 * several-hosts: the rules of different hosts are for it
 */
export type RuleMatch =
  | { readonly kind: "none" | "several" | "several-hosts" }
  | { readonly kind: "one"; readonly rule: LockRule };

/** Which hosts' rules are for a request: its own host's, or those of all hosts of its origin. */
export type Hosts = (host: string) => boolean;

const EVERY_HOST = "*";

/** Which rule is for which request. Built once for each version of the rules. */
export class RuleTable {
  readonly #entries: readonly Entry[];
  readonly #hosts: ReadonlySet<string>;

  constructor(rules: readonly LockRule[]) {
    this.#entries = rules
      .map((rule) => ({ rule, segments: segmentsOf(rule.path) }))
      .toSorted(moreSpecificFirst);
    this.#hosts = new Set(rules.map(({ host }) => host).filter((host) => host !== EVERY_HOST));
  }

  /** Does a rule name this host, rather than all of them? */
  names(host: string): boolean {
    return this.#hosts.has(host);
  }

  get namesHosts(): boolean {
    return this.#hosts.size > 0;
  }

  /** A path that any reading puts under a rule is that rule's; under two of them, it is nobody's. */
  match(method: string, hosts: Hosts, readings: readonly string[]): RuleMatch {
    let match: Extract<RuleMatch, { kind: "one" }> | null = null;
    for (const path of readings) {
      const rules = this.#find(method, hosts, path);
      if (rules.size > 1) return { kind: "several-hosts" };
      for (const rule of rules) {
        if (match !== null && match.rule.name !== rule.name) return { kind: "several" };
        match ??= { kind: "one", rule };
      }
    }
    return match ?? { kind: "none" };
  }

  /** Is there a rule for any path of these hosts? */
  guards(method: string, hosts: Hosts): boolean {
    return this.#entries.some(
      ({ rule }) => rule.methods.includes(method) && (rule.host === EVERY_HOST || hosts(rule.host)),
    );
  }

  /** What each of these hosts that has a rule of its own for the path would have locked. */
  #find(method: string, hosts: Hosts, path: string): ReadonlySet<LockRule> {
    const given = segmentsOf(path);
    const fitting = this.#entries.filter(
      ({ rule, segments }) => rule.methods.includes(method) && isUnder(segments, given),
    );
    const first = (host: string): LockRule | undefined =>
      fitting.find(({ rule }) => rule.host === EVERY_HOST || rule.host === host)?.rule;
    const named = new Set(fitting.map(({ rule }) => rule.host).filter(isNamed));
    const found = [...named].filter(hosts).map(first);
    return new Set((found.length === 0 ? [first(EVERY_HOST)] : found).filter(isRule));
  }
}

const isNamed = (host: string): boolean => host !== EVERY_HOST;
const isRule = (rule: LockRule | undefined): rule is LockRule => rule !== undefined;

/** More segments first; of two as long, the one that spells out the earlier one; then the exact host. */
const moreSpecificFirst = (a: Entry, b: Entry): number => {
  if (a.segments.length !== b.segments.length) return b.segments.length - a.segments.length;
  for (const [at, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[at] ?? ""));
    if (difference !== 0) return difference;
  }
  return Number(a.rule.host === "*") - Number(b.rule.host === "*");
};
