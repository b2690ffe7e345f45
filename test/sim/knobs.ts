import type { RoomLimits } from "../../src/core/definition.ts";
import { LIMITS } from "../support/limits.ts";

export type Random = (below: number) => number;

/** True in so many of 1,000 cases. */
export const chance = (random: Random, perMille: number): boolean => random(1_000) < perMille;

/** How rough this world is. Everything follows from the seed. */
export interface Knobs {
  readonly limits: RoomLimits;
  readonly lobbies: number;
  readonly arrivalEveryMs: number;
  readonly visitMs: number;
  /** Of a thousand messages so many are lost, and so many come twice. */
  readonly lost: number;
  readonly doubled: number;
  readonly delayMs: number;
  /** Of a thousand steps so many kill the room before they are written, and after. */
  readonly crashBefore: number;
  readonly crashAfter: number;
  readonly lobbyRestartEveryMs: number;
  readonly clockJumpEveryMs: number;
  readonly configureEveryMs: number;
}

const pick = <T>(random: Random, ...choices: readonly T[]): T => {
  const choice = choices[random(choices.length)];
  if (choice === undefined) throw new Error("a choice has something to choose from");
  return choice;
};

export const someLimits = (random: Random): RoomLimits => ({
  ...LIMITS,
  permitsMax: 1 + random(12),
  startsPerSecondMax: pick(random, null, null, 1, 3, 10),
  startsPerMinuteMax: pick(random, 100_000, 600, 120, 45),
  ring: pick(random, "calendar", "sliding"),
  ringGuardMs: pick(random, 0, 100),
  leaseMs: pick(random, 20_000, 60_000),
  leaseRenews: !chance(random, 200),
  claimWithinMs: pick(random, 5_000, 15_000),
  returnWindowMs: pick(random, 30_000, 600_000),
  visitMaxMs: pick(random, null, null, 40_000),
  paused: chance(random, 60),
});

export const someKnobs = (random: Random): Knobs => {
  const rough = random(3);
  return {
    limits: { ...someLimits(random), paused: false },
    lobbies: 1 + random(4),
    arrivalEveryMs: pick(random, 40, 150, 600),
    visitMs: pick(random, 300, 2_000, 8_000),
    lost: pick(random, 0, 10, 60) * Math.min(1, rough),
    doubled: pick(random, 0, 10, 80) * Math.min(1, rough),
    delayMs: pick(random, 2, 20, 400),
    crashBefore: rough * random(8),
    crashAfter: rough * random(8),
    lobbyRestartEveryMs: pick(random, Infinity, 20_000, 90_000),
    clockJumpEveryMs: pick(random, Infinity, 45_000, 400_000),
    configureEveryMs: pick(random, Infinity, 10_000, 60_000),
  };
};
