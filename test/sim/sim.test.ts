import { expect, test } from "vitest";
import { live } from "./sim-world.ts";

// Many more steps, and one failing seed again: npm run test:long -- simulator [--seed N]
const WORLDS = 40;
const STEPS = 2_500;

test(`[SIM-1] [SIM-2] ${WORLDS} worlds of ${STEPS} steps keep every promise, and serve who stays`, () => {
  let visits = 0;
  let steps = 0;
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const lived = live(seed, STEPS);
    visits += lived.visits;
    steps += lived.steps;
  }
  expect(steps).toBeGreaterThanOrEqual(WORLDS * STEPS);
  expect(visits).toBeGreaterThan(WORLDS * 10);
});

test("[SIM-1] a seed replays byte for byte, and another seed is another world", () => {
  const [once, again, other] = [live(7, STEPS), live(7, STEPS), live(8, STEPS)];
  expect(again).toEqual(once);
  expect(other.digest).not.toBe(once.digest);
});
