/** A course over time as inline SVG: it needs no script, and takes its colours from the page around it. */
import { escapeHtml } from "../escape-html.ts";

export interface DrawnSeries {
  readonly label: string;
  readonly values: readonly number[];
  /** A line of its own colour and dashes; the first one is filled as well. */
  readonly look: "first" | "second" | "limit";
}

export interface TimePlot {
  /** Unique in its page. */
  readonly id: string;
  readonly title: string;
  /** What one sees, in a sentence, for those who do not see it. */
  readonly says: string;
  /** Since the start of the sale; as many as each series has values. */
  readonly atMs: readonly number[];
  readonly series: readonly DrawnSeries[];
  /** Moments at which something changes, with a word for each. */
  readonly marks?: readonly PlotMark[];
}

export interface PlotMark {
  readonly atMs: number;
  readonly label: string;
}

/** Letters have one size on every screen: what is narrow is drawn anew, not made smaller. */
interface PlotSize {
  readonly name: "broad" | "narrow";
  readonly width: number;
  readonly height: number;
  /** At most so many moments are written below. */
  readonly moments: number;
}

const BROAD: PlotSize = { name: "broad", width: 540, height: 260, moments: 7 };
const NARROW: PlotSize = { name: "narrow", width: 320, height: 220, moments: 4 };
const INSET = { left: 64, right: 22, top: 34, bottom: 30 };

const HEIGHT_LINES = 4;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Spans that people count in. */
const STEPS_MS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
];

/** The heights at which lines are drawn, from 0 to the first that lies above all values. */
export const heightsOf = (most: number): number[] => {
  const rough = Math.max(most, 1) / HEIGHT_LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10;
  // What is counted are people: there is no half of one.
  const step = Math.ceil(factor * power);
  const lines = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: lines + 1 }, (_, line) => line * step);
};

/** The moments that are written below a plot. */
export const momentsOf = (lengthMs: number, most = 9): number[] => {
  const day = 24 * HOUR;
  const step =
    STEPS_MS.find((each) => lengthMs / each <= most) ?? Math.ceil(lengthMs / most / day) * day;
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, line) => line * step);
};

/** As an axis has it: `0`, `30 s`, `5 min`, `1 h 30`. */
export const momentText = (ms: number): string => {
  if (ms === 0) return "0";
  if (ms < MINUTE) return `${ms / SECOND} s`;
  if (ms < HOUR) {
    const seconds = Math.round((ms % MINUTE) / SECOND);
    return seconds === 0
      ? `${ms / MINUTE} min`
      : `${Math.floor(ms / MINUTE)}:${`${seconds}`.padStart(2, "0")}`;
  }
  const minutes = Math.round((ms % HOUR) / MINUTE);
  const hours = `${Math.floor(ms / HOUR)} h`;
  return minutes === 0 ? hours : `${hours} ${`${minutes}`.padStart(2, "0")}`;
};

/** Twice: for wide screens and for narrow ones, of which the page shows one. */
export const plotOf = (plot: TimePlot): string => drawn(plot, BROAD) + drawn(plot, NARROW);

const drawn = ({ id, title, says, atMs, series, marks = [] }: TimePlot, size: PlotSize): string => {
  const { width, height } = size;
  const [plotWidth, plotHeight] = [
    width - INSET.left - INSET.right,
    height - INSET.top - INSET.bottom,
  ];
  const lengthMs = Math.max(1, atMs.at(-1) ?? 1);
  const heights = heightsOf(series.reduce((most, { values }) => Math.max(most, ...values), 0));
  const highest = heights.at(-1) ?? 1;
  const x = (ms: number): string => rounded(INSET.left + (ms / lengthMs) * plotWidth);
  const y = (value: number): string =>
    rounded(INSET.top + (1 - Math.max(0, value) / highest) * plotHeight);
  const lines = heights.map(
    (line) =>
      `<line class="grid" x1="${INSET.left}" x2="${width - INSET.right}" y1="${y(line)}" y2="${y(line)}"/>` +
      `<text class="height" x="${INSET.left - 8}" y="${y(line)}">${line.toLocaleString("en")}</text>`,
  );
  const moments = momentsOf(lengthMs, size.moments).map(
    (ms) => `<text class="moment" x="${x(ms)}" y="${height - 8}">${momentText(ms)}</text>`,
  );
  const courses = series.map(({ values, look }) => {
    const points = values.map((value, i) => `${x(atMs[i] ?? 0)},${y(value)}`).join(" ");
    const ground = `${x(atMs.at(-1) ?? 0)},${y(0)} ${x(atMs[0] ?? 0)},${y(0)}`;
    const area = look === "first" ? `<polygon class="first" points="${points} ${ground}"/>` : "";
    return `${area}<polyline class="${look}" points="${points}"/>`;
  });
  const marked = marks
    .filter((mark) => mark.atMs > 0 && mark.atMs <= lengthMs)
    .map(({ atMs: at, label }) => {
      const isLate = at > lengthMs / 2;
      const beside = Number(x(at)) + (isLate ? -5 : 5);
      return (
        `<line class="mark" x1="${x(at)}" x2="${x(at)}" y1="${INSET.top - 8}" y2="${y(0)}"/>` +
        `<text class="mark${isLate ? " late" : ""}" x="${rounded(beside)}" y="${INSET.top - 12}">${escapeHtml(label)}</text>`
      );
    });
  const names = `${id}-${size.name}`;
  return (
    `<svg class="${size.name}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${names}-title ${names}-says">` +
    `<title id="${names}-title">${escapeHtml(title)}</title><desc id="${names}-says">${escapeHtml(says)}</desc>` +
    `${legendOf(series, width)}${lines.join("")}${moments.join("")}${courses.join("")}${marked.join("")}</svg>`
  );
};

const LETTER = 7;

/** One line needs none: the title says what it is. It ends at the right edge, where no mark is. */
const legendOf = (series: readonly DrawnSeries[], width: number): string => {
  if (series.length < 2) return "";
  const lengths = series.map(({ label }) => 44 + label.length * LETTER);
  let left = width - INSET.right + 16 - lengths.reduce((sum, length) => sum + length, 0);
  return series
    .map(({ label, look }, at) => {
      const from = left;
      left += lengths[at] ?? 0;
      return (
        `<line class="${look}" x1="${from}" x2="${from + 22}" y1="8" y2="8"/>` +
        `<text class="legend" x="${from + 28}" y="8">${escapeHtml(label)}</text>`
      );
    })
    .join("");
};

const rounded = (pixels: number): string => `${Math.round(pixels * 10) / 10}`;
