/**
 * One step of a shard of locks: acquire, renew, release, sockets. Runs with a record are in
 * begin.ts, the order of one lock's line in table.ts.
 */
import { after, earliest, isOver, type InstantMs } from "../time.ts";
import { begin, finish } from "./begin.ts";
import type {
  Acquire,
  AcquireReply,
  BeginReply,
  LeaveReply,
  LocksCommand,
  Drop,
  Granted,
  ListReply,
  RefusedCommand,
  Release,
  ReleaseReply,
  Renew,
  RenewReply,
  Notification,
} from "./commands.ts";
import { list } from "./list.ts";
import { leave, takeIn } from "./moving.ts";
import type { Holder, Want } from "./lock.ts";
import { namespaceOf, type LockName } from "./name.ts";
import { drainChanges, type LockEntry, type LocksState } from "./state.ts";
import type { StoredLocksChange } from "./stored.ts";
import {
  giveBack,
  grant,
  HELD_MAX,
  grantOf,
  leaveLine,
  LINE_MAX,
  putInOrder,
  lose,
  changeTenure,
  retryAfterMs,
  standInLine,
  takePlace,
  tellLines,
  WAITING_MAX,
} from "./table.ts";

/** What a command gets back. */
export interface LocksReplies {
  tick: null;
  acquire: AcquireReply;
  renew: RenewReply;
  release: ReleaseReply;
  drop: null;
  begin: BeginReply;
  finish: ReleaseReply;
  list: ListReply;
  leave: LeaveReply;
  "take-in": null;
}

export interface LocksOutcome<Reply> {
  readonly reply: Reply;
  /** The shard's clock in this step. */
  readonly now: InstantMs;
  /** To be written in one transaction before anything is answered or sent. */
  readonly changes: readonly StoredLocksChange[];
  /** When something can change without a command; null when nothing can. */
  readonly wakeAt: InstantMs | null;
  /** For owners other than the one whose command it was, in this order. */
  readonly told: readonly Notification[];
  /** Locks that their holder gave back or lost for good in this step. */
  readonly freed: ReadonlySet<LockName>;
}

/** Locks looked at in one step beside the one that it is about; the rest follow at once. */
const DUE_PER_STEP_MAX = 1_000;

/** One step of a shard. What is overdue comes first, so a late or lost alarm harms nothing. */
export const step = <Type extends LocksCommand["type"]>(
  state: LocksState,
  command: Extract<LocksCommand, { type: Type }>,
  machineNow: number,
): LocksOutcome<LocksReplies[Type]> => {
  const { reply, ...outcome } = stepAll(state, [command], machineNow);
  return { ...outcome, reply: reply[0] as LocksReplies[Type] };
};

/**
 * One step for several commands, each granted or refused on its own, in their order. What one has
 * changed and a later one changes again is written once. A `record` in a command is what is on
 * record before the step: so a step has no two commands with a record of one name.
 */
export const stepAll = (
  state: LocksState,
  commands: readonly LocksCommand[],
  machineNow: number,
): LocksOutcome<readonly LocksReplies[LocksCommand["type"]][]> => {
  const now = state.clock.read(machineNow);
  state.told = [];
  state.freed = new Set();
  lookAtDue(state, now);
  dropAnswers(state, now);
  const reply = commands.map((command) => perform(state, command, now));
  tellLines(state);
  return {
    reply,
    now,
    changes: drainChanges(state),
    wakeAt: earliest(state.dues.first()?.at ?? null, state.retention.nextAt()),
    told: state.told,
    freed: state.freed,
  };
};

const perform = (
  state: LocksState,
  command: LocksCommand,
  now: InstantMs,
): LocksReplies[LocksCommand["type"]] => {
  switch (command.type) {
    case "tick":
      return null;
    case "acquire":
      return acquire(state, command, now);
    case "renew":
      return renew(state, command, now);
    case "release":
      return release(state, command, now);
    case "drop":
      return drop(state, command, now);
    case "begin":
      return begin(state, command, now);
    case "finish":
      return finish(state, command, now);
    case "list":
      return list(state, command, now);
    case "leave":
      return leave(state, command);
    case "take-in":
      return takeIn(state, command);
    default:
      return command satisfies never;
  }
};

const lookAtDue = (state: LocksState, now: InstantMs): void => {
  for (let looked = 0; looked < DUE_PER_STEP_MAX; looked += 1) {
    const due = state.dues.first();
    if (due === null || !isOver(due.at, now)) return;
    putInOrder(state, due.key, now);
  }
};

const dropAnswers = (state: LocksState, now: InstantMs): void => {
  for (;;) {
    const until = state.retention.nextAt();
    if (until === null || !isOver(until, now)) return;
    state.retention.drop(until);
    state.unsaved.rest.push({ drop: "answers", until });
  }
};

const acquire = (state: LocksState, asked: Acquire, now: InstantMs): AcquireReply => {
  const { name, owner, mode } = asked;
  const tooEarlyMs = state.calls.count(namespaceOf(name), now);
  if (tooEarlyMs > 0) return refused("too-many-calls", tooEarlyMs);
  putInOrder(state, name, now);
  const entry = state.locks.get(name);
  if (entry === undefined) {
    if (state.held >= HELD_MAX * state.shards) return refused("table-full", 1_000);
    return granted(grant(state, name, owner, mode, now), true);
  }
  if (entry.holder?.owner === owner)
    return granted(changeTenure(state, entry.holder, mode, now), false);
  return wait(state, entry, asked, now);
};

/** The lock has another holder: the owner joins its line, or is told to come again. */
const wait = (
  state: LocksState,
  entry: LockEntry,
  { name, owner, mode }: Acquire,
  now: InstantMs,
): AcquireReply => {
  const held = { kind: "held", retryAfterMs: retryAfterMs(entry.holder, now) } as const;
  const before = entry.line.find((waiter) => waiter.owner === owner);
  const want = wantOf(mode, now);
  if (want === null) {
    if (before === undefined) return held;
    leaveLine(state, name, entry, before, now);
    return held;
  }
  if (before !== undefined) {
    takePlace(state, name, entry, before, want);
    before.toldAhead = entry.line.indexOf(before);
    return { kind: "waiting", ahead: before.toldAhead, arrival: before.arrival };
  }
  if (entry.line.length >= LINE_MAX || state.waiting >= WAITING_MAX * state.shards)
    return refused("line-full", held.retryAfterMs);
  const { toldAhead, arrival } = standInLine(state, name, owner, want, now);
  return { kind: "waiting", ahead: toldAhead, arrival };
};

/** Null where the owner does not want to wait. */
const wantOf = (mode: Acquire["mode"], now: InstantMs): Want | null => {
  if (mode.by === "socket") return mode;
  const { leaseMs, waitMs } = mode;
  return waitMs <= 0 ? null : { by: "lease", leaseMs, until: after(now, waitMs) };
};

const renew = (state: LocksState, { name, owner, leaseMs }: Renew, now: InstantMs): RenewReply => {
  putInOrder(state, name, now);
  const entry = state.locks.get(name);
  if (entry?.holder?.owner !== owner) return { kind: "not-yours" };
  const want = { by: "lease", leaseMs, waitMs: 0 } as const;
  return granted(changeTenure(state, entry.holder, want, now), false);
};

const release = (state: LocksState, { name, owner }: Release, now: InstantMs): ReleaseReply => {
  putInOrder(state, name, now);
  const entry = state.locks.get(name);
  if (entry?.holder?.owner === owner) {
    giveBack(state, entry.holder, now);
    return { kind: "released" };
  }
  const waiter = entry?.line.find((one) => one.owner === owner);
  if (entry !== undefined && waiter !== undefined) {
    leaveLine(state, name, entry, waiter, now);
    return { kind: "released" };
  }
  // Asked again because the answer was lost: the same answer.
  const isRepeated = state.idle.get(name)?.lastOwner === owner;
  return { kind: isRepeated ? "released" : "not-yours" };
};

const drop = (state: LocksState, { session, isClean }: Drop, now: InstantMs): null => {
  const name = state.sessions.get(session);
  const entry = name === undefined ? undefined : state.locks.get(name);
  if (name === undefined || entry === undefined) return null;
  state.sessions.delete(session);
  const { holder, line } = entry;
  if (holder?.tenure.by === "socket" && holder.tenure.session === session) {
    if (isClean) giveBack(state, holder, now);
    else lose(state, holder, now);
    return null;
  }
  const waiter = line.find(({ want }) => want.by === "socket" && want.session === session);
  if (waiter !== undefined) leaveLine(state, name, entry, waiter, now);
  return null;
};

const granted = (holder: Holder, isNew: boolean): Granted => ({
  kind: "granted",
  grant: grantOf(holder),
  isNew,
});

const refused = (refusal: RefusedCommand["refusal"], afterMs: number): RefusedCommand => ({
  kind: "refused",
  refusal,
  retryAfterMs: afterMs,
});
