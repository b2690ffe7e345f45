import { shardOf, type LockName } from "../../core/locks/name.ts";
import type { LocksRpc } from "../../durable/locks/contract.ts";
import type { Env } from "../platform/env.ts";

/** The deployment has no lock shards bound: nothing that needs one can be asked for. */
class NoLocksError extends Error {
  override readonly name = "NoLocksError";
}

const locksOf = (env: Env) => {
  if (env.LOCKS === undefined) throw new NoLocksError("there is no binding LOCKS");
  return env.LOCKS;
};

/** A new stub for the shard that owns the lock. */
export const shardFor = (env: Env, name: LockName): LocksRpc => shardAt(env, shardOf(name));

export const shardAt = (env: Env, shard: number): LocksRpc => locksOf(env).getByName(String(shard));

/** The object that keeps the lock rules. */
export const rulesObject = (env: Env): LocksRpc => locksOf(env).getByName("rules");
