/** How the Room's events come and go, by its own clock. */
import { roundAt } from "../draw/drand-chain.ts";
import { currentEvent, eventAt, nextEventChangeAt } from "../events/phases.ts";
import type { CurrentEvent, EventDraw } from "../events/event.ts";
import { limitsInEffect, type PlannedEvent } from "../events/planned.ts";
import { ticketNumber } from "../ids.ts";
import { after, earliest, instant, isOver, MINUTE_MS, type InstantMs } from "../time.ts";
import { applyLimits } from "./apply-limits.ts";
import type { Drawing, EventProgress } from "./event-state.ts";
import type { RoomState } from "./state.ts";

/** How long after a drand round is due its value is waited for, and after a start that of witnesses. */
const DRAND_WAIT_MS = MINUTE_MS;
export const WITNESSES_WAIT_MS = 10 * MINUTE_MS;

/** Done at the start of each step: what is on now, and the limits that it brings. */
export const followEvents = (state: RoomState, now: InstantMs): void => {
  const { changesAt } = state.plan;
  if (changesAt === null || !isOver(changesAt, now)) return;
  if (turn(state, now)) applyLimits(state, ownOrEvents(state), now);
};

/** The list has changed, or the room's own limits. */
export const setEvents = (
  state: RoomState,
  list: readonly PlannedEvent[],
  now: InstantMs,
): void => {
  if (list.length > 0 || state.plan.list.length > 0) state.plan.isUnsaved = true;
  state.plan.list = list;
  turn(state, now);
  applyLimits(state, ownOrEvents(state), now);
};

/** The order is drawn, or cannot be: turns come from this step on. */
export const endDrawing = (state: RoomState, now: InstantMs): void => {
  state.drawing = null;
  turn(state, now);
  applyLimits(state, ownOrEvents(state), now);
};

/** The event that is on, as others are told of it. */
export const eventOf = ({ plan: { list, current } }: RoomState): CurrentEvent | null => {
  const event = current === null ? undefined : list.find(({ id }) => id === current.id);
  return current === null || event === undefined ? null : currentEvent(event, current.phase);
};

const ownOrEvents = ({ own, plan: { list, current }, pace }: RoomState) =>
  pace.lowered(limitsInEffect(own, list, current));

/** Brings phase and drawing up to the clock. True where either has changed. */
const turn = (state: RoomState, now: InstantMs): boolean => {
  const { plan: before, drawing } = state;
  state.drawing = drawingNow(state, now);
  const current = progressAt(state, now);
  const isSame =
    current?.id === before.current?.id &&
    current?.phase === before.current?.phase &&
    current?.isClosed === before.current?.isClosed &&
    state.drawing === drawing;
  state.plan.changesAt = earliest(
    nextEventChangeAt(before.list, now),
    state.drawing?.until ?? null,
  );
  if (isSame) return false;
  state.plan.current = current;
  state.plan.isUnsaved = true;
  // Those who wait hear of it with this step.
  state.nextPositionsAt = now;
  return true;
};

/**
 * What is drawn after all that has happened: what was, while there is time and its event is on and
 * shuffles; or the numbers of a prequeue that ends now. Numbers that are closed stay closed, also when
 * the start is put off.
 */
const drawingNow = (state: RoomState, now: InstantMs): Drawing | null => {
  const at = eventAt(state.plan.list, now);
  const {
    drawing,
    plan: { current },
  } = state;
  if (at === null || !at.event.shuffle) return null;
  const { id, draw } = at.event;
  if (drawing?.event === id) return isOver(drawing.until, now) ? null : drawing;
  const isPrequeueOver =
    current?.id === id && current.phase === "prequeue" && at.phase === "running";
  if (!isPrequeueOver || current.isClosed || draw === null) return null;
  const { first } = current;
  const last = ticketNumber(state.line.issued);
  if (last < first) return null;
  return { event: id, first, last, closedAt: now, until: valueUntil(draw, at.event.startsAt, now) };
};

/** Counted from when somebody could ask for the value, if that was late. */
const valueUntil = (
  { promised }: EventDraw,
  startsAt: InstantMs,
  closedAt: InstantMs,
): InstantMs => {
  const [dueAt, waitMs] =
    promised.from === "drand"
      ? [roundAt(promised.chain, promised.round), DRAND_WAIT_MS]
      : [startsAt, WITNESSES_WAIT_MS];
  return after(instant(Math.max(dueAt, closedAt)), waitMs);
};

const progressAt = (state: RoomState, now: InstantMs): EventProgress | null => {
  const at = eventAt(state.plan.list, now);
  if (at === null) return null;
  const { id } = at.event;
  const before = state.plan.current?.id === id ? state.plan.current : null;
  const first = before?.first ?? ticketNumber(state.line.issued + 1);
  const isStarted = at.phase === "running" && before?.phase === "prequeue";
  const isClosed = before?.isClosed === true || (isStarted && at.event.shuffle);
  return { id, phase: state.drawing === null ? at.phase : "drawing", first, isClosed };
};
