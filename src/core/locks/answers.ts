/**
 * Which answers are on record, for how long, and how much they may take. Their content is in the
 * store.
 */
import type { Brand } from "../brand.ts";
import { instant, type InstantMs } from "../time.ts";
import type { Fence } from "./lock.ts";
import type { LockName } from "./name.ts";
import { mayTake } from "./share.ts";

/** For whom an answer is on record: 30 bits of a keyed hash, 0 where that was not noted. */
export type AnswerClient = Brand<number, "AnswerClient">;

/** An answer as it is replayed, but for cookies byte for byte. */
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
  /** The record is forgotten at this instant: the end of a period, so that many go at once. */
  readonly until: InstantMs;
  readonly state: "running" | "finished" | "not-kept";
  /** Of the origin's answer; 0 while it runs. */
  readonly status: number;
  /** What its content takes. */
  readonly bytes: number;
  readonly client: AnswerClient;
}

/** How many records one shard may have, and their bytes in all. Beyond either no new run begins. */
export const RECORDS_MAX = 200_000;
export const RECORD_BYTES_MAX = 4 * 1_024 ** 3;
/** What one client may have while no other has anything; else it is less. */
export const CLIENT_BYTES_MAX = Math.floor(RECORD_BYTES_MAX / 5);
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

export interface RetainedCount {
  readonly until: InstantMs;
  readonly client: AnswerClient;
  readonly count: number;
  readonly bytes: number;
}

interface Retained {
  count: number;
  bytes: number;
}

/**
 * How much is on record, of whom, by the period in which it goes. The records themselves stay in
 * storage.
 */
export class AnswerRetention {
  readonly #shards: number;
  readonly #periods = new Map<InstantMs, Map<AnswerClient, Retained>>();
  readonly #clients = new Map<AnswerClient, Retained>();
  #count = 0;
  #bytes = 0;

  constructor(stocks: Iterable<RetainedCount>, shards = 1) {
    this.#shards = shards;
    for (const { until, client, count, bytes } of stocks) this.#add(until, client, count, bytes);
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#count >= this.#recordsMax || this.#bytes >= this.#bytesMax;
  }

  /** Has the client its share of the records, or of the bytes? */
  isFullFor(client: AnswerClient): boolean {
    const { count, bytes } = this.#clients.get(client) ?? NOTHING;
    const mayCount = mayTake(count, 1, { taken: this.#count, most: this.#recordsMax });
    return !mayCount || !mayTake(bytes, 0, { taken: this.#bytes, most: this.#bytesMax });
  }

  /**
   * May an answer of this client with so many bytes be kept? The run began while its share had
   * room.
   */
  mayKeep(client: AnswerClient, bytes: number): boolean {
    return (this.#clients.get(client)?.bytes ?? 0) + bytes <= CLIENT_BYTES_MAX * this.#shards;
  }

  put(record: AnswerRecord): void {
    this.#add(record.until, record.client, 1, record.bytes);
  }

  take(record: AnswerRecord): void {
    if (this.#periods.has(record.until)) this.#add(record.until, record.client, -1, -record.bytes);
  }

  /** When the next records go; null when there are none. */
  nextAt(): InstantMs | null {
    let next: InstantMs | null = null;
    for (const until of this.#periods.keys()) if (next === null || until < next) next = until;
    return next;
  }

  drop(until: InstantMs): void {
    const period = this.#periods.get(until);
    if (period === undefined) return;
    this.#periods.delete(until);
    for (const [client, { count, bytes }] of period) this.#addAll(client, -count, -bytes);
  }

  get #recordsMax(): number {
    return RECORDS_MAX * this.#shards;
  }

  get #bytesMax(): number {
    return RECORD_BYTES_MAX * this.#shards;
  }

  #add(until: InstantMs, client: AnswerClient, count: number, bytes: number): void {
    const period = this.#periods.get(until) ?? new Map<AnswerClient, Retained>();
    this.#addAll(client, count, bytes);
    addTo(period, client, count, bytes);
    if (period.size === 0) this.#periods.delete(until);
    else this.#periods.set(until, period);
  }

  #addAll(client: AnswerClient, count: number, bytes: number): void {
    this.#count += count;
    this.#bytes += bytes;
    addTo(this.#clients, client, count, bytes);
  }
}

const NOTHING: Retained = { count: 0, bytes: 0 };

const addTo = (
  tallies: Map<AnswerClient, Retained>,
  client: AnswerClient,
  count: number,
  bytes: number,
): void => {
  const tally = tallies.get(client) ?? { count: 0, bytes: 0 };
  tally.count += count;
  tally.bytes += bytes;
  if (tally.count <= 0) tallies.delete(client);
  else tallies.set(client, tally);
};
