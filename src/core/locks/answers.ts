import { instant, type InstantMs } from "../time.ts";
import type { Fence } from "./lock.ts";
import type { LockName } from "./name.ts";

/** An answer as it is replayed, byte for byte. */
export interface AnswerContent {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** One run under a name. `running` with another fence than the holder's: nobody knows how it ended. */
export interface AnswerRecord {
  readonly name: LockName;
  readonly fingerprint: string;
  readonly fence: Fence;
  /** Forgotten from here on. The end of a period, so that many go at once. */
  readonly until: InstantMs;
  readonly state: "running" | "finished" | "not-kept";
  /** Of the origin's answer; 0 while it runs. */
  readonly status: number;
  /** What its content takes. */
  readonly bytes: number;
}

/** Records of one shard, and what they may take together. Beyond it nothing new begins. */
export const RECORDS_MAX = 200_000;
export const RECORD_BYTES_MAX = 4 * 1_024 ** 3;
/** A body beyond this is passed on and not kept: a row takes at most 2 MB. */
export const ANSWER_BYTES_MAX = 512 * 1_024;
/** What a row takes beside its body. */
const RECORD_OVERHEAD_BYTES = 512;

const PERIOD_MS = 600_000;

/** The end of the period in which a retention ends. */
export const keptUntil = (at: InstantMs): InstantMs =>
  instant(Math.ceil(at / PERIOD_MS) * PERIOD_MS);

export const bytesOf = ({ headers, body }: AnswerContent): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, body.byteLength) +
  RECORD_OVERHEAD_BYTES;

export interface Stock {
  readonly until: InstantMs;
  readonly count: number;
  readonly bytes: number;
}

/** How much is on record, by the period in which it goes. The records themselves stay in storage. */
export class Shelf {
  readonly #periods = new Map<InstantMs, { count: number; bytes: number }>();
  #count = 0;
  #bytes = 0;

  constructor(stocks: Iterable<Stock>) {
    for (const { until, count, bytes } of stocks) this.#add(until, count, bytes);
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= RECORDS_MAX || this.#bytes >= RECORD_BYTES_MAX;
  }

  put(record: AnswerRecord): void {
    this.#add(record.until, 1, record.bytes);
  }

  take(record: AnswerRecord): void {
    if (this.#periods.has(record.until)) this.#add(record.until, -1, -record.bytes);
  }

  /** When the next ones go. */
  nextAt(): InstantMs | null {
    let next: InstantMs | null = null;
    for (const until of this.#periods.keys()) if (next === null || until < next) next = until;
    return next;
  }

  drop(until: InstantMs): void {
    const period = this.#periods.get(until);
    if (period === undefined) return;
    this.#periods.delete(until);
    this.#count -= period.count;
    this.#bytes -= period.bytes;
  }

  #add(until: InstantMs, count: number, bytes: number): void {
    const period = this.#periods.get(until) ?? { count: 0, bytes: 0 };
    period.count += count;
    period.bytes += bytes;
    this.#count += count;
    this.#bytes += bytes;
    if (period.count <= 0) this.drop(until);
    else this.#periods.set(until, period);
  }
}
