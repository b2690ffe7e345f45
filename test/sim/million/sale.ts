/** What comes to a sale, and how. Everything else follows from the seed. */
export interface MillionSale {
  readonly seed: number;
  readonly visitors: number;
  readonly joinsPerSecond: number;
  readonly lobbies: number;
  readonly permits: number;
  readonly startsPerSecond: number;
  /** Mean of a visit. */
  readonly visitMs: number;
  readonly claimWithinMs: number;
  readonly leaseMs: number;
  /** Shares of all visitors. */
  readonly leavers: number;
  readonly sleepers: number;
  readonly bots: number;
  /** Whoever leaves the line has had enough within this time, evenly. */
  readonly patienceMs: number;
  /** When the Room dies, and a little later a third of the lobbies. */
  readonly roomDiesAt: number;
  readonly lobbiesDieAt: number;
  /** One way over the network, from a good connection to a bad one. */
  readonly delayMs: readonly [least: number, most: number];
  /** Of all calls of visitors and objects, this share gets no answer: half are lost on their way there, half on the way back. */
  readonly lost: number;
  /** Nothing takes longer than this. */
  readonly endsAt: number;
}

/** What a Room can see through beside its joins: more of a sale is only longer. */
const STARTS_PER_SECOND_MAX = 5_000;

/** So many visitors to one sale: the more, the longer they come, and the more are served at once. */
export const saleOf = (visitors: number, seed = 1): MillionSale => {
  const joinsPerSecond = 20_000;
  const joinsMs = (visitors / joinsPerSecond) * 1_000;
  // Whoever stays is through in under two minutes.
  const startsPerSecond = Math.min(STARTS_PER_SECOND_MAX, Math.ceil(visitors / 80));
  return {
    seed,
    visitors,
    joinsPerSecond,
    lobbies: 122,
    permits: startsPerSecond * 14,
    startsPerSecond,
    visitMs: 9_000,
    claimWithinMs: 10_000,
    leaseMs: 60_000,
    leavers: 0.5,
    sleepers: 0.1,
    bots: 0.01,
    patienceMs: 25_000,
    roomDiesAt: joinsMs + 8_000,
    lobbiesDieAt: joinsMs + 20_000,
    delayMs: [5, 300],
    lost: 0.002,
    endsAt: 900_000,
  };
};
