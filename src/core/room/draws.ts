/**
 * How numbers come to their ranks: closed at the start of their event (events.ts), drawn when the public
 * value is there, or when there is no more to wait for.
 */
import { roundAt } from "../draw/drand-chain.ts";
import { outcomeOf, type PublicValue } from "../draw/record.ts";
import { EVENTS_MAX, type EventId } from "../events/event.ts";
import type { PlannedEvent } from "../events/planned.ts";
import { chunkStart } from "../line/counted-bits.ts";
import { after, instant, isOver, SECOND_MS, type InstantMs } from "../time.ts";
import {
  stretchesOf,
  type NamedDraw,
  type RoomDrawRecord,
  type RoundWanted,
  type StoredDraw,
} from "./draw-state.ts";
import { endDrawing } from "./events.ts";
import type { RoomState } from "./state.ts";

/** How often the shell is asked for a round that is due. */
const ASK_EVERY_MS = SECOND_MS;

/** What became of a public value. */
export type DrawReply = "drawn" | "not-drawing" | "drawn-before" | "other-value";

/** Where the value was to come from. */
type Promised = StoredDraw["record"]["announced"]["publicValue"];

const plannedOf = ({ plan }: RoomState, id: EventId): PlannedEvent | null =>
  plan.list.find((event) => event.id === id) ?? null;

/** The draw whose numbers are closed, and that waits for its public value. */
const openDraw = ({ draws, drawing }: RoomState): StoredDraw | null =>
  drawing === null
    ? null
    : (draws.list.find(({ record }) => record.closed.first === drawing.first) ?? null);

const keep = (state: RoomState, draw: StoredDraw): void => {
  const { first } = draw.record.closed;
  const others = state.draws.list.filter(({ record }) => record.closed.first !== first);
  state.draws.list = [...others, draw];
  state.unsaved.rest.push({ put: "draw", draw });
  forgetOldest(state);
};

/** Beyond the bound, and never while the line stands in its order. */
const forgetOldest = (state: RoomState): void => {
  const [oldest] = state.draws.list;
  if (oldest === undefined || state.draws.list.length <= EVENTS_MAX) return;
  const { first, last } = oldest.record.closed;
  if (last >= chunkStart(state.line.base)) return;
  state.draws.list = state.draws.list.slice(1);
  state.unsaved.rest.push({ drop: "draw", first });
};

/** Numbers that events.ts has closed in this step are written down, before anybody can know the value. */
export const keepClosed = (state: RoomState): void => {
  const { drawing } = state;
  if (drawing === null || openDraw(state) !== null) return;
  const event = plannedOf(state, drawing.event);
  if (event?.draw == null) return;
  const { first, last, closedAt } = drawing;
  const record = { ...announcedOf(event, event.draw), closed: { at: closedAt, first, last } };
  keep(state, { event: event.id, name: event.name, secret: event.draw.secret, record });
};

const announcedOf = (
  { id, startsAt }: PlannedEvent,
  { announcedAt, commitment, promised }: NonNullable<PlannedEvent["draw"]>,
): RoomDrawRecord => ({
  event: id,
  announced: { at: announcedAt, startsAt, commitment, publicValue: promised },
  closed: null,
  drawn: null,
});

/** The numbers get their ranks. From this step on the line stands in that order. */
const drawBy = (state: RoomState, draw: StoredDraw, value: PublicValue, now: InstantMs): void => {
  const drawn = outcomeOf(draw.record.closed, draw.secret, value, now);
  keep(state, { ...draw, record: { ...draw.record, drawn } });
  state.line.draw(stretchesOf(state.draws.list));
  state.nextPositionsAt = now;
  endDrawing(state, now);
};

const reasonOf = (promised: Promised, isEventOver: boolean): string => {
  const until = isEventOver ? "the event ended" : "there was no more to wait for";
  return promised.from === "drand"
    ? `no relay of drand gave round ${promised.round} before ${until}`
    : `nobody entered a value before ${until}`;
};

/** Done before the events are followed: whatever waits too long for a value is drawn without. */
export const drawOverdue = (state: RoomState, now: InstantMs): void => {
  const draw = openDraw(state);
  if (draw === null || state.drawing === null) return;
  const event = plannedOf(state, draw.event);
  // Taken back by its operator, it draws nothing.
  if (event === null || event.suspended || !event.shuffle) return;
  const isEventOver = isOver(event.endsAt, now);
  if (!isEventOver && !isOver(state.drawing.until, now)) return;
  const { publicValue } = draw.record.announced;
  drawBy(state, draw, { from: "none", reason: reasonOf(publicValue, isEventOver) }, now);
};

/** A public value has come. The shell has verified a round before. */
export const draw = (
  state: RoomState,
  event: EventId,
  value: PublicValue,
  now: InstantMs,
): DrawReply => {
  const open = openDraw(state);
  if (open?.event !== event) {
    const drawn = state.draws.list.findLast((one) => one.event === event)?.record.drawn ?? null;
    if (drawn === null) return "not-drawing";
    return isEqual(drawn.publicValue, value) ? "drawn" : "drawn-before";
  }
  if (!isPromised(open.record.announced.publicValue, value)) return "other-value";
  drawBy(state, open, value, now);
  return "drawn";
};

/** The same told again: its answer was lost. */
const isEqual = (one: PublicValue, other: PublicValue): boolean =>
  one.from === "witnesses" && other.from === "witnesses" && one.text === other.text;

const isPromised = (promised: Promised, value: PublicValue): boolean =>
  promised.from === "drand"
    ? value.from === "drand" && value.round === promised.round
    : value.from === "witnesses";

/** The round that is waited for, and when the shell is asked for it next. */
const waitedFor = (state: RoomState): { wanted: RoundWanted; at: InstantMs } | null => {
  const open = openDraw(state);
  if (open === null) return null;
  const { publicValue } = open.record.announced;
  if (publicValue.from !== "drand") return null;
  const { chain, round } = publicValue;
  const at = instant(Math.max(roundAt(chain, round), state.draws.asksAt));
  return { wanted: { event: open.event, chain, round }, at };
};

/** The round for the shell to fetch now, once a second from when it is due. */
export const roundWanted = (state: RoomState, now: InstantMs): RoundWanted | null => {
  const waited = waitedFor(state);
  if (waited === null || !isOver(waited.at, now)) return null;
  state.draws.asksAt = after(now, ASK_EVERY_MS);
  return waited.wanted;
};

export const nextRoundAt = (state: RoomState): InstantMs | null => waitedFor(state)?.at ?? null;

/** The last draw of each event, also of one that is deleted. */
export const drawsOf = (state: RoomState): readonly NamedDraw[] => {
  const named = new Map<EventId, NamedDraw>();
  for (const { event, name, record } of state.draws.list) named.set(event, { name, record });
  for (const event of state.plan.list) {
    if (event.draw === null) continue;
    const record = announcedOf(event, event.draw);
    const kept = named.get(event.id)?.record;
    // An event that was planned anew has a draw of its own to come.
    const isSame = kept?.announced.commitment === record.announced.commitment;
    named.set(event.id, { name: event.name, record: isSame ? kept : record });
  }
  return [...named.values()];
};
