/** The state of one shard of locks, its restore from rows, and the rows that a step has changed. */
import { RoomClock } from "../clock.ts";
import { earliest, instant, type InstantMs } from "../time.ts";
import { AnswerRetention } from "./answers.ts";
import { CallCounts } from "./call-counts.ts";
import type { Notification } from "./commands.ts";
import { DueTimes } from "../collections/due-times.ts";
import { IdleLocks } from "./idle.ts";
import { freeAt, type Fence, type Holder, type SessionId, type Waiter } from "./lock.ts";
import type { LockName } from "./name.ts";
import type { StoredLocksChange, LocksHead, LiveSession, StoredLocks } from "./stored.ts";

/** A lock that is held or waited for. */
export interface LockEntry {
  holder: Holder | null;
  /** First come, first served. */
  readonly line: Waiter[];
}

/** What a step has changed and not yet handed to the store. */
interface Unsaved {
  head: boolean;
  readonly holders: Set<LockName>;
  readonly rest: StoredLocksChange[];
}

/**
 * All that one shard of locks knows. It is changed in place by `step`, and by nothing else. Same
 * state, same command, same clock: same outcome.
 */
export interface LocksState {
  /** How many shards are kept here together; the bounds are so many times those of one. */
  readonly shards: number;
  /** Shards that the object of all shards keeps, there and where they came from. */
  readonly moved: Set<number>;
  readonly clock: RoomClock;
  /** The last one given; all keys of the shard share the counter. */
  fence: number;
  fencesReserved: number;
  readonly locks: Map<LockName, LockEntry>;
  readonly idle: IdleLocks;
  /** Which lock a socket holds or waits for. */
  readonly sessions: Map<SessionId, LockName>;
  /** When a lock has to be looked at without a command for it. */
  readonly dues: DueTimes<LockName>;
  readonly retention: AnswerRetention;
  readonly calls: CallCounts;
  arrivals: number;
  held: number;
  waiting: number;
  /** Of the running step. */
  told: Notification[];
  freed: Set<LockName>;
  movedLines: Set<LockName>;
  unsaved: Unsaved;
}

const FENCE_BLOCK = 1_024;

const freshUnsaved = (): Unsaved => ({ head: false, holders: new Set(), rest: [] });

/**
 * Rebuilds a shard from what was written and from the sockets that are still open. Waiters over
 * HTTP are gone with their calls; a socket that is gone has lost its lock at this moment.
 */
export const restoreLocks = (
  stored: StoredLocks,
  sessions: readonly LiveSession[],
  machineNow: number,
  shards = 1,
): LocksState => {
  const holders = [...stored.holders];
  const clock = RoomClock.restore(lastReading(stored.head, holders));
  const now = clock.read(machineNow);
  const reserved = stored.head?.fencesReserved ?? 0;
  const state: LocksState = {
    shards,
    moved: new Set(stored.moved),
    clock,
    fence: reserved,
    fencesReserved: reserved,
    locks: new Map(),
    idle: new IdleLocks(shards),
    sessions: new Map(),
    dues: new DueTimes(),
    retention: new AnswerRetention(stored.stocks, shards),
    calls: new CallCounts(shards),
    arrivals: sessions.reduce((most, { arrival }) => Math.max(most, arrival), 0),
    held: 0,
    waiting: 0,
    told: [],
    freed: new Set(),
    movedLines: new Set(),
    unsaved: freshUnsaved(),
  };
  const live = new Map(sessions.map((session) => [session.session, session]));
  for (const holder of holders) restoreHolder(state, holder, live, now);
  for (const session of sessions.toSorted((a, b) => a.arrival - b.arrival))
    restoreWaiter(state, session, now);
  return state;
};

/** The head is seldom written, so a grant may be the latest that is known of the clock. */
const lastReading = (head: LocksHead | null, holders: readonly Holder[]): InstantMs =>
  instant(
    holders.reduce<number>((last, { grantedAt }) => Math.max(last, grantedAt), head?.clock ?? 0),
  );

export const restoreHolder = (
  state: LocksState,
  holder: Holder,
  live: ReadonlyMap<SessionId, LiveSession>,
  now: InstantMs,
): void => {
  const { name, tenure } = holder;
  const isGone = tenure.by === "socket" && !live.has(tenure.session);
  const kept = isGone ? { ...holder, tenure: { by: "lease", until: now } as const } : holder;
  state.locks.set(name, { holder: kept, line: [] });
  state.held += 1;
  if (kept.tenure.by === "socket") state.sessions.set(kept.tenure.session, name);
  if (isGone) state.unsaved.holders.add(name);
  state.dues.set(name, freeAt(kept));
};

const restoreWaiter = (state: LocksState, session: LiveSession, now: InstantMs): void => {
  const { name, owner, arrival, since } = session;
  const entry = entryOf(state, name);
  // It holds the lock, or its owner speaks from another socket by now and this one is about to close.
  if (entry.holder?.owner === owner || entry.line.some((waiter) => waiter.owner === owner)) return;
  const want = { by: "socket", session: session.session } as const;
  entry.line.push({ owner, arrival, since, want, toldAhead: Infinity });
  state.sessions.set(session.session, name);
  state.waiting += 1;
  // The lock may have become free in between: it is looked at with the first step.
  state.dues.set(name, earliest(entry.holder === null ? now : freeAt(entry.holder)));
};

/** The lock's entry, made if it is not there. The caller then fills it or puts it in order. */
export const entryOf = (state: LocksState, name: LockName): LockEntry => {
  const found = state.locks.get(name);
  if (found !== undefined) return found;
  const entry: LockEntry = { holder: null, line: [] };
  state.locks.set(name, entry);
  return entry;
};

/** The next fence of the shard, above every one before it, also over crashes. */
export const nextFence = (state: LocksState): Fence => {
  state.fence += 1;
  if (state.fence > state.fencesReserved) {
    state.fencesReserved = state.fence + FENCE_BLOCK - 1;
    state.unsaved.head = true;
  }
  return state.fence as Fence;
};

/** Hands over everything that has to be written, each row once, and forgets that it changed. */
export const drainChanges = (state: LocksState): StoredLocksChange[] => {
  const { unsaved } = state;
  state.unsaved = freshUnsaved();
  const changes: StoredLocksChange[] = unsaved.rest;
  for (const name of unsaved.holders) {
    const holder = state.locks.get(name)?.holder ?? null;
    changes.push(holder === null ? { drop: "lock", name } : { put: "lock", holder });
  }
  if (unsaved.head) {
    const head = { fencesReserved: state.fencesReserved as Fence, clock: state.clock.toJSON() };
    changes.push({ put: "head", head });
  }
  return changes;
};
