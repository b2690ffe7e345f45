/** What `npm run simulate` was asked, checked; every mistake is told at once. */
import type { RoomLimits } from "../../src/core/definition.ts";
import type { Lengths, Sale } from "../../src/core/simulation/sale.ts";
import { quoted, usageFailure } from "../launch/failure.ts";
import type { Flags, FlagSpecs } from "../launch/flags.ts";

export const simulateSpecs: FlagSpecs = {
  visitors: { value: "N", help: "how many come, at most 10000000 (10000)" },
  permits: { value: "N", help: "P, how many may be inside at once (500)" },
  "per-minute": { value: "N", help: "how many may enter in a minute (as many as can)" },
  "per-second": { value: "N", help: "how many may enter in a second (no limit of its own)" },
  visit: { value: "SPAN", help: "how long visits last: around 3m, or between as 1m..5m (3m)" },
  session: { value: "SPAN", help: "how long a permit lasts without its visitor (5m)" },
  told: { value: "PERCENT", help: "visits whose end your site tells the room (100%)" },
  arrive: { value: "SPAN", help: "in which time all come (10m)" },
  shape: { value: "SHAPE", help: "how they come: even, or burst: half in its first tenth (even)" },
  leave: { value: "PERCENT", help: "how many lose patience in the line (0%)" },
  patience: { value: "SPAN", help: "the longest patience of those (30m)" },
  miss: { value: "PERCENT", help: "how many do not come when they are called (0%)" },
  claim: { value: "SPAN", help: "how long the others take until they are in (2s)" },
  pages: { value: "N", help: "requests of a visit that pass the Worker, for the price (10)" },
  seed: { value: "N", help: "another number, other luck (1)" },
  from: { value: "FILE", help: "limits from a room in rooms.json; flags above go first" },
  "from-history": {
    value: "SINCE",
    help: "limits and arrivals of a real room since 6h, 2d or a date",
  },
  until: { value: "UNTIL", help: "up to then (now)" },
  room: { value: "NAME", help: "which room, where there are several" },
  server: { value: "URL", help: "of the real room (http://127.0.0.1:8787, or SEIRIKEN_SERVER)" },
  "token-file": {
    value: "FILE",
    help: "its ADMIN_TOKEN or a token that may read (or ADMIN_TOKEN)",
  },
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
const WEEK = 7 * 24 * HOUR;
const UNIT_MS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: 24 * HOUR } as const;
const SPAN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
/** More than anybody can enter: no limit. */
const UNLIMITED = 1_000_000_000;
/** Half come in the first tenth, the others evenly after it. */
const BURST = [9, ...new Array<number>(9).fill(1)];

/** What is known of the sale before the flags: of a room's file or its history. */
export interface Known {
  readonly limits?: RoomLimits;
  readonly visitors?: number;
  readonly arrivals?: readonly number[];
  readonly arriveMs?: number;
}

export interface SimulateOptions {
  readonly sale: Sale;
  readonly pages: number;
}

/** Reads flags one by one and keeps what is wrong with them. */
class Reader {
  readonly problems: string[] = [];
  readonly #flags: Flags;

  constructor(flags: Flags) {
    this.#flags = flags;
  }

  count(flag: string, usual: number, most: number, least = 1): number {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const count = Number(text.replaceAll(/[_,]/g, ""));
    if (/^[\d_,]+$/.test(text) && count >= least && count <= most) return count;
    return this.#wrong(flag, text, `a whole number from ${least} to ${most}`, usual);
  }

  span(flag: string, usual: number, least = 0, most = WEEK): number {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const ms = msOf(text);
    if (ms !== null && ms >= least && ms <= most) return ms;
    const bounds =
      least > 0 ? `, ${least / SECOND}s to ${most / HOUR}h` : `, at most ${most / HOUR}h`;
    return this.#wrong(flag, text, `a time such as 30s, 5m or 2h${bounds}`, usual);
  }

  share(flag: string, usual: number): number {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const [, number, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
    const share = sign === "%" ? Number(number) / 100 : Number(number);
    if (number !== undefined && share <= 1) return share;
    return this.#wrong(flag, text, "a share such as 30% or 0.3, at most all", usual);
  }

  lengths(flag: string, usual: Lengths): Lengths {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const [least = "", most, ...rest] = text.split("..");
    const leastMs = msOf(least);
    const mostMs = most === undefined ? null : msOf(most);
    const isGood = (ms: number): boolean => ms >= 100 && ms <= 24 * HOUR;
    if (leastMs !== null && most === undefined && isGood(leastMs))
      return { kind: "around", meanMs: leastMs };
    if (leastMs !== null && mostMs !== null && leastMs <= mostMs && rest.length === 0)
      if (isGood(leastMs) && isGood(mostMs)) return { kind: "between", leastMs, mostMs };
    return this.#wrong(flag, text, "a time such as 3m, or two such as 1m..5m; 100ms to 24h", usual);
  }

  one<T extends string>(flag: string, words: readonly [T, ...T[]]): T | null {
    const text = this.#flags.text(flag);
    if (text === null) return null;
    const known = words.find((word) => word === text);
    return known ?? this.#wrong(flag, text, words.join(" or "), words[0]);
  }

  #wrong<T>(flag: string, text: string, wanted: string, instead: T): T {
    this.problems.push(`--${flag} ${quoted(text)}: ${wanted}`);
    return instead;
  }
}

const msOf = (text: string): number | null => {
  const [, amount, unit] = SPAN.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
};

/** @param usual the limits of a room that names none */
export const readSale = (flags: Flags, known: Known, usual: RoomLimits): SimulateOptions => {
  const read = new Reader(flags);
  const before = known.limits ?? { ...usual, permitsMax: 500, startsPerMinuteMax: UNLIMITED };
  const perSecond = read.count("per-second", before.startsPerSecondMax ?? 0, UNLIMITED);
  const limits: RoomLimits = {
    ...before,
    permit: "visit",
    permitsMax: read.count("permits", before.permitsMax, 1_000_000),
    startsPerMinuteMax: read.count("per-minute", before.startsPerMinuteMax, UNLIMITED),
    startsPerSecondMax: perSecond === 0 ? null : perSecond,
    leaseMs: read.span("session", before.leaseMs, SECOND, 24 * HOUR),
    paused: false,
    closed: null,
    suspended: false,
  };
  const shape = read.one("shape", ["even", "burst"]);
  const sale: Sale = {
    limits,
    visitors: read.count("visitors", known.visitors ?? 10_000, VISITORS_MAX),
    arrivals: shape === null ? (known.arrivals ?? [1]) : shape === "burst" ? BURST : [1],
    arriveMs: read.span("arrive", known.arriveMs ?? 10 * MINUTE),
    visit: read.lengths("visit", { kind: "around", meanMs: 3 * MINUTE }),
    toldShare: read.share("told", 1),
    claim: { kind: "around", meanMs: read.span("claim", 2 * SECOND, 0, HOUR) },
    leaveShare: read.share("leave", 0),
    patienceMs: read.span("patience", 30 * MINUTE),
    missShare: read.share("miss", 0),
    seed: read.count("seed", 1, 2 ** 32 - 1, 0),
  };
  const pages = read.count("pages", 10, 10_000, 0);
  if (flags.text("from") !== null && flags.text("from-history") !== null)
    read.problems.push("--from and --from-history: one of the two");
  const [first, ...others] = read.problems;
  if (first !== undefined) throw usageFailure(first, [...others, "--help tells what each means"]);
  return { sale, pages };
};
