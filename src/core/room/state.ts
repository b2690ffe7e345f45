/**
 * The state of one Room, and its restore from rows. What a step does to it is in step.ts, the rows that a
 * step has changed are in changed-rows.ts.
 */
import { NotedAlerts } from "../alerts/noted.ts";
import { Watch } from "../alerts/watch.ts";
import { RoomClock } from "../clock.ts";
import { Generator } from "../draw/generator.ts";
import { ArrivalRate } from "../estimate/arrival-rate.ts";
import { EntryRate } from "../estimate/entry-rate.ts";
import { Estimator } from "../estimate/estimator.ts";
import type { RoomLimits } from "../definition.ts";
import { limitsInEffect } from "../events/planned.ts";
import { restoreDraws, stretchesOf, type Draws } from "./draw-state.ts";
import { eventSeen, restorePlan, type Drawing, type EventPlan } from "./event-state.ts";
import { callLimits, scheduleFor, startLimits } from "./limiters.ts";
import { limitsFromStore, UNCONFIGURED } from "./limits.ts";
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import type { IssuedRun } from "../line/kept-chunks.ts";
import { Line } from "../line/line.ts";
import type { DrawnStretch } from "../line/order.ts";
import { Pace } from "../pace/pace.ts";
import { Permits } from "../permits/permits.ts";
import { StartLimiter } from "../ring/limiter.ts";
import type { StartSchedule } from "../ring/schedule.ts";
import { after, instant, type InstantMs } from "../time.ts";
import { JoinsPerAddress } from "./addresses.ts";
import { NEXT_VALID_MS, type Call } from "./commands.ts";
import { EndedVisits } from "./ended.ts";
import { Happenings } from "./happenings.ts";
import { History } from "./history.ts";
import { ScheduledReturns } from "./scheduled-returns.ts";
import { TurnSpan } from "./turn-span.ts";
import type { StoredRoomChange, LobbyRow, StoredEnd, StoredRoom } from "./stored.ts";
import { VisitEnds } from "./visit-ends.ts";

/** What one life of a lobby has said last, and what it was answered. */
export interface LobbyDialogue {
  instance: string;
  sequence: number;
  /** The stored answer, for a batch that is repeated. */
  answer: string | null;
}

/** What the Room knows of one lobby. */
export interface LobbyState extends LobbyDialogue {
  /** The life before this one: its last words may still be on their way. */
  former: LobbyDialogue | null;
  heardAt: InstantMs | null;
  /** The lobby has listed its numbers since the Room started. */
  reported: boolean;
  /** When the lobby was last told all its unanswered calls. */
  callsToldAt: InstantMs;
  /** A row names this instance, so that the Room knows it again after a restart. */
  stored: boolean;
  /** The instance is new: visitors of its former life may still be on their way back. */
  fresh: boolean;
}

/** What a step has changed and not yet handed to the store. */
interface Unsaved {
  /** Only where nothing else changes with it: the head is written along with any other row. */
  head: boolean;
  runs: IssuedRun[];
  misses: Set<TicketNumber>;
  rest: StoredRoomChange[];
}

/**
 * All that a Room knows. It is changed in place by `step`, and by nothing else: a million numbers
 * are not copied for each visitor. Same state, same command, same clock: same outcome.
 */
export interface RoomState {
  /** Names this life of the Room, so that versions of another are not mistaken for its own. */
  readonly boot: string;
  /** The limits in effect. */
  limits: RoomLimits;
  /** The room's own: what holds while no event is on. */
  own: RoomLimits;
  readonly plan: EventPlan;
  /** What lowers them beside the operator. */
  readonly pace: Pace;
  /** When limits that it has changed take effect; null when they have. */
  paceDueAt: InstantMs | null;
  /** Between the start of an event that shuffles and its order. */
  drawing: Drawing | null;
  readonly draws: Draws;
  epoch: number;
  epochAt: InstantMs | null;
  readonly clock: RoomClock;
  readonly line: Line;
  readonly permits: Permits;
  /** Limits what is called, so that those who come find a start. */
  readonly calls: StartLimiter;
  /** Limits what starts; the hard one. */
  readonly starts: StartLimiter;
  /** Moments at which admitted visitors' requests begin; null without such a limit. */
  requests: StartSchedule | null;
  /** Draws whom to call, in a room with that order; null before the first draw. */
  generator: Generator | null;
  readonly rate: EntryRate;
  readonly arrivals: ArrivalRate;
  readonly estimator: Estimator;
  readonly misses: Map<TicketNumber, number>;
  /**
   * Numbers whose request waits at the edge this moment, and since when they stand in line, where
   * that is known. They are present.
   */
  readonly attended: Map<TicketNumber, InstantMs | null>;
  /** Numbers that were told when to come back. They are away, and counted when others ask. */
  readonly scheduledReturns: ScheduledReturns;
  readonly turnSpan: TurnSpan;
  readonly ended: EndedVisits;
  readonly ends: VisitEnds;
  readonly history: History;
  readonly happenings: Happenings;
  readonly watch: Watch;
  readonly alerts: NotedAlerts;
  readonly lobbies: Map<LobbyIndex, LobbyState>;
  readonly addresses: JoinsPerAddress;
  /** Entries for one answer only, counted apart so that they do not use up a visitor's joins. */
  readonly answersPerAddress: JoinsPerAddress;
  /**
   * Until when a lobby may pass batons to numbers it was named, and until when no more are named.
   */
  nextNamedUntil: InstantMs;
  nextWithheldUntil: InstantMs;
  /** While the room settles after a start, and when that is over at the latest. */
  settlesUntil: InstantMs | null;
  /** When the last step was. */
  steppedAt: InstantMs;
  /** When the room meant to wake after it; null before the first, and when nothing was due. */
  wakesAt: InstantMs | null;
  nextPositionsAt: InstantMs;
  nextSweepAt: InstantMs;
  nextEstimateAt: InstantMs;
  /** The line's `awayBelow` as it was last written. */
  writtenAwayBelow: number;
  endedRow: number;
  /** Since when the history has counts of isolates that no row has; null while it has none. */
  unwrittenSince: InstantMs | null;
  /** Calls of this step, by the lobby that has to tell the visitor. */
  callsMade: Map<LobbyIndex, Call[]>;
  unsaved: Unsaved;
}

/** The least and the rate of the spread over which pages reconnect after a start. */
const RECONNECT_LEAST_MS = 2_000;
const RECONNECTS_PER_SECOND = 40_000;
/** How long the slowest page may need beyond the spread. */
const RECONNECT_SLACK_MS = 2_000;

/** How often what was learned of waits is written down, while anything else is. */
export const ESTIMATE_EVERY_MS = 10_000;

/**
 * How long the Room waits for so many numbers to be reported before it takes the others for away.
 */
export const settlingMs = (numbers: number): number =>
  Math.max(RECONNECT_LEAST_MS, (numbers / RECONNECTS_PER_SECOND) * 1_000) + RECONNECT_SLACK_MS;

export const freshUnsaved = (): Unsaved => ({ head: false, runs: [], misses: new Set(), rest: [] });

const restoreLobby = ({
  lobby,
  instance,
  sequence,
  answer,
}: LobbyRow): [LobbyIndex, LobbyState] => [
  lobby,
  {
    instance,
    sequence,
    answer,
    former: null,
    heardAt: null,
    reported: false,
    callsToldAt: instant(0),
    stored: true,
    fresh: false,
  },
];

const restoreLine = (
  stored: StoredRoom,
  drawn: readonly DrawnStretch[],
  permits: Permits,
  now: InstantMs,
): Line => {
  const called: TicketNumber[] = [];
  for (const { number } of permits.calls()) called.push(number);
  const { issued = 0, lineBase = 0 } = stored.head ?? {};
  const { runs, spent } = stored;
  const line = Line.restore({ issued, base: lineBase, runs, spent, called, drawn }, now);
  line.markAllUnconfirmed(stored.head?.awayBelow ?? 1);
  return line;
};

/** Rebuilds a room from what was written, as it stands at its first moment of a new life. */
export const restoreRoom = (stored: StoredRoom, boot: string, machineNow: InstantMs): RoomState => {
  const { head } = stored;
  const clock = RoomClock.restore(head?.clock ?? null);
  const now = clock.read(machineNow);
  const own = head === null ? UNCONFIGURED : limitsFromStore(head.limits);
  const plan = restorePlan(stored.events);
  const pace = new Pace(stored.pace ?? null);
  const limits = pace.lowered(limitsInEffect(own, plan.list, plan.current));
  const endedRows = [...stored.ended];
  const permits = new Permits(limits.permitsMax, stored.permits);
  const draws = restoreDraws(stored.draws);
  const line = restoreLine(stored, stretchesOf(draws.list), permits, now);
  return {
    boot,
    limits,
    own,
    plan,
    pace,
    paceDueAt: null,
    drawing: stored.events?.drawing ?? null,
    draws,
    epoch: head?.epoch ?? 1,
    epochAt: head?.epochAt ?? null,
    clock,
    line,
    permits,
    calls: StartLimiter.restore(callLimits(limits), head?.calls ?? null, now),
    starts: StartLimiter.restore(startLimits(limits), head?.starts ?? null, now),
    requests: scheduleFor(limits, head?.requestsLast ?? null),
    generator: head?.generator == null ? null : new Generator(head.generator),
    rate: EntryRate.restore(head?.estimate ?? null),
    arrivals: new ArrivalRate(line.issued),
    estimator: Estimator.restore(stored.estimate),
    misses: new Map(stored.misses),
    attended: new Map(),
    scheduledReturns: new ScheduledReturns(),
    turnSpan: new TurnSpan(),
    ended: new EndedVisits(endedRows.flatMap(({ visits }) => visits)),
    ends: new VisitEnds(endedRows.flatMap(({ visits }) => endsIn(visits))),
    happenings: new Happenings(head?.happened ?? null, now),
    history: new History(head?.history ?? null, head?.totals),
    watch: Watch.restore(head?.watch ?? null, eventSeen(plan)),
    alerts: new NotedAlerts(stored.alerts, head?.alertsNoted),
    lobbies: new Map([...stored.lobbies].map(restoreLobby)),
    addresses: new JoinsPerAddress(),
    answersPerAddress: new JoinsPerAddress(),
    // The life before this one may have named somebody as its last word.
    nextNamedUntil: limits.permit === "request" ? after(now, NEXT_VALID_MS) : instant(0),
    nextWithheldUntil: instant(0),
    settlesUntil: line.unconfirmed > 0 ? after(now, settlingMs(line.unconfirmed)) : null,
    steppedAt: now,
    wakesAt: null,
    nextPositionsAt: instant(0),
    nextSweepAt: after(now, limits.returnWindowMs / 4),
    nextEstimateAt: after(now, ESTIMATE_EVERY_MS),
    writtenAwayBelow: head?.awayBelow ?? 1,
    endedRow: endedRows.reduce((highest, { row }) => Math.max(highest, row), 0) + 1,
    unwrittenSince: null,
    callsMade: new Map(),
    unsaved: freshUnsaved(),
  };
};

const endsIn = (visits: readonly StoredEnd[]) =>
  visits.flatMap(({ visit, end }) => (end === undefined ? [] : [[visit, end] as const]));
