/**
 * One value of an object's, kept and refreshed in an isolate. What the value is, and how stale it
 * may be, its users say.
 */
import { SECOND_MS } from "../../core/time.ts";
import { reasonOf } from "../platform/log.ts";
import { DeadlineError, within } from "./deadline.ts";
import type { Ports } from "../platform/ports.ts";

/** How a value that an object owns is kept in an isolate. All in milliseconds. */
export interface RevalidateTimes {
  /** Younger than this: used as it is. */
  readonly freshMs: number;
  /** Younger than this: used, while a refresh runs in the background. Older: a refresh is awaited. */
  readonly staleMs: number;
  /** How long one request waits for an answer before it asks alone, or gives up. */
  readonly waitMs: number;
  /** An unanswered refresh is forgotten after this, so that a dead request blocks nobody. */
  readonly lapseMs: number;
  /** For this long after a failure no request waits for a new one. */
  readonly pauseMs: number;
}

/** Of what operators define: it is used for 5 s; in the last of them the next is fetched. */
export const DEFINITION_TIMES: RevalidateTimes = {
  freshMs: 4 * SECOND_MS,
  staleMs: 5 * SECOND_MS,
  waitMs: 2 * SECOND_MS,
  lapseMs: 3 * SECOND_MS,
  pauseMs: SECOND_MS,
};

export interface Fetched<T> {
  readonly value: T;
  /** When it was true, on the isolate's clock. */
  readonly takenAt: number;
}

interface InFlight {
  readonly done: Promise<void>;
  readonly startedAt: number;
}

/**
 * A value and its refresh. Requests of one isolate share a refresh, which runs in its sender's
 * `waitUntil`; each waiter has a deadline of its own and then asks alone.
 */
export class StaleWhileRevalidate<T> {
  readonly #ports: Ports;
  readonly #rules: RevalidateTimes;
  #taken: Fetched<T> | null = null;
  #inFlight: InFlight | null = null;
  #failedAt: number | null = null;
  #failure: unknown = null;
  /** How often the owner's value changed, and as of which change ours was asked for. */
  #changes = 0;
  #takenAfter = 0;

  constructor(ports: Ports, rules: RevalidateTimes) {
    this.#ports = ports;
    this.#rules = rules;
  }

  get taken(): Fetched<T> | null {
    return this.#taken;
  }

  /** Why the last refresh failed, or null when it did not. */
  get failure(): unknown {
    return this.#failedAt === null ? null : this.#failure;
  }

  /** How old the value is; `Infinity` without one, or when the isolate's clock ran back. */
  get ageMs(): number {
    if (this.#taken === null) return Number.POSITIVE_INFINITY;
    const age = this.#ports.now() - this.#taken.takenAt;
    return age < -this.#rules.freshMs ? Number.POSITIVE_INFINITY : age;
  }

  /** For the log of what is read: how old it is, and why no newer one came. */
  get silence(): { readonly age_ms: number | null; readonly reason: string } {
    const { ageMs } = this;
    return { age_ms: Number.isFinite(ageMs) ? ageMs : null, reason: reasonOf(this.failure) };
  }

  /** The value, if it may be used without asking anybody. */
  get fresh(): Fetched<T> | null {
    return this.freshAt(this.ageMs);
  }

  /** The same for who has looked how old it is. */
  freshAt(ageMs: number): Fetched<T> | null {
    return this.#takenAfter >= this.#changes && ageMs < this.#rules.freshMs ? this.#taken : null;
  }

  /** The owner's value has just changed: every reader from now on waits for the new one. */
  expire(): void {
    this.#changes += 1;
    this.#inFlight = null;
  }

  /** The newest value that can be had in time. The caller looks at its age. */
  async read(
    ask: () => Promise<Fetched<T>>,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<Fetched<T> | null> {
    const isOutdated = this.#takenAfter < this.#changes;
    const age = isOutdated ? Number.POSITIVE_INFINITY : this.ageMs;
    if (age < this.#rules.freshMs) return this.#taken;
    if (age < this.#rules.staleMs) {
      if (!this.#isPausing() && !this.#isAsking()) void this.#start(ask, waitUntil);
      return this.#taken;
    }
    if (this.#isPausing()) return this.#taken;
    await this.#awaitRefresh(ask, waitUntil);
    return this.#taken;
  }

  async #awaitRefresh(
    ask: () => Promise<Fetched<T>>,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<void> {
    const isShared = this.#isAsking();
    const mark =
      isShared && this.#inFlight !== null ? this.#inFlight.done : this.#start(ask, waitUntil);
    try {
      await within(this.#ports, mark, this.#rules.waitMs);
    } catch (error) {
      if (isShared && error instanceof DeadlineError) await this.#askAlone(ask, waitUntil);
      else this.#fail(error);
    }
  }

  async #askAlone(
    ask: () => Promise<Fetched<T>>,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<void> {
    this.#inFlight = null;
    try {
      await within(this.#ports, this.#start(ask, waitUntil), this.#rules.waitMs);
    } catch (error) {
      this.#fail(error);
    }
  }

  #start(
    ask: () => Promise<Fetched<T>>,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<void> {
    const changes = this.#changes;
    const refresh = async (): Promise<void> => {
      try {
        const taken = await ask();
        if (this.#isNewer(taken)) this.#taken = taken;
        this.#takenAfter = Math.max(this.#takenAfter, changes);
        this.#failedAt = null;
      } catch (error) {
        this.#fail(error);
        throw error;
      } finally {
        if (this.#inFlight === mark) this.#inFlight = null;
      }
    };
    let mark: InFlight | null = null;
    const done = refresh();
    mark = { done, startedAt: this.#ports.now() };
    this.#inFlight = mark;
    waitUntil(done.catch(() => undefined));
    return done;
  }

  /**
   * Answers may overtake each other; a value from the future was taken before the clock ran back.
   */
  #isNewer(taken: Fetched<T>): boolean {
    if (this.#taken === null || taken.takenAt >= this.#taken.takenAt) return true;
    return this.#taken.takenAt > this.#ports.now();
  }

  #isAsking(): boolean {
    return (
      this.#inFlight !== null && this.#ports.now() - this.#inFlight.startedAt < this.#rules.lapseMs
    );
  }

  #isPausing(): boolean {
    return this.#failedAt !== null && this.#ports.now() - this.#failedAt < this.#rules.pauseMs;
  }

  #fail(error: unknown): void {
    this.#failedAt = this.#ports.now();
    this.#failure = error;
  }
}
