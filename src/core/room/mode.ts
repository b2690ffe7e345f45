import type { RoomMode } from "../snapshot.ts";
import type { InstantMs } from "../time.ts";
import type { RoomState } from "./state.ts";

/** How many of P permits may be provisional at a time: half of them, and at least one. */
const provisionalMax = (permitsMax: number): number => Math.max(1, Math.floor(permitsMax / 2));

const isOpen = (state: RoomState, now: InstantMs): boolean =>
  state.line.waiting === 0 &&
  state.line.unconfirmed === 0 &&
  state.permits.free > 0 &&
  state.permits.provisional < provisionalMax(state.limits.permitsMax) &&
  state.starts.room(now) > 0;

/** What a first request meets now. */
export const modeOf = (state: RoomState, now: InstantMs): RoomMode => {
  const { suspended, closed, paused } = state.limits;
  if (suspended) return "suspended";
  if (closed !== null) return "closed";
  if (paused) return "paused";
  return isOpen(state, now) ? "open" : "queues";
};
