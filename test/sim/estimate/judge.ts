import type { Eta } from "../../../src/core/estimate/eta.ts";
import { UNDER_A_MINUTE_SECONDS } from "../../../src/core/estimate/under-a-minute.ts";
import { live } from "./crowd.ts";
import type { Look, Scenario, Wait } from "./crowd.ts";
import { Draws } from "./draws.ts";

/** Shorter waits are over before a range means anything. */
const WAIT_LEAST_MS = 20_000;
const QUARTERS = [0.25, 0.5, 0.75] as const;

/** How well those who waited were told. */
export interface Verdict {
  readonly waits: number;
  /** Median of |told - true| / true halfway through the wait, of what was told. */
  readonly error: number;
  /** The share of what was told whose range held the truth, after each quarter of the wait. */
  readonly coverage: readonly number[];
  /** The median width of the range halfway, as a share of the truth. */
  readonly width: number;
  /** The share of looks, after each quarter, at which anything was told. */
  readonly known: number;
  /** Of all that was told as less than a minute, the share that took longer. */
  readonly tooSoon: number;
}

/** What was told at one moment of one wait, and what was true. */
interface Told {
  readonly eta: Extract<Eta, { known: true }>;
  readonly seconds: number;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The operator changed something between the look and the turn: nobody could know. */
const isOvertaken = (look: Look, wait: Wait): boolean =>
  wait.changedAt.some((at) => at > look.at && at < wait.calledAt);

const lookAt = (wait: Wait, share: number): Look | null => {
  const at = wait.joinedAt + share * (wait.calledAt - wait.joinedAt);
  const look = wait.looks.find((one) => one.at >= at) ?? null;
  return look === null || isOvertaken(look, wait) ? null : look;
};

const toldAt = ({ eta, at }: Look, wait: Wait): Told | null =>
  eta.known ? { eta, seconds: (wait.calledAt - at) / 1_000 } : null;

const holds = ({ eta, seconds }: Told): boolean =>
  Math.floor(seconds) <= eta.high && Math.ceil(seconds) >= eta.low;

/** Lives through a scenario from each of these seeds, and looks at all waits together. */
export const judge = (scenario: Scenario, seeds: readonly number[]): Verdict =>
  judgeWaits(seeds.flatMap((seed) => live(scenario, new Draws(seed))));

export const judgeWaits = (all: readonly Wait[]): Verdict => {
  const waits = all.filter(({ joinedAt, calledAt }) => calledAt - joinedAt >= WAIT_LEAST_MS);
  const looks = QUARTERS.map((share) =>
    waits.flatMap((wait) => {
      const look = lookAt(wait, share);
      return look === null ? [] : [toldAt(look, wait)];
    }),
  );
  const told = looks.map((quarter) => quarter.filter((one) => one !== null));
  const halfway = told[1] ?? [];
  const asked = looks.reduce((sum, quarter) => sum + quarter.length, 0);
  return {
    waits: waits.length,
    error: median(halfway.map(({ eta, seconds }) => Math.abs(eta.seconds - seconds) / seconds)),
    coverage: told.map((quarter) => quarter.filter(holds).length / quarter.length),
    width: median(halfway.map(({ eta, seconds }) => (eta.high - eta.low) / seconds)),
    known: told.reduce((sum, quarter) => sum + quarter.length, 0) / asked,
    tooSoon: tooSoonOf(waits),
  };
};

const tooSoonOf = (waits: readonly Wait[]): number => {
  const soon = waits.flatMap((wait) =>
    wait.looks.flatMap((look) => {
      const told = isOvertaken(look, wait) ? null : toldAt(look, wait);
      return told !== null && told.eta.high < UNDER_A_MINUTE_SECONDS ? [told.seconds] : [];
    }),
  );
  return soon.length === 0 ? 0 : soon.filter((seconds) => seconds >= 60).length / soon.length;
};
