/**
 * Calls over HTTP that wait at a shard, for a lock or for a run's end. Sockets are in sockets.ts.
 */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { LatestMap } from "../../core/collections/latest-map.ts";
import type { Owner } from "../../core/locks/lock.ts";
import type { LockName } from "../../core/locks/name.ts";
import { LINE_MAX, WAITING_MAX } from "../../core/locks/table.ts";
import type { AcquireAnswer } from "./contract.ts";

interface WaitingCall {
  readonly answered: Promise<AcquireAnswer>;
  readonly resolve: (answer: AcquireAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** By which its caller will come for the answer; null where the call itself waits. */
  readonly ask: string | null;
  isFetched: boolean;
}

/** So many calls are remembered at least, so that the client of one can be found gone. */
const ASKS_KEPT = 10_000;
/** Answers that nobody came for yet; beyond that the oldest are forgotten. */
const UNFETCHED_MAX = 10_000;

const keyFor = (name: LockName, owner: Owner): string => `${name}\n${owner}`;

/** The calls that wait for a lock: at most one for each owner and key. */
export class Calls {
  readonly #waiting = new Map<string, WaitingCall>();
  /** Answered before their callers came for the answer. */
  readonly #unfetched = new LatestMap<string, WaitingCall>(UNFETCHED_MAX);
  /** The last call of an owner for a key: an older call may not give back the lock. */
  readonly #asks = new BoundedMap<string, string>(2 * ASKS_KEPT);

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** An owner that was made up for a call asks by its own name, and most ask once: that is not noted. */
  note(name: LockName, owner: Owner, ask: string): void {
    if (ask !== owner) this.#asks.set(keyFor(name, owner), ask);
  }

  isLast(name: LockName, owner: Owner, ask: string): boolean {
    return (this.#asks.get(keyFor(name, owner)) ?? owner) === ask;
  }

  wait(name: LockName, owner: Owner, ask: string | null): Promise<AcquireAnswer> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<AcquireAnswer>();
    this.#waiting.set(keyFor(name, owner), {
      answered,
      resolve,
      reject,
      ask,
      isFetched: ask === null,
    });
    // Nobody may have come for it yet.
    answered.catch(() => null);
    return answered;
  }

  /** What the caller of this ask waits for; null: nothing that is known here. */
  pending(name: LockName, owner: Owner, ask: string): Promise<AcquireAnswer> | null {
    const key = keyFor(name, owner);
    const fetched = this.#unfetched.get(`${key}\n${ask}`);
    this.#unfetched.delete(`${key}\n${ask}`);
    if (fetched !== undefined) return fetched.answered;
    const waiting = this.#waiting.get(key);
    if (waiting?.ask !== ask) return null;
    waiting.isFetched = true;
    return waiting.answered;
  }

  answer(name: LockName, owner: Owner, answer: AcquireAnswer): void {
    const key = keyFor(name, owner);
    const call = this.#waiting.get(key);
    if (call === undefined) return;
    this.#waiting.delete(key);
    call.resolve(answer);
    if (call.isFetched) return;
    this.#unfetched.put(`${key}\n${call.ask}`, call);
  }

  failAll(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#unfetched.clear();
  }
}

/** Calls that want to know when a lock becomes free, and then ask again. */
export class Watchers {
  readonly #watching = new Map<LockName, Set<() => void>>();
  #count = 0;

  /** Resolves when the lock was freed, or after so long. */
  freed(name: LockName, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const watching = this.#watching.get(name) ?? new Set();
      this.#watching.set(name, watching);
      const done = (): void => {
        clearTimeout(timer);
        if (watching.delete(done)) this.#count -= 1;
        if (watching.size === 0) this.#watching.delete(name);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      watching.add(done);
      this.#count += 1;
    });
  }

  /** Do as many calls watch as may, this lock or all together? */
  isCrowded(name: LockName): boolean {
    return this.#count >= WAITING_MAX || (this.#watching.get(name)?.size ?? 0) >= LINE_MAX;
  }

  tell(name: LockName): void {
    for (const done of [...(this.#watching.get(name) ?? [])]) done();
  }
}
