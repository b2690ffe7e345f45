/**
 * What the lock shards offer to the Worker. All calls may throw when an object cannot be reached; a
 * client's "no" is a value. Spans are milliseconds, instants are the shard's clock.
 */
import type { FieldProblem } from "../../core/field-problem.ts";
import type { AnswerClient, AnswerContent } from "../../core/locks/answers.ts";
import type {
  Grant,
  ListReply,
  LockRefusal,
  LockRow,
  MovedShard,
  RunOutcome,
} from "../../core/locks/commands.ts";
import type { Fence, Owner } from "../../core/locks/lock.ts";
import type { LockName } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import type { SettingsChange } from "../../core/settings-change.ts";
import type { InstantMs } from "../../core/time.ts";

export type {
  AnswerClient,
  AnswerContent,
  Grant,
  ListReply,
  LockRefusal,
  LockRow,
  LockRule,
  RunOutcome,
};

export interface HolderAsk {
  readonly name: LockName;
  readonly owner: Owner;
}

export interface AcquireAsk extends HolderAsk {
  readonly leaseMs: number;
  /** 0: now or not at all. */
  readonly waitMs: number;
  /** Made up for each call: names it when its client has gone. */
  readonly ask: string;
}

export interface RenewAsk extends HolderAsk {
  readonly leaseMs: number;
}

export interface LockRefused {
  readonly kind: "refused";
  readonly refusal: LockRefusal;
  readonly retryAfterMs: number;
}

export type AcquireAnswer =
  | { readonly kind: "granted"; readonly isNew: boolean; readonly grant: Grant }
  | { readonly kind: "held"; readonly retryAfterMs: number }
  /** The same owner asked again, and that call goes on in its place. */
  | { readonly kind: "taken-over" }
  | LockRefused;

export type RenewAnswer =
  | { readonly kind: "granted"; readonly grant: Grant }
  | { readonly kind: "not-yours" };

export interface BeginAsk extends HolderAsk {
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly fingerprint: string;
  readonly retentionMs: number;
  readonly client: AnswerClient;
}

export type BeginAnswer =
  | { readonly kind: "granted"; readonly grant: Grant }
  | { readonly kind: "running"; readonly retryAfterMs: number }
  | { readonly kind: "replay"; readonly content: AnswerContent }
  | { readonly kind: "mismatch" }
  | { readonly kind: "unknown" }
  | { readonly kind: "not-kept"; readonly status: number }
  | LockRefused;

export interface FinishAsk extends HolderAsk {
  /** Null where the answer to `begin` was lost: whatever this owner began. */
  readonly fence: Fence | null;
  readonly retentionMs: number;
  readonly outcome: RunOutcome;
}

/** One of many that are asked in one call. */
export type LockAsk =
  | (AcquireAsk & { readonly op: "acquire" })
  | (RenewAsk & { readonly op: "renew" })
  | (HolderAsk & { readonly op: "release" })
  | (BeginAsk & { readonly op: "begin" })
  | (FinishAsk & { readonly op: "finish" });

/** The answer to each, by itself. */
export type LockReply =
  | AcquireAnswer
  /** It stands in line: `acquire` with the same `ask` waits for its turn. */
  | { readonly kind: "waiting" }
  | RenewAnswer
  | BeginAnswer
  /** To a release and to a finish. */
  | { readonly kind: "released" | "not-yours" };

/** A shard that goes to the object of all shards, with all it has; null: it stays. */
export type LeaveAnswer = MovedShard | null;

/** All rules; the version rises with every change. */
export interface LockRules {
  readonly version: number;
  readonly rules: readonly LockRule[];
}

export type RuleReply<T> =
  /** `before`: what a change found standing; equal to the value where it changed nothing. */
  | { readonly ok: true; readonly value: T; readonly before?: LockRule }
  | {
      readonly ok: false;
      readonly problem: "not-found" | "name-taken" | "too-many" | "modified-since";
    }
  | {
      readonly ok: false;
      readonly problem: "invalid";
      readonly problems: readonly FieldProblem[];
    };

/** A shard's object name is its number; the rules live in the object named `rules`. */
export interface LocksRpc {
  /** The replies come in the order of the asks. A `begin` does not wait here. */
  askAll(asks: readonly LockAsk[]): Promise<readonly LockReply[]>;
  acquire(ask: AcquireAsk): Promise<AcquireAnswer>;
  renew(ask: RenewAsk): Promise<RenewAnswer>;
  /** Gives the lock back, or leaves its line. False: the owner neither had it nor waited. */
  release(ask: HolderAsk): Promise<boolean>;
  /** The client of that call has gone: it leaves the line, and a lock that it just got is free. */
  abandonAcquire(ask: HolderAsk & { readonly ask: string }): Promise<void>;
  begin(ask: BeginAsk): Promise<BeginAnswer>;
  finish(ask: FinishAsk): Promise<void>;
  list(namespace: string, rowsMax: number): Promise<ListReply & { readonly now: InstantMs }>;
  /**
   * A WebSocket upgrade. The Worker has checked the caller's token and sends `LOCK_SEAT_HEADER`.
   */
  fetch(request: Request): Promise<Response>;
  /**
   * Of one shard's own object, asked by the object of all shards. Once it has left it hands every
   * question on to that one.
   */
  leave(): Promise<LeaveAnswer>;
  /** Null when nothing changed since `version`. */
  rules(version: number | null): Promise<LockRules | null>;
  createRule(rule: LockRule): Promise<RuleReply<LockRule>>;
  /**
   * Changes the rule as it stands, so that no change undoes another that was answered. With `readAt`
   * (the `modifiedAt` that was read) it refuses when somebody else changed it since.
   */
  changeRule(
    name: string,
    change: SettingsChange,
    readAt?: InstantMs,
  ): Promise<RuleReply<LockRule>>;
  deleteRule(name: string): Promise<RuleReply<string>>;
}
