/** Of what is free, one client may have as much again as a quarter of it, and no more. */
const OF_FREE = 4;

/**
 * May a client that has `own` of what all have together have `more`? At most a quarter of what would
 * then still be free: so one alone gets a fifth, and whoever comes later always finds something
 * (dynamic thresholds, Choudhury and Hahne 1998).
 */
export const mayTake = (
  own: number,
  more: number,
  { taken, most }: { readonly taken: number; readonly most: number },
): boolean => (own + more) * OF_FREE <= most - taken - more;
