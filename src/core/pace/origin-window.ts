/** A few seconds of what the origin answered, and what they say of it. */
import { meanLog2Of } from "../collections/log-histogram.ts";
import type { OriginReport } from "../edge-report.ts";
import { isOver, after, SECOND_MS, type InstantMs } from "../time.ts";

/** Shorter than this one pause of a collector would fill it. */
const WINDOW_MS = 2 * SECOND_MS;
const SAMPLES_MIN = 10;
/** With fewer answers than `SAMPLES_MIN` by then, nothing can be said. */
const WINDOW_MAX_MS = 10 * SECOND_MS;

/** `level`: how many permits were out, at most and at least, while it was seen. */
export interface OriginSample {
  readonly since: InstantMs;
  readonly spanMs: number;
  /** The mean of the logarithms to base 2 of milliseconds; null without a latency. */
  readonly meanLog2: number | null;
  /** Of that mean, by the scatter of what it is the mean of. */
  readonly standardError: number;
  readonly errors: number;
  readonly errorShare: number;
  readonly levelMax: number;
  readonly levelMin: number;
}

/** Gathers reports until there are enough of them to say something. */
export class OriginWindow {
  #since: InstantMs;
  #answers = 0;
  #errors = 0;
  #timed = 0;
  #log2Sum = 0;
  #squareSum = 0;
  #levelMax = 0;
  #levelMin = Infinity;

  constructor(now: InstantMs) {
    this.#since = now;
  }

  /** The sample, when it is whole; from then on the next one is gathered. */
  take(report: OriginReport, out: number, now: InstantMs): OriginSample | null {
    this.#answers += report.answers;
    this.#errors += report.errors;
    const mean = meanLog2Of(report.latencyMs);
    if (mean !== null) {
      this.#timed += mean.total;
      this.#log2Sum += mean.log2 * mean.total;
      this.#squareSum += mean.squares * mean.total;
    }
    this.#levelMax = Math.max(this.#levelMax, out);
    this.#levelMin = Math.min(this.#levelMin, out);
    return this.#finished(now);
  }

  #standardError(): number {
    if (this.#timed < 2) return 0;
    const mean = this.#log2Sum / this.#timed;
    const variance = Math.max(0, this.#squareSum / this.#timed - mean * mean);
    return Math.sqrt(variance / (this.#timed - 1));
  }

  #finished(now: InstantMs): OriginSample | null {
    if (!isOver(after(this.#since, WINDOW_MS), now)) return null;
    const all = this.#answers + this.#errors;
    const isOld = isOver(after(this.#since, WINDOW_MAX_MS), now);
    if (all < SAMPLES_MIN && !isOld) return null;
    const sample: OriginSample = {
      since: this.#since,
      spanMs: now - this.#since,
      meanLog2: this.#timed === 0 ? null : this.#log2Sum / this.#timed,
      standardError: this.#standardError(),
      errors: this.#errors,
      errorShare: all === 0 ? 0 : this.#errors / all,
      levelMax: this.#levelMax,
      levelMin: this.#levelMin,
    };
    this.#since = now;
    this.#answers = this.#errors = this.#timed = this.#log2Sum = 0;
    this.#squareSum = this.#levelMax = 0;
    this.#levelMin = Infinity;
    return all < SAMPLES_MIN ? null : sample;
  }
}
