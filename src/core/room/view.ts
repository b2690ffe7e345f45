import type { RoomSnapshot, SnapshotVersion } from "../snapshot.ts";
import type { InstantMs } from "../time.ts";
import { lobbiesOpen } from "./lobbies.ts";
import { modeOf } from "./mode.ts";
import type { Tidings } from "./commands.ts";
import type { RoomState } from "./state.ts";
import { ticketNumber } from "../ids.ts";

/** What an isolate may know, with the visits that ended since the version it has. */
export const snapshotOf = (
  state: RoomState,
  since: SnapshotVersion | null,
  now: InstantMs,
): RoomSnapshot => {
  const known = since?.boot === state.boot ? since.ended : null;
  return {
    version: { boot: state.boot, ended: state.ended.version },
    at: now,
    mode: modeOf(state, now),
    epoch: state.epoch,
    message: state.limits.message,
    closed: state.limits.closed,
    lobbiesOpen: lobbiesOpen(state),
    waiting: state.line.waiting,
    called: state.permits.called,
    visiting: state.permits.held,
    permitsMax: state.permits.max,
    issued: state.line.issued === 0 ? 0 : ticketNumber(state.line.issued),
    entriesPerMinute: state.rate.perMinute(now),
    endedSince: known,
    ended: state.ended.since(known, now),
  };
};

/** How far ahead visitors are woken, in seconds of the line's movement, and how many at least. */
const NEAR_SECONDS = 20;
const NEAR_LEAST = 10;

/** What lobbies are told once a tick. */
export const tidingsOf = (state: RoomState, now: InstantMs): Tidings => {
  const pace = state.rate.pace(state.starts.outlook(now), now);
  const near = state.permits.free + Math.ceil(pace.perSecond * NEAR_SECONDS) + NEAR_LEAST;
  return {
    positions: state.line.positions(),
    pace,
    nearUntil: state.line.memberAt(near) ?? (state.line.issued as Tidings["nearUntil"]),
  };
};
