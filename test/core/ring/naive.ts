import type { StartLimits } from "../../../src/core/ring/limiter.ts";

/** The limiter as its rules say it: every start ever made, in a plain list, counted by looking. */
export class NaiveLimiter {
  limits: StartLimits;
  readonly starts: number[] = [];

  constructor(limits: StartLimits) {
    this.limits = limits;
  }

  mayStart(at: number): boolean {
    const { perSecondMax, perMinuteMax, ring, guardMs } = this.limits;
    const second = Math.floor(at / 1_000);
    const inMinute = this.starts.filter((start) => Math.floor(start / 1_000) > second - 60).length;
    if (perMinuteMax !== null && inMinute >= perMinuteMax) return false;
    if (perSecondMax === null) return true;
    if (ring === "sliding") {
      return this.starts.filter((start) => start > at - 1_000 - guardMs).length < perSecondMax;
    }
    const inSecond = this.starts.filter((start) => Math.floor(start / 1_000) === second).length;
    return inSecond < perSecondMax && at % 1_000 < 1_000 - guardMs;
  }

  /** Looks at every instant at which the answer can turn from no to yes. */
  nextAt(now: number): number {
    const second = Math.floor(now / 1_000);
    const turns = [now];
    for (let ahead = 1; ahead <= 61; ahead++) turns.push((second + ahead) * 1_000);
    for (const start of this.starts) turns.push(start + 1_000 + this.limits.guardMs);
    return Math.min(...turns.filter((at) => at >= now && this.mayStart(at)));
  }

  /** Lets all before it start as soon as they can, one by one. */
  rankToStart(rank: number, now: number): number {
    const future = new NaiveLimiter(this.limits);
    future.starts.push(...this.starts);
    let at = now;
    for (let before = 0; before <= rank; before++) {
      at = future.nextAt(at);
      future.starts.push(at);
    }
    return at;
  }

  giveBack(at: number): void {
    const index = this.starts.indexOf(at);
    if (index >= 0) this.starts.splice(index, 1);
  }
}
