export type Measured<Name extends string, T> = Readonly<Record<Name, readonly T[]>>;

/**
 * Measures each contender in turn, round after round (A B A B …), so that what else the machine
 * does meets all of them alike. The first round warms up and is not kept.
 */
export const alternate = async <Name extends string, T>(
  contenders: Readonly<Record<Name, () => T | Promise<T>>>,
  rounds: number,
): Promise<Measured<Name, T>> => {
  const names = Object.keys(contenders) as Name[];
  const kept = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const result = await contenders[name]();
      if (round > 0) kept[name].push(result);
    }
  }
  return kept;
};
