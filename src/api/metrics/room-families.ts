/** What monitoring is told of a deployment's rooms. docs/monitoring.md has each for people. */
import type { EventPhase } from "../../core/events/event.ts";
import type { Refusal } from "../../core/room/commands.ts";
import type { HistoryCount } from "../../core/room/history.ts";
import type { MeteredLimits, RoomMeter } from "../../core/room/meter.ts";
import type { RegionMeter } from "../../core/regions/meter.ts";
import { WAIT_BOUNDS_MS, type HistoryTotals } from "../../core/room/totals.ts";
import type { RoomMode } from "../../core/snapshot.ts";
import { VERSION } from "../version.ts";
import type { BucketReading, Family, FamilyName, Reading } from "./exposition.ts";

/** A room by what does not change while it runs; `meter` null: it could not be asked. */
export interface MeteredRoom {
  readonly name: string;
  readonly id: string;
  readonly permit: string;
  readonly queueingMethod: string;
  readonly meter: RoomMeter | null;
}

const MODES = ["open", "queues", "paused", "closed", "suspended"] as const satisfies RoomMode[];
const PHASES = ["prequeue", "drawing", "running"] as const satisfies EventPhase[];

type OfMeter = (meter: RoomMeter) => readonly Reading[];

const one =
  (value: (meter: RoomMeter) => number | null): OfMeter =>
  (meter) => {
    const told = value(meter);
    return told === null ? [] : [{ labels: {}, value: told }];
  };

/** A limit by who set it. Whatever lowers a limit lowers only the one in effect. */
const limit =
  (value: (limits: MeteredLimits) => number | null): OfMeter =>
  ({ own, inEffect }) =>
    [["operator", own] as const, ["effect", inEffect] as const].flatMap(([limits, from]) => {
      const told = value(from);
      return told === null ? [] : [{ labels: { limit: limits }, value: told }];
    });

/** Counts of one kind, told apart by a label. */
const split =
  (label: string, counts: Readonly<Record<string, HistoryCount>>): OfMeter =>
  ({ totals }) =>
    Object.entries(counts).map(([value, count]) => ({
      labels: { [label]: value },
      value: totals[count] ?? 0,
    }));

const total = (count: HistoryCount): OfMeter => one(({ totals }) => totals[count] ?? 0);

const states =
  (label: string, all: readonly string[], current: (meter: RoomMeter) => string | null): OfMeter =>
  (meter) =>
    all.map((state) => ({ labels: { [label]: state }, value: current(meter) === state ? 1 : 0 }));

const ofRegions =
  (value: (region: RegionMeter) => number | null): OfMeter =>
  ({ regions = [] }) =>
    regions.flatMap((region) => {
      const told = value(region);
      return told === null ? [] : [{ labels: { region: region.region }, value: told }];
    });

interface RoomFamily extends FamilyName {
  readonly type: Exclude<Family["type"], "histogram">;
  readonly of: OfMeter;
}

const REASONS: Readonly<Record<Refusal, true>> = {
  "line-full": true,
  "lobby-full": true,
  "room-closed": true,
  "room-suspended": true,
  "too-many-joins": true,
  busy: true,
};

/** All begin with `seiriken_room_`. */
const OF_ROOMS: readonly RoomFamily[] = [
  {
    name: "mode",
    type: "stateset",
    help: "What a first request meets.",
    of: states("seiriken_room_mode", MODES, ({ mode }) => mode),
  },
  {
    name: "event_phase",
    type: "stateset",
    help: "The phase of the room's event; none is set while no event is on.",
    of: states("seiriken_room_event_phase", PHASES, ({ phase }) => phase),
  },
  {
    name: "waiting",
    type: "gauge",
    help: "Visitors in line, who may still turn out to be there among them.",
    of: one(({ waiting }) => waiting),
  },
  {
    name: "called",
    type: "gauge",
    help: "Permits that are offered to a number that has not come yet.",
    of: one(({ called }) => called),
  },
  {
    name: "visiting",
    type: "gauge",
    help: "Permits that are held: visitors on the origin.",
    of: one(({ visiting }) => visiting),
  },
  {
    name: "permits",
    type: "gauge",
    help: "Permits of the room: as the operator set them, and as they are in effect.",
    of: limit(({ permitsMax }) => permitsMax),
  },
  {
    name: "starts_per_minute",
    type: "gauge",
    help: "Visits that may begin in a minute: as the operator set it, and as it is in effect.",
    of: limit(({ startsPerMinuteMax }) => startsPerMinuteMax),
  },
  {
    name: "starts_per_second",
    type: "gauge",
    help: "Visits that may begin in a second; absent without such a limit.",
    of: limit(({ startsPerSecondMax }) => startsPerSecondMax),
  },
  {
    name: "expected_wait_seconds",
    type: "gauge",
    unit: "seconds",
    help: "How long a visitor who joins now would wait, with its range; absent while nobody can say.",
    of: ({ newcomer }) =>
      newcomer.known
        ? [
            { labels: { bound: "low" }, value: newcomer.low },
            { labels: { bound: "expected" }, value: newcomer.seconds },
            { labels: { bound: "high" }, value: newcomer.high },
          ]
        : [],
  },
  {
    name: "region_waiting",
    type: "gauge",
    help: "Visitors who are there in line, by the region of their lobby; absent in a room without regions.",
    of: ofRegions(({ waiting }) => waiting),
  },
  {
    name: "region_silence_seconds",
    type: "gauge",
    unit: "seconds",
    help: "How long the Room has not heard of a lobby of the region; absent where nobody waits.",
    of: ofRegions(({ silentMs }) => (silentMs === null ? null : silentMs / 1_000)),
  },
  {
    name: "tickets",
    type: "counter",
    help: "Numbers issued.",
    of: one(({ issued }) => issued),
  },
  { name: "calls", type: "counter", help: "Numbers called.", of: total("calls") },
  {
    name: "missed_calls",
    type: "counter",
    help: "Calls that nobody came to.",
    of: total("missed"),
  },
  {
    name: "entries",
    type: "counter",
    help: "Visits begun: called by the usher, by a baton, or through the door of an open room.",
    of: split("via", {
      usher: "entriesByUsher",
      baton: "entriesByBaton",
      door: "entriesByDoor",
    }),
  },
  {
    name: "visits_ended",
    type: "counter",
    help: "Visits over: finished by visitor or origin, run out, or taken back.",
    of: split("how", { finished: "finished", expired: "expired", revoked: "revoked" }),
  },
  { name: "joined", type: "counter", help: "Tickets taken.", of: total("joined") },
  {
    name: "left",
    type: "counter",
    help: "Places that their visitor gave up.",
    of: total("left"),
  },
  {
    name: "removed",
    type: "counter",
    help: "Numbers that an operator took out of the line.",
    of: total("removed"),
  },
  {
    name: "refused",
    type: "counter",
    help: "Joins and requests refused, by why.",
    of: ({ totals: { refusedBy } }) =>
      (Object.keys(REASONS) as Refusal[]).map((reason) => ({
        labels: { reason },
        value: refusedBy?.[reason] ?? 0,
      })),
  },
  {
    name: "arrivals",
    type: "counter",
    help: "Visitors at the gate whom nobody had met, as far as isolates have told.",
    of: total("arrivals"),
  },
  {
    name: "origin_answers",
    type: "counter",
    help: "How the origin answered those who were let in; an error is a status of 500 and above, or none in time.",
    of: split("outcome", { answer: "originAnswers", error: "originErrors" }),
  },
  {
    name: "bypassed",
    type: "counter",
    help: "Requests that a rule let past the room.",
    of: total("bypassed"),
  },
  {
    name: "forecasts",
    type: "counter",
    help: "Waits that were forecast and are over.",
    of: total("etaChecked"),
  },
  {
    name: "forecasts_held",
    type: "counter",
    help: "Of them those that were within the range told.",
    of: total("etaHeld"),
  },
];

/** Of every room that the operator covers; those that could not be asked have no figures. */
export const metricFamilies = (rooms: readonly MeteredRoom[]): readonly Family[] => [
  {
    name: "seiriken_build",
    type: "info",
    help: "The version that answers.",
    readings: [{ labels: { version: VERSION }, value: 1 }],
  },
  {
    name: "seiriken_rooms",
    type: "gauge",
    help: "Rooms of this deployment that the token may see.",
    readings: [{ labels: {}, value: rooms.length }],
  },
  {
    name: "seiriken_room",
    type: "info",
    help: "What a room is.",
    readings: rooms.map(({ name, id, permit, queueingMethod }) => ({
      labels: { room: name, id, permit, queueing_method: queueingMethod },
      value: 1,
    })),
  },
  {
    name: "seiriken_room_up",
    type: "gauge",
    help: "Did the room answer? The figures of one that did not are absent.",
    readings: rooms.map(({ name, meter }) => ({
      labels: { room: name },
      value: meter === null ? 0 : 1,
    })),
  },
  ...OF_ROOMS.map(({ of, name, ...family }): Family => ({
    ...family,
    name: `seiriken_room_${name}`,
    readings: readingsOf(rooms, of),
  })),
  {
    name: "seiriken_room_wait_seconds",
    type: "histogram",
    unit: "seconds",
    help: "How long those waited who entered with a ticket, from taking it to entering.",
    readings: rooms.flatMap(({ name, meter }) =>
      meter === null ? [] : [waitsOf(name, meter.totals)],
    ),
  },
];

const waitsOf = (room: string, { waits, waitedMs }: HistoryTotals): BucketReading => {
  let count = 0;
  const upTo = WAIT_BOUNDS_MS.map((ms, index) => {
    count += waits?.[index] ?? 0;
    return { bound: ms / 1_000, count };
  });
  count += waits?.[WAIT_BOUNDS_MS.length] ?? 0;
  return { labels: { room }, upTo, count, sum: (waitedMs ?? 0) / 1_000 };
};

const readingsOf = (rooms: readonly MeteredRoom[], of: OfMeter): readonly Reading[] =>
  rooms.flatMap(({ name, meter }) =>
    meter === null
      ? []
      : of(meter).map(({ labels, value }) => ({ labels: { room: name, ...labels }, value })),
  );
