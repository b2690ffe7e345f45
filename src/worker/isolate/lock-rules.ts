import { DEFINITIONS_UNHEARD_MAX_MS } from "../../core/token-lives.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { callObject } from "./call-object.ts";
import { DEFINITION_TIMES, StaleWhileRevalidate, type Fetched } from "./stale-while-revalidate.ts";
import type { Ports } from "../platform/ports.ts";
import { RuleTable } from "../../core/locks/rule-table.ts";
import { rulesObject } from "./lock-shards.ts";

interface KnownRules {
  readonly version: number;
  readonly table: RuleTable;
}

/** This isolate's copy of the lock rules. */
export class LockRuleMemory {
  readonly #ports: Ports;
  readonly #kept: StaleWhileRevalidate<KnownRules>;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#kept = new StaleWhileRevalidate(ports, DEFINITION_TIMES);
  }

  /** Null when there never were any, or the last are a day old: then nothing unsafe may pass. */
  async current(arrival: Arrival): Promise<RuleTable | null> {
    const taken = await this.#kept.read(() => this.#ask(arrival), arrival.waitUntil);
    if (this.#kept.ageMs >= DEFINITION_TIMES.staleMs) this.#logSilence(arrival);
    return taken !== null && this.#kept.ageMs < DEFINITIONS_UNHEARD_MAX_MS
      ? taken.value.table
      : null;
  }

  /** A rule has just been changed through this isolate. */
  expire(): void {
    this.#kept.expire();
  }

  async #ask({ env }: Arrival): Promise<Fetched<KnownRules>> {
    const takenAt = this.#ports.now();
    const known = this.#kept.taken?.value ?? null;
    const reply = await callObject(this.#ports, () =>
      rulesObject(env).rules(known?.version ?? null),
    );
    if (reply !== null)
      return { value: { version: reply.version, table: new RuleTable(reply.rules) }, takenAt };
    if (known === null) throw new Error("the object of lock rules gave none");
    return { value: known, takenAt };
  }

  #logSilence({ reference }: Arrival): void {
    this.#ports.log({
      level: "error",
      event: "lock-rules-old",
      reference,
      ...this.#kept.silence,
    });
  }
}
