import fc from "fast-check";
import { test } from "vitest";
import { act, Twins } from "./twins.ts";

test("[LOCK-15] over random histories with crashes the shard does what its naive twin does", () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 120, size: "max" }), (acts) => {
      const twins = new Twins();
      for (const one of acts) twins.play(one);
    }),
    { numRuns: 3_000 },
  );
});
