import { type InstantMs } from "../time.ts";
import type { List, ListReply, LockRow } from "./commands.ts";
import { isLost } from "./lock.ts";
import { keyOf, namespaceOf, type LockKey } from "./name.ts";
import type { LockEntry, LocksState } from "./state.ts";

/**
 * The locks that are held and how many wait for each, for operators. Owners' secrets are left out.
 */
export const list = (
  state: LocksState,
  { namespace, rowsMax }: List,
  now: InstantMs,
): ListReply => {
  const found: { readonly key: LockKey; readonly entry: LockEntry }[] = [];
  let waiting = 0;
  for (const [name, entry] of state.locks) {
    if (namespaceOf(name) !== namespace) continue;
    found.push({ key: keyOf(name), entry });
    waiting += entry.line.length;
  }
  const shown = found.toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, rowsMax);
  const rows = shown.map(({ key, entry }) => rowOf(key, entry, now));
  return { rows, locks: found.length, waiting };
};

const rowOf = (key: LockKey, { holder, line }: LockEntry, now: InstantMs): LockRow => {
  const common = { key, waiting: line.length, waitingSince: line[0]?.since ?? null };
  if (holder === null)
    return { ...common, state: "free", by: null, fence: null, heldSince: null, leaseUntil: null };
  return {
    ...common,
    state: isLost(holder, now) ? "lost" : "held",
    by: holder.tenure.by,
    fence: holder.fence,
    heldSince: holder.grantedAt,
    leaseUntil: holder.tenure.by === "lease" ? holder.tenure.until : null,
  };
};
