import { describe, expect, test } from "vitest";
import type { Op } from "../../../src/core/room/commands.ts";
import { World } from "./world.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
const ask: Op = { op: "request", ticket: null, holdMs: 20_000, address: null };

describe("a room of requests whose clock jumps", () => {
  test.each([HOUR_MS, 10_001 + LEASE_MS])(
    "[REQUEST-12] %i ms forward: what runs keeps its permit, for a lease from then on",
    (jumpMs) => {
      const w = new World({ permit: "request", permitsMax: 1, leaseMs: LEASE_MS });
      w.one(ask);
      w.one(ask);
      w.now += jumpMs;
      w.tick();
      expect([w.standing(1), w.standing(2)]).toEqual(["visiting", "waiting"]);
      w.now += LEASE_MS - 1_000;
      w.renew(1);
      // It is renewed as ever, and ends by its lease when it is not.
      for (let second = 0; second < 59; second += 1) w.tick(1_000);
      expect(w.standing(1)).toBe("visiting");
      w.tick(1_000);
      expect([w.standing(1), w.tally("expired")]).toEqual(["ended", 1]);
    },
  );

  test("[REQUEST-12] a step that comes in time ends what has run out, however long it slept", () => {
    const w = new World({ permit: "request", permitsMax: 1, leaseMs: LEASE_MS });
    w.one(ask);
    w.now = w.wakeAt ?? 0;
    w.tick();
    expect(w.standing(1)).toBe("ended");
  });
});
