/** A room's present figures as rows that a Room could have written, so that the real room begins from them. */
import type { RoomLimits } from "../definition.ts";
import { LineFlow } from "../estimate/line-flow.ts";
import { VisitLengths } from "../estimate/visit-lengths.ts";
import type { EventId } from "../events/event.ts";
import type { PlannedEvent } from "../events/planned.ts";
import { lobbyIndex, slotIndex, ticketNumber, type LobbyIndex } from "../ids.ts";
import type { PermitInSlot } from "../permits/permit.ts";
import { secondOf, type RingState } from "../ring/ring.ts";
import type { StoredRoom } from "../room/stored.ts";
import { after, MINUTE_MS, SECOND_MS, type InstantMs } from "../time.ts";
import { atShare } from "./lengths.ts";
import type { ForecastEvent, ForecastLimits, ForecastOutset, Spread } from "./outset.ts";
import type { Scaled } from "./scale.ts";

/** Below what a lobby takes at most. */
export const LOBBY_NUMBERS = 8_000;
/** Nobody's lease runs out in a forecast: what that does to visits is in how long they last. */
const LEASE_MS = 10 * 24 * 60 * MINUTE_MS;
/** As if so many visits had taught how long they last. */
const TAUGHT = 240;
/** As if a line had been watched for so long: then what is said of it stands. */
const WATCHED_MS = 1e9;

/** How many stand for those who are there. */
export interface StandIns {
  readonly visits: number;
  readonly called: number;
  readonly waiting: number;
}

export const limitsFrom = (limits: ForecastLimits): RoomLimits => {
  const { closed, ring, ringGuardMs, startsPerSecondMax: perSecond, ...rest } = limits;
  // Virtual time goes by whole seconds, so a window that is longer than one is told by the minute.
  const windowed =
    ring === "sliding" && perSecond !== null
      ? Math.floor((MINUTE_MS * perSecond) / (SECOND_MS + ringGuardMs))
      : Infinity;
  return {
    ...rest,
    startsPerSecondMax: perSecond,
    startsPerMinuteMax: Math.max(1, Math.min(limits.startsPerMinuteMax, windowed)),
    ring: "calendar",
    ringGuardMs: 0,
    leaseMs: LEASE_MS,
    leaseRenews: true,
    returnWindowMs: 60 * MINUTE_MS,
    lobbiesMin: 1,
    joinsPerAddressPerMinuteMax: null,
    closed: closed ? "closed" : null,
    message: null,
  };
};

const eventFrom = (
  event: ForecastEvent,
  index: number,
  { times, slower }: Scaled,
): PlannedEvent => ({
  id: String(index) as EventId,
  name: "",
  prequeueAt: event.prequeueAt,
  startsAt: event.startsAt,
  endsAt: event.endsAt,
  suspended: false,
  // Its order is somebody else's luck: how many enter is the same.
  shuffle: false,
  draw: null,
  overrides: {
    permitsMax:
      event.permitsMax === null
        ? null
        : Math.max(1, Math.round((event.permitsMax * slower) / times)),
    startsPerMinuteMax:
      event.startsPerMinuteMax === null
        ? null
        : Math.max(1, Math.round(event.startsPerMinuteMax / times)),
    leaseMs: null,
    leaseRenews: null,
    queueingMethod: event.queueingMethod,
  },
});

/** The lobby of the i-th who stands for those in line. */
export const lobbyOfPlace = (place: number): LobbyIndex =>
  lobbyIndex(Math.floor(place / LOBBY_NUMBERS));

const ringOf = (counts: readonly number[], at: InstantMs, times: number): RingState => {
  const first = secondOf(at) - counts.length + 1;
  let owed = 0;
  return counts.flatMap((count, i) => {
    owed += count / times;
    const whole = Math.floor(owed);
    owed -= whole;
    return whole === 0 ? [] : [first + i, whole];
  });
};

const permitsOf = (
  { at, agesMs }: ForecastOutset,
  scaled: Scaled,
  { visits, called }: StandIns,
): PermitInSlot[] => {
  const { visitMaxMs, claimWithinMs } = scaled.limits;
  const held = Array.from({ length: visits }, (_, i): PermitInSlot => {
    const ageMs = atShare(agesMs, (i + 0.5) / visits) * scaled.slower;
    const startedAt = after(at, -ageMs);
    return {
      slot: slotIndex(i),
      permit: {
        state: "held",
        number: ticketNumber(i + 1),
        lobby: lobbyIndex(0),
        via: "usher",
        startedAt,
        leaseUntil: after(at, LEASE_MS),
        passesUntil: at,
        endsAt: visitMaxMs === null ? null : after(startedAt, visitMaxMs),
        released: false,
        provisionalUntil: null,
        transient: false,
      },
    };
  });
  const offered = Array.from({ length: called }, (_, i): PermitInSlot => ({
    slot: slotIndex(visits + i),
    permit: {
      state: "called",
      number: ticketNumber(visits + i + 1),
      lobby: lobbyOfPlace(i),
      via: "usher",
      calledAt: at,
      claimBy: after(at, claimWithinMs),
    },
  }));
  return [...held, ...offered];
};

const taught = (lengthsMs: Spread): VisitLengths => {
  const lengths = new VisitLengths();
  for (let i = 0; i < TAUGHT; i += 1) {
    const number = ticketNumber(2 ** 40 + i);
    lengths.began(number, 1);
    lengths.ended(number, atShare(lengthsMs, (i + 0.5) / TAUGHT));
  }
  return lengths;
};

const flowOf = ({ learned }: ForecastOutset, { claimMs, limits }: Scaled): LineFlow => {
  const [calls, leavingPerMs] = [200, learned.leavingPerMinute / MINUTE_MS];
  const entries = calls * (1 - Math.min(0.95, learned.missedShare));
  const calledMs = entries * claimMs + (calls - entries) * limits.claimWithinMs;
  return LineFlow.restore([calls, entries, calledMs, leavingPerMs * WATCHED_MS, WATCHED_MS]);
};

/** `isTaught` false: nobody knows how long visits last. */
export const storedFrom = (
  outset: ForecastOutset,
  scaled: Scaled,
  present: StandIns,
  isTaught: boolean,
): StoredRoom => {
  const { at } = outset;
  const { visits, called, waiting } = present;
  const inLine = called + waiting;
  const calls = ringOf(outset.callsLastMinute, at, scaled.times);
  const events = outset.events.map((event, i) => eventFrom(event, i, scaled));
  const lengths = isTaught ? taught(scaled.lengthsMs) : new VisitLengths();
  return {
    head: {
      issued: visits + inLine,
      lineBase: 0,
      awayBelow: 1,
      epoch: 1,
      clock: at,
      limits: limitsFrom(scaled.limits),
      calls,
      starts: calls,
      estimate: [0, 0, 0, secondOf(at), 0, 0],
      history: null,
    },
    estimate: { lengths: lengths.toJSON(), flow: flowOf(outset, scaled).toJSON() },
    events: events.length === 0 ? null : { list: events, current: null, drawing: null },
    draws: [],
    runs: Array.from({ length: Math.ceil(inLine / LOBBY_NUMBERS) }, (_, i) => ({
      first: ticketNumber(visits + 1 + i * LOBBY_NUMBERS),
      count: Math.min(LOBBY_NUMBERS, inLine - i * LOBBY_NUMBERS),
      lobby: lobbyIndex(i),
    })),
    spent: [],
    permits: permitsOf(outset, scaled, present),
    misses: [],
    ended: [],
    lobbies: [],
    alerts: [],
  };
};

/** Events with their figures are limits, too. */
export const eventLimits = ({ limits, events }: ForecastOutset): readonly ForecastLimits[] =>
  events.map(({ permitsMax, startsPerMinuteMax }) => ({
    ...limits,
    permitsMax: permitsMax ?? limits.permitsMax,
    startsPerMinuteMax: startsPerMinuteMax ?? limits.startsPerMinuteMax,
  }));
