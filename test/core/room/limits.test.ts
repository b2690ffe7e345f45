import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { stepLimitsOf } from "../../../src/core/room/limits.ts";
import { World } from "./world.ts";

const LIMITS = { leaseMs: 300_000, startsPerSecondMax: null } as const;

const ofRoom = (
  limits: Partial<RoomLimits>,
  originRequestsPerSecondMax: number | null,
): RoomLimits =>
  stepLimitsOf({
    limits: { ...LIMITS, ...limits } as RoomLimits,
    originTimeoutMs: 15_000,
    originRequestsPerSecondMax,
  });

describe("what of a definition the step goes by", () => {
  test("[PACED-1] in a room of visits, requests of those who are in have a limit of their own", () => {
    expect(ofRoom({ permit: "visit", startsPerSecondMax: 3 }, 7)).toMatchObject({
      startsPerSecondMax: 3,
      requestsPerSecondMax: 7,
      leaseMs: 300_000,
    });
  });

  test.each([
    [3, 7, 3],
    [7, 3, 3],
    [null, 3, 3],
    [3, null, 3],
    [null, null, null],
  ])(
    "[HOLD-8] in a room of requests %s and %s starts a second are %s",
    (starts, requests, both) => {
      expect(ofRoom({ permit: "request", startsPerSecondMax: starts }, requests)).toMatchObject({
        startsPerSecondMax: both,
        requestsPerSecondMax: null,
      });
    },
  );

  test("[HOLD-14] a request's permit lives as long as its origin may take", () => {
    expect(ofRoom({ permit: "request" }, null).leaseMs).toBe(15_000);
  });

  test("[KEYED-7] turns are told where clients are known by a key", () => {
    const limits = { ...LIMITS, permit: "request" } as RoomLimits;
    const definition = { limits, originTimeoutMs: 1, originRequestsPerSecondMax: null };
    expect(stepLimitsOf(definition).tellsTurns).toBe(false);
    const clientKey = { from: "address" } as const;
    expect(stepLimitsOf({ ...definition, clientKey }).tellsTurns).toBe(true);
  });
});

test.each([true, false])("[STORE-11] limits that an earlier version wrote: held %s", (held) => {
  const w = new World();
  const { head } = w.store.load();
  const { paused, ...limits } = head!.limits;
  expect(paused).toBe(false);
  w.store.write([{ put: "head", head: { ...head!, limits: { ...limits, held } as never } }]);
  w.crash();
  expect(w.state.limits).toEqual({ ...limits, paused: held });
  expect(w.snapshot().mode).toBe(held ? "paused" : "open");
});
