import type { RoomDefinition } from "../../core/definition.ts";
import type { VisitId } from "../../core/ids.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Ports } from "../platform/ports.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";

/** Requests that an ended pass may still make. */
const ENDED_PASS_REQUESTS_MAX = 20;
const ENDED_PASSES_MAX = 4_096;
/** Preflights a second that a room lets through at least, however few its permits are. */
const PREFLIGHTS_PER_SECOND_LEAST = 10;
const RULES_MAX = 4_096;

/** Counts what this isolate has let through without a pass. */
export class Quotas {
  readonly #ports: Ports;
  readonly #endedPasses = new BoundedMap<string, number>(ENDED_PASSES_MAX);
  readonly #rules = new BoundedMap<string, { second: number; count: number }>(RULES_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Counts one request of an ended pass; false beyond its allowance. */
  spendEndedPass(room: RoomDefinition, visit: VisitId): boolean {
    const key = `${room.id}/${visit}`;
    const spent = this.#endedPasses.get(key) ?? 0;
    if (spent >= ENDED_PASS_REQUESTS_MAX) return false;
    this.#endedPasses.set(key, spent + 1);
    return true;
  }

  /**
   * Counts one preflight in the running second: as many go through as the room has permits, as if
   * each admitted visitor sent one a second.
   */
  spendPreflight(room: RoomDefinition): boolean {
    const perSecondMax = Math.max(PREFLIGHTS_PER_SECOND_LEAST, room.limits.permitsMax);
    return this.spendRule(room, "preflight", perSecondMax);
  }

  /** Counts one request of a rule in the running second; false beyond `perSecondMax`. */
  spendRule(room: RoomDefinition, rule: number | string, perSecondMax: number): boolean {
    const key = `${room.id}/${rule}`;
    const second = Math.floor(this.#ports.now() / SECOND_MS);
    const window = this.#rules.get(key);
    const count = window?.second === second ? window.count : 0;
    if (count >= perSecondMax) return false;
    this.#rules.set(key, { second, count: count + 1 });
    return true;
  }
}
