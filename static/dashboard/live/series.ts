/** What the last minutes' plots are made of: one point for each live message, bounded. */
import type { LiveMessage } from "../../../src/core/live/message.ts";
import type { Eta } from "../../../src/core/estimate/eta.ts";

export interface LivePoint {
  /** On the Room's clock, in milliseconds. */
  readonly at: number;
  readonly waiting: number;
  readonly called: number;
  readonly visiting: number;
  readonly permits: number;
  /** Visits that began in the last whole second, and in the last sixty. */
  readonly perSecond: number;
  readonly perMinute: number;
  /** In seconds; null where nobody can say. */
  readonly head: number | null;
  readonly middle: number | null;
  readonly end: number | null;
}

/** Ten minutes, at one message a second. */
export const POINTS_MAX = 600;
/** After so long a silence the line is broken, rather than drawn across what nobody saw. */
export const GAP_MS = 10_000;

const secondsOf = (eta: Eta): number | null => (eta.known ? eta.seconds : null);

export const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0);

export const pointOf = (message: LiveMessage): LivePoint => ({
  at: Date.parse(message.at),
  waiting: message.waiting,
  called: message.called,
  visiting: message.visiting,
  permits: message.permits,
  perSecond: message.starts.at(-2) ?? 0,
  perMinute: sumOf(message.starts),
  head: secondsOf(message.waits.head),
  middle: secondsOf(message.waits.middle),
  end: secondsOf(message.waits.end),
});

/** With one more point, the oldest left out. One that is not later than the last replaces nothing. */
export const withPoint = (points: readonly LivePoint[], point: LivePoint): readonly LivePoint[] => {
  const last = points.at(-1);
  if (!Number.isFinite(point.at) || (last !== undefined && point.at <= last.at)) return points;
  return [...points.slice(-(POINTS_MAX - 1)), point];
};

/** For a plot: seconds, and a column for each figure, with nothing where there was a silence. */
export const columnsOf = (
  points: readonly LivePoint[],
  figures: readonly Exclude<keyof LivePoint, "at">[],
): {
  readonly times: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
} => {
  const times: number[] = [];
  const columns = figures.map((): (number | null)[] => []);
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (before !== undefined && point.at - before.at > GAP_MS) {
      times.push((before.at + 1) / 1_000);
      columns.forEach((column) => column.push(null));
    }
    times.push(point.at / 1_000);
    figures.forEach((figure, column) => columns[column]?.push(point[figure]));
  });
  return { times, columns };
};
