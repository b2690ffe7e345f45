import { LatestMap } from "../collections/latest-map.ts";
import type { Fence, Owner } from "./lock.ts";
import type { LockName } from "./name.ts";

/** The memory of a lock that nobody holds and nobody waits for. */
export interface IdleLock {
  /** The owner that gave the lock back last; null when the last holder lost it instead. */
  readonly lastOwner: Owner | null;
  readonly lastFence: Fence;
}

export const IDLE_MAX = 4_096;

/**
 * Idle locks, the least recently used first to go. Only answers to repeated releases depend on
 * them.
 */
export class IdleLocks {
  readonly #locks: LatestMap<LockName, IdleLock>;

  constructor(shards = 1) {
    this.#locks = new LatestMap(IDLE_MAX * shards);
  }

  get(name: LockName): IdleLock | null {
    return this.#locks.get(name) ?? null;
  }

  put(name: LockName, lock: IdleLock): void {
    this.#locks.put(name, lock);
  }

  delete(name: LockName): void {
    this.#locks.delete(name);
  }
}
