/**
 * A lock held by a lease over HTTP: asked for, renewed, given back. Which kind of lock a caller gets,
 * and what both share, is in locks.ts and lock.ts.
 */
/// <reference lib="esnext.disposable" />
import { errorFrom, LocksError } from "./errors.ts";
import { Holding, type Lock } from "./lock.ts";
import { moment, msSince, type Moment } from "./moment.ts";

/** The longest that one request waits; a longer wait is several, which keep their place. */
const WAIT_SECONDS_MAX = 60;
const RENEWALS_A_LEASE = 3;
/**
 * The lock counts as lost a little before its lease ends, as two clocks are never quite the same.
 */
const MARGIN = 0.9;
const RETRY_MS = 500;
/** How long giving back is tried; after that the end of the lease gives it back. */
const GIVE_BACK_WITHIN_MS = 3_000;

export interface LeaseAsk {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly namespace: string;
  readonly key: string;
  readonly owner: string;
  readonly leaseSeconds: number;
  /** Null: as long as it takes. */
  readonly waitMs: number | null;
  readonly signal: AbortSignal | null;
}

/** Holds by a lease over HTTP, renewed three times in its life. */
export class LeaseLock implements Lock {
  readonly namespace: string;
  readonly key: string;
  readonly owner: string;
  readonly fence: number;
  readonly #ask: LeaseAsk;
  readonly #holding = new Holding();
  /** When the renewal that was answered last had been asked for. */
  #asked: Moment;
  #timer: ReturnType<typeof setTimeout> | null = null;

  private constructor(ask: LeaseAsk, fence: number, asked: Moment) {
    this.namespace = ask.namespace;
    this.key = ask.key;
    this.owner = ask.owner;
    this.fence = fence;
    this.#ask = ask;
    this.#asked = asked;
    this.#renewLater();
  }

  /** Rejects with `LocksError`, or with the signal's reason. */
  static async acquire(ask: LeaseAsk): Promise<LeaseLock> {
    const until = ask.waitMs === null ? Infinity : Date.now() + ask.waitMs;
    for (;;) {
      ask.signal?.throwIfAborted();
      const asked = moment();
      const leftSeconds = Math.max(0, (until - asked.wall) / 1_000);
      const body = {
        lease_seconds: ask.leaseSeconds,
        wait_seconds: Math.ceil(Math.min(leftSeconds, WAIT_SECONDS_MAX)),
      };
      try {
        const { fence } = await call(ask, "POST", body, ask.signal);
        // While it waited the lease had not begun: it counts from the answer, less the way back.
        return new LeaseLock(ask, fence, body.wait_seconds > 0 ? moment() : asked);
      } catch (error) {
        if (!(error instanceof LocksError)) {
          // The server cannot see that a plain connection has closed: it has to be told.
          await call(ask, "DELETE", null, null).catch(() => null);
          throw error;
        }
        const mayWait = error.code === "lock-held" || error.isPassing;
        if (!mayWait || Date.now() >= until) throw error;
        if (error.code !== "lock-held") await pause(RETRY_MS);
      }
    }
  }

  /** Also right in a process that was asleep, before its timers have told it so. */
  get isHeld(): boolean {
    return this.#holding.isHeld && this.#leftMs() > 0;
  }
  get signal(): AbortSignal {
    return this.#holding.signal;
  }
  get lost(): Promise<Error> {
    return this.#holding.lost;
  }

  async release(): Promise<void> {
    if (!this.#holding.end()) return;
    this.#stop();
    const giveUpAt = Date.now() + GIVE_BACK_WITHIN_MS;
    for (;;) {
      try {
        await call(this.#ask, "DELETE", null, null);
        return;
      } catch (error) {
        // Lost before it was given back: there is nothing left to give.
        if (error instanceof LocksError && error.code === "lock-lost") return;
        const mayTry = error instanceof LocksError && error.isPassing && Date.now() < giveUpAt;
        if (!mayTry) throw error;
      }
      await pause(RETRY_MS);
    }
  }

  abandon(): void {
    this.#holding.end();
    this.#stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  #leftMs(): number {
    return this.#ask.leaseSeconds * 1_000 * MARGIN - msSince(this.#asked);
  }

  #renewLater(): void {
    const everyMs = (this.#ask.leaseSeconds * 1_000) / RENEWALS_A_LEASE;
    const inMs = Math.min(everyMs, Math.max(0, this.#leftMs()));
    this.#timer = setTimeout(() => void this.#renew(), inMs);
  }

  async #renew(): Promise<void> {
    const asked = moment();
    const leftMs = this.#leftMs();
    if (leftMs <= 0) return this.#lose("it could not be renewed in time");
    try {
      const within = AbortSignal.timeout(leftMs);
      await call(this.#ask, "PATCH", { lease_seconds: this.#ask.leaseSeconds }, within);
      this.#asked = asked;
    } catch (error) {
      if (error instanceof LocksError && !error.isPassing) return this.#lose(error.message);
      await pause(RETRY_MS);
    }
    if (this.#holding.isHeld) this.#renewLater();
  }

  #lose(why: string): void {
    this.#stop();
    this.#holding.lose(new LocksError("lost", `${this.namespace}/${this.key} is lost: ${why}`));
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const call = async (
  { url, headers, fetch: send }: LeaseAsk,
  method: string,
  body: object | null,
  signal: AbortSignal | null,
): Promise<{ fence: number }> => {
  let response: Response;
  try {
    response = await send(url, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      ...(signal === null ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw new LocksError("unreachable", "the server cannot be reached", { cause: error });
  }
  const text = await response.text();
  if (!response.ok) throw errorFrom(response.status, response.headers.get("Retry-After"), text);
  return (text === "" ? { fence: 0 } : JSON.parse(text)) as { fence: number };
};
