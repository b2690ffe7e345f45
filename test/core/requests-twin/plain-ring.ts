import type { RoomLimits } from "../../../src/core/definition.ts";

export const secondOf = (at: number): number => Math.floor(at / 1_000);

export interface PlainLimits {
  readonly perSecond: number | null;
  readonly perMinute: number;
  readonly ring: "calendar" | "sliding";
  readonly guardMs: number;
}

export const limitsOfStarts = (limits: RoomLimits): PlainLimits => ({
  perSecond: limits.startsPerSecondMax,
  perMinute: limits.startsPerMinuteMax,
  ring: limits.ring,
  guardMs: limits.ringGuardMs,
});

/** Where the operator names none, a room of visits has twice the even share of its minute. */
const perSecondOf = ({ permit, startsPerSecondMax, startsPerMinuteMax }: RoomLimits) =>
  permit === "request"
    ? startsPerSecondMax
    : (startsPerSecondMax ?? Math.ceil(startsPerMinuteMax / 30));

export const limitsOfCalls = (limits: RoomLimits): PlainLimits => ({
  ...limitsOfStarts(limits),
  perSecond: perSecondOf(limits),
  guardMs: 0,
});

/** Everything that ever started, in two lists: its second, and its instant as far as that is known. */
export class PlainRing {
  #seconds: number[] = [];
  #instants: number[] = [];

  add(at: number): void {
    this.#seconds.push(secondOf(at));
    this.#instants.push(at);
  }

  giveBack(at: number): void {
    const second = this.#seconds.lastIndexOf(secondOf(at));
    if (second >= 0) this.#seconds.splice(second, 1);
    const exact = this.#instants.indexOf(at);
    if (exact >= 0) this.#instants.splice(exact, 1);
  }

  /** Only seconds were written: each start is taken to have been as late as it can have been. */
  restart(now: number): void {
    const recent = this.#seconds.filter((second) => second >= secondOf(now) - 2);
    this.#instants = recent.map((second) => Math.min(second * 1_000 + 999, now));
  }

  inSecond(second: number): number {
    return this.#seconds.filter((one) => one === second).length;
  }

  /** In this second and the fifty-nine before it. */
  inMinute(second: number): number {
    return this.#seconds.filter((one) => one > second - 60 && one <= second).length;
  }

  lastMinute(now: number): number[] {
    return Array.from({ length: 60 }, (_, index) => this.inSecond(secondOf(now) - 59 + index));
  }

  room(limits: PlainLimits, at: number): number {
    const minute = limits.perMinute - this.inMinute(secondOf(at));
    return Math.max(0, Math.min(minute, this.#roomInSecond(limits, at)));
  }

  /** The first moment at which the answer can turn to yes, and does. */
  nextAt(limits: PlainLimits, now: number): number {
    const turns = [now];
    for (let ahead = 1; ahead <= 61; ahead += 1) turns.push((secondOf(now) + ahead) * 1_000);
    for (const start of this.#instants) turns.push(start + 1_000 + limits.guardMs);
    const later = turns.filter((at) => at >= now).toSorted((a, b) => a - b);
    return later.find((at) => this.room(limits, at) > 0) ?? Infinity;
  }

  /**
   * When somebody with `rank` others before it can start, if each of them starts as soon as it can
   * and those who come back, each in its second, go before it.
   */
  rankToStart(
    limits: PlainLimits,
    rank: number,
    now: number,
    returning: readonly number[],
  ): number {
    const next = this.nextAt(limits, now);
    if (limits.ring === "calendar" || limits.perSecond === null) {
      return Math.max(next, this.#bySeconds(limits, rank, now, next, returning));
    }
    const windowMs = 1_000 + limits.guardMs;
    const minuteAlone = { ...limits, perSecond: null };
    for (let before = rank; ;) {
      const at = Math.max(
        next + Math.floor(before / limits.perSecond) * windowMs,
        this.#bySeconds(minuteAlone, before, now, next, []),
        this.#byWindow(limits.perSecond, windowMs, before, now),
      );
      const first = rank + returning.filter((second) => second <= secondOf(at)).length;
      if (first === before) return at;
      before = first;
    }
  }

  #roomInSecond({ perSecond, ring, guardMs }: PlainLimits, at: number): number {
    if (perSecond === null) return Infinity;
    if (ring === "sliding") {
      const inWindow = this.#instants.filter((start) => start > at - 1_000 - guardMs);
      return perSecond - inWindow.length;
    }
    return at % 1_000 >= 1_000 - guardMs ? 0 : perSecond - this.inSecond(secondOf(at));
  }

  /** Second by second: as many of those before it start in each as may. */
  #bySeconds(
    { perSecond, perMinute }: PlainLimits,
    rank: number,
    now: number,
    next: number,
    returning: readonly number[],
  ): number {
    const planned = [...this.#seconds];
    const count = (from: number, to: number): number =>
      planned.filter((one) => one >= from && one <= to).length;
    let left = rank;
    for (let second = secondOf(now); ; second += 1) {
      left += returning.filter((one) => one === second).length;
      const inSecond = (perSecond ?? Infinity) - count(second, second);
      let may = Math.max(0, Math.min(inSecond, perMinute - count(second - 59, second)));
      if (second === secondOf(now) && secondOf(next) > second) may = 0;
      if (left < may) return Math.max(now, second * 1_000);
      for (let one = 0; one < may; one += 1) planned.push(second);
      left -= may;
    }
  }

  /** One by one: each a window after the one that started `perSecond` before it. */
  #byWindow(perSecond: number, windowMs: number, rank: number, now: number): number {
    const planned = [...this.#instants];
    let at = now;
    for (let before = 0; before <= rank; before += 1) {
      at = Math.max(at, (planned.at(-perSecond) ?? -Infinity) + windowMs);
      planned.push(at);
    }
    return at;
  }
}

/** Moments that were given to requests of admitted visitors, all of them. */
export class PlainSchedule {
  readonly limits: Omit<PlainLimits, "perMinute"> & { readonly perSecond: number };
  readonly #given: number[];

  /** What was given before may have been as late as `last`, all of it. */
  constructor(limits: PlainSchedule["limits"], last: number) {
    this.limits = limits;
    this.#given = new Array<number>(limits.perSecond).fill(last);
  }

  get last(): number {
    return this.#given.at(-1) ?? 0;
  }

  /** The next moment; it is taken if it is not after `until`. */
  take(now: number, until: number): { at: number; inTime: boolean } {
    const from = Math.max(now, this.last);
    const turns = [from, ...this.#given.map((at) => at + this.#windowMs)];
    for (let ahead = 1; ahead <= 3; ahead += 1) turns.push((secondOf(from) + ahead) * 1_000);
    const sorted = turns.filter((at) => at >= from).toSorted((a, b) => a - b);
    const at = sorted.find((turn) => this.#isFree(turn) && this.left(turn) > 0) ?? Infinity;
    if (at <= until) this.#given.push(at);
    return { at, inTime: at <= until };
  }

  left(at: number): number {
    const { perSecond, ring } = this.limits;
    const near = this.#given.filter((given) =>
      ring === "calendar" ? secondOf(given) >= secondOf(at) : given + this.#windowMs > at,
    );
    return Math.max(0, perSecond - near.length);
  }

  get #windowMs(): number {
    return 1_000 + this.limits.guardMs;
  }

  #isFree(at: number): boolean {
    return this.limits.ring === "sliding" || at % 1_000 < 1_000 - this.limits.guardMs;
  }
}
