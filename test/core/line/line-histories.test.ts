import fc from "fast-check";
import { test } from "vitest";
import { history } from "./histories.ts";
import { Twins } from "./twins.ts";

test("[LINE-2] [LINE-15] [DRAW-16] any history leaves the line as its naive twin", () => {
  fc.assert(
    fc.property(history, ({ issuedBefore, steps }) => {
      const twins = new Twins(issuedBefore);
      for (const step of steps) twins.step(step);
      twins.compareAll();
    }),
    { numRuns: 2_000 },
  );
});
