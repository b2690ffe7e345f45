/** A simulated sale as people read it at a terminal: eighty columns, colours none. */
import type { Bill } from "../../src/core/simulation/price.ts";
import type { Sale, SaleOutcome, SalePoint } from "../../src/core/simulation/sale.ts";
import type { SaleInstead } from "./report.ts";

const WIDTH = 60;
const HEIGHT = 7;
const LABEL = 9;
const EIGHTHS = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

export const people = (count: number): string => Math.round(count).toLocaleString("en");

/** `1 d 2 h`, `3 h 05 min`, `4 min 10 s`, `2.5 s`. */
export const spanText = (ms: number | null): string => {
  if (ms === null) return "not in two weeks";
  const seconds = ms / 1_000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  if (seconds < 86_400)
    return `${Math.floor(seconds / 3_600)} h ${two((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${two((seconds % 86_400) / 3_600)} h`;
};

/** The most of each column of a chart. */
const columnsOf = (course: readonly SalePoint[], what: "waiting" | "visiting"): number[] => {
  const last = course.at(-1)?.atMs ?? 0;
  const columns = new Array<number>(WIDTH).fill(0);
  for (const point of course) {
    const at = last === 0 ? 0 : Math.min(WIDTH - 1, Math.floor((point.atMs / last) * WIDTH));
    columns[at] = Math.max(columns[at] ?? 0, point[what]);
  }
  // A sale with few points stands for itself until the next one.
  for (let at = 1; at < WIDTH; at += 1)
    if (columns[at] === 0 && course.length < WIDTH) columns[at] = columns[at - 1] ?? 0;
  return columns;
};

export const chartLines = (
  course: readonly SalePoint[],
  what: "waiting" | "visiting",
  isPlain: boolean,
): string[] => {
  const columns = columnsOf(course, what);
  const most = Math.max(1, ...columns);
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const below = HEIGHT - 1 - row;
    const cells = columns.map((count) => {
      const eighths = Math.round((count / most) * HEIGHT * 8) - below * 8;
      if (isPlain) return eighths >= 4 ? "#" : " ";
      return EIGHTHS[Math.max(0, Math.min(8, eighths))] || " ";
    });
    const label = row === 0 ? people(most) : row === HEIGHT - 1 ? "0" : "";
    return `${label.padStart(LABEL)} ${isPlain ? "|" : "│"}${cells.join("").trimEnd()}`;
  });
  const end = spanText(course.at(-1)?.atMs ?? 0);
  return [
    what === "waiting" ? "in line" : "inside",
    ...rows,
    `${" ".repeat(LABEL)} ${isPlain ? "+" : "└"}${(isPlain ? "-" : "─").repeat(WIDTH)}`,
    `${" ".repeat(LABEL + 2)}0${end.padStart(WIDTH - 1)}`,
  ];
};

const row = (what: string, value: string): string => `  ${what.padEnd(28)}${value}`;

export const figureLines = (sale: Sale, outcome: SaleOutcome): string[] => {
  const { waits, refused, lineEndsMs, overMs } = outcome;
  const turnedAway = Object.entries(refused).map(([why, count]) =>
    row("turned away", `${people(count)} (${why})`),
  );
  return [
    row("visitors", `${people(outcome.visitors)}, of whom ${people(outcome.joined)} stand in line`),
    row("enter", people(outcome.entered)),
    ...(outcome.left > 0 ? [row("lose patience", people(outcome.left))] : []),
    ...(outcome.missed > 0 ? [row("miss their call", people(outcome.missed))] : []),
    ...turnedAway,
    ...(waits === null
      ? [row("wait", "nobody enters")]
      : [
          row("wait, median", spanText(waits.medianMs)),
          row("wait, 90 of 100 at most", spanText(waits.p90Ms)),
          row("wait, 99 of 100 at most", spanText(waits.p99Ms)),
          row("wait, longest", spanText(waits.longestMs)),
        ]),
    row("most in line at once", people(outcome.waitingMost)),
    row(
      "most inside at once",
      `${people(outcome.visitingMost)} of ${people(sale.limits.permitsMax)}`,
    ),
    row("the line is empty after", spanText(lineEndsMs)),
    row("all is over after", spanText(overMs)),
  ];
};

export const billLines = (bill: Bill): string[] => [
  row(
    "at Cloudflare, about",
    `$${bill.dollars.toFixed(2)} at published rates, beyond the plan's fee`,
  ),
  row("", `${people(bill.requests)} requests, ${people(bill.objectCalls)} calls of objects,`),
  row("", `${people(bill.rows)} rows, ${people(bill.awakeHours)} hours of objects awake`),
];

export const insteadLines = (instead: readonly SaleInstead[], scale: number): string[] => {
  const cells = instead.map(({ name, outcome: { waits, lineEndsMs } }) => [
    name,
    waits === null ? "nobody enters" : spanText(waits.medianMs),
    waits === null ? "" : spanText(waits.p99Ms),
    spanText(lineEndsMs),
  ]);
  const table = [["", "median wait", "99 of 100", "line empty after"], ...cells];
  return [
    `With other settings${scale > 1 ? ` (in a sale of 1/${scale} of the visitors and permits)` : ""}:`,
    ...table.map(
      (line) =>
        `  ${line
          .map((cell, at) => cell.padEnd(at === 0 ? 27 : 16))
          .join("")
          .trimEnd()}`,
    ),
  ];
};
