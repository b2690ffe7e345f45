import { afterEach, expect, test } from "vitest";
import type { Core } from "./core.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { faulty } from "./faulty.ts";
import { SimWorld } from "./sim-world.ts";

const WORLDS = 25;
const STEPS = 1_500;
let forget = (): void => {};
afterEach(() => forget());

/** What the worlds say of this core; null if they find nothing. */
const verdictOn = (core: Core, { certain, firstWorld = 1 }: Fault): string | null => {
  for (let seed = firstWorld; seed < firstWorld + WORLDS; seed += 1) {
    try {
      new SimWorld(seed, core, certain).run(STEPS);
    } catch (error) {
      return String(error);
    }
  }
  return null;
};

test.each(FAULTS)("[SIM-3] it is noticed when $name", async (fault) => {
  const patched = await faulty(fault.patches);
  forget = patched.forget;
  expect(verdictOn(patched.core, fault)).toMatch(fault.noticed);
});
