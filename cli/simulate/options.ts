/** What `npm run simulate` was asked, checked; every mistake is told at once. */
import type { RoomLimits } from "../../src/core/definition.ts";
import {
  arriveMsOf,
  type ArrivalPart,
  type Sale,
  type SaleOpening,
} from "../../src/core/simulation/sale.ts";
import { WITNESSES_WAIT_MS } from "../../src/core/room/events.ts";
import { usageFailure } from "../launch/failure.ts";
import type { Flags, FlagSpecs } from "../launch/flags.ts";
import { SaleFlagReader } from "./reader.ts";

export const simulateSpecs: FlagSpecs = {
  visitors: { value: "N", help: "how many come, at most 10,000,000 (10000)" },
  permits: { value: "N", help: "P, how many may be inside at once (500)" },
  "per-minute": { value: "N", help: "how many may enter in a minute (as many as can)" },
  "per-second": { value: "N", help: "how many may enter in a second (no limit of its own)" },
  visit: { value: "SPAN", help: "how long visits last: around 3m, or between as 1m..5m (3m)" },
  session: { value: "SPAN", help: "how long a permit lasts without its visitor (5m)" },
  told: { value: "PERCENT", help: "visits whose end your site tells the room (100%)" },
  arrive: { value: "SPAN", help: "in which time all come (10m)" },
  shape: { value: "SHAPE", help: "how they come: even, or burst: half in its first tenth (even)" },
  arrivals: { value: "FILE", help: "how they come: lines such as 5,1200 (minute, visitors)" },
  prequeue: { value: "SPAN", help: "for so long a crowd gathers before the sale opens (none)" },
  early: { value: "PERCENT", help: "how many of all come in that time (50%)" },
  order: { value: "ORDER", help: "fifo; random each turn; draw: of the prequeue, at the start" },
  "draw-after": { value: "SPAN", help: "when witnesses enter its value (drand's: 5 to 8 s)" },
  leave: { value: "PERCENT", help: "how many lose patience in the line (0%)" },
  patience: { value: "SPAN", help: "the longest patience of those (30m)" },
  miss: { value: "PERCENT", help: "how many do not come when they are called (0%)" },
  claim: { value: "SPAN", help: "how long the others take until they are in (2s)" },
  pages: { value: "N", help: "requests of a visit that pass the Worker, for the price (10)" },
  seed: { value: "N", help: "another number, other luck (1)" },
  from: { value: "FILE", help: "a room in rooms.json and its next event; flags go first" },
  room: { value: "NAME", help: "which room, where there are several" },
  event: { value: "NAME", help: "which of the room's events (the next one)" },
  "no-event": { help: "the room without its events" },
  "from-history": { value: "SINCE", help: "a real room and who came, since 6h, 2d or a date" },
  until: { value: "UNTIL", help: "up to then (now)" },
  server: { value: "URL", help: "of the real room (http://127.0.0.1:8787, or SEIRIKEN_SERVER)" },
  "token-file": { value: "FILE", help: "its ADMIN_TOKEN or one that may read (or ADMIN_TOKEN)" },
  html: { value: "FILE", help: "writes a report with plots; the file must be new" },
  force: { help: "writes the report over a file that is there" },
  alone: { help: "without what other settings would give" },
  ascii: { help: "a chart of plain characters" },
  json: { help: "one JSON object, for programs" },
  help: { help: "this text" },
};

export const VISITORS_MAX = 10_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** As events have it. */
const PREQUEUE_MS_MIN = 5 * MINUTE;
/** More than anybody can enter: no limit. */
const UNLIMITED = 1_000_000_000;
/** Half come in the first tenth, the others evenly after it. */
const BURST = [9, ...new Array<number>(9).fill(1)];

/** What is known of the sale before the flags: of a room's file, its history, or a file of arrivals. */
export interface Known {
  readonly limits?: RoomLimits;
  readonly opening?: SaleOpening;
  readonly visitors?: number;
  readonly arrivals?: readonly ArrivalPart[];
}

export interface SimulateOptions {
  readonly sale: Sale;
  readonly pages: number;
}

/**
 * @param found what files and servers say; null: nobody has looked yet
 * @param usual the limits of a room that names none
 */
export const readSale = (flags: Flags, found: Known | null, usual: RoomLimits): SimulateOptions => {
  const read = new SaleFlagReader(flags);
  const known = found ?? {};
  const before = known.limits ?? { ...usual, permitsMax: 500, startsPerMinuteMax: UNLIMITED };
  const order = read.one("order", ["fifo", "random", "draw"]);
  const given = (own: RoomLimits): RoomLimits => {
    const perSecond = read.count("per-second", own.startsPerSecondMax ?? 0, UNLIMITED);
    return {
      ...own,
      permitsMax: read.count("permits", own.permitsMax, 1_000_000),
      startsPerMinuteMax: read.count("per-minute", own.startsPerMinuteMax, UNLIMITED),
      startsPerSecondMax: perSecond === 0 ? null : perSecond,
      leaseMs: read.span("session", own.leaseMs, SECOND, 24 * HOUR),
      ...(order === null ? {} : { order: order === "random" ? "random" : "fifo" }),
      paused: false,
      closed: null,
      suspended: false,
    };
  };
  const limits = given(before);
  const opening = openingOf(read, known.opening ?? null, order);
  const sale: Sale = {
    limits,
    visitors: read.count("visitors", known.visitors ?? 10_000, VISITORS_MAX),
    arrivals: arrivalsOf(read, known.arrivals ?? null, opening?.prequeueMs ?? 0),
    opening:
      opening === null || opening.ends === null
        ? opening
        : { ...opening, ends: { ...opening.ends, limits: given(opening.ends.limits) } },
    visit: read.lengths("visit", { kind: "around", meanMs: 3 * MINUTE }),
    toldShare: read.share("told", 1),
    claim: { kind: "around", meanMs: read.span("claim", 2 * SECOND, 0, HOUR) },
    leaveShare: read.share("leave", 0),
    patienceMs: read.span("patience", 30 * MINUTE),
    missShare: read.share("miss", 0),
    seed: read.count("seed", 1, 2 ** 32 - 1, 0),
  };
  const pages = read.count("pages", 10, 10_000, 0);
  // What a file says is not known yet when flags are first looked at.
  const maySay = found === null && read.isGiven("from");
  judgeTogether(read, flags, {
    hasPrequeue: (opening?.prequeueMs ?? 0) > 0 || maySay,
    isDrawn: opening?.isDrawn === true || maySay || order === "draw",
  });
  const [first, ...others] = new Set(read.problems);
  if (first !== undefined) throw usageFailure(first, [...others, "--help tells what each means"]);
  return { sale, pages };
};

const openingOf = (
  read: SaleFlagReader,
  known: SaleOpening | null,
  order: string | null,
): SaleOpening | null => {
  const prequeueMs = read.span("prequeue", known?.prequeueMs ?? 0, PREQUEUE_MS_MIN);
  if (prequeueMs === 0 && known === null) return null;
  const isDrawn = prequeueMs > 0 && (order === null ? known?.isDrawn === true : order === "draw");
  const ends = known?.ends ?? null;
  const valueAfterMs = read.isGiven("draw-after")
    ? read.span("draw-after", 0, 0, WITNESSES_WAIT_MS)
    : known?.valueAfterMs;
  return valueAfterMs === undefined || !isDrawn
    ? { prequeueMs, isDrawn, ends }
    : { prequeueMs, isDrawn, valueAfterMs, ends };
};

/** A file's arrivals begin with the prequeue; all others have their time after it, and some come early. */
const arrivalsOf = (
  read: SaleFlagReader,
  known: readonly ArrivalPart[] | null,
  prequeueMs: number,
): readonly ArrivalPart[] => {
  const shape = read.one("shape", ["even", "burst"]);
  const early = read.share("early", 0.5);
  const knownMs = known === null ? 10 * MINUTE : arriveMsOf({ arrivals: known });
  const arriveMs = read.span("arrive", knownMs);
  if (known !== null && shape === null)
    return known.map(({ lengthMs, weight }) => ({
      lengthMs: knownMs === 0 ? 0 : (lengthMs / knownMs) * arriveMs,
      weight,
    }));
  const weights = shape === "burst" ? BURST : [1];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const late = prequeueMs === 0 ? 1 : 1 - early;
  return [
    ...(prequeueMs === 0 ? [] : [{ lengthMs: prequeueMs, weight: early }]),
    ...weights.map((weight) => ({
      lengthMs: arriveMs / weights.length,
      weight: (weight / sum) * late,
    })),
  ];
};

/** What is right by itself and says nothing, or contradicts, beside the others. */
const judgeTogether = (
  read: SaleFlagReader,
  flags: Flags,
  { hasPrequeue, isDrawn }: { readonly hasPrequeue: boolean; readonly isDrawn: boolean },
): void => {
  const isFrom = read.isGiven("from");
  const isHistory = read.isGiven("from-history");
  read.oneOf("from", "from-history");
  read.oneOf("arrivals", "shape");
  read.oneOf("arrivals", "early");
  if (!read.isGiven("arrivals") && !read.isGiven("shape")) read.oneOf("from-history", "early");
  read.oneOf("event", "no-event");
  read.needs(
    ["room"],
    isFrom || isHistory,
    "needs a room: --from FILE or --from-history SINCE as well",
  );
  read.needs(["event", "no-event"], isFrom, "needs a room's file: --from FILE as well");
  read.needs(
    ["until", "server", "token-file"],
    isHistory,
    "needs a room's history: --from-history SINCE as well",
  );
  read.needs(["force"], read.isGiven("html"), "needs a report: --html FILE as well");
  read.needs(["patience"], read.isGiven("leave"), "needs those who leave: --leave PERCENT as well");
  const opens = "needs a crowd before the sale opens: --prequeue SPAN as well";
  read.needs(["early"], hasPrequeue, opens);
  read.needs(["draw-after"], isDrawn, "needs a draw: --order draw as well");
  if (flags.text("order") === "draw" && !hasPrequeue) read.problems.push(`--order draw: ${opens}`);
};
