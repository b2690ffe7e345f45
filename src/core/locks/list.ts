import { type InstantMs } from "../time.ts";
import type { List, ListReply, LockRow } from "./commands.ts";
import { isLost } from "./lock.ts";
import { keyOf, lockName, namespaceOf, type LockKey, type LockName } from "./name.ts";
import type { Entry, LocksState } from "./state.ts";

/** Who holds and how many wait, for operators. Secrets stay here. */
export const list = (
  state: LocksState,
  { namespace, rowsMax }: List,
  now: InstantMs,
): ListReply => {
  const keys: LockKey[] = [];
  let waiting = 0;
  for (const [name, entry] of state.locks) {
    if (namespaceOf(name) !== namespace) continue;
    keys.push(keyOf(name));
    waiting += entry.line.length;
  }
  const shown = keys.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, rowsMax);
  const rows = shown.flatMap((key) => rowOf(state, lockName(namespace, key), now) ?? []);
  return { rows, locks: keys.length, waiting };
};

const rowOf = (state: LocksState, name: LockName, now: InstantMs): LockRow | null => {
  const entry = state.locks.get(name);
  if (entry === undefined) return null;
  const { holder, line } = entry;
  const waitingSince = line[0]?.since ?? null;
  const common = { key: keyOf(name), waiting: line.length, waitingSince };
  if (holder === null)
    return { ...common, state: "free", by: null, fence: null, heldSince: null, leaseUntil: null };
  return {
    ...common,
    state: stateOf(entry, now),
    by: holder.grip.by,
    fence: holder.fence,
    heldSince: holder.grantedAt,
    leaseUntil: holder.grip.by === "lease" ? holder.grip.until : null,
  };
};

const stateOf = ({ holder }: Entry, now: InstantMs): LockRow["state"] => {
  if (holder === null) return "free";
  return isLost(holder, now) ? "lost" : "held";
};
