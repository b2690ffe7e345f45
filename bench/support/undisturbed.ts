import { memoryWalkMs } from "./memory-speed.ts";
import { median, rounded } from "./stats.ts";
import { watchSteal } from "./steal.ts";

/** A round from which the host took more of the processors than this says nothing. */
const STEAL_SHARE_MAX = 0.03;
/** Nor does one around which memory was so much slower than around the calmest. */
const SLOWER_MAX = 1.5;
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
}

/**
 * Measures contenders by turns: A B, B A, A B … so that neither always comes after the other. The
 * first round warms up: the runtime's heap has yet to grow. A round in which the host took too much of
 * the processors, or a neighbour of the memory, counts for none, and is measured again. Where the
 * neighbours never rest, the calmest rounds count, and the notes say how slow memory was. What a round
 * needs to know of its own moment, `beforeEach` finds out.
 */
export const undisturbed = async <Name extends string, T>(
  contenders: Readonly<Record<Name, () => Promise<T>>>,
  wanted: number,
  beforeEach: () => Promise<void> = async () => undefined,
): Promise<Undisturbed<Name, T>> => {
  const names = Object.keys(contenders) as Name[];
  const measure = async (order: readonly Name[]): Promise<Round<Name, T>> => {
    await beforeEach();
    const steal = watchSteal();
    const walksMs = [memoryWalkMs()];
    const results: Partial<Record<Name, T>> = {};
    for (const name of order) {
      results[name] = await contenders[name]();
      walksMs.push(memoryWalkMs());
    }
    return {
      results: results as Record<Name, T>,
      steal: steal(),
      walkMs: Math.max(...walksMs),
    };
  };
  await measure(names);
  const all: Round<Name, T>[] = [];
  while (calmOf(all).length < wanted && all.length < wanted * TRIES_FACTOR)
    all.push(await measure(all.length % 2 === 0 ? names.toReversed() : names));
  const calmest = calmOf(all, Infinity).toSorted((one, other) => one.walkMs - other.walkMs);
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
): readonly Seen[] => {
  const ours = rounds.filter(({ steal }) => steal <= STEAL_SHARE_MAX);
  const bestMs = Math.min(...ours.map(({ walkMs }) => walkMs));
  return ours.filter(({ walkMs }) => walkMs <= bestMs * slowerMax);
};

const disturbanceIn = (counted: readonly Round<string, unknown>[], left: number): string => {
  const steals = counted.map(({ steal }) => steal * 100);
  const walksMs = counted.map(({ walkMs }) => walkMs);
  const slower = Math.max(...walksMs) / Math.min(...walksMs);
  return (
    `the host took ${rounded(median(steals))} % of the processors (at most ${rounded(Math.max(...steals))} %) in the ` +
    `${counted.length} rounds that count, and memory was at most ${rounded(slower)} times as slow around one of them ` +
    `as around the calmest; ${left} more were disturbed and do not count`
  );
};
