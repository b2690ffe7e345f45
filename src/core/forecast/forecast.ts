/**
 * Runs the real steps of a room through the time to come, under limits that an operator tries out. It
 * runs in browsers.
 */
import { MINUTE_MS, SECOND_MS, after, instant } from "../time.ts";
import type { Eta } from "../estimate/eta.ts";
import type { ForecastAsk, ForecastPoint, Ranged } from "./course.ts";
import { lengthsWith, scatterOf } from "./lengths.ts";
import type { ForecastOutset } from "./outset.ts";
import { scaled } from "./scale.ts";
import { eventLimits } from "./stored.ts";
import { VirtualRoom } from "./virtual-room.ts";

const HORIZON_MS = 60 * MINUTE_MS;
const HORIZON_MAX_MS = 24 * 60 * MINUTE_MS;
const POINTS = 60;
const POINTS_MAX = 240;

/** Most of what chance alone does lies within so many deviations. */
const DEVIATIONS = 1.5;
/** What is measured of the last minutes may drift in the next ones. */
const DRIFT = 0.1;
/** Over so many minutes the rate of arrivals is smoothed. */
const SMOOTHED_MINUTES = 1.5;
/** Of visits of whose end nothing is known. */
const UNSEEN_DEVIATION = 0.8;

/** With `ask.change` made. What lies in the change is bounded by the settings' own bounds. */
const changed = (outset: ForecastOutset, { change = {} }: ForecastAsk): ForecastOutset => {
  const limits = { ...outset.limits, ...change };
  const lowered = outset.lowered ?? null;
  if (lowered === null) return { ...outset, limits };
  const { permitsMax, startsPerMinuteMax, startsPerSecondMax, closed } = lowered;
  return {
    ...outset,
    events: outset.events.map((event) => ({
      ...event,
      permitsMax: lower(event.permitsMax, permitsMax),
      startsPerMinuteMax: lower(event.startsPerMinuteMax, startsPerMinuteMax),
    })),
    limits: {
      ...limits,
      permitsMax: lower(limits.permitsMax, permitsMax) ?? limits.permitsMax,
      startsPerMinuteMax:
        lower(limits.startsPerMinuteMax, startsPerMinuteMax) ?? limits.startsPerMinuteMax,
      startsPerSecondMax:
        limits.startsPerSecondMax === null
          ? startsPerSecondMax
          : lower(limits.startsPerSecondMax, startsPerSecondMax),
      closed: limits.closed || closed,
    },
  };
};

/** What nobody sets, a ceiling does not set either. */
const lower = (limit: number | null, ceiling: number | null): number | null =>
  limit === null || ceiling === null ? limit : Math.min(limit, ceiling);

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/**
 * The points of the course one after the other, the first of them the outset itself. Whoever iterates
 * decides how much time it takes at a go: between two points there is little work.
 */
export function* forecastCourse(
  given: ForecastOutset,
  ask: ForecastAsk = {},
): Generator<ForecastPoint, void, undefined> {
  const outset = changed(given, ask);
  const horizonMs = within(ask.horizonMs ?? HORIZON_MS, SECOND_MS, HORIZON_MAX_MS);
  const points = within(Math.floor(ask.points ?? POINTS), 1, POINTS_MAX);
  const everySeconds = Math.max(1, Math.round(horizonMs / SECOND_MS / points));
  const [likely, sooner, later] = rooms(outset, ask, horizonMs);
  const lengths = lengthsWith(outset.learned.lengthsMs, ask.assume?.visitMs ?? null);
  const scatter = scatterOf(lengths);
  let arrived = 0;
  for (let point = 0; point <= points; point += 1) {
    const at = after(
      instant(Math.floor(outset.at / SECOND_MS) * SECOND_MS),
      point * everySeconds * SECOND_MS,
    );
    const chance = DEVIATIONS * Math.sqrt(arrived + likely.enteredByPermit * scatter ** 2);
    const { grain } = likely;
    const range = (of: (room: VirtualRoom) => number, slack: number): Ranged => {
      const [a, b, c] = [of(likely), of(sooner), of(later)];
      return {
        value: Math.round(a),
        low: Math.max(0, Math.floor(Math.min(a, b, c) - slack)),
        high: Math.ceil(Math.max(a, b, c) + slack),
      };
    };
    // A line that nothing fills has nothing to swing.
    const swings = later.waiting > 0 ? chance + grain : 0;
    const inside = DEVIATIONS * Math.sqrt(likely.visiting) * Math.min(1, arrived);
    yield {
      at,
      waiting: range((room) => room.waiting, swings),
      visiting: range((room) => room.visiting, likely.waiting > 0 ? 0 : inside),
      entered: range((room) => room.entered, chance + grain),
      head: between(likely, sooner, later, 0),
      middle: between(likely, sooner, later, 0.5),
      end: between(likely, sooner, later, 1),
    };
    if (point === points) return;
    for (let second = 0; second < everySeconds; second += 1)
      for (const room of [likely, sooner, later]) room.pass();
    arrived += (arrivalsOf(outset, ask) * everySeconds * SECOND_MS) / MINUTE_MS;
  }
}

const arrivalsOf = ({ learned }: ForecastOutset, { assume }: ForecastAsk): number =>
  assume?.arrivalsPerMinute ?? learned.arrivalsPerMinute;

/** The likely course, one in which all goes quicker than learned, and one in which it goes slower. */
const rooms = (
  outset: ForecastOutset,
  ask: ForecastAsk,
  horizonMs: number,
): readonly [VirtualRoom, VirtualRoom, VirtualRoom] => {
  const { learned } = outset;
  const { assume = {}, seed = 1 } = ask;
  const lengths = lengthsWith(learned.lengthsMs, assume.visitMs ?? null);
  const scale = scaled(outset, lengths, horizonMs, eventLimits(outset));
  const arrivalsPerMinute = arrivalsOf(outset, ask);
  const seen = Math.max(1, SMOOTHED_MINUTES * arrivalsPerMinute);
  // Who says how many come, or how long they stay, is taken at the word.
  const offArrivals =
    assume.arrivalsPerMinute === undefined
      ? DEVIATIONS * Math.hypot(DRIFT, 1 / Math.sqrt(seen))
      : 0;
  const offLengths =
    assume.visitMs === undefined
      ? DEVIATIONS *
        Math.hypot(
          DRIFT,
          scatterOf(lengths) / Math.sqrt(Math.max(1, learned.lengthsFrom)),
          UNSEEN_DEVIATION * learned.lengthsUnseen,
        )
      : 0;
  const room = (slower: number): VirtualRoom =>
    new VirtualRoom(outset, scale, {
      seed,
      lengths: (1 + offLengths) ** slower,
      arrivalsPerMinute: arrivalsPerMinute * Math.max(0, 1 + slower * offArrivals),
      missedShare: within(assume.missedShare ?? learned.missedShare, 0, 0.95),
      isTaught: lengths.length > 0,
    });
  return [room(0), room(-1), room(1)];
};

const between = (
  likely: VirtualRoom,
  sooner: VirtualRoom,
  later: VirtualRoom,
  share: number,
): Eta => {
  const eta = likely.waitAt(share);
  if (!eta.known) return eta;
  const [early, late] = [sooner.waitAt(share), later.waitAt(share)];
  return {
    known: true,
    seconds: eta.seconds,
    low: Math.min(eta.low, early.known ? early.seconds : eta.low),
    high: Math.max(eta.high, late.known ? late.seconds : eta.high),
  };
};
