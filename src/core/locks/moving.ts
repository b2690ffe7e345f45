/** How a shard goes to the object that keeps all shards, and comes to it: whole, once, and for ever. */
import type { InstantMs } from "../time.ts";
import type { Leave, LeaveReply, TakeIn } from "./commands.ts";
import type { Fence, Holder } from "./lock.ts";
import { restoreHolder, type LocksState } from "./state.ts";

/** What goes in one message. A shard with more answers on record stays where it is, and is asked there. */
const MOVED_ANSWERS_MAX = 4_096;
const MOVED_BYTES_MAX = 16 * 1_024 ** 2;

/**
 * Nobody who waits is disturbed: a shard that has a socket or a line stays. One that left says the same
 * again, as it may not have been heard; it is asked nothing else any more.
 */
export const leave = (state: LocksState, { shard }: Leave): LeaveReply => {
  const { retention, sessions, waiting } = state;
  if (!state.moved.has(shard)) {
    const isLarge = retention.count > MOVED_ANSWERS_MAX || retention.bytes > MOVED_BYTES_MAX;
    if (isLarge || sessions.size > 0 || waiting > 0) return { kind: "stays" };
    state.moved.add(shard);
    state.unsaved.rest.push({ put: "moved", shard });
  }
  const head = { fencesReserved: state.fencesReserved as Fence, clock: state.clock.toJSON() };
  return { kind: "leaves", head, holders: holdersOf(state) };
};

const holdersOf = (state: LocksState): Holder[] =>
  [...state.locks.values()].flatMap(({ holder }) => (holder === null ? [] : [holder]));

/**
 * Fences go on above those of both, and the clock runs back behind neither. Doing it twice changes
 * nothing.
 */
export const takeIn = (state: LocksState, { shard, moved }: TakeIn): null => {
  if (state.moved.has(shard)) return null;
  state.moved.add(shard);
  state.unsaved.rest.push({ put: "moved", shard });
  const now: InstantMs = state.clock.read(moved.head.clock);
  state.fence = Math.max(state.fence, moved.head.fencesReserved);
  state.fencesReserved = Math.max(state.fencesReserved, moved.head.fencesReserved);
  state.unsaved.head = true;
  for (const holder of moved.holders) {
    restoreHolder(state, holder, new Map(), now);
    state.unsaved.holders.add(holder.name);
  }
  for (const { record, content } of moved.answers) {
    state.retention.put(record);
    state.unsaved.rest.push({ put: "answer", record, content });
  }
  return null;
};
