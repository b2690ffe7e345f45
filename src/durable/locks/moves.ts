/**
 * In which object a shard is kept: in its own, or in the one of all shards, to which it may have moved.
 * What moves is core/locks/moving.ts.
 */
import { ALL_SHARDS, SHARDS, shardOf, type LockName } from "../../core/locks/name.ts";
import type { LeaveAnswer, LocksRpc } from "./contract.ts";
import type { LockShard } from "./shard.ts";

/** As far as locks need it. */
export interface LocksEnv {
  readonly LOCKS: { getByName(name: string): LocksRpc };
}

/** A shard that would not come is asked again after so long. */
const ASK_AGAIN_MS = 60_000;

/** `here`: this object. */
export type Keeper = "here" | LocksRpc;

export class ShardMoves {
  readonly #env: LocksEnv;
  readonly #shard: LockShard;
  /** Null in the object of all shards. */
  readonly #own: number | null;
  /** Shards that are on their way here. */
  readonly #coming = new Map<number, Promise<Keeper>>();
  /** Until when a shard that stays where it is is not asked to come. */
  readonly #staysUntil = new Map<number, number>();

  constructor(env: LocksEnv, shard: LockShard, objectName: string) {
    this.#env = env;
    this.#shard = shard;
    this.#own = objectName === ALL_SHARDS ? null : Number(objectName);
  }

  /** Has this object's own shard gone, so that it has nothing to tell any more? */
  get hasLeft(): boolean {
    return this.#own !== null && this.#shard.hasMoved(this.#own);
  }

  /** Who keeps the lock; a promise where its shard has to be asked first. */
  keeperOf(name: LockName): Keeper | Promise<Keeper> {
    if (this.#own !== null) return this.hasLeft ? this.#object(ALL_SHARDS) : "here";
    const shard = shardOf(name);
    if (this.#shard.hasMoved(shard)) return "here";
    if ((this.#staysUntil.get(shard) ?? 0) > Date.now()) return this.#object(String(shard));
    const coming = this.#coming.get(shard) ?? this.#come(shard);
    this.#coming.set(shard, coming);
    return coming;
  }

  /** This object's own shard goes; null: it stays. */
  leave(): LeaveAnswer {
    return this.#own === null ? null : this.#shard.leave(this.#own);
  }

  /** Where the shards are that have not come here yet. */
  others(): LocksRpc[] {
    if (this.#own !== null) return [];
    const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
    return shards
      .filter((shard) => !this.#shard.hasMoved(shard))
      .map((shard) => this.#object(String(shard)));
  }

  #object(name: string): LocksRpc {
    return this.#env.LOCKS.getByName(name);
  }

  async #come(shard: number): Promise<Keeper> {
    try {
      const moved = await this.#object(String(shard)).leave();
      if (moved !== null) {
        this.#shard.takeIn(shard, moved);
        return "here";
      }
      this.#staysUntil.set(shard, Date.now() + ASK_AGAIN_MS);
      return this.#object(String(shard));
    } finally {
      this.#coming.delete(shard);
    }
  }
}
