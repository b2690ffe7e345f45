import { expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { VisitEnds } from "../../../src/core/room/visit-ends.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const MINUTE = 60_000;

const oneInside = (limits: ConstructorParameters<typeof World>[0] = {}): World => {
  const w = new World({ permitsMax: 1, leaseMs: 5 * MINUTE, ...limits });
  w.crowd(2);
  w.visit(1);
  return w;
};

const over = (reason: string, at: number, afterMs: number | null) => ({
  kind: "ended",
  end: { reason, at, afterMs },
});

test("[VISIT-9] a lease that ran out is told with its own moment, however late the usher came", () => {
  const w = oneInside();
  const end = w.now + 5 * MINUTE;
  w.tick(5 * MINUTE - 1);
  expect(w.look(1)).toMatchObject({ kind: "visit" });
  w.tick(20_001);
  expect(w.look(1)).toEqual(over("inactive", end, null));
  expect(w.renew(1)).toEqual(over("inactive", end, null));
});

test("[VISIT-9] where leases are not renewed it is the time of the visit that ran out", () => {
  const w = oneInside({ leaseRenews: false });
  const end = w.now + 5 * MINUTE;
  w.tick(6 * MINUTE);
  expect(w.look(1)).toEqual(over("time-up", end, 5 * MINUTE));
});

test("[VISIT-9] overtime is told with how long the visit was", () => {
  const w = oneInside({ visitMaxMs: 7 * MINUTE });
  const end = w.now + 7 * MINUTE;
  w.now += 4 * MINUTE;
  w.renew(1);
  w.tick(4 * MINUTE);
  expect(w.look(1)).toEqual(over("time-up", end, 7 * MINUTE));
});

test("[VISIT-9] a visit that was finished, at once or later, is told as that, and stays as it ended", () => {
  const w = oneInside();
  w.now += 1_000;
  w.end(1);
  expect(w.look(1)).toEqual(over("finished", w.now, null));
  w.visit(2);
  w.end(2, 30_000);
  const end = w.now + 30_000;
  w.tick(45_000);
  w.end(2);
  expect(w.look(2)).toEqual(over("finished", end, null));
});

test("[VISIT-9] who is sent out by the operator is told so", () => {
  const w = oneInside();
  w.now += MINUTE;
  w.run({ type: "revoke-all" });
  expect(w.look(1)).toEqual(over("revoked", w.now, null));
});

test("[VISIT-9] a visit by the door that was taken back is told with the time that it had", () => {
  const w = new World({ permitsMax: 2, claimWithinMs: MINUTE });
  w.entered();
  w.crowd(1);
  w.visit(2);
  w.tick(2 * MINUTE);
  w.join();
  w.tick();
  expect(w.look(1)).toEqual(over("unconfirmed", w.now, MINUTE));
});

test("[VISIT-9] what ended before its passes is still told after a crash, for as long as they live", () => {
  const w = oneInside();
  w.end(1);
  const { now } = w;
  w.crash();
  expect(w.look(1)).toEqual(over("finished", now, null));
});

test("[VISIT-9] a lapse writes no row of its own, and after a crash nobody knows of it", () => {
  const w = oneInside();
  const before = w.written("ended").length;
  w.tick(6 * MINUTE);
  expect(w.written("ended")).toHaveLength(before);
  w.crash();
  expect(w.look(1)).toEqual({ kind: "ended" });
});

test("[VISIT-9] of permits for one answer, and of numbers without a visit, nothing is told", () => {
  const w = new World({ permitsMax: 2 });
  w.entered(true);
  w.end(1);
  expect([w.look(1), w.look(99)]).toEqual([{ kind: "ended" }, { kind: "ended" }]);
});

test("[VISIT-9] only the latest are kept, the oldest go first", () => {
  const end = { reason: "inactive", at: instant(5), afterMs: null } as const;
  const visits = [1, 2, 3].map(ticketNumber);
  const ends = new VisitEnds(
    visits.map((visit) => [visit, end] as const),
    2,
  );
  expect(visits.map((visit) => ends.of(visit))).toEqual([null, end, end]);
});
