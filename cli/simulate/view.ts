/** A simulated sale as people read it at a terminal: eighty columns or fewer, colours none. */
import { MEASURED } from "../../src/core/simulation/measured.ts";
import type { Bill } from "../../src/core/simulation/price.ts";
import type { Sale, SaleOutcome, SalePoint } from "../../src/core/simulation/sale.ts";
import { bothCourses } from "./beside.ts";
import type { ReallyWas } from "./came.ts";
import type { SaleInstead } from "./report.ts";
import { dollarsText, people, spanText } from "./words.ts";

/** What is written to no terminal has so many columns, and no terminal gets more. */
export const COLUMNS_MAX = 80;
const COLUMNS_MIN = 32;
const HEIGHT = 7;
const LABEL = 10;
const EIGHTHS = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const INDENT = 30;
/** From here on what a figure is stands beside it, not above it. */
const WIDE_ENOUGH = 60;

/** @param columns what the terminal says; undefined: there is none */
export const columnsOf = (columns: number | undefined): number =>
  Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, columns || COLUMNS_MAX));

export interface ChartLook {
  readonly isPlain: boolean;
  readonly columns: number;
}

/** The most of each column of a chart. */
const peaksOf = (
  course: readonly Omit<SalePoint, "entered">[],
  what: "waiting" | "visiting",
  width: number,
): number[] => {
  const last = course.at(-1)?.atMs ?? 0;
  const peaks = new Array<number>(width).fill(0);
  for (const point of course) {
    const at = last === 0 ? 0 : Math.min(width - 1, Math.floor((point.atMs / last) * width));
    peaks[at] = Math.max(peaks[at] ?? 0, point[what]);
  }
  // A sale with few points stands for itself until the next one.
  for (let at = 1; at < width; at += 1)
    if (peaks[at] === 0 && course.length < width) peaks[at] = peaks[at - 1] ?? 0;
  return peaks;
};

export const chartLines = (
  course: readonly SalePoint[],
  what: "waiting" | "visiting",
  { isPlain, columns }: ChartLook,
  really: ReallyWas | null = null,
): string[] => {
  const spot = isPlain ? "o" : "●";
  const title = `${what === "waiting" ? "in line" : "inside"}${really === null ? "" : ` (${spot} as it really was)`}`;
  const width = columns - LABEL - 3;
  const both = bothCourses(course, really?.course ?? []);
  const peaks = peaksOf(both.simulated, what, width);
  const real = really === null ? [] : peaksOf(both.really, what, width);
  const most = Math.max(0, ...peaks, ...real);
  const spotRow = real.map((count) =>
    count === 0 ? -1 : Math.min(HEIGHT - 1, Math.floor((count / most) * HEIGHT)),
  );
  if (most === 0) return [`${title}: nobody, at any time`];
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const below = HEIGHT - 1 - row;
    const cells = peaks.map((count, at) => {
      if (spotRow[at] === below) return spot;
      const height = Math.round((count / most) * HEIGHT * 8);
      // However few they are, they are seen.
      const eighths = (count > 0 ? Math.max(isPlain ? 4 : 1, height) : 0) - below * 8;
      if (isPlain) return eighths >= 4 ? "#" : " ";
      return EIGHTHS[Math.max(0, Math.min(8, eighths))] || " ";
    });
    const label = row === 0 ? people(most) : row === HEIGHT - 1 ? "0" : "";
    return `${label.padStart(LABEL)} ${isPlain ? "|" : "│"}${cells.join("").trimEnd()}`;
  });
  const end = spanText(both.simulated.at(-1)?.atMs ?? 0);
  return [
    title,
    ...rows,
    `${" ".repeat(LABEL)} ${isPlain ? "+" : "└"}${(isPlain ? "-" : "─").repeat(width)}`,
    `${" ".repeat(LABEL + 2)}0${end.padStart(width - 1)}`,
  ];
};

type Row = readonly [what: string, value: string];

const NOT_OVER = "not in two weeks";
const momentText = (ms: number | null): string => (ms === null ? NOT_OVER : spanText(ms));

export const figureLines = (sale: Sale, outcome: SaleOutcome, columns: number): string[] => {
  const { waits, waitsFromStart, refused, lineEndsMs, overMs, waitingMost } = outcome;
  const rows: Row[] = [
    ["visitors", `${people(outcome.visitors)}, of whom ${people(outcome.joined)} stand in line`],
    ...(sale.opening === null || sale.opening.prequeueMs === 0
      ? []
      : [["the sale opens after", spanText(sale.opening.prequeueMs)] as const]),
    ...(outcome.drawnMs === null
      ? []
      : [["the order is drawn after", spanText(outcome.drawnMs)] as const]),
    ["enter", people(outcome.entered)],
    ...(outcome.left > 0 ? [["lose patience", people(outcome.left)] as const] : []),
    ...(outcome.missed > 0 ? [["miss their call", people(outcome.missed)] as const] : []),
    ...Object.entries(refused).map(
      ([why, count]) => ["turned away", `${people(count)} (${why})`] as const,
    ),
    ...(waits === null
      ? [["wait", "nobody enters"] as const]
      : waits.longestMs === 0
        ? [["wait", "nobody waits"] as const]
        : ([
            ["wait, median", spanText(waits.medianMs)],
            ["wait, 90 of 100 at most", spanText(waits.p90Ms)],
            ["wait, 99 of 100 at most", spanText(waits.p99Ms)],
            ["wait, longest", spanText(waits.longestMs)],
          ] as const)),
    ...(waitsFromStart === null
      ? []
      : [
          [
            "of those who came early",
            `from the opening on ${spanText(waitsFromStart.medianMs)} (median), ${spanText(waitsFromStart.longestMs)} at most`,
          ] as const,
        ]),
    ["most in line at once", people(waitingMost)],
    ["most inside at once", `${people(outcome.visitingMost)} of ${people(sale.limits.permitsMax)}`],
    ...(waitingMost === 0 ? [] : [["the line is empty after", momentText(lineEndsMs)] as const]),
    ["all is over after", momentText(overMs)],
  ];
  return rowLines(rows, columns);
};

/** What is worth another look, in paragraphs. */
export const hintLines = (
  sale: Sale,
  outcome: SaleOutcome,
  really: ReallyWas | null,
  columns: number,
): string[] =>
  [...hintsOf(sale, outcome), ...moreWaited(outcome, really)].flatMap((hint) => [
    "",
    ...wrapped(hint, columns - 2).map((line) => `  ${line}`),
  ]);

const hintsOf = ({ limits, opening }: Sale, outcome: SaleOutcome): string[] => {
  const { lineEndsMs, visitors } = outcome;
  const ends = opening?.ends ?? null;
  const endsMs = ends === null || opening === null ? null : opening.prequeueMs + ends.afterMs;
  return [
    ...(lineEndsMs === null
      ? ["The line does not end: more permits, shorter visits, or fewer visitors."]
      : []),
    ...(endsMs !== null && (lineEndsMs === null || lineEndsMs > endsMs)
      ? [
          `The event ends after ${spanText(endsMs)}, before the line does: then the room's own limits hold.`,
        ]
      : []),
    ...("line-full" in outcome.refused
      ? [
          `The line takes ${people(limits.lineMax)} at most: the seiriken.line_max of a room (--from) says how many.`,
        ]
      : []),
    ...(limits.permitsMax >= visitors
      ? ["As many permits as visitors: a line needs fewer --permits."]
      : []),
  ];
};

/** How it went in fact, where that is known. */
export const reallyLines = (really: ReallyWas, columns: number): string[] =>
  rowLines(
    [
      [
        "as it really was",
        `longest wait ${spanText(really.longestWaitMs)}, most in line ${people(really.waitingMost)}, most inside ${people(really.visitingMost)}`,
      ],
    ],
    columns,
  );

const moreWaited = ({ waitingMost }: SaleOutcome, really: ReallyWas | null): string[] =>
  really !== null && really.waitingMost > 1.5 * waitingMost
    ? [
        "More waited in fact: visits were longer than --visit says, fewer of their ends were told (--told), or a crowd came within seconds, as a history knows only minutes.",
      ]
    : [];

export const billLines = (bill: Bill, columns: number): string[] =>
  rowLines(
    [
      [
        "at Cloudflare, about",
        `${dollarsText(bill.dollars)} at published rates, beyond the plan's fee: ` +
          `${counted(bill.requests, "request")}, ${counted(bill.objectCalls, "call")} of objects, ` +
          `${counted(bill.rows, "row")}, ${hoursText(bill.awakeHours)} of objects awake; ` +
          `as with ${people(MEASURED.crowd.visitors)} who came at once: a thinner crowd writes more rows, some cents an hour`,
      ],
    ],
    columns,
  );

const counted = (count: number, what: string): string =>
  `${people(count)} ${what}${Math.round(count) === 1 ? "" : "s"}`;
const hoursText = (hours: number): string =>
  hours < 10 ? spanText(hours * 3_600_000) : `${people(hours)} hours`;

const rowLines = (rows: readonly Row[], columns: number): string[] =>
  rows.flatMap(([what, value]) => {
    const isBeside = columns >= WIDE_ENOUGH;
    const indent = " ".repeat(isBeside ? INDENT : 4);
    const [first = "", ...others] = wrapped(value, columns - indent.length);
    const begin = isBeside ? [`  ${what}`.padEnd(INDENT) + first] : [`  ${what}`, indent + first];
    return [...begin, ...others.map((line) => indent + line)];
  });

const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

export const insteadLines = (
  instead: readonly SaleInstead[],
  scale: number,
  columns: number,
): string[] => {
  const cells = instead.map(({ name, outcome: { waits, lineEndsMs, waitingMost } }) => [
    name,
    waits === null ? "nobody enters" : spanText(waits.medianMs),
    waits === null ? "" : spanText(waits.p99Ms),
    waitingMost === 0 ? "no line" : momentText(lineEndsMs),
  ]);
  const table = [["", "median wait", "99 of 100", "line empty after"], ...cells];
  const widths = [0, 1, 2].map(
    (at) => Math.max(...table.map((line) => (line[at] ?? "").length)) + GAP,
  );
  const title = `With other settings${scale > 1 ? ` (in a sale of 1/${people(scale)} of the visitors and permits)` : ""}:`;
  const all = 2 + widths.reduce((sum, width) => sum + width, 0) + "line empty after".length;
  if (all <= columns)
    return [
      ...wrapped(title, columns),
      ...table.map((line) =>
        `  ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("")}`.trimEnd(),
      ),
    ];
  return [
    ...wrapped(title, columns),
    ...cells.flatMap(([name = "", median = "", most = "", end = ""]) =>
      rowLines(
        [[name, `${median} (median), ${most} (99 of 100); line empty after ${end}`]],
        columns,
      ),
    ),
  ];
};

const GAP = 3;
