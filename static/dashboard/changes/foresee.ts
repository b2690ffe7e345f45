/** Two courses of one room side by side: as it is set, and as it would be. */
import type { ForecastPoint, Ranged } from "../../../src/core/forecast/course.ts";
import type { Eta } from "../../../src/core/estimate/eta.ts";
import { count, span } from "../text/format.ts";

export interface Courses {
  readonly present: readonly ForecastPoint[];
  readonly changed: readonly ForecastPoint[];
}

const secondsOf = (eta: Eta): number | null => (eta.known ? eta.seconds : null);

/** As far as both have come. */
export const courseColumns = ({ present, changed }: Courses) => {
  const length = Math.min(present.length, changed.length);
  const [before, after] = [present.slice(0, length), changed.slice(0, length)];
  return {
    times: before.map(({ at }) => at / 1_000),
    waiting: [
      before.map(({ waiting }) => waiting.value),
      after.map(({ waiting }) => waiting.value),
    ],
    wait: [before.map(({ end }) => secondsOf(end)), after.map(({ end }) => secondsOf(end))],
  };
};

const ranged = ({ value, low, high }: Ranged): string =>
  Math.round(low) === Math.round(high)
    ? count(Math.round(value))
    : `${count(Math.round(value))} (${count(Math.round(low))} to ${count(Math.round(high))})`;

const waitOf = (eta: Eta): string =>
  eta.known ? `waits ${span(eta.seconds)}` : "can't be told how long";

/** What the two come to at their last common moment, in sentences. */
export const courseWords = ({ present, changed }: Courses): readonly string[] => {
  const last = Math.min(present.length, changed.length) - 1;
  const [before, after, first] = [present[last], changed[last], present[0]];
  if (before === undefined || after === undefined || first === undefined || last < 1) return [];
  const ahead = span((before.at - first.at) / 1_000);
  return [
    `In ${ahead}: ${ranged(after.waiting)} waiting; as it is set now, ${ranged(before.waiting)}.`,
    `Who joins then ${waitOf(after.end)}; as it is set now, ${waitOf(before.end)}.`,
    `On the site then: ${ranged(after.visiting)}; as it is set now, ${ranged(before.visiting)}.`,
  ];
};
