import { expect, test } from "vitest";
import { SimWorld } from "./sim-world.ts";

// To replay a failure: SIM_SEED=<seed> SIM_WORLDS=1 vitest run --project core test/sim/sim.test.ts
const FIRST = Number(process.env["SIM_SEED"] ?? 1);
const WORLDS = Number(process.env["SIM_WORLDS"] ?? 25);
const STEPS = Number(process.env["SIM_STEPS"] ?? 2_500);

test(`[SIM-1] [SIM-2] ${WORLDS} worlds of ${STEPS} steps keep every promise, and serve who stays`, () => {
  let visits = 0;
  let steps = 0;
  for (let seed = FIRST; seed < FIRST + WORLDS; seed += 1) {
    const world = new SimWorld(seed);
    try {
      world.run(STEPS);
      world.windDown();
    } catch (error) {
      const where = `seed ${seed}, step ${world.room.steps}, boot ${world.room.boots}`;
      throw new Error(`${where}: ${String(error)}`, { cause: error });
    }
    visits += world.visits;
    steps += world.room.steps;
  }
  expect(steps).toBeGreaterThanOrEqual(WORLDS * STEPS);
  expect(visits).toBeGreaterThan(WORLDS * 10);
}, 120_000);
