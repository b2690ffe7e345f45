import type { LockRule } from "../../core/locks/rule.ts";
import type { ChangeOf, SettingsChange } from "../../core/settings-change.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type { LockRules, RuleReply } from "./contract.ts";
import { LockRulesStore } from "./rules-store.ts";

const RULES_MAX = 200;

/** The lock rules of the deployment, for the one object that keeps them. */
export class LockRulesKeeper {
  readonly #store: LockRulesStore;
  readonly #changed: ChangeOf<LockRule>;
  #known: LockRules | null = null;

  constructor(storage: DurableObjectStorage, changed: ChangeOf<LockRule>) {
    this.#store = new LockRulesStore(storage);
    this.#changed = changed;
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

  change(
    name: string,
    change: SettingsChange,
    now: InstantMs,
    readAt?: InstantMs,
  ): RuleReply<LockRule> {
    const before = this.#find(name);
    if (before === null) return { ok: false, problem: "not-found" };
    if (readAt !== undefined && readAt !== before.modifiedAt)
      return { ok: false, problem: "modified-since" };
    const changed = this.#changed(before, change);
    if (!changed.ok) return { ok: false, problem: "invalid", problems: changed.problems };
    const rule = changed.value;
    const { createdAt, modifiedAt } = before;
    const same = JSON.stringify({ ...rule, createdAt, modifiedAt }) === JSON.stringify(before);
    if (same) return { ok: true, value: before, before };
    // Strictly later than before, also when the machine's clock stepped back.
    const stamped = { ...rule, createdAt, modifiedAt: instant(Math.max(now, modifiedAt + 1)) };
    return { ...this.#put(stamped), before };
  }

  delete(name: string): RuleReply<string> {
    if (this.#find(name) === null) return { ok: false, problem: "not-found" };
    this.#known = null;
    this.#store.delete(name);
    return { ok: true, value: name };
  }

  #put(rule: LockRule): { ok: true; value: LockRule } {
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
