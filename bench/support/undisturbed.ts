import { memoryWalkMs } from "./memory-speed.ts";
import { median, rounded } from "./stats.ts";
import { watchSteal } from "./steal.ts";

/** A round from which the host took more of the processors than this says nothing. */
const STEAL_SHARE_MAX = 0.03;
/** Nor does one around which memory was so much slower than around the calmest. */
const SLOWER_MAX = 1.5;
/** Nor one after which the whole machine did so much more or less than before it. */
const PACE_CHANGE_MAX = 1.25;
/** However busy the host is, it ends: after so many times the rounds that are wanted. */
const TRIES_FACTOR = 3;

export interface Undisturbed<Name extends string, T> {
  readonly rounds: Readonly<Record<Name, readonly T[]>>;
  /** What host and neighbours did meanwhile, for the notes. */
  readonly disturbance: string;
}

interface Round<Name extends string, T> {
  readonly results: Readonly<Record<Name, T>>;
  readonly steal: number;
  /** The slowest walk before, between and after the contenders. */
  readonly walkMs: number;
  /** How many times as much the machine did before it as after it, or after it as before. */
  readonly paceChange: number;
}

/**
 * Measures contenders by turns: A B, B A, A B … so that neither always comes after the other. The
 * first round warms up: the runtime's heap has yet to grow. A round in which the host took too much of
 * the processors, or a neighbour of the memory, counts for none, and is measured again. Where the
 * neighbours never rest, the calmest rounds count, and the notes say how slow memory was. `pace` measures
 * what the machine does in a second: before and after each round, of which none counts in which that changed.
 */
export const undisturbed = async <Name extends string, T>(
  contenders: Readonly<Record<Name, () => Promise<T>>>,
  wanted: number,
  pace: () => Promise<number> = async () => 1,
): Promise<Undisturbed<Name, T>> => {
  const names = Object.keys(contenders) as Name[];
  let paceBefore = await pace();
  const measure = async (order: readonly Name[]): Promise<Round<Name, T>> => {
    const steal = watchSteal();
    const walksMs = [memoryWalkMs()];
    const results: Partial<Record<Name, T>> = {};
    for (const name of order) {
      results[name] = await contenders[name]();
      walksMs.push(memoryWalkMs());
    }
    const stolen = steal();
    const paceAfter = await pace();
    const paceChange = Math.max(paceBefore / paceAfter, paceAfter / paceBefore);
    paceBefore = paceAfter;
    return {
      results: results as Record<Name, T>,
      steal: stolen,
      walkMs: Math.max(...walksMs),
      paceChange,
    };
  };
  await measure(names);
  const all: Round<Name, T>[] = [];
  while (calmOf(all).length < wanted && all.length < wanted * TRIES_FACTOR)
    all.push(await measure(all.length % 2 === 0 ? names.toReversed() : names));
  const restless = ({ walkMs, paceChange }: Round<Name, T>): number => walkMs * paceChange;
  const ofCalm = calmOf(all);
  const calmest = (ofCalm.length < wanted ? calmOf(all, Infinity, Infinity) : ofCalm).toSorted(
    (one, other) => restless(one) - restless(other),
  );
  const counted = calmest.slice(0, wanted);
  if (counted.length === 0) throw new Error("the host leaves no round undisturbed");
  const roundsOf = (name: Name): readonly [Name, T[]] => [
    name,
    counted.map(({ results }) => results[name]),
  ];
  return {
    rounds: Object.fromEntries(names.map(roundsOf)) as Record<Name, T[]>,
    disturbance: disturbanceIn(counted, all.length - counted.length),
  };
};

/** Those that no host and no neighbour disturbed, as far as that can be seen. */
const calmOf = <Seen extends Round<string, unknown>>(
  rounds: readonly Seen[],
  slowerMax = SLOWER_MAX,
  paceChangeMax = PACE_CHANGE_MAX,
): readonly Seen[] => {
  const ours = rounds.filter(({ steal }) => steal <= STEAL_SHARE_MAX);
  const bestMs = Math.min(...ours.map(({ walkMs }) => walkMs));
  return ours.filter(
    ({ walkMs, paceChange }) => walkMs <= bestMs * slowerMax && paceChange <= paceChangeMax,
  );
};

const disturbanceIn = (counted: readonly Round<string, unknown>[], left: number): string => {
  const steals = counted.map(({ steal }) => steal * 100);
  const walksMs = counted.map(({ walkMs }) => walkMs);
  const slower = Math.max(...walksMs) / Math.min(...walksMs);
  return (
    `the host took ${rounded(median(steals))} % of the processors (at most ${rounded(Math.max(...steals))} %) in the ` +
    `${counted.length} rounds that count, and memory was at most ${rounded(slower)} times as slow around one of them ` +
    `as around the calmest${paceTold(counted)}; ${left} more were disturbed and do not count`
  );
};

const paceTold = (counted: readonly Round<string, unknown>[]): string => {
  const most = Math.max(...counted.map(({ paceChange }) => paceChange));
  return most === 1
    ? ""
    : `, and before one of them the machine did at most ${rounded(most)} times what it did after it, or less by as much`;
};
