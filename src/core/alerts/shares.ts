/** Shares over a span that slides: what part of the origin's answers failed, of the called never came. */
import { after, instant, MINUTE_MS, SECOND_MS, type InstantMs } from "../time.ts";

const SLICE_MS = 10 * SECOND_MS;
/** The span over which the origin's answers are judged. */
export const ORIGIN_SPAN_MS = MINUTE_MS;
/** Fewer answers say nothing. */
export const ORIGIN_ANSWERS_MIN = 20;

interface Slice {
  readonly from: InstantMs;
  answers: number;
  errors: number;
}

/** The origin's last minute, in slices of ten seconds; in memory only. */
export class OriginAnswers {
  #slices: Slice[] = [];

  add(answers: number, errors: number, now: InstantMs): void {
    if (answers === 0) return;
    const from = instant(Math.floor(now / SLICE_MS) * SLICE_MS);
    const last = this.#slices.at(-1);
    if (last?.from === from) {
      last.answers += answers;
      last.errors += errors;
      return;
    }
    this.#slices = this.#slices.filter((slice) => slice.from > after(now, -ORIGIN_SPAN_MS));
    this.#slices.push({ from, answers, errors });
  }

  /** In percent; null where too few have answered. */
  errorPercent(now: InstantMs): number | null {
    if (this.#slices.length === 0) return null;
    let answers = 0;
    let errors = 0;
    for (const slice of this.#slices) {
      if (slice.from <= after(now, -ORIGIN_SPAN_MS)) continue;
      answers += slice.answers;
      errors += slice.errors;
    }
    return answers < ORIGIN_ANSWERS_MIN ? null : (100 * errors) / answers;
  }
}

/** What became of calls in one finished minute. */
export interface CallsMinute {
  readonly minute: InstantMs;
  readonly missed: number;
  /** Calls that their visitor answered. */
  readonly came: number;
}

/** The span over which no-shows are judged, in minutes that something was called in. */
export const NO_SHOW_MINUTES = 5;
/** Fewer calls say nothing. */
export const CALLS_MIN = 20;

/** In percent; null where too few were called. */
export const noShowPercent = (minutes: readonly CallsMinute[]): number | null => {
  const missed = minutes.reduce((sum, one) => sum + one.missed, 0);
  const calls = minutes.reduce((sum, one) => sum + one.came, missed);
  return calls < CALLS_MIN ? null : (100 * missed) / calls;
};

export const withMinute = (
  minutes: readonly CallsMinute[],
  row: CallsMinute,
): readonly CallsMinute[] =>
  [...minutes, row].filter(
    ({ minute }) => minute > after(row.minute, -NO_SHOW_MINUTES * MINUTE_MS),
  );
