import { median, rounded } from "./stats.ts";
import { watchSteal } from "./steal.ts";

/** A round from which the host took more of the processors than this says nothing. */
const STEAL_SHARE_MAX = 0.03;
/** However busy the host is, it ends: after so many times the rounds that are wanted. */
const TRIES_FACTOR = 2;

export interface Undisturbed<Name extends string, T> {
  readonly rounds: Readonly<Record<Name, readonly T[]>>;
  /** What the host did meanwhile, for the notes. */
  readonly steal: string;
}

/**
 * Measures two contenders by turns: A B, B A, A B … so that neither always comes after the other.
 * The first round warms up: the runtime's heap has yet to grow. A round in which the host took too
 * much of the processors counts for neither, and is measured again.
 */
export const undisturbed = async <Name extends string, T>(
  contenders: Readonly<Record<Name, () => Promise<T>>>,
  wanted: number,
): Promise<Undisturbed<Name, T>> => {
  const names = Object.keys(contenders) as Name[];
  const kept = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  const steals: number[] = [];
  let dropped = 0;
  for (let round = 0; steals.length < wanted && round <= wanted * TRIES_FACTOR; round += 1) {
    const steal = watchSteal();
    const results: (readonly [Name, T])[] = [];
    for (const name of round % 2 === 0 ? names : names.toReversed())
      results.push([name, await contenders[name]()]);
    const share = steal();
    if (round === 0) continue;
    if (share > STEAL_SHARE_MAX) {
      dropped += 1;
      continue;
    }
    steals.push(share);
    for (const [name, result] of results) kept[name].push(result);
  }
  if (steals.length === 0) throw new Error("the host leaves no round undisturbed");
  const [usual, most] = [median(steals), Math.max(...steals)].map((share) => rounded(share * 100));
  return {
    rounds: kept,
    steal:
      `the host took ${usual} % of the processors (at most ${most} %) in the ${steals.length} rounds ` +
      `that count, more than ${STEAL_SHARE_MAX * 100} % in ${dropped} that do not`,
  };
};
