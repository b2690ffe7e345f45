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
}

const WIDTH = 720;
const HEIGHT = 260;
const INSET = { left: 74, right: 26, top: 34, bottom: 30 };
const PLOT_WIDTH = WIDTH - INSET.left - INSET.right;
const PLOT_HEIGHT = HEIGHT - INSET.top - INSET.bottom;

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
const TIME_LINES = 9;

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
export const momentsOf = (lengthMs: number): number[] => {
  const day = 24 * HOUR;
  const step =
    STEPS_MS.find((each) => lengthMs / each <= TIME_LINES) ??
    Math.ceil(lengthMs / TIME_LINES / day) * day;
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

export const plotOf = ({ id, title, says, atMs, series }: TimePlot): string => {
  const lengthMs = Math.max(1, atMs.at(-1) ?? 1);
  const heights = heightsOf(series.reduce((most, { values }) => Math.max(most, ...values), 0));
  const highest = heights.at(-1) ?? 1;
  const x = (ms: number): string => rounded(INSET.left + (ms / lengthMs) * PLOT_WIDTH);
  const y = (value: number): string =>
    rounded(INSET.top + (1 - Math.max(0, value) / highest) * PLOT_HEIGHT);
  const lines = heights.map(
    (height) =>
      `<line class="grid" x1="${INSET.left}" x2="${WIDTH - INSET.right}" y1="${y(height)}" y2="${y(height)}"/>` +
      `<text class="height" x="${INSET.left - 8}" y="${y(height)}">${height.toLocaleString("en")}</text>`,
  );
  const moments = momentsOf(lengthMs).map(
    (ms) => `<text class="moment" x="${x(ms)}" y="${HEIGHT - 8}">${momentText(ms)}</text>`,
  );
  const courses = series.map(({ values, look }) => {
    const points = values.map((value, i) => `${x(atMs[i] ?? 0)},${y(value)}`).join(" ");
    const ground = `${x(atMs.at(-1) ?? 0)},${y(0)} ${x(atMs[0] ?? 0)},${y(0)}`;
    const area = look === "first" ? `<polygon class="first" points="${points} ${ground}"/>` : "";
    return `${area}<polyline class="${look}" points="${points}"/>`;
  });
  return (
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-says">` +
    `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-says">${escapeHtml(says)}</desc>` +
    `${legendOf(series)}${lines.join("")}${moments.join("")}${courses.join("")}</svg>`
  );
};

const LETTER = 7;

/** One line needs none: the title says what it is. */
const legendOf = (series: readonly DrawnSeries[]): string => {
  if (series.length < 2) return "";
  let left = INSET.left;
  return series
    .map(({ label, look }) => {
      const from = left;
      left += 44 + label.length * LETTER;
      return (
        `<line class="${look}" x1="${from}" x2="${from + 22}" y1="12" y2="12"/>` +
        `<text class="legend" x="${from + 28}" y="12">${escapeHtml(label)}</text>`
      );
    })
    .join("");
};

const rounded = (pixels: number): string => `${Math.round(pixels * 10) / 10}`;
