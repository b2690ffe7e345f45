/**
 * The moves of one lock: who gets it next, loses it, waits, and what each must be told. Commands
 * are in step.ts.
 */
import { after, earliest, isOver, SECOND_MS, type InstantMs } from "../time.ts";
import type { Addressee, Grant, TenureMode } from "./commands.ts";
import {
  freeAt,
  isFree,
  LOCK_DELAY_MS,
  type Tenure,
  type Holder,
  type Owner,
  type SessionId,
  type Waiter,
  type Want,
} from "./lock.ts";
import type { LockName } from "./name.ts";
import { entryOf, nextFence, type LockEntry, type LocksState } from "./state.ts";

/** Locks of one shard that may be held at a time. */
export const HELD_MAX = 50_000;
/** In line for one key, and for all keys of a shard. */
export const LINE_MAX = 1_000;
export const WAITING_MAX = 10_000;

/** A refused owner is told to come back after a time between these. */
const RETRY_LEAST_MS = SECOND_MS;
const RETRY_MOST_MS = 10 * SECOND_MS;
/** Nobody knows how long a socket will stay open. */
const RETRY_SOCKET_MS = 2 * SECOND_MS;

/** Near the head each move is told, further back every quarter of the way. */
const NEAR_HEAD = 10;

export const grantOf = ({ name, owner, fence, grantedAt, tenure }: Holder): Grant => ({
  name,
  owner,
  fence,
  grantedAt,
  leaseUntil: tenure.by === "lease" ? tenure.until : null,
});

const sessionOf = (keeps: Tenure | Want): SessionId | null =>
  keeps.by === "socket" ? keeps.session : null;

const addresseeOf = (name: LockName, owner: Owner, keeps: Tenure | Want): Addressee => ({
  name,
  owner,
  session: sessionOf(keeps),
});

/** The tenure of an owner that is granted the lock now. */
const tenureFor = (want: Want | TenureMode, now: InstantMs): Tenure =>
  want.by === "socket"
    ? { by: "socket", session: want.session }
    : { by: "lease", until: after(now, want.leaseMs) };

/**
 * Puts the lock in order: drops a holder past its lock-delay and waiters past their time, then
 * grants the next.
 */
export const putInOrder = (state: LocksState, name: LockName, now: InstantMs): void => {
  const entry = state.locks.get(name);
  if (entry === undefined) return;
  if (entry.holder !== null && isFree(entry.holder, now)) putDown(state, entry.holder, false);
  serve(state, name, entry, now);
};

export const grant = (
  state: LocksState,
  name: LockName,
  owner: Owner,
  want: Want | TenureMode,
  now: InstantMs,
): Holder => {
  const fence = nextFence(state);
  const holder: Holder = { name, owner, fence, grantedAt: now, tenure: tenureFor(want, now) };
  state.idle.delete(name);
  state.held += 1;
  setHolder(state, name, holder);
  return holder;
};

/** The same owner goes on holding, by a new lease or another socket. */
export const changeTenure = (
  state: LocksState,
  holder: Holder,
  want: Want | TenureMode,
  now: InstantMs,
): Holder => {
  const held: Holder = { ...holder, tenure: tenureFor(want, now) };
  leaveSession(state, holder.name, holder.owner, holder.tenure, sessionOf(held.tenure));
  setHolder(state, held.name, held);
  return held;
};

/** The owner gives the lock back in time: the next waiter gets it at once. */
export const giveBack = (state: LocksState, holder: Holder, now: InstantMs): void => {
  leaveSession(state, holder.name, holder.owner, holder.tenure, null);
  putDown(state, holder, true);
  putInOrder(state, holder.name, now);
};

/** The socket is gone without a word: the lock-delay begins. */
export const lose = (state: LocksState, holder: Holder, now: InstantMs): void => {
  setHolder(state, holder.name, { ...holder, tenure: { by: "lease", until: now } });
};

export const standInLine = (
  state: LocksState,
  name: LockName,
  owner: Owner,
  want: Want,
  now: InstantMs,
): Waiter => {
  const entry = entryOf(state, name);
  state.arrivals += 1;
  state.waiting += 1;
  const { arrivals: arrival } = state;
  const waiter: Waiter = { owner, arrival, since: now, want, toldAhead: entry.line.length };
  entry.line.push(waiter);
  if (want.by === "socket") state.sessions.set(want.session, name);
  watch(state, name, entry);
  return waiter;
};

/** The same owner goes on waiting in the same place, over another connection. */
export const takePlace = (
  state: LocksState,
  name: LockName,
  entry: LockEntry,
  waiter: Waiter,
  want: Want,
): void => {
  leaveSession(state, name, waiter.owner, waiter.want, sessionOf(want));
  waiter.want = want;
  if (want.by === "socket") state.sessions.set(want.session, name);
  watch(state, name, entry);
};

export const leaveLine = (
  state: LocksState,
  name: LockName,
  entry: LockEntry,
  waiter: Waiter,
  now: InstantMs,
): void => {
  leaveSession(state, name, waiter.owner, waiter.want, null);
  entry.line.splice(entry.line.indexOf(waiter), 1);
  forgetWaiter(state, name);
  putInOrder(state, name, now);
};

/**
 * Tells the former socket or waiter that its owner uses another connection now, unless it is the
 * same.
 */
const leaveSession = (
  state: LocksState,
  name: LockName,
  owner: Owner,
  keeps: Tenure | Want,
  next: SessionId | null,
): void => {
  const session = sessionOf(keeps);
  if (session !== null && session === next) return;
  if (session !== null && !state.sessions.delete(session)) return;
  // A lease that is held has nobody who listens; one that is waited for has.
  if (session === null && !("leaseMs" in keeps)) return;
  state.told.push({ to: addresseeOf(name, owner, keeps), event: "taken-over" });
};

/** When to ask again for a lock that somebody else has. */
export const retryAfterMs = (holder: Holder | null, now: InstantMs): number => {
  if (holder === null) return RETRY_LEAST_MS;
  const { tenure } = holder;
  if (tenure.by === "socket") return RETRY_SOCKET_MS;
  const endsAt = isOver(tenure.until, now) ? after(tenure.until, LOCK_DELAY_MS) : tenure.until;
  return Math.min(Math.max(endsAt - now, RETRY_LEAST_MS), RETRY_MOST_MS);
};

/** Tells the sockets of lines that moved how many are ahead of them. */
export const tellLines = (state: LocksState): void => {
  for (const name of state.movedLines) {
    const line = state.locks.get(name)?.line ?? [];
    for (const [ahead, waiter] of line.entries()) {
      const isWorthTelling = ahead < NEAR_HEAD || ahead * 4 <= waiter.toldAhead * 3;
      if (ahead >= waiter.toldAhead || !isWorthTelling || waiter.want.by !== "socket") continue;
      waiter.toldAhead = ahead;
      state.told.push({ to: addresseeOf(name, waiter.owner, waiter.want), event: "moved", ahead });
    }
  }
  state.movedLines = new Set();
};

const putDown = (state: LocksState, holder: Holder, isGivenBack: boolean): void => {
  const { name, owner, fence } = holder;
  state.held -= 1;
  state.idle.put(name, { lastOwner: isGivenBack ? owner : null, lastFence: fence });
  state.freed.add(name);
  setHolder(state, name, null);
};

const serve = (state: LocksState, name: LockName, entry: LockEntry, now: InstantMs): void => {
  for (const waiter of [...entry.line]) {
    if (waiter.want.by !== "lease" || !isOver(waiter.want.until, now)) continue;
    entry.line.splice(entry.line.indexOf(waiter), 1);
    forgetWaiter(state, name);
    state.told.push({
      to: addresseeOf(name, waiter.owner, waiter.want),
      event: "timed-out",
      retryAfterMs: retryAfterMs(entry.holder, now),
    });
  }
  const next = entry.holder === null ? entry.line.shift() : undefined;
  if (next !== undefined) {
    forgetWaiter(state, name);
    const granted = grantOf(grant(state, name, next.owner, next.want, now));
    state.told.push({
      to: addresseeOf(name, next.owner, next.want),
      event: "granted",
      grant: granted,
    });
  }
  watch(state, name, entry);
};

const forgetWaiter = (state: LocksState, name: LockName): void => {
  state.waiting -= 1;
  state.movedLines.add(name);
};

const setHolder = (state: LocksState, name: LockName, holder: Holder | null): void => {
  const entry = entryOf(state, name);
  entry.holder = holder;
  state.unsaved.holders.add(name);
  if (holder?.tenure.by === "socket") state.sessions.set(holder.tenure.session, name);
  watch(state, name, entry);
};

/** Remembers when to look again, and forgets a lock that is neither held nor waited for. */
const watch = (state: LocksState, name: LockName, entry: LockEntry): void => {
  const { holder, line } = entry;
  if (holder === null && line.length === 0) {
    state.locks.delete(name);
    state.dues.set(name, null);
    return;
  }
  const waitsUntil = line.map(({ want }) => (want.by === "lease" ? want.until : null));
  state.dues.set(name, earliest(holder === null ? null : freeAt(holder), ...waitsUntil));
};
