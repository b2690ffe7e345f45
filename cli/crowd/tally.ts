/** Counts what happens to the crowd, and finds who was overtaken. */
import { plainText } from "../../src/core/plain-text.ts";

const KIND_LENGTH_MAX = 200;
const KINDS_MAX = 50; /** Where a visitor is on the way. `away` has not come yet. */
export type Stage = "away" | "arriving" | "waiting" | "inside" | "done" | "left" | "failed";

/** When one visitor took its ticket, was called and entered, in milliseconds of this process's clock. */
export interface VisitorTimes {
  readonly number: number;
  readonly ticketAtMs: number;
  readonly calledAtMs: number;
  readonly enteredAtMs: number;
  /** The visitor lost its socket on the way: others may rightly have gone first. */
  readonly wasAway: boolean;
}

export interface CrowdCounts {
  readonly stages: Readonly<Record<Stage, number>>;
  readonly insideMax: number;
  readonly errors: number;
}

/** What happened to the crowd. Only counts and turns: it costs the same however long it runs. */
export class Tally {
  readonly #stages: Record<Stage, number>;
  readonly #errors = new Map<string, number>();
  readonly #turns: VisitorTimes[] = [];
  #insideMax = 0;
  #atOnce = 0;
  #reconnects = 0;
  #pollMsMax = 0;

  constructor(visitors: number) {
    this.#stages = {
      away: visitors,
      arriving: 0,
      waiting: 0,
      inside: 0,
      done: 0,
      left: 0,
      failed: 0,
    };
  }

  move(from: Stage, to: Stage): void {
    this.#stages[from] -= 1;
    this.#stages[to] += 1;
    this.#insideMax = Math.max(this.#insideMax, this.#stages.inside);
  }

  error(kind: string): void {
    // Parts of it are the server's words.
    const plain = plainText(kind, KIND_LENGTH_MAX);
    const known = this.#errors.has(plain) || this.#errors.size < KINDS_MAX ? plain : "others";
    this.#errors.set(known, (this.#errors.get(known) ?? 0) + 1);
  }

  turn(turn: VisitorTimes): void {
    this.#turns.push(turn);
  }

  admittedAtOnce(): void {
    this.#atOnce += 1;
  }

  reconnected(): void {
    this.#reconnects += 1;
  }

  polledAfter(ms: number): void {
    this.#pollMsMax = Math.max(this.#pollMsMax, ms);
  }

  counts(): CrowdCounts {
    const errors = [...this.#errors.values()].reduce((sum, count) => sum + count, 0);
    return { stages: { ...this.#stages }, insideMax: this.#insideMax, errors };
  }

  summary(tookMs: number): Summary {
    const waits = this.#turns.map((turn) => turn.enteredAtMs - turn.ticketAtMs);
    return {
      ...this.counts(),
      tookMs,
      atOnce: this.#atOnce,
      reconnects: this.#reconnects,
      waitMs: {
        p50: percentile(waits, 0.5),
        p95: percentile(waits, 0.95),
        max: percentile(waits, 1),
      },
      turns: this.#turns.length,
      overtaken: countOvertaken(this.#turns, ORDER_SLACK_MS + this.#pollMsMax),
      errorKinds: Object.fromEntries([...this.#errors].toSorted((a, b) => b[1] - a[1])),
    };
  }
}

export interface Summary extends CrowdCounts {
  readonly tookMs: number;
  /** Let in by their first request. */
  readonly atOnce: number;
  readonly reconnects: number;
  /** From ticket to entry; null while nobody had to wait. */
  readonly waitMs: Readonly<Record<"p50" | "p95" | "max", number | null>>;
  readonly turns: number;
  readonly overtaken: number;
  readonly errorKinds: Readonly<Record<string, number>>;
}

/** A tick of the usher, and room for what a busy machine adds before we hear of a call. */
export const ORDER_SLACK_MS = 1_500;

/** The nearest-rank percentile; `share` from 0 to 1. */
export const percentile = (values: readonly number[], share: number): number | null => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
};

/**
 * Visitors, never away, who held a ticket when somebody with a higher number was called, and were themselves
 * called more than `slackMs` after that one.
 */
export const countOvertaken = (turns: readonly VisitorTimes[], slackMs: number): number => {
  const byCall = turns.toSorted((a, b) => a.calledAtMs - b.calledAtMs);
  return byCall.filter((late, index) => {
    if (late.wasAway) return false;
    for (let earlier = index - 1; earlier >= 0; earlier -= 1) {
      const other = byCall[earlier];
      if (other === undefined || other.calledAtMs < late.ticketAtMs) return false;
      const isBeyondSlack = late.calledAtMs - other.calledAtMs > slackMs;
      if (isBeyondSlack && other.number > late.number) return true;
    }
    return false;
  }).length;
};
