import type { Brand } from "../brand.ts";
import { after, isOver, type InstantMs } from "../time.ts";
import type { LockName } from "./name.ts";

/** The secret of a holder or waiter: 22 to 128 of A-Z, a-z, 0-9, - and _. */
export type Owner = Brand<string, "Owner">;
/** Orders the holders of a key: each one's is higher than every one's before. */
export type Fence = Brand<number, "Fence">;
/** One socket, made up anew for each. */
export type SessionId = Brand<string, "SessionId">;

export const parseOwner = (value: unknown): Owner | null =>
  typeof value === "string" && /^[\w-]{22,128}$/.test(value) ? (value as Owner) : null;

/**
 * How long after a loss nobody else gets the lock: its owner may resume, and its last writes land.
 */
export const LOCK_DELAY_MS = 10_000;

/** What keeps a lock: a lease that has to be renewed, or a socket for as long as it is open. */
export type Tenure =
  | { readonly by: "lease"; readonly until: InstantMs }
  | { readonly by: "socket"; readonly session: SessionId };

export interface Holder {
  readonly name: LockName;
  readonly owner: Owner;
  readonly fence: Fence;
  readonly grantedAt: InstantMs;
  readonly tenure: Tenure;
}

/** By what a waiter will hold the lock; a waiter for a lease waits until an instant. */
export type Want =
  | { readonly by: "lease"; readonly leaseMs: number; readonly until: InstantMs }
  | { readonly by: "socket"; readonly session: SessionId };

export interface Waiter {
  readonly owner: Owner;
  /** Rises: the lower one came first. */
  readonly arrival: number;
  readonly since: InstantMs;
  want: Want;
  /** How many waiters stand ahead, as this one was told last. */
  toldAhead: number;
}

/** When others may have the lock though nobody gave it back; null while a socket keeps it. */
export const freeAt = ({ tenure }: Holder): InstantMs | null =>
  tenure.by === "socket" ? null : after(tenure.until, LOCK_DELAY_MS);

/** Is it past its lock-delay? */
export const isFree = (holder: Holder, now: InstantMs): boolean => {
  const at = freeAt(holder);
  return at !== null && isOver(at, now);
};

/** Lost, and in its lock-delay or beyond. */
export const isLost = ({ tenure }: Holder, now: InstantMs): boolean =>
  tenure.by === "lease" && isOver(tenure.until, now);
