/** One client may have at most a fourth as much as what is left free. */
const OF_FREE = 4;

/**
 * May a client that has `own` of what all clients have together have `more`? At most a quarter of
 * what would then still be free: so a client alone gets a fifth, and a later one always finds
 * something (dynamic thresholds, Choudhury and Hahne 1998).
 */
export const mayTake = (
  own: number,
  more: number,
  { taken, most }: { readonly taken: number; readonly most: number },
): boolean => (own + more) * OF_FREE <= most - taken - more;
