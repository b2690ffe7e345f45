import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { CORE, type Core } from "../../sim/core.ts";
import { faulty } from "../../sim/faulty.ts";
import { FAULTS } from "./faults.ts";
import { busyHistory, history } from "./histories.ts";
import { RequestTwins } from "./request-twins.ts";

const RUNS = Number(process.env["REQUEST_HISTORIES"] ?? 300);
let forget = (): void => {};
afterEach(() => forget());

const agrees = (core: Core, of: typeof history, runs: number, seed?: number): void => {
  fc.assert(
    fc.property(of, ({ limits, actions }) => {
      const twins = new RequestTwins(core, limits);
      for (const action of actions) twins.act(action);
      twins.compareHistory();
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed, endOnFailure: true }) },
  );
};

// Rules that hold of every step of a room of requests are shown here.
test("[REQUEST-16] [REQUEST-2] [REQUEST-5] [REQUEST-6] [REQUEST-7] a room of requests agrees with its plain twin", () => {
  agrees(CORE, history, RUNS);
}, 60_000);

test("[REQUEST-4] [REQUEST-14] [REQUEST-15] [SCHED-1] it agrees on every moment that it promises, however many it promised", () => {
  agrees(CORE, busyHistory, RUNS);
}, 60_000);

/** The message of the comparison that failed; null if nothing did. */
const verdictOn = (core: Core): string | null => {
  for (const of of [history, busyHistory]) {
    try {
      agrees(core, of, 1_500, 1);
    } catch (error) {
      return String(error instanceof Error ? error.cause : error);
    }
  }
  return null;
};

test.each(FAULTS)(
  "[REQUEST-16] the twins differ when $name",
  async ({ patches, noticed }) => {
    const patched = await faulty(patches);
    forget = patched.forget;
    expect(verdictOn(patched.core)).toMatch(noticed);
  },
  60_000,
);
