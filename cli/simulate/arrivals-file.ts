/** `--arrivals FILE`: when visitors come, a minute and its visitors a line, or visitors alone. */
import { open } from "node:fs/promises";
import type { ArrivalPart } from "../../src/core/simulation/sale.ts";
import { describe, Failure, quoted } from "../launch/failure.ts";
import { VISITORS_MAX } from "./options.ts";

export interface ComeBefore {
  readonly arrivals: readonly ArrivalPart[];
  readonly visitors: number;
}

export type ReadArrivals =
  | ({ readonly ok: true } & ComeBefore)
  | { readonly ok: false; readonly problems: readonly string[] };

const MINUTE = 60_000;
const MINUTES_MAX = 7 * 24 * 60;
/** A week of minutes, and words between them. */
const BYTES_MAX = 1_048_576;
const PROBLEMS_TOLD = 20;

/** One moment from which on so many come until the next, or what is wrong with its line. */
type ArrivalLine =
  | { readonly at: number | null; readonly visitors: number }
  | { readonly wrong: string };

/** @param isShape its sum is not how many come: that is told elsewhere */
export const arrivalsIn = (text: string, isShape = false): ReadArrivals => {
  const problems: string[] = [];
  const rows: { readonly minute: number; readonly visitors: number }[] = [];
  let isTimed: boolean | null = null;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .entries()) {
    const cells = cellsOf(raw);
    if (cells.length === 0) continue;
    const isHeader = rows.length === 0 && problems.length === 0 && !cells.some((c) => /\d/.test(c));
    if (isHeader) continue;
    const line = lineOf(cells);
    const wrong = "wrong" in line ? line.wrong : problemAfter(line, rows.at(-1)?.minute, isTimed);
    if (wrong !== null) problems.push(`line ${index + 1}: ${wrong}`);
    if (wrong !== null || "wrong" in line) continue;
    isTimed ??= line.at !== null;
    rows.push({ minute: line.at ?? rows.length, visitors: line.visitors });
  }
  const visitors = rows.reduce((sum, row) => sum + row.visitors, 0);
  if (problems.length === 0) problems.push(...problemsOfAll(visitors, isShape));
  if (problems.length > 0) return { ok: false, problems: told(problems) };
  return { ok: true, arrivals: partsOf(rows), visitors };
};

/** Values between tabs or semicolons; where there is none, also between commas or spaces outside of quotes. */
const cellsOf = (line: string): string[] => {
  const [before = ""] = line.split("#");
  if (/[\t;]/.test(before))
    return before.split(/[\t;]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  return [...before.matchAll(/"([^"]*)"|[^\s,;]+/g)].map(([cell, inQuotes]) => inQuotes ?? cell);
};

const lineOf = (cells: readonly string[]): ArrivalLine => {
  const [first = "", second, ...more] = cells;
  if (more.length > 0)
    return { wrong: `${cells.length} values; a minute and its visitors are two, as in 5,1200` };
  const visitors = countOf(second ?? first);
  const at = second === undefined ? null : minuteOf(first);
  if (Number.isNaN(at))
    return {
      wrong: `${quoted(first)} is no minute: minutes from 0 to ${MINUTES_MAX.toLocaleString("en")}, such as 5 or 7.5`,
    };
  return Number.isNaN(visitors)
    ? {
        wrong: `${quoted(second ?? first)}: a whole number of visitors, at most ${VISITORS_MAX.toLocaleString("en")}`,
      }
    : { at, visitors };
};

const minuteOf = (text: string): number => {
  const minute = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  return minute < MINUTES_MAX ? minute : Number.NaN;
};

const countOf = (text: string): number => {
  const isCount = /^(\d{1,8}|\d{1,3}([_,]\d{3}){1,2})$/.test(text);
  const count = isCount ? Number(text.replaceAll(/[_,]/g, "")) : Number.NaN;
  return count <= VISITORS_MAX ? count : Number.NaN;
};

const problemAfter = (
  { at }: { readonly at: number | null },
  before: number | undefined,
  isTimed: boolean | null,
): string | null => {
  if (isTimed !== null && isTimed !== (at !== null))
    return isTimed
      ? "visitors without a minute; the lines before have one, as in 5,1200"
      : "a minute and visitors; the lines before have visitors alone";
  if (before !== undefined && at === null && before + 1 >= MINUTES_MAX)
    return "later than a week after the first";
  return at !== null && before !== undefined && at <= before
    ? `minute ${at} comes after minute ${before}: minutes rise from line to line`
    : null;
};

const problemsOfAll = (visitors: number, isShape: boolean): string[] => {
  if (visitors === 0) return ["nobody comes; a line is a minute and its visitors, as in 5,1200"];
  if (visitors <= VISITORS_MAX || isShape) return [];
  return [
    `${visitors.toLocaleString("en")} visitors in all, at most ${VISITORS_MAX.toLocaleString("en")}; with --visitors N it tells only when they come`,
  ];
};

const told = (problems: readonly string[]): string[] => [
  ...problems.slice(0, PROBLEMS_TOLD),
  ...(problems.length > PROBLEMS_TOLD ? [`and ${problems.length - PROBLEMS_TOLD} more`] : []),
];

/** Each goes on until the next one's minute, the last one as long as the one before it. */
const partsOf = (
  rows: readonly { readonly minute: number; readonly visitors: number }[],
): readonly ArrivalPart[] => {
  const [first, second] = [rows[0], rows[1]];
  const before = first === undefined || first.minute === 0 ? [] : [part(first.minute, 0)];
  let length = first === undefined || second === undefined ? 1 : second.minute - first.minute;
  return [
    ...before,
    ...rows.map(({ minute, visitors }, at) => {
      length = (rows[at + 1]?.minute ?? Math.min(minute + length, MINUTES_MAX)) - minute;
      return part(length, visitors);
    }),
  ];
};

const part = (minutes: number, weight: number): ArrivalPart => ({
  lengthMs: minutes * MINUTE,
  weight,
});

export const readArrivals = async (file: string, isShape: boolean): Promise<ComeBefore> => {
  const read = arrivalsIn(await textOf(file), isShape);
  if (!read.ok) throw new Failure("arrivals", `${file} has problems`, read.problems, 2);
  return read;
};

const textOf = async (file: string): Promise<string> => {
  const bytes = Buffer.alloc(BYTES_MAX + 1);
  try {
    const handle = await open(file);
    try {
      let length = 0;
      for (let more = 1; more > 0 && length < bytes.length; length += more)
        more = (await handle.read(bytes, length, bytes.length - length)).bytesRead;
      if (length <= BYTES_MAX) return bytes.toString("utf8", 0, length);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new Failure("file", `${file} can't be read`, [
      describe(error),
      "a file of lines such as 5,1200: from minute 5 on 1,200 visitors",
    ]);
  }
  throw new Failure("arrivals", `${file} is larger than 1 MB`, ["a line a minute is enough"], 2);
};
