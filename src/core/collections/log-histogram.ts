/**
 * How often which sizes came, in buckets that grow with the size: every value is kept to within
 * some 4.5 %, whatever it is, in a list that cannot grow beyond a few hundred pairs. The idea is
 * that of DDSketch (Masson, Rim, Lee: "DDSketch", VLDB 2019).
 */

/** Buckets a doubling: each is 9 % wider than the one before. */
export const BUCKETS_PER_DOUBLING = 8;
/** Whatever is above 2^32 counts as that. Bucket 0 is all below 1. */
const BUCKET_MAX = 32 * BUCKETS_PER_DOUBLING + 1;

/** Buckets with something in them, lowest first, each with its count. Plain JSON. */
export type LogCounts = readonly (readonly [bucket: number, count: number])[];

/** A histogram of values that are not below 0. Histograms of any two times and places add up. */
export class LogHistogram {
  readonly #counts = new Map<number, number>();
  #total = 0;

  static from(counts: LogCounts): LogHistogram {
    const histogram = new LogHistogram();
    histogram.merge(counts);
    return histogram;
  }

  get total(): number {
    return this.#total;
  }

  add(value: number, count = 1): void {
    this.#put(bucketOf(value), count);
  }

  /** What is no bucket or no count is left out. */
  merge(counts: LogCounts): void {
    for (const [bucket, count] of counts)
      if (Number.isInteger(bucket) && bucket >= 0 && bucket <= BUCKET_MAX && count > 0)
        this.#put(bucket, count);
  }

  clear(): void {
    this.#counts.clear();
    this.#total = 0;
  }

  /** The value below or at which this share (0 to 1) of all lies; null while there is none. */
  quantile(share: number): number | null {
    if (this.#total === 0) return null;
    const wanted = Math.min(this.#total, Math.max(1, Math.ceil(share * this.#total)));
    let seen = 0;
    for (const [bucket, count] of this.toJSON()) {
      seen += count;
      if (seen >= wanted) return valueOf(bucket);
    }
    return valueOf(BUCKET_MAX);
  }

  toJSON(): LogCounts {
    return [...this.#counts].toSorted(([one], [other]) => one - other);
  }

  #put(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#total += count;
  }
}

const bucketOf = (value: number): number => {
  if (!(value >= 1)) return 0;
  return Math.min(BUCKET_MAX, 1 + Math.floor(Math.log2(value) * BUCKETS_PER_DOUBLING));
};

/** The middle of a bucket, by ratio. */
const valueOf = (bucket: number): number =>
  bucket === 0 ? 0 : 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING);

/**
 * The mean of the logarithms to base 2: unlike the mean it is not ruled by the few longest, unlike
 * the median it sees when a part grows. `squares`: of those logarithms, their mean too. What is below
 * 1 counts as 1.
 */
export const meanLog2Of = (
  counts: LogCounts,
): { readonly log2: number; readonly squares: number; readonly total: number } | null => {
  let total = 0;
  let sum = 0;
  let squares = 0;
  for (const [bucket, count] of counts) {
    const log2 = Math.max(0, (bucket - 0.5) / BUCKETS_PER_DOUBLING);
    total += count;
    sum += count * log2;
    squares += count * log2 * log2;
  }
  return total === 0 ? null : { log2: sum / total, squares: squares / total, total };
};
