/**
 * One step of a Room: the order in which it does what is overdue, what it was asked, and what the
 * usher may do then.
 */
import type { NotedAlert } from "../alerts/alert.ts";
import type { EdgeReport } from "../edge-report.ts";
import type { LobbyIndex } from "../ids.ts";
import type { RoomSnapshot } from "../snapshot.ts";
import { chunkOf } from "../line/counted-bits.ts";
import { after, earliest, instant, isOver, SECOND_MS, type InstantMs } from "../time.ts";
import { runBatch } from "./batch.ts";
import { withholdNext } from "./batons.ts";
import { drainChanges } from "./changed-rows.ts";
import type { BatchAnswer, Call, Command, OpReply, PositionsTable } from "./commands.ts";
import { desk, type DeskReply } from "./desk.ts";
import type { RoundWanted } from "./draw-state.ts";
import {
  draw,
  drawOverdue,
  keepClosed,
  nextRoundAt,
  roundWanted,
  type DrawReply,
} from "./draws.ts";
import { followEvents, setEvents } from "./events.ts";
import { HISTORY_KEPT_MS } from "./history.ts";
import { meterOf, type RoomMeter } from "./meter.ts";
import { expireLobbies, tellCallsNowAndThen } from "./lobbies.ts";
import type { RoomState } from "./state.ts";
import type { StoredRoomChange } from "./stored.ts";
import { expire, mayCall, usher } from "./usher.ts";
import { NO_PACE } from "../pace/pace.ts";
import {
  configurePace,
  followPace,
  hearOrigin,
  nextPaceAt,
  paceViewOf,
  signalPace,
  type PaceView,
} from "./pace.ts";
import { renewRequests } from "./requests.ts";
import { end, peek, revokeAll } from "./visits.ts";
import { alertsHeard, watchMinute, watchOrigin, watchRoom } from "./watched.ts";
import { snapshotOf, positionsTableOf } from "./view.ts";

/** What a command gets back; `tick` and `configure` get nothing. */
export interface RoomReplies {
  tick: null;
  configure: null;
  signal: PaceView;
  /** For how many milliseconds a lobby may still pass batons by itself. */
  withhold: number;
  batch: BatchAnswer;
  end: boolean;
  peek: OpReply;
  draw: DrawReply;
  desk: DeskReply;
  "revoke-all": number;
  meter: RoomMeter;
  "alerts-heard": null;
  snapshot: RoomSnapshot;
}

export interface RoomOutcome<Reply> {
  readonly reply: Reply;
  /** The Room's clock in this step. */
  readonly now: InstantMs;
  /** To be written in one transaction before anything is answered or sent. */
  readonly changes: readonly StoredRoomChange[];
  /** When the usher comes again; null when nothing can happen by itself. */
  readonly wakeAt: InstantMs | null;
  /** Calls to pass on at once. */
  readonly calls: ReadonlyMap<LobbyIndex, readonly Call[]>;
  /** Once a tick: the positions, for these lobbies. */
  readonly positionsTable: PositionsTable | null;
  readonly positionsFor: readonly LobbyIndex[];
  /** To be fetched, verified, and given back with the command `draw`. */
  readonly roundWanted: RoundWanted | null;
  /** For the Registry, which answers up to which it has heard: the command `alerts-heard`. */
  readonly alertsDue: readonly NotedAlert[];
}

/** The usher's tick. */
export const TICK_MS = SECOND_MS;

/**
 * One step of the Room. What is overdue comes first, then the command, then the usher, so that a
 * late, doubled or lost alarm harms nothing and no free permit lies beside somebody who waits.
 */
export const step = <Type extends Command["type"]>(
  state: RoomState,
  command: Extract<Command, { type: Type }>,
  machineNow: number,
): RoomOutcome<RoomReplies[Type]> => {
  const now = state.clock.read(machineNow);
  state.callsMade = new Map();
  turnMinute(state, now);
  drawOverdue(state, now);
  followEvents(state, now);
  followPace(state, now);
  excuseAbsence(state, now);
  expireLobbies(state, now);
  state.scheduledReturns.expire(now);
  expire(state, now);
  const reply = perform(state, command, now);
  keepClosed(state);
  usher(state, now);
  state.history.observe(state.line.waiting, state.permits.out, now);
  keepHouse(state, now);
  state.arrivals.observe(state.line.issued, now);
  const isSure = state.line.unconfirmed === 0 && state.settlesUntil === null;
  state.estimator.flow.observe(state.line.waiting, isSure, now);
  const finished = reply();
  watchRoom(state, now);
  const alertsDue = state.alerts.due(now);
  const positionsFor = tellWhom(state, now);
  const wanted = roundWanted(state, now);
  state.wakesAt = wakeAt(state, now);
  return {
    reply: finished as RoomReplies[Type],
    now,
    changes: drainChanges(state),
    wakeAt: state.wakesAt,
    calls: state.callsMade,
    positionsTable: positionsFor.length > 0 ? positionsTableOf(state, now) : null,
    positionsFor,
    roundWanted: wanted,
    alertsDue,
  };
};

/**
 * A step this much later than planned means that the object did not run, or that its clock jumped.
 */
const LATE_MS = 10 * SECOND_MS;

/**
 * Permits of requests last seconds, and nobody can tell a jump of the clock from an absence: what
 * runs gets a fresh lease, so that no origin is asked twice for one permit. What has died meanwhile
 * keeps its permit for a lease longer.
 */
const excuseAbsence = (state: RoomState, now: InstantMs): void => {
  const { limits, wakesAt } = state;
  if (limits.permit !== "request" || wakesAt === null) return;
  if (isOver(after(wakesAt, LATE_MS), now)) renewRequests(state, now);
};

/** Runs the command. Its answer is read after the usher has run. */
const perform = (state: RoomState, command: Command, now: InstantMs): (() => unknown) => {
  switch (command.type) {
    case "tick":
      return () => null;
    case "batch":
      return runBatch(state, command.batch, now);
    case "configure":
      return configure(state, command, now);
    case "signal":
      if (command.ask !== null) signalPace(state, command.ask, now);
      return () => paceViewOf(state, now);
    case "withhold": {
      const leftMs = withholdNext(state, now);
      return () => leftMs;
    }
    case "end": {
      const ended = end(state, command.visit, command.afterMs, now);
      return () => ended;
    }
    case "peek":
      return () => peek(state, command.visit);
    case "draw": {
      const became = draw(state, command.event, command.value, now);
      return () => became;
    }
    case "desk":
      return desk(state, command, now);
    case "revoke-all": {
      const ended = revokeAll(state, now);
      return () => ended;
    }
    case "meter":
      return () => meterOf(state, now);
    case "alerts-heard":
      alertsHeard(state, command.upTo);
      return () => null;
    case "snapshot":
      if (command.report != null) hearOfGate(state, command.report, now);
      return () => snapshotOf(state, command.since, now);
    default:
      return command satisfies never;
  }
};

const configure = (
  state: RoomState,
  { limits, events = [], pace = NO_PACE }: Extract<Command, { type: "configure" }>,
  now: InstantMs,
): (() => null) => {
  const before = state.own;
  state.own = limits;
  configurePace(state, pace, before, now);
  setEvents(state, events, now);
  state.nextWithheldUntil = now;
  // Those who wait hear of an operator's change with this step, not with the next tick.
  state.nextPositionsAt = now;
  return () => null;
};

/** What isolates have seen at the gate belongs to the minute in which they tell it. */
const hearOfGate = (state: RoomState, report: EdgeReport, now: InstantMs): void => {
  state.history.heard(report, now);
  state.unwrittenSince ??= now;
  if (isOver(after(state.unwrittenSince, GATE_UNWRITTEN_MAX_MS), now)) state.unsaved.head = true;
  if (report.origin !== null) watchOrigin(state, report.origin, now);
  hearOrigin(state, report, now);
};

/**
 * What isolates have counted is written with whatever else is. Where nothing else is, so late at
 * most: a crash loses no more of it.
 */
const GATE_UNWRITTEN_MAX_MS = 30 * SECOND_MS;

/** Writes down the finished minute before anything is counted in the next. */
const turnMinute = (state: RoomState, now: InstantMs): void => {
  const row = state.history.finished(now);
  if (row === null) return;
  watchMinute(state, row);
  state.unsaved.rest.push({ put: "history", row });
  state.unsaved.rest.push({ drop: "history", before: after(now, -HISTORY_KEPT_MS) });
  state.unsaved.rest.push({ drop: "happened", before: after(now, -HISTORY_KEPT_MS) });
};

/** Drops what is of no use any more: ended visits past their passes, numbers past their return. */
const keepHouse = (state: RoomState, now: InstantMs): void => {
  if (state.ended.forget(now)) state.unsaved.rest.push({ drop: "ended", until: now });
  if (isOver(state.nextSweepAt, now)) sweep(state, now);
};

/** A number that is away beyond every ticket's validity cannot come back: its chunk may go. */
const sweep = (state: RoomState, now: InstantMs): void => {
  const { returnWindowMs } = state.limits;
  state.nextSweepAt = after(now, Math.max(TICK_MS, returnWindowMs / 4));
  const swept = state.line.sweep(after(now, -2 * returnWindowMs));
  if (swept.dropped > 0) state.unsaved.rest.push({ drop: "line", belowChunk: swept.base });
  for (const number of state.misses.keys()) {
    if (state.line.isUnspent(number)) continue;
    state.misses.delete(number);
    state.unsaved.misses.add(number);
  }
};

/**
 * The lobbies that are told positions this tick: those with numbers in line, or possibly in line
 * while it settles.
 */
const tellWhom = (state: RoomState, now: InstantMs): LobbyIndex[] => {
  if (!isOver(state.nextPositionsAt, now)) return [];
  const settling = state.settlesUntil !== null;
  const lobbies: LobbyIndex[] = [];
  for (const index of state.line.lobbies()) {
    const concerned = settling ? state.line.unspentOf(index) : state.line.presentOf(index);
    if (concerned > 0) lobbies.push(index);
  }
  if (lobbies.length > 0) state.nextPositionsAt = after(now, TICK_MS);
  for (const index of lobbies) tellCallsNowAndThen(state, index, now);
  return lobbies;
};

/** Only chunks whose numbers are all issued are swept; until then nobody has to wake up for it. */
const hasWholeChunk = ({ line }: RoomState): boolean => line.base < chunkOf(line.issued + 1);

/** The same moment for all steps of a span, so that the alarm is not set anew by each. */
const nextOf = (spanMs: number, now: InstantMs): InstantMs =>
  instant((Math.floor(now / spanMs) + 1) * spanMs);

/** Permits whose time is over within this are looked at together: each alarm is a call and a row. */
const TOGETHER_MS = 250;

/** When a visit or a call is over by the clock; a permit for one answer is given on at once. */
const permitsDueAt = ({ permits, limits }: RoomState): InstantMs | null => {
  const due = permits.nextDue();
  if (due === null || limits.permit === "request") return due;
  return instant(Math.ceil(due / TOGETHER_MS) * TOGETHER_MS);
};

/** The next moment at which something can change by itself. */
const wakeAt = (state: RoomState, now: InstantMs): InstantMs | null => {
  const inLine = state.line.waiting + state.line.unconfirmed;
  const mayCallSoon = inLine > 0 && state.permits.free > 0 && mayCall(state);
  const ring = state.limits.permit === "request" ? state.starts : state.calls;
  return earliest(
    permitsDueAt(state),
    inLine > 0 ? nextOf(SECOND_MS, now) : null,
    mayCallSoon && ring.nextAt(now) > now ? ring.nextAt(now) : null,
    state.settlesUntil,
    state.history.endsAt(),
    state.plan.changesAt,
    nextPaceAt(state, now),
    nextRoundAt(state),
    state.watch.endsAt,
    state.alerts.nextAt,
    hasWholeChunk(state) ? state.nextSweepAt : null,
    countsJoins(state, after(now, AWAKE_MS)) ? nextOf(AWAKE_MS, now) : null,
  );
};

/** An object without work for 10 s is evicted, and joins are counted in memory only. */
const AWAKE_MS = 8 * SECOND_MS;

/** Does a join that was counted hold against its address still? */
const countsJoins = ({ addresses, answersPerAddress }: RoomState, now: InstantMs): boolean =>
  [addresses.until, answersPerAddress.until].some((until) => until !== null && !isOver(until, now));
