import type { InstantMs } from "../time.ts";
import type { AnswerContent, AnswerRecord, RetainedCount } from "./answers.ts";
import type { Fence, Holder, Owner, SessionId } from "./lock.ts";
import type { LockName } from "./name.ts";

/** The one row of a shard. */
export interface LocksHead {
  /** No fence above this one was ever given. Raised in blocks, so that most grants need not. */
  readonly fencesReserved: Fence;
  /** A reading of the clock, below which it never goes again. */
  readonly clock: InstantMs;
}

/** One thing to write. Each names its row, so that writing it twice is the same as once. */
export type StoredLocksChange =
  | { readonly put: "head"; readonly head: LocksHead }
  | { readonly put: "lock"; readonly holder: Holder }
  | { readonly drop: "lock"; readonly name: LockName }
  | {
      readonly put: "answer";
      readonly record: AnswerRecord;
      readonly content: AnswerContent | null;
    }
  /** From now on the object of all shards keeps this one. */
  | { readonly put: "moved"; readonly shard: number }
  | { readonly drop: "answer"; readonly name: LockName }
  /** Every answer whose retention ends at `until` or before. */
  | { readonly drop: "answers"; readonly until: InstantMs };

/** Everything a shard needs to go on where it was. */
export interface StoredLocks {
  readonly head: LocksHead | null;
  readonly holders: Iterable<Holder>;
  readonly stocks: Iterable<RetainedCount>;
  /** Shards that the object of all shards keeps: written there, and where they came from. */
  readonly moved: Iterable<number>;
}

/** An answer on record, as it moves with its shard. */
export interface StoredAnswer {
  readonly record: AnswerRecord;
  readonly content: AnswerContent | null;
}

/** A socket that outlived the object's sleep. */
export interface LiveSession {
  readonly session: SessionId;
  readonly name: LockName;
  readonly owner: Owner;
  readonly arrival: number;
  readonly since: InstantMs;
}

/** One contract for memory and SQLite. `write` is all or nothing. */
export interface LocksStore {
  load(): StoredLocks;
  write(changes: readonly StoredLocksChange[]): void;
  record(name: LockName): AnswerRecord | null;
  content(name: LockName): AnswerContent | null;
  /** All of them, whatever they take: its caller has looked. */
  answers(): readonly StoredAnswer[];
}
