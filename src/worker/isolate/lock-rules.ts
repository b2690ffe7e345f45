import { SECOND_MS } from "../../core/time.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { callObject } from "./call-object.ts";
import { StaleWhileRevalidate, type Fetched } from "./stale-while-revalidate.ts";
import { reasonOf } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";
import { RuleTable } from "../../core/locks/rule-table.ts";
import { rulesObject } from "./lock-shards.ts";

/** As rooms' definitions: used for 5 s; in the last of them the next are fetched. */
const TIMES = {
  freshMs: 4 * SECOND_MS,
  staleMs: 5 * SECOND_MS,
  waitMs: 2 * SECOND_MS,
  lapseMs: 3 * SECOND_MS,
  pauseMs: SECOND_MS,
};
const SILENCE_MAX_MS = 24 * 3_600 * SECOND_MS;

interface Known {
  readonly version: number;
  readonly table: RuleTable;
}

/** This isolate's copy of the lock rules. */
export class LockRuleMemory {
  readonly #ports: Ports;
  readonly #kept: StaleWhileRevalidate<Known>;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#kept = new StaleWhileRevalidate(ports, TIMES);
  }

  /** Null when there never were any, or the last are a day old: then nothing unsafe may pass. */
  async current(arrival: Arrival): Promise<RuleTable | null> {
    const taken = await this.#kept.read(() => this.#ask(arrival), arrival.waitUntil);
    if (this.#kept.ageMs >= TIMES.staleMs) this.#logSilence(arrival);
    return taken !== null && this.#kept.ageMs < SILENCE_MAX_MS ? taken.value.table : null;
  }

  /** A rule has just been changed through this isolate. */
  expire(): void {
    this.#kept.expire();
  }

  async #ask({ env }: Arrival): Promise<Fetched<Known>> {
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
    const { ageMs } = this.#kept;
    this.#ports.log({
      level: "error",
      event: "lock-rules-old",
      reference,
      age_ms: Number.isFinite(ageMs) ? ageMs : null,
      reason: reasonOf(this.#kept.failure),
    });
  }
}
