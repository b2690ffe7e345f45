/** What a shard of locks can be asked, and what it answers. */
import type { InstantMs } from "../time.ts";
import type { AnswerClient, AnswerContent, AnswerRecord } from "./answers.ts";
import type { Fence, Holder, Owner, SessionId } from "./lock.ts";
import type { LocksHead, StoredAnswer } from "./stored.ts";
import type { LockKey, LockName, Namespace } from "./name.ts";

/**
 * By what an owner wants to hold the lock. `waitMs` 0: now or not at all. A socket waits while it
 * is open.
 */
export type TenureMode =
  | { readonly by: "lease"; readonly leaseMs: number; readonly waitMs: number }
  | { readonly by: "socket"; readonly session: SessionId };

interface OfOwner {
  readonly name: LockName;
  readonly owner: Owner;
}

export interface Acquire extends OfOwner {
  readonly type: "acquire";
  readonly mode: TenureMode;
}

export interface Renew extends OfOwner {
  readonly type: "renew";
  readonly leaseMs: number;
}

/** The owner gives the lock back, or leaves the line. */
export interface Release extends OfOwner {
  readonly type: "release";
}

/** A socket is gone. `isClean`: its client closed it on purpose. */
export interface Drop {
  readonly type: "drop";
  readonly session: SessionId;
  readonly isClean: boolean;
}

/** Takes the lock for one run of something that must not run twice. */
export interface Begin extends OfOwner {
  readonly type: "begin";
  readonly leaseMs: number;
  /** Of everything that the run depends on. */
  readonly fingerprint: string;
  readonly retentionMs: number;
  readonly client: AnswerClient;
  /** What is on record under this name, as the caller read it just now. */
  readonly record: AnswerRecord | null;
}

/** What became of a run. `forget`: it never happened; `unknown`: nobody can say. */
export type RunOutcome =
  | { readonly kind: "keep"; readonly content: AnswerContent }
  | { readonly kind: "too-large"; readonly status: number }
  | { readonly kind: "forget" }
  | { readonly kind: "unknown" };

/** The run that `begin` allowed is over: its answer is kept, and the lock is free. */
export interface Finish extends OfOwner {
  readonly type: "finish";
  /** Null where the answer to `begin` was lost: whatever this owner began. */
  readonly fence: Fence | null;
  readonly retentionMs: number;
  readonly outcome: RunOutcome;
  readonly record: AnswerRecord | null;
}

export interface List {
  readonly type: "list";
  readonly namespace: Namespace;
  readonly rowsMax: number;
}

/** All that a shard has, handed over to the object of all shards. */
export interface MovedShard {
  readonly head: LocksHead;
  readonly holders: readonly Holder[];
  readonly answers: readonly StoredAnswer[];
}

/** The shard goes to the object of all shards, if nobody would notice. */
export interface Leave {
  readonly type: "leave";
  readonly shard: number;
}

/** The object of all shards keeps this one from now on. */
export interface TakeIn {
  readonly type: "take-in";
  readonly shard: number;
  readonly moved: MovedShard;
}

/** leaves: it is written down, and never changes again · stays: it is asked again another time */
export type LeaveReply =
  | { readonly kind: "leaves"; readonly head: LocksHead; readonly holders: readonly Holder[] }
  | { readonly kind: "stays" };

export type LocksCommand =
  | Acquire
  | Renew
  | Release
  | Drop
  | Begin
  | Finish
  | List
  | Leave
  | TakeIn
  | { readonly type: "tick" };

export interface Grant {
  readonly name: LockName;
  readonly owner: Owner;
  readonly fence: Fence;
  readonly grantedAt: InstantMs;
  /** Null while a socket keeps it. */
  readonly leaseUntil: InstantMs | null;
}

/**
 * line-full: too many wait for this key · table-full: this shard can remember no more
 * too-many-calls: this namespace asks this shard too often · share-full: too many answers are on
 * record for this client
 */
export type LockRefusal = "line-full" | "table-full" | "too-many-calls" | "share-full";

export interface RefusedCommand {
  readonly kind: "refused";
  readonly refusal: LockRefusal;
  readonly retryAfterMs: number;
}

export interface Granted {
  readonly kind: "granted";
  readonly grant: Grant;
  /** False when the owner had it already. */
  readonly isNew: boolean;
}

export type AcquireReply =
  | Granted
  | { readonly kind: "waiting"; readonly ahead: number; readonly arrival: number }
  | { readonly kind: "held"; readonly retryAfterMs: number }
  | RefusedCommand;

/** `not-yours`: another owner has it, or nobody any more. */
export type RenewReply = Granted | { readonly kind: "not-yours" };
export type ReleaseReply = { readonly kind: "released" | "not-yours" };

/**
 * running: the first one has not ended · replay: its answer is on record · mismatch: the same name
 * for something else · unknown: it began and nobody knows how it ended · not-kept: it ended, but its
 * answer was too large to keep
 */
export type BeginReply =
  | Granted
  | { readonly kind: "running"; readonly retryAfterMs: number }
  | { readonly kind: "replay" }
  | { readonly kind: "mismatch" }
  | { readonly kind: "unknown" }
  | { readonly kind: "not-kept"; readonly status: number }
  | RefusedCommand;

export interface LockRow {
  readonly key: LockKey;
  /** `lost`: in its lock-delay. `free`: between two holders, for a moment. */
  readonly state: "held" | "lost" | "free";
  readonly by: "lease" | "socket" | null;
  readonly fence: Fence | null;
  readonly heldSince: InstantMs | null;
  readonly leaseUntil: InstantMs | null;
  readonly waiting: number;
  /** Of the one who waits longest. */
  readonly waitingSince: InstantMs | null;
}

export interface ListReply {
  /** At most `rowsMax`, in the order of their keys. */
  readonly rows: readonly LockRow[];
  /** All of the namespace in this shard. */
  readonly locks: number;
  readonly waiting: number;
}

/** An owner who waits in line, or its socket. */
export interface Addressee {
  readonly name: LockName;
  readonly owner: Owner;
  /** Null for a lease that is waited for over HTTP. */
  readonly session: SessionId | null;
}

/** What an owner must be told whose command this step is not. */
export type Notification = { readonly to: Addressee } & (
  | { readonly event: "granted"; readonly grant: Grant }
  | { readonly event: "moved"; readonly ahead: number }
  | { readonly event: "timed-out"; readonly retryAfterMs: number }
  /** The owner speaks from elsewhere by now. */
  | { readonly event: "taken-over" }
);
