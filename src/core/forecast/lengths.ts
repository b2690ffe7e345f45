/** How long visits of a forecast last: drawn so that few draws are spread as many would be. */
import { SPREAD_STEPS, type Spread } from "./outset.ts";

/** The fractional part of the golden ratio: multiples of it fill the unit evenly, whatever their number. */
const GOLDEN = 0.618_033_988_749_895;

/** Even draws from 0 up to 1; the same ones from the same seed. */
export class EvenDraws {
  #at: number;

  constructor(seed: number) {
    this.#at = (((seed * GOLDEN) % 1) + 1) % 1;
  }

  unit(): number {
    this.#at = (this.#at + GOLDEN) % 1;
    return this.#at;
  }
}

/** What lies below this share of a spread. */
export const atShare = (spread: Spread, share: number): number => {
  const place = Math.min(1, Math.max(0, share)) * SPREAD_STEPS;
  const below = Math.min(SPREAD_STEPS - 1, Math.floor(place));
  const from = spread[below] ?? 0;
  return from + ((spread[below + 1] ?? from) - from) * (place - below);
};

/** The share of a spread that lies below a value. */
export const shareBelow = (spread: Spread, value: number): number => {
  let step = 0;
  while (step < SPREAD_STEPS && (spread[step + 1] ?? 0) <= value) step += 1;
  if (step === SPREAD_STEPS) return 1;
  const from = spread[step] ?? 0;
  const to = spread[step + 1] ?? from;
  const within = to > from ? Math.min(1, Math.max(0, (value - from) / (to - from))) : 0;
  return (step + within) / SPREAD_STEPS;
};

export const meanOf = (spread: Spread): number => {
  let sum = 0;
  for (let step = 0; step < SPREAD_STEPS; step += 1)
    sum += ((spread[step] ?? 0) + (spread[step + 1] ?? 0)) / 2;
  return sum / SPREAD_STEPS;
};

/** The coefficient of variation: 0 where all are alike, 1 at random. */
export const scatterOf = (spread: Spread): number => {
  const mean = meanOf(spread);
  if (mean === 0) return 0;
  let square = 0;
  for (let step = 0; step < SPREAD_STEPS; step += 1) {
    const middle = ((spread[step] ?? 0) + (spread[step + 1] ?? 0)) / 2;
    square += (middle - mean) ** 2;
  }
  return Math.sqrt(square / SPREAD_STEPS) / mean;
};

/** At random, with this mean. */
const atRandom = (meanMs: number): Spread =>
  Array.from({ length: SPREAD_STEPS + 1 }, (_, step) => {
    const share = Math.min(step / SPREAD_STEPS, 1 - 0.25 / SPREAD_STEPS);
    return -Math.log(1 - share) * meanMs;
  });

/** As learned, or with another mean; empty where neither is known. */
export const lengthsWith = (learned: Spread, meanMs: number | null): Spread => {
  if (meanMs === null) return learned;
  const shape = learned.length === 0 ? atRandom(meanMs) : learned;
  const factor = meanMs / Math.max(1, meanOf(shape));
  return shape.map((ms) => ms * factor);
};
