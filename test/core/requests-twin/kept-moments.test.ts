import { expect, test } from "vitest";
import { ticketNumber, type TicketNumber } from "../../../src/core/ids.ts";
import type { OpReply } from "../../../src/core/room/commands.ts";
import { instant, type InstantMs } from "../../../src/core/time.ts";
import { seeded } from "../room/seeded.ts";
import { World } from "../room/world.ts";

const REQUESTS = 60;

/** It comes for the first time, or exactly when it was told to. */
interface Coming {
  readonly at: number;
  readonly number: TicketNumber | null;
}

const ask = (w: World, { number }: Coming): OpReply =>
  w.one({
    op: "request",
    ticket: number === null ? null : { number, heardAt: instant(w.now) },
    holdMs: 0,
    address: null,
  });

test.each(["calendar", "sliding"] as const)(
  "[REQUEST-4] [REQUEST-14] %s: of a crowd that cannot wait each starts at the moment it was told, in order",
  (ring) => {
    for (let seed = 1; seed <= 8; seed += 1) {
      const random = seeded(seed);
      const perSecond = 1 + random(4);
      const guardMs = [0, 100, 300][random(3)] ?? 0;
      const w = new World({
        permit: "request",
        permitsMax: REQUESTS,
        leaseMs: 86_400_000,
        startsPerSecondMax: perSecond,
        ring,
        ringGuardMs: guardMs,
      });
      const bornAt = w.now;
      let coming: Coming[] = Array.from({ length: REQUESTS }, () => ({
        at: bornAt + random(5_000),
        number: null,
      }));
      const scheduledReturns = new Map<TicketNumber, InstantMs>();
      const started: TicketNumber[] = [];
      for (let next = first(coming); next !== null; next = first(coming)) {
        coming = coming.filter((one) => one !== next);
        w.now = next.at;
        const reply = ask(w, next);
        if (reply.kind === "visit") {
          started.push(reply.visit.visit);
          continue;
        }
        if (reply.kind !== "not-yet") throw new Error(`unexpected ${reply.kind}`);
        expect(next.number, `seed ${seed}: sent away twice`).toBeNull();
        scheduledReturns.set(reply.place.number, reply.retryAt);
        coming.push({ at: reply.retryAt, number: reply.place.number });
      }
      expect(started, `seed ${seed}`).toEqual(
        Array.from(started.keys(), (n) => ticketNumber(n + 1)),
      );
      expect(scheduledReturns.size).toBeGreaterThan(REQUESTS / 4);
    }
  },
);

/** Of those who come at the same moment the lowest number, then whoever has none yet. */
const first = (coming: readonly Coming[]): Coming | null =>
  coming.reduce<Coming | null>((best, one) => {
    if (best === null || one.at < best.at) return one;
    const isLower = (one.number ?? Infinity) < (best.number ?? Infinity);
    return one.at === best.at && isLower ? one : best;
  }, null);
