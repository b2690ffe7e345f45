import type { RoomLimits } from "../../../src/core/definition.ts";

const secondOf = (at: number): number => Math.floor(at / 1_000);

/** A limiter as one would explain it: lists of when things started, counted when asked. */
export class NaiveRing {
  #seconds: number[] = [];
  #instants: number[] = [];

  add(at: number): void {
    this.#seconds.push(secondOf(at));
    this.#instants.push(at);
    // What is older than a minute counts for nothing, and would only be looked through.
    if (this.#seconds.length < 1_000) return;
    this.#seconds = this.#seconds.filter((second) => second >= secondOf(at) - 60);
    this.#instants = this.#instants.filter((instant) => instant >= at - 60_000);
  }

  giveBack(at: number): void {
    const index = this.#seconds.indexOf(secondOf(at));
    if (index === -1) return;
    this.#seconds.splice(index, 1);
    const exact = this.#instants.indexOf(at);
    if (exact !== -1) this.#instants.splice(exact, 1);
  }

  inSecond(now: number): number {
    return this.#seconds.filter((second) => second === secondOf(now)).length;
  }

  inMinute(now: number): number {
    return this.#seconds.filter((second) => second > secondOf(now) - 60 && second <= secondOf(now))
      .length;
  }

  /** How many more may start, with so long a guard. */
  room(limits: RoomLimits, guardMs: number, now: number): number {
    const left = limits.startsPerMinuteMax - this.inMinute(now);
    return Math.max(0, Math.min(left, this.#roomInSecond(limits, guardMs, now)));
  }

  /** Only seconds outlive a crash: each start is taken to have been as late as it can have been. */
  restart(now: number): void {
    const recent = this.#seconds.filter((second) => second >= secondOf(now) - 2);
    this.#instants = recent.map((second) => Math.min(second * 1_000 + 999, now));
  }

  #roomInSecond({ startsPerSecondMax, ring }: RoomLimits, guardMs: number, now: number): number {
    if (startsPerSecondMax === null) return Infinity;
    if (ring === "sliding") {
      const window = this.#instants.filter((at) => now - at < 1_000 + guardMs);
      return startsPerSecondMax - window.length;
    }
    if (now % 1_000 >= 1_000 - guardMs) return 0;
    return startsPerSecondMax - this.inSecond(now);
  }
}

/** A second has a limit of calls by default: twice its even share of the minute's number. */
export const naiveCallLimits = (limits: RoomLimits): RoomLimits => {
  const { permit, startsPerSecondMax, startsPerMinuteMax } = limits;
  const byDefault = permit === "visit" ? Math.ceil((startsPerMinuteMax * 2) / 60) : null;
  return { ...limits, startsPerSecondMax: startsPerSecondMax ?? byDefault };
};

/** The first half of a minute's number at once, the rest evenly over the seconds. */
export const naiveCallsAllowed = (calls: NaiveRing, limits: RoomLimits, now: number): number => {
  const room = calls.room(naiveCallLimits(limits), 0, now);
  const perMinute = limits.startsPerMinuteMax;
  const atOnce = Math.ceil(perMinute / 2) - calls.inMinute(now);
  if (atOnce > 0) return Math.min(room, atOnce);
  const place = secondOf(now) % 60;
  const share = Math.floor(((place + 1) * perMinute) / 60) - Math.floor((place * perMinute) / 60);
  return Math.max(0, Math.min(room, share - calls.inSecond(now)));
};
