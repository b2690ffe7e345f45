import { describe, expect, test } from "vitest";
import { JOIN, World } from "./world.ts";

describe("how many are out", () => {
  test.each([1, 2, 7])("[PERMIT-1] of P=%i permits no more than P go out, whoever asks", (P) => {
    const w = new World({ permitsMax: P });
    w.crowd(P + 1);
    expect(w.called).toBe(P);
    for (let number = 1; number <= P; number += 1) w.visit(number);
    expect([w.called, w.visiting]).toEqual([0, P]);
    expect(w.claim(P + 1)).toMatchObject({ kind: "not-yet" });
    expect(w.enter()).toEqual({ kind: "queue" });
    expect(w.state.permits.out).toBe(P);
  });

  test("[PERMIT-2] called, held and free permits add up to P, over a crash as well", () => {
    const w = new World({ permitsMax: 5 });
    w.crowd(3);
    w.visit(1);
    const count = () => [w.called, w.visiting, w.state.permits.free];
    expect(count()).toEqual([2, 1, 2]);
    w.crash();
    expect(count()).toEqual([2, 1, 2]);
    w.end(1);
    w.leave(2);
    w.crash();
    expect(count()).toEqual([1, 0, 4]);
  });
});

describe("P changes while the room runs", () => {
  test("[PERMIT-3] a lowered P ends nobody and calls nobody until what is out fits again", () => {
    const w = new World({ permitsMax: 4 });
    w.crowd(8);
    for (const number of [1, 2, 3]) w.visit(number);
    w.configure({ permitsMax: 2 });
    expect([w.called, w.visiting]).toEqual([1, 3]);
    expect(w.visit(4).visit).toBe(4);
    w.end(1);
    w.end(4);
    expect([w.called, w.visiting, w.justCalled]).toEqual([0, 2, []]);
    w.end(2);
    expect(w.justCalled).toEqual([5]);
  });

  test("[PERMIT-3] while more than P are out nobody enters by the door", () => {
    const w = new World({ permitsMax: 4 });
    for (let entry = 0; entry < 2; entry += 1) w.renew(w.entered().visit);
    w.configure({ permitsMax: 1 });
    w.end(1);
    expect(w.enter()).toEqual({ kind: "queue" });
    w.end(2);
    expect(w.enter()).toMatchObject({ kind: "visit" });
  });

  test("[PERMIT-4] a raised P calls those who wait in the same step", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(5);
    w.configure({ permitsMax: 3 });
    expect(w.justCalled).toEqual([2, 3]);
    expect(w.state.permits.out).toBe(3);
  });

  test("[PERMIT-5] a slot above P closes when it is freed, and opens again when P rises", () => {
    const w = new World({ permitsMax: 3 });
    w.crowd(3);
    for (const number of [1, 2, 3]) w.visit(number);
    w.configure({ permitsMax: 1 });
    for (const visit of [1, 2, 3]) w.end(visit);
    expect(w.state.permits.free).toBe(1);
    w.configure({ permitsMax: 3 });
    w.batch([JOIN, JOIN, JOIN, JOIN]);
    expect(w.called).toBe(3);
  });

  test("[PERMIT-5] an excess outlives a crash: the room still waits until it fits", () => {
    const w = new World({ permitsMax: 3 });
    w.crowd(6);
    for (const number of [1, 2, 3]) w.visit(number);
    w.configure({ permitsMax: 2 });
    w.crash();
    w.report([4, 5, 6]);
    w.end(3);
    expect(w.justCalled).toEqual([]);
    w.end(1);
    expect(w.justCalled).toEqual([4]);
  });
});
