/**
 * What an isolate has seen at a room's gate and tells the Room with the snapshot that it asks for
 * next: counting costs no call. Lobbies add up what isolates tell until they ask the Room.
 */
import { LogHistogram, type LogCounts } from "./collections/log-histogram.ts";
import type { PaceAsk } from "./pace/signal.ts";

/** How the origin has answered those who were let in. What passes the room by is not in it. */
export interface OriginReport {
  /** Answers with a status below 500. */
  readonly answers: number;
  /**
   * Answers with 500 and above, those that did not come, and those that came too late. A request
   * that its visitor broke off is neither.
   */
  readonly errors: number;
  /**
   * Milliseconds from asking to the headers, of `answers` whose request the origin had at once: how
   * long an upload takes is its visitor's doing.
   */
  readonly latencyMs: LogCounts;
}

/** Since whoever tells it has told before. */
export interface EdgeReport {
  /** Requests that rules let past the room. */
  readonly bypassed: number;
  /** Visitors at the gate whom nobody had met: they brought no token of the room's. */
  readonly arrivals: number;
  /** Null where nobody asked the origin. */
  readonly origin: OriginReport | null;
  /** The last `Seiriken-Pace` of the origin's answers, and how long ago it came. Absent without one. */
  readonly pace?: { readonly ask: PaceAsk; readonly ageMs: number };
}

/** Counts until they are told. Telling takes them away; where it fails they come back. */
export class EdgeTally {
  #bypassed = 0;
  #arrivals = 0;
  #answers = 0;
  #errors = 0;
  readonly #latencyMs = new LogHistogram();
  readonly #now: () => number;
  #pace: { readonly ask: PaceAsk; readonly heardAt: number } | null = null;

  /** `now`: of the machine; only its spans count. */
  constructor(now: () => number) {
    this.#now = now;
  }

  paced(ask: PaceAsk): void {
    this.#pace = { ask, heardAt: this.#now() };
  }

  bypassed(): void {
    this.#bypassed += 1;
  }

  arrived(): void {
    this.#arrivals += 1;
  }

  /** `latencyMs`: null where it says nothing of the origin. */
  answered(latencyMs: number | null): void {
    this.#answers += 1;
    if (latencyMs !== null) this.#latencyMs.add(latencyMs);
  }

  failed(): void {
    this.#errors += 1;
  }

  add(report: EdgeReport): void {
    this.#addPace(report);
    this.#bypassed += report.bypassed;
    this.#arrivals += report.arrivals;
    if (report.origin === null) return;
    this.#answers += report.origin.answers;
    this.#errors += report.origin.errors;
    this.#latencyMs.merge(report.origin.latencyMs);
  }

  /** What came last counts, whoever tells of it first. */
  #addPace({ pace }: EdgeReport): void {
    if (pace === undefined) return;
    const heardAt = this.#now() - pace.ageMs;
    if (this.#pace === null || this.#pace.heardAt <= heardAt)
      this.#pace = { ask: pace.ask, heardAt };
  }

  /** Null where nothing was counted. */
  take(): EdgeReport | null {
    const hasAsked = this.#answers + this.#errors > 0;
    const said = this.#pace;
    if (!hasAsked && this.#bypassed + this.#arrivals === 0 && said === null) return null;
    const latencyMs = this.#latencyMs.toJSON();
    const origin = { answers: this.#answers, errors: this.#errors, latencyMs };
    const report = {
      bypassed: this.#bypassed,
      arrivals: this.#arrivals,
      origin: hasAsked ? origin : null,
      ...(said === null ? {} : { pace: { ask: said.ask, ageMs: this.#now() - said.heardAt } }),
    };
    this.#pace = null;
    this.#bypassed = this.#arrivals = this.#answers = this.#errors = 0;
    this.#latencyMs.clear();
    return report;
  }

  /** What was counted goes with the call; a call that fails has told nobody. */
  async toldBy<T>(call: (report: EdgeReport | null) => Promise<T>): Promise<T> {
    const report = this.take();
    try {
      return await call(report);
    } catch (error) {
      if (report !== null) this.add(report);
      throw error;
    }
  }
}
