/** The rows that a step has changed: what has to be written before anything is answered. */
import type { TicketNumber } from "../ids.ts";
import { after, instant, isOver } from "../time.ts";
import { HAPPENED_ROWS_MAX } from "./happenings.ts";
import { ESTIMATE_EVERY_MS, freshUnsaved, type RoomState } from "./state.ts";
import type { RoomHead, StoredEnd, StoredRoomChange } from "./stored.ts";

const headOf = (state: RoomState): RoomHead => ({
  issued: state.line.issued,
  lineBase: state.line.base,
  awayBelow: state.line.awayBelow,
  epoch: state.epoch,
  epochAt: state.epochAt,
  clock: state.clock.toJSON(),
  limits: state.own,
  calls: state.calls.toJSON(),
  starts: state.starts.toJSON(),
  requestsLast: state.requests?.last ?? null,
  estimate: state.rate.toJSON(),
  ...state.history.write(),
  watch: state.watch.toJSON(),
  happened: state.happenings.toJSON(),
  alertsNoted: state.alerts.last,
  ...(state.generator === null ? {} : { generator: state.generator.toJSON() }),
});

const missChange = (state: RoomState, number: TicketNumber): StoredRoomChange => {
  const misses = state.misses.get(number);
  return misses === undefined ? { drop: "miss", number } : { put: "miss", number, misses };
};

/** Hands over everything that has to be written, each row once, and forgets that it changed. */
export const drainChanges = (state: RoomState): StoredRoomChange[] => {
  const { unsaved } = state;
  state.unsaved = freshUnsaved();
  const changes: StoredRoomChange[] = unsaved.rest;
  for (const run of unsaved.runs) changes.push({ put: "issue", run });
  for (const chunk of state.line.dirtySpentChunks()) {
    changes.push({ put: "spent", chunk, bits: state.line.spentBytes(chunk) });
  }
  for (const { slot, permit } of state.permits.drainDirty()) {
    changes.push(permit === null ? { drop: "permit", slot } : { put: "permit", slot, permit });
  }
  const { plan, drawing } = state;
  if (plan.isUnsaved) {
    changes.push({ put: "events", events: { list: plan.list, current: plan.current, drawing } });
    plan.isUnsaved = false;
  }
  if (state.pace.isUnsaved) {
    changes.push({ put: "pace", pace: state.pace.toJSON() });
    state.pace.isUnsaved = false;
  }
  for (const number of unsaved.misses) changes.push(missChange(state, number));
  const ended = state.ended.drainUnsaved().map((entry): StoredEnd => {
    const end = state.ends.of(entry.visit);
    return end === null ? entry : { ...entry, end };
  });
  if (ended.length > 0) {
    const until = instant(Math.max(...ended.map(({ passesUntil }) => passesUntil)));
    changes.push({ put: "ended", row: state.endedRow, visits: ended, until });
    state.endedRow += 1;
  }
  for (const row of state.happenings.drainRows()) {
    changes.push({ put: "happened", row });
    if (row.id > HAPPENED_ROWS_MAX) {
      changes.push({ drop: "happened", upTo: row.id - HAPPENED_ROWS_MAX });
    }
  }
  // A start takes numbers below what is written for away, and settles only for the others: it
  // has to be known when somebody comes back below, and when nobody is left.
  const { awayBelow } = state.line;
  if (awayBelow !== state.writtenAwayBelow) unsaved.head = true;
  // What was learned of waits may be some seconds old after a restart: it costs a row now and then.
  if (changes.length > 0 && isOver(state.nextEstimateAt, state.clock.toJSON())) {
    changes.push({ put: "estimate", estimate: state.estimator.toJSON() });
    state.nextEstimateAt = after(state.clock.toJSON(), ESTIMATE_EVERY_MS);
  }
  // The clock goes along with whatever is written, so that it never runs back behind an answer.
  if (unsaved.head || changes.length > 0) {
    changes.push({ put: "head", head: headOf(state) });
    state.writtenAwayBelow = awayBelow;
    state.unwrittenSince = null;
  }
  return changes;
};
