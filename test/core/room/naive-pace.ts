import type { RoomLimits } from "../../../src/core/definition.ts";
import type { PaceAsk } from "../../../src/core/pace/signal.ts";

/** What lowers a room's limits, as SIGNAL-1 to SIGNAL-4 tell it. */
export class NaivePace {
  #ask: PaceAsk | null = null;
  #until = 0;
  #isSoldOut = false;

  hear(asked: PaceAsk | "taken-back" | null, now: number): void {
    if (asked === null) return;
    const ask = asked === "taken-back" ? null : asked;
    this.#ask = ask;
    this.#until = now + (ask?.ttlSeconds ?? 0) * 1_000;
    if (ask === null) this.#isSoldOut = false;
    else if (ask.stockLeft !== null) this.#isSoldOut = ask.stockLeft === 0;
  }

  configured(before: RoomLimits, after: RoomLimits): void {
    if (before.closed !== null && after.closed === null) this.#isSoldOut = false;
  }

  lowered(limits: RoomLimits, now: number): RoomLimits {
    const ask = now < this.#until ? this.#ask : null;
    const max = (...known: (number | null | undefined)[]) =>
      Math.min(...known.map((limit) => limit ?? Infinity));
    const left = ask?.stockLeft == null ? null : Math.max(1, ask.stockLeft);
    const perSecond = max(limits.startsPerSecondMax, ask?.startsPerSecond);
    return {
      ...limits,
      permitsMax: max(limits.permitsMax, ask?.permits, left),
      startsPerSecondMax: perSecond === Infinity ? null : perSecond,
      startsPerMinuteMax: max(limits.startsPerMinuteMax, ask?.startsPerMinute),
      closed: limits.closed ?? (this.#isSoldOut ? "Sold out." : null),
    };
  }
}
