/** Throws when `holds` is false. For our own bugs only: what a visitor can cause is a value. */
export function invariant(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`invariant broken: ${what}`);
}
