import { describe, expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { JOIN, World } from "./world.ts";

const via = (w: World): string[] => [...w.state.permits.all()].map(({ permit }) => permit.via);

describe("the baton", () => {
  test("[BATON-1] a finished visit hands its permit to the head of the line in the same step", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3);
    w.visit(1);
    w.end(1);
    expect([w.justCalled, via(w)]).toEqual([[2], ["baton"]]);
    w.visit(2);
    expect(w.state.history.current).toMatchObject({ entriesByUsher: 1, entriesByBaton: 1 });
  });

  test("[BATON-1] one end of a visit calls one, however many wait", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(9);
    w.visit(1);
    w.visit(2);
    w.run({ type: "end", visit: ticketNumber(2), afterMs: 0 });
    expect(w.justCalled).toEqual([3]);
  });

  test("[BATON-2] when nobody may take it the permit is free, and the usher gives it", () => {
    const w = new World({ permitsMax: 1 });
    w.join();
    w.visit(1);
    w.end(1);
    expect([w.justCalled, w.state.permits.free]).toEqual([[], 1]);
    w.join();
    expect([via(w), w.state.permits.free]).toEqual([["usher"], 0]);
  });

  test("[BATON-3] an expired or revoked visit's permit is given by the usher, in the same step", () => {
    const w = new World({ permitsMax: 1, leaseMs: 60_000 });
    w.crowd(3);
    w.visit(1);
    w.tick(60_000);
    expect([w.justCalled, via(w)]).toEqual([[2], ["usher"]]);
    w.visit(2);
    w.run({ type: "revoke-all" });
    expect([w.justCalled, via(w)]).toEqual([[3], ["usher"]]);
  });

  test("[BATON-3] with nobody in line it is free, and so is that of a missed call", () => {
    const w = new World({ permitsMax: 1, leaseMs: 60_000 });
    w.visit(w.join());
    w.tick(60_000);
    expect([w.visiting, w.state.permits.free, w.tally("expired")]).toEqual([0, 1, 1]);
    w.join();
    w.tick(60_000);
    expect([w.tally("missed"), w.called, w.state.permits.free]).toEqual([1, 0, 1]);
  });

  test("[BATON-4] a delayed release passes its permit on as a baton when its time has come", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.visit(1);
    expect(w.end(1, 30_000)).toEqual({ kind: "done" });
    w.tick(29_999);
    expect(w.justCalled).toEqual([]);
    w.tick(1);
    expect([w.justCalled, via(w)]).toEqual([[2], ["baton"]]);
    expect(w.state.history.current).toMatchObject({ finished: 1, revoked: 0, expired: 0 });
  });

  test("[BATON-5] what the ring forbids now happens as soon as it allows it", () => {
    const w = new World({ permitsMax: 2, startsPerSecondMax: 1, ringGuardMs: 0 });
    w.join();
    w.visit(1);
    w.join();
    expect([w.called, w.state.permits.free, w.wakeAt]).toEqual([0, 1, w.now + 1_000]);
    w.end(1);
    expect(w.justCalled).toEqual([]);
    w.sleep(1);
    expect(w.justCalled).toEqual([2]);
  });

  test("[BATON-1] the last call that the ring allows in a second can be a baton", () => {
    const w = new World({ permitsMax: 1, startsPerSecondMax: 1, ringGuardMs: 0 });
    w.crowd(2);
    w.visit(1);
    w.now += 1_000;
    w.end(1);
    expect([w.justCalled, via(w)]).toEqual([[2], ["baton"]]);
  });

  test("[BATON-5] a hold forbids the baton as well", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.visit(1);
    w.configure({ paused: true });
    w.end(1);
    expect([w.justCalled, w.state.permits.free]).toEqual([[], 1]);
  });

  test("[BATON-6] several ends in one batch hand over as many permits, lowest numbers first", () => {
    const w = new World({ permitsMax: 3 });
    w.crowd(7);
    const ends = [1, 2, 3].map(
      (n) => ({ op: "end", visit: w.visit(n).visit, afterMs: 0 }) as const,
    );
    w.batch([...ends, JOIN]);
    expect(w.justCalled).toEqual([4, 5, 6]);
  });
});
