import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { Core } from "../../sim/core.ts";
import { faulty } from "../../sim/faulty.ts";
import { agreement } from "./agreement.ts";
import { FAULTS } from "./faults.ts";
import { busyHistory, history, lentHistory, toldHistory } from "./histories.ts";

let forget = (): void => {};
afterEach(() => forget());

/** How the twins differ first; null if they never do. The same histories each time, not shrunk. */
const difference = (core: Core): string | null => {
  for (const of of [history, busyHistory, lentHistory, toldHistory]) {
    const told = fc.check(agreement(core, of), { numRuns: 1_500, seed: 1, endOnFailure: true });
    if (told.failed) return String(told.errorInstance);
  }
  return null;
};

test.each(FAULTS)("[REQUEST-16] the twins differ when $name", async ({ patches, noticed }) => {
  const patched = await faulty(patches);
  forget = patched.forget;
  expect(difference(patched.core)).toMatch(noticed);
});
