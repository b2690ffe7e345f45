import type { LockRule } from "../core/locks/rule.ts";
import { instant, type InstantMs } from "../core/time.ts";
import type { LockRules, RuleReply } from "./locks-contract.ts";
import { LockRulesStore } from "./locks-rules-store.ts";

const RULES_MAX = 200;

/** The lock rules of the deployment, for the one object that keeps them. */
export class LockRulesKeeper {
  readonly #store: LockRulesStore;
  #known: LockRules | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#store = new LockRulesStore(storage);
  }

  since(version: number | null): LockRules | null {
    const known = this.#load();
    return known.version === version ? null : known;
  }

  create(rule: LockRule, now: InstantMs): RuleReply<LockRule> {
    if (this.#find(rule.name) !== null) return { ok: false, problem: "name-taken" };
    if (this.#load().rules.length >= RULES_MAX) return { ok: false, problem: "too-many" };
    return this.#put({ ...rule, createdAt: now, modifiedAt: now });
  }

  replace(rule: LockRule, now: InstantMs, readAt?: InstantMs): RuleReply<LockRule> {
    const before = this.#find(rule.name);
    if (before === null) return { ok: false, problem: "not-found" };
    if (readAt !== undefined && readAt !== before.modifiedAt)
      return { ok: false, problem: "modified-since" };
    const { createdAt, modifiedAt } = before;
    const same = JSON.stringify({ ...rule, createdAt, modifiedAt }) === JSON.stringify(before);
    if (same) return { ok: true, value: before };
    // Strictly later than before, also when the machine's clock stepped back.
    return this.#put({ ...rule, createdAt, modifiedAt: instant(Math.max(now, modifiedAt + 1)) });
  }

  delete(name: string): RuleReply<string> {
    if (this.#find(name) === null) return { ok: false, problem: "not-found" };
    this.#known = null;
    this.#store.delete(name);
    return { ok: true, value: name };
  }

  #put(rule: LockRule): RuleReply<LockRule> {
    this.#known = null;
    this.#store.put(rule);
    return { ok: true, value: rule };
  }

  #find(name: string): LockRule | null {
    return this.#load().rules.find((rule) => rule.name === name) ?? null;
  }

  #load(): LockRules {
    if (this.#known !== null) return this.#known;
    this.#store.prepare();
    this.#known = this.#store.load();
    return this.#known;
  }
}
