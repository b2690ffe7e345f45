import { median } from "./stats.ts";

/** Four megabytes: more than a core's own caches, so it is walked in what cores and neighbours share. */
const PLACES = 2 ** 20;
const STEPS = 1_000_000;
const WALKS = 3;

const next = Int32Array.from(
  { length: PLACES },
  (_, at) => (Math.imul(at, 1_664_525) + 1_013_904_223) & (PLACES - 1),
);

const walkMs = (): number => {
  const startedAt = performance.now();
  let at = 0;
  for (let step = 0; step < STEPS; step += 1) at = next[(at + step) & (PLACES - 1)] ?? 0;
  // Read, so that nobody finds the walk needless.
  if (at < 0) throw new Error("no place is below zero");
  return performance.now() - startedAt;
};

/**
 * Milliseconds of a walk through memory, each step of which waits for the one before. A neighbour on the same
 * host slows it down five times over without taking any of our processor's time, and whoever has much
 * code and data with it.
 */
export const memoryWalkMs = (): number => median(Array.from({ length: WALKS }, walkMs));
