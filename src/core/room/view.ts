import type { RoomSnapshot, SnapshotVersion } from "../snapshot.ts";
import type { InstantMs } from "../time.ts";
import { lobbiesOpen } from "./lobbies.ts";
import { modeOf } from "./mode.ts";
import type { Notice, Tidings } from "./commands.ts";
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
    startsLastMinute: state.starts.lastMinute(now),
    endedSince: known,
    ended: state.ended.since(known, now),
  };
};

/** How far ahead visitors are woken, in seconds of the line's movement, and how many at least. */
const NEAR_SECONDS = 20;
const NEAR_LEAST = 10;

export const noticeOf = (state: RoomState, now: InstantMs): Notice => ({
  boot: state.boot,
  mode: modeOf(state, now),
  message: state.limits.message,
  closed: state.limits.closed,
  waiting: state.line.waiting,
  returnWindowMs: state.limits.returnWindowMs,
  pace: state.rate.pace(state.starts.outlook(now), now),
});

/** What lobbies are told once a tick. */
export const tidingsOf = (state: RoomState, now: InstantMs): Tidings => {
  const perSecond = state.rate.perMinute(now) / 60;
  const near = state.permits.free + Math.ceil(perSecond * NEAR_SECONDS) + NEAR_LEAST;
  const last = state.line.issued === 0 ? 0 : ticketNumber(state.line.issued);
  return { positions: state.line.positions(), nearUntil: state.line.memberAt(near) ?? last };
};
