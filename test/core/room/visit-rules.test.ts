import { describe, expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { World } from "./world.ts";

const ENDED = { kind: "ended" };

describe("a visit ends once", () => {
  test("[VISIT-1] a late finish, renewal, look or claim changes nothing", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3);
    w.visit(1);
    w.end(1);
    w.visit(2);
    const before = w.snapshot();
    for (const late of [
      () => w.end(1),
      () => w.end(1, 5_000),
      () => w.renew(1),
      () => w.claim(1),
    ]) {
      expect(late()).toMatchObject(ENDED);
    }
    expect(w.look(1)).toMatchObject(ENDED);
    expect(w.run({ type: "end", visit: ticketNumber(1), afterMs: 0 })).toBe(false);
    expect(w.snapshot()).toEqual(before);
    expect(w.state.history.current).toMatchObject({ finished: 1, calls: 2 });
  });

  test("[VISIT-1] ending a visit twice in one batch frees one permit", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3);
    w.visit(1);
    const end = { op: "end", visit: ticketNumber(1), afterMs: 0 } as const;
    expect(w.batch([end, end])).toEqual([{ kind: "done" }, ENDED]);
    expect([w.justCalled, w.called]).toEqual([[2], 1]);
  });

  test("[VISIT-1] a number that is called has no visit yet: nothing of one is done", () => {
    const w = new World({ permitsMax: 1 });
    w.join();
    for (const early of [() => w.renew(1), () => w.look(1), () => w.end(1)]) {
      expect(early()).toEqual(ENDED);
    }
    expect(w.standing(1)).toBe("called");
    w.visit(1);
    expect(w.look(1)).toMatchObject({ kind: "visit", isNew: false });
    expect(w.one({ op: "peek", visit: ticketNumber(1) })).toEqual(w.look(1));
  });

  test("[VISIT-2] overtime ends a visit whatever its activity, and not 1 ms earlier", () => {
    const w = new World({ permitsMax: 1, leaseMs: 60_000, visitMaxMs: 90_000 });
    w.crowd(2);
    expect(w.visit(1)).toMatchObject({ endsAt: w.now + 90_000 });
    w.now += 59_999;
    w.renew(1);
    w.tick(30_000);
    expect(w.look(1)).toMatchObject({ kind: "visit" });
    w.tick(1);
    expect([w.look(1), w.justCalled]).toMatchObject([ENDED, []]);
    expect(w.standing(2)).toBe("called");
    expect(w.end(1)).toEqual(ENDED);
  });

  test("[VISIT-3] how it ended is counted: finished, expired or revoked", () => {
    const w = new World({ permitsMax: 3, leaseMs: 60_000, visitMaxMs: 70_000 });
    w.crowd(3);
    for (const number of [1, 2, 3]) w.visit(number);
    w.end(1);
    w.now += 59_999;
    w.renew(3);
    w.tick(1);
    expect(w.look(2)).toMatchObject(ENDED);
    w.tick(10_000);
    expect(w.look(3)).toMatchObject(ENDED);
    expect((["finished", "expired", "revoked"] as const).map((how) => w.tally(how))).toEqual([
      1, 1, 1,
    ]);
  });

  test("[VISIT-4] a delayed release is a last moment: nothing makes it later", () => {
    const w = new World({ permitsMax: 1, leaseMs: 60_000, visitMaxMs: 50_000 });
    w.join();
    w.visit(1);
    const { now } = w;
    w.end(1, 60_000);
    expect(w.look(1)).toMatchObject({ visit: { endsAt: now + 50_000 } });
    w.end(1, 30_000);
    w.end(1, 40_000);
    w.renew(1);
    expect(w.look(1)).toMatchObject({ visit: { endsAt: now + 30_000 } });
    w.end(1, 20_000);
    w.tick(20_000);
    expect(w.look(1)).toMatchObject(ENDED);
  });

  test("[VISIT-4] a release does not keep a visit alive beyond its lease", () => {
    const w = new World({ permitsMax: 1, leaseMs: 60_000 });
    w.join();
    w.visit(1);
    w.end(1, 600_000);
    w.tick(60_000);
    expect(w.look(1)).toMatchObject(ENDED);
    expect(w.state.history.current).toMatchObject({ expired: 1 });
  });

  test("[VISIT-5] revoke all ends every visit and raises the epoch; tickets and calls stay", () => {
    const w = new World({ permitsMax: 3 });
    w.crowd(5);
    expect(w.visit(1).epoch).toBe(1);
    w.visit(2);
    expect(w.run({ type: "revoke-all" })).toBe(2);
    expect([w.look(1), w.look(2)]).toMatchObject([ENDED, ENDED]);
    expect([3, 4, 5].map((n) => w.standing(n))).toEqual(["called", "called", "called"]);
    expect(w.visit(3).epoch).toBe(2);
    w.crash();
    expect(w.snapshot()).toMatchObject({ epoch: 2, visiting: 1 });
  });
});

test("[VISIT-5] an epoch that was raised outlives a crash, also when nobody was in", () => {
  const w = new World();
  expect(w.run({ type: "revoke-all" })).toBe(0);
  w.crash();
  expect(w.snapshot().epoch).toBe(2);
  w.entered();
  w.run({ type: "revoke-all" });
  expect(w.tally("revoked")).toBe(1);
});

describe("the lease", () => {
  const visiting = (limits = {}) => {
    const w = new World({ permitsMax: 1, leaseMs: 60_000, ...limits });
    w.join();
    w.visit(1);
    return w;
  };

  test.each([
    [59_999, "visit"],
    [60_000, "ended"],
  ])("[LEASE-1] %i ms without a sign of the visitor: %s", (ms, kind) => {
    const w = visiting();
    w.tick(ms);
    expect(w.look(1).kind).toBe(kind);
  });

  test("[LEASE-2] a renewal begins the lease anew; a look does not", () => {
    const w = visiting();
    w.now += 59_999;
    expect(w.renew(1)).toMatchObject({ visit: { leaseUntil: w.now + 60_000 } });
    w.now += 59_999;
    expect(w.look(1)).toMatchObject({ visit: { leaseUntil: w.now + 1 } });
    w.tick(1);
    expect(w.look(1)).toMatchObject(ENDED);
  });

  test("[LEASE-3] where leases are not renewed a visit lasts exactly one", () => {
    const w = visiting({ leaseRenews: false });
    const leaseUntil = w.now + 60_000;
    w.now += 59_999;
    expect(w.renew(1)).toMatchObject({ kind: "visit", visit: { leaseUntil } });
    w.tick(1);
    expect(w.look(1)).toMatchObject(ENDED);
  });

  test("[LEASE-3] what lasts as long as an answer is renewed by its Worker all the same", () => {
    for (const limits of [{ permit: "request" }, {}] as const) {
      const w = new World({ leaseMs: 60_000, leaseRenews: false, ...limits });
      const { visit } = w.entered(limits.permit !== "request");
      w.now += 59_999;
      expect(w.renew(visit)).toMatchObject({ visit: { leaseUntil: w.now + 60_000 } });
    }
  });

  test.each([
    [60_000, null, 60_000],
    [300_000, null, 300_000],
    [900_000, null, 300_000],
    [900_000, 120_000, 120_000],
  ])("[LEASE-4] lease %i ms, longest visit %s: a pass for %i ms", (leaseMs, visitMaxMs, passMs) => {
    const w = new World({ leaseMs, visitMaxMs });
    w.join();
    expect(w.visit(1).passUntil).toBe(w.now + passMs);
  });

  test("[LEASE-4] a pass promises no less than one that was given before", () => {
    const w = visiting();
    const passUntil = w.now + 60_000;
    w.configure({ leaseMs: 10_000 });
    expect(w.renew(1)).toMatchObject({ visit: { leaseUntil: w.now + 10_000, passUntil } });
  });

  test("[LEASE-5] a permit for one answer has a lease of at most 60 s", () => {
    const w = new World({ leaseMs: 300_000 });
    expect(w.entered(true).leaseUntil).toBe(w.now + 60_000);
    w.configure({ leaseMs: 20_000 });
    expect(w.entered(true).leaseUntil).toBe(w.now + 20_000);
  });

  test("[LEASE-6] what ran out while the room was down has ended in its first step", () => {
    const w = visiting();
    w.join();
    w.now += 60_000;
    w.crash();
    expect(w.look(1)).toMatchObject(ENDED);
    expect(w.renew(1)).toMatchObject(ENDED);
  });
});
