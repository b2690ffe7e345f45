/**
 * Finds how many permits the origin bears, by its answers: a gradient of their latency against its
 * quiet time, as in Vegas and Gradient2 (docs/decisions/adaptive.md), with a bracket around the level
 * at which it broke. It decides about P alone; who enforces it is the Room.
 */
import type { OriginReport } from "../edge-report.ts";
import { after, isOver, MINUTE_MS, SECOND_MS, instant, type InstantMs } from "../time.ts";
import { OriginWindow, type OriginSample } from "./origin-window.ts";
import { QuietTime, type QuietTimeState } from "./quiet-time.ts";

/** How far above its quiet time an answer may be (to base 2): up to here it is quiet, from there slow. */
const QUIET_WITHIN = 0.6;
const SLOW_FROM = 1;
/** And so many standard errors, where answers are few and scattered. */
const SURE_ERRORS = 3;
/** So few milliseconds are nothing, whatever their ratio. */
const SLOW_BY_MS = 10;
const ERROR_SHARE_MAX = 0.1;
const ERRORS_MIN = 5;
/** So many slow samples in a row are no pause of a collector. */
const SLOW_FIRST = 4;
const SLOW_AGAIN = 3;
const SLOW_PROBED = 2;
/** A step down takes at most half. */
const STEP_MIN = 0.5;
const STEP_MAX = 0.8;
/** Rests so far below the highest level that was quiet. */
const REST_SHARE = 0.95;
const SETTLE_MIN_MS = 2 * SECOND_MS;
const SETTLE_MAX_MS = 20 * SECOND_MS;
const RAISE_EVERY_MS = 4 * SECOND_MS;
const PROBE_FIRST_MS = 2 * MINUTE_MS;
const PROBE_LAST_MS = 10 * MINUTE_MS;
/** Of the least without any gain: then the load is not why it is slow. */
const FUTILE_MS = 30 * SECOND_MS;
const GAIN_MIN = 0.4;
/** Nobody has wanted what the ceiling keeps back for so long. */
const UNUSED_MS = 15 * MINUTE_MS;

/** lower: slower or failing · held: back to what was quiet · raise: it keeps up · free: no ceiling */
export type AdaptiveMove = "lower" | "back" | "raise" | "probe" | "free" | "new-quiet";

export interface AdaptiveChange {
  readonly move: AdaptiveMove;
  /** What the origin did, for the operator. */
  readonly latencyMs: number | null;
  readonly quietMs: number | null;
  readonly errorShare: number;
}

/** What the Room knows beside the answers. */
export interface Load {
  readonly out: number;
  /** The operator's P in effect. */
  readonly permitsMax: number;
  /** Not below this. */
  readonly leastPermits: number;
  /** Somebody waits for a permit. */
  readonly isWanted: boolean;
}

/** Ceiling and bracket: levels that were quiet, and that were not. */
interface Bracket {
  ceiling: number;
  good: number | null;
  bad: number | null;
  phase: "lowering" | "searching" | "resting" | "probing";
  /** Before the first step down. */
  readonly slowLog2: number | null;
}

export interface AdaptiveState {
  readonly quiet: QuietTimeState;
  readonly bracket: Bracket | null;
  readonly probeWaitMs: number;
}

type OriginVerdict = "quiet" | "unclear" | "slow" | "failing";

export class Adaptive {
  readonly #quiet: QuietTime;
  #bracket: Bracket | null;
  #probeWaitMs: number;
  #window: OriginWindow | null = null;
  #slowInARow = 0;
  #quietInARow = 0;
  #settledAt = instant(0);
  #nextRaiseAt = instant(0);
  #usedAt = instant(0);
  #leastSince: InstantMs | null = null;

  constructor(state: AdaptiveState | null = null) {
    this.#quiet = new QuietTime(state?.quiet);
    this.#bracket = state?.bracket == null ? null : { ...state.bracket };
    this.#probeWaitMs = state?.probeWaitMs ?? PROBE_FIRST_MS;
  }

  /** Null: nothing but the operator's P. */
  get ceiling(): number | null {
    return this.#bracket?.ceiling ?? null;
  }

  toJSON(): AdaptiveState {
    const bracket = this.#bracket === null ? null : { ...this.#bracket };
    return { quiet: this.#quiet.toJSON(), bracket, probeWaitMs: this.#probeWaitMs };
  }

  /** Takes in what was told, and returns what changed of the ceiling by it. */
  observe(report: OriginReport, load: Load, now: InstantMs): AdaptiveChange | null {
    this.#window ??= new OriginWindow(now);
    const sample = this.#window.take(report, load.out, now);
    if (sample === null) return null;
    const verdict = this.#verdictOf(sample);
    this.#learn(sample, verdict, load);
    const isBad = verdict === "slow" || verdict === "failing";
    this.#slowInARow = isBad ? this.#slowInARow + 1 : 0;
    this.#quietInARow = verdict === "quiet" ? this.#quietInARow + 1 : 0;
    const before = this.ceiling;
    const move = this.#decide(sample, verdict, load, now);
    if (move === null || this.ceiling === before) return null;
    const { meanLog2 } = sample;
    return {
      move,
      latencyMs: meanLog2 === null ? null : Math.round(2 ** meanLog2),
      quietMs: this.#quiet.log2 === null ? null : Math.round(2 ** this.#quiet.log2),
      errorShare: sample.errorShare,
    };
  }

  #verdictOf({ meanLog2, standardError, errors, errorShare }: OriginSample): OriginVerdict {
    if (errors >= ERRORS_MIN && errorShare > ERROR_SHARE_MAX) return "failing";
    const quiet = this.#quiet.log2;
    if (meanLog2 === null || quiet === null) return "quiet";
    if (2 ** meanLog2 - 2 ** quiet <= SLOW_BY_MS) return "quiet";
    const above = meanLog2 - quiet;
    if (above >= Math.max(SLOW_FROM, SURE_ERRORS * standardError)) return "slow";
    return above <= QUIET_WITHIN ? "quiet" : "unclear";
  }

  #learn(
    { meanLog2, standardError, spanMs }: OriginSample,
    verdict: OriginVerdict,
    load: Load,
  ): void {
    if (meanLog2 === null || verdict === "slow" || verdict === "failing") return;
    const isLoaded = 2 * load.out > Math.min(load.permitsMax, this.ceiling ?? Infinity);
    this.#quiet.learn({ log2: meanLog2, standardError, spanMs, isLoaded });
  }

  #decide(
    sample: OriginSample,
    verdict: OriginVerdict,
    load: Load,
    now: InstantMs,
  ): AdaptiveMove | null {
    const bracket = this.#bracket;
    if (bracket === null) return this.#whileFree(sample, load, now);
    if (bracket.ceiling >= load.permitsMax) return this.#free("free");
    const isUsed = load.isWanted || sample.levelMax >= Math.floor(0.9 * bracket.ceiling);
    if (isUsed || verdict !== "quiet") this.#usedAt = now;
    else if (isOver(after(this.#usedAt, UNUSED_MS), now)) return this.#free("free");
    if (bracket.phase === "lowering")
      return this.#whileLowering(bracket, sample, verdict, load, now);
    if (this.#slowInARow > 0) return this.#whenSlowAgain(bracket, sample, load, now);
    if (verdict !== "quiet" || !isUsed || !this.#isFresh(sample)) return null;
    return this.#whenQuiet(bracket, load, now);
  }

  /** Seen wholly under the limits that hold, once they had their effect. */
  #isFresh({ since }: OriginSample): boolean {
    return isOver(this.#settledAt, since);
  }

  #whileFree(sample: OriginSample, load: Load, now: InstantMs): AdaptiveMove | null {
    if (this.#slowInARow < SLOW_FIRST) return null;
    const level = Math.min(sample.levelMax, load.permitsMax);
    if (level <= load.leastPermits) return null;
    const { meanLog2: slowLog2 } = sample;
    this.#usedAt = now;
    this.#bracket = { ceiling: level, good: null, bad: level, phase: "lowering", slowLog2 };
    this.#stepDown(this.#bracket, sample, load, now);
    return "lower";
  }

  /** What is out may still be more than the ceiling: then it is quiet, maybe, before it is there. */
  #whileLowering(
    bracket: Bracket,
    sample: OriginSample,
    verdict: OriginVerdict,
    load: Load,
    now: InstantMs,
  ): AdaptiveMove | null {
    const isThere = sample.levelMax <= Math.max(bracket.ceiling, load.leastPermits);
    if (verdict === "quiet") {
      const level = Math.max(bracket.ceiling, Math.min(sample.levelMin, (bracket.bad ?? 1) - 1));
      bracket.ceiling = level;
      bracket.good = isThere ? level : null;
      // At the least nothing was learned of the levels above: the origin was down, and is back.
      if (isThere && level <= load.leastPermits) bracket.bad = null;
      bracket.phase = "searching";
      this.#leastSince = null;
      this.#changed(sample, now);
      return "back";
    }
    if (!isThere || this.#slowInARow < 2 || !this.#isFresh(sample)) return null;
    if (bracket.ceiling > load.leastPermits) {
      bracket.bad = bracket.ceiling;
      this.#stepDown(bracket, sample, load, now);
      return "lower";
    }
    this.#leastSince ??= now;
    return this.#isFutile(bracket, sample, verdict, now) ? this.#adopt(sample) : null;
  }

  #isFutile(
    { slowLog2 }: Bracket,
    { meanLog2 }: OriginSample,
    verdict: OriginVerdict,
    now: InstantMs,
  ): boolean {
    if (verdict !== "slow" || slowLog2 === null || meanLog2 === null) return false;
    if (this.#leastSince === null || !isOver(after(this.#leastSince, FUTILE_MS), now)) return false;
    return meanLog2 > slowLog2 - GAIN_MIN;
  }

  #adopt({ meanLog2 }: OriginSample): AdaptiveMove {
    if (meanLog2 !== null) this.#quiet.adopt(meanLog2);
    return this.#free("new-quiet");
  }

  #whenSlowAgain(
    bracket: Bracket,
    sample: OriginSample,
    load: Load,
    now: InstantMs,
  ): AdaptiveMove | null {
    const isTrying = bracket.good !== null && bracket.ceiling > bracket.good;
    const enough = isTrying ? SLOW_PROBED : SLOW_AGAIN;
    if (this.#slowInARow < enough || !this.#isFresh(sample)) return null;
    bracket.bad = Math.min(bracket.bad ?? Infinity, bracket.ceiling);
    if (bracket.phase === "probing") {
      bracket.bad = bracket.ceiling;
      this.#probeWaitMs = Math.min(PROBE_LAST_MS, 2 * this.#probeWaitMs);
      return this.#rest(bracket, load, now);
    }
    if (isTrying && bracket.good !== null) {
      bracket.ceiling = bracket.good;
      bracket.phase = "searching";
      this.#changed(sample, now);
      return "back";
    }
    // What was quiet is not any more: the origin bears less than before.
    bracket.good = null;
    bracket.bad = bracket.ceiling;
    bracket.phase = "lowering";
    this.#stepDown(bracket, sample, load, now);
    return "lower";
  }

  #whenQuiet(bracket: Bracket, load: Load, now: InstantMs): AdaptiveMove | null {
    if (bracket.phase === "probing" && this.#quietInARow < SLOW_AGAIN) return null;
    bracket.good = Math.max(bracket.good ?? 0, bracket.ceiling);
    if (bracket.bad !== null && bracket.bad <= bracket.good) bracket.bad = null;
    if (bracket.phase === "probing") {
      bracket.bad = null;
      bracket.phase = "searching";
      this.#probeWaitMs = PROBE_FIRST_MS;
    }
    if (!isOver(this.#nextRaiseAt, now)) return null;
    if (bracket.phase === "resting") return this.#probe(bracket, load, now);
    const { ceiling, bad } = bracket;
    const gap = bad === null ? Infinity : bad - ceiling;
    if (gap <= 1 + Math.floor(ceiling / 40)) return this.#rest(bracket, load, now);
    // At most the headroom of Gradient2, and no further than half the way to what was too much.
    const by = Math.min(Math.ceil(Math.sqrt(ceiling)), Math.floor(gap / 2));
    return this.#raiseTo(ceiling + by, "raise", bracket, load, now);
  }

  #probe(bracket: Bracket, load: Load, now: InstantMs): AdaptiveMove {
    const { good, bad, ceiling } = bracket;
    bracket.phase = "probing";
    return this.#raiseTo(Math.max(bad ?? 0, (good ?? ceiling) + 1), "probe", bracket, load, now);
  }

  #raiseTo(
    ceiling: number,
    move: AdaptiveMove,
    bracket: Bracket,
    load: Load,
    now: InstantMs,
  ): AdaptiveMove {
    if (ceiling >= load.permitsMax && bracket.bad === null) return this.#free("free");
    bracket.ceiling = Math.min(ceiling, load.permitsMax);
    this.#slowInARow = this.#quietInARow = 0;
    this.#settledAt = after(now, SETTLE_MIN_MS);
    this.#nextRaiseAt = after(now, RAISE_EVERY_MS);
    return move;
  }

  #rest(bracket: Bracket, load: Load, now: InstantMs): AdaptiveMove {
    const good = bracket.good ?? bracket.ceiling;
    bracket.ceiling = Math.max(load.leastPermits, Math.floor(REST_SHARE * good));
    bracket.phase = "resting";
    this.#slowInARow = this.#quietInARow = 0;
    this.#settledAt = after(now, SETTLE_MIN_MS);
    this.#nextRaiseAt = after(now, this.#probeWaitMs);
    return "back";
  }

  #stepDown(bracket: Bracket, sample: OriginSample, load: Load, now: InstantMs): void {
    const above = (sample.meanLog2 ?? 0) - (this.#quiet.log2 ?? 0) - SLOW_FROM;
    const isFailing = sample.errors >= ERRORS_MIN && sample.errorShare > ERROR_SHARE_MAX;
    const gradient = isFailing ? STEP_MIN : 2 ** -above;
    const step = Math.min(STEP_MAX, Math.max(STEP_MIN, gradient));
    bracket.ceiling = Math.max(load.leastPermits, Math.floor(step * bracket.ceiling));
    this.#changed(sample, now);
  }

  /** Answers to what was asked before are still to come, for as long as answers take. */
  #changed({ meanLog2 }: OriginSample, now: InstantMs): void {
    const latencyMs = meanLog2 === null ? 0 : 2 ** meanLog2;
    const settleMs = Math.min(SETTLE_MAX_MS, Math.max(SETTLE_MIN_MS, 2 * latencyMs));
    this.#slowInARow = this.#quietInARow = 0;
    this.#settledAt = after(now, settleMs);
    this.#nextRaiseAt = after(now, settleMs + RAISE_EVERY_MS);
  }

  #free(move: "free" | "new-quiet"): AdaptiveMove {
    this.#bracket = null;
    this.#leastSince = null;
    this.#slowInARow = this.#quietInARow = 0;
    return move;
  }
}
