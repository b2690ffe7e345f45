import fc from "fast-check";
import { lobbyIndex } from "../../../src/core/ids.ts";

export const LOBBIES = [0, 1, 65_534].map(lobbyIndex);

const lobby = fc.constantFrom(...LOBBIES);
/** How far below the highest number issued; below 0 it was never issued. */
const back = fc.integer({ min: -2, max: 30 });
const missing = fc.constantFrom("away" as const, "unconfirmed" as const);
const standing = fc.constantFrom("present" as const, "called" as const, "spent" as const);
const few = fc.integer({ min: -1, max: 6 });

/** Everything that can happen to a line; what happens often comes first, and more often. */
const step = fc.oneof(
  fc.record({ do: fc.constant("issue" as const), lobby, standing, count: fc.nat(4) }),
  fc.record({ do: fc.constant("mark-present" as const), back }),
  fc.record({ do: fc.constant("mark-away" as const), back }),
  fc.record({ do: fc.constant("spend" as const), back }),
  fc.record({ do: fc.constant("call" as const), back }),
  fc.record({ do: fc.constant("call-all" as const), free: few }),
  fc.record({ do: fc.constant("uncall" as const), back }),
  fc.record({ do: fc.constant("report" as const), lobby, missing, held: fc.array(back) }),
  fc.record({ do: fc.constant("sweep" as const), age: fc.nat(9) }),
  fc.oneof(
    fc.record({ do: fc.constant("mark-unconfirmed" as const), lobby }),
    fc.record({ do: fc.constant("mark-all-unconfirmed" as const) }),
    fc.record({ do: fc.constant("settle-all" as const) }),
    fc.record({ do: fc.constant("restart" as const) }),
    fc.record({ do: fc.constant("draw" as const), back, seed: fc.nat(255) }),
    fc.record({ do: fc.constant("empty-chunk" as const), lobby }),
  ),
);

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Histories play where chunks meet, and far up the numbers. */
const issuedBefore = fc.constantFrom(0, 8_170, 8_190, 8_191, 3 * 8_192 - 9, 2 ** 45 - 12);

export const history = fc.record({
  issuedBefore,
  steps: fc.array(step, { minLength: 1, maxLength: 60, size: "max" }),
});
