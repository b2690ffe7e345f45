import { expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { JOIN, World } from "./world.ts";

test("[FIFO-1] permits go to the lowest present numbers, in order, whatever their lobby", () => {
  const w = new World({ permitsMax: 3, paused: true });
  for (const lobby of [3, 0, 3, 1, 2]) w.join({ lobby: lobbyIndex(lobby) });
  w.configure({ paused: false });
  expect(new Set(w.justCalled)).toEqual(new Set([1, 2, 3]));
  expect(new Set(w.last?.calls.keys())).toEqual(new Set([0, 3]));
  w.leave(2);
  expect(w.justCalled).toEqual([4]);
});

test("[FIFO-2] an absent head delays nobody", () => {
  const w = new World({ permitsMax: 1 });
  w.crowd(4);
  w.visit(1);
  w.away(2, 3);
  w.end(1);
  expect(w.justCalled).toEqual([4]);
});

test("[FIFO-3] a silent head costs one permit one claim time, once", () => {
  const w = new World({ permitsMax: 1, claimWithinMs: 60_000 });
  w.crowd(3);
  w.tick(59_999);
  expect(w.standing(2)).toBe("waiting");
  w.tick(1);
  expect(w.justCalled).toEqual([2]);
  w.visit(2);
  w.end(2);
  expect(w.justCalled).toEqual([3]);
});

test("[FIFO-4] whoever comes back is called before all higher numbers", () => {
  const w = new World({ permitsMax: 1 });
  w.crowd(4);
  w.visit(1);
  w.away(2);
  w.back(2, 10_000);
  w.end(1);
  expect(w.justCalled).toEqual([2]);
});

test("[FIFO-4] a return and the end of a visit in one batch: the lower number goes first", () => {
  const w = new World({ permitsMax: 1 });
  w.crowd(3);
  w.visit(1);
  w.away(2);
  const ended = { op: "end", visit: ticketNumber(1), afterMs: 0 } as const;
  w.answer([ended], { present: [ticketNumber(2)] });
  expect(w.justCalled).toEqual([2]);
});

test("[FIFO-5] nobody enters by the door while somebody stands in line", () => {
  const w = new World({ permitsMax: 3, paused: true });
  w.crowd(1);
  w.configure({ paused: false, startsPerSecondMax: 1 });
  expect(w.batch([JOIN, { op: "enter", transient: false }])[1]).toEqual({ kind: "queue" });
  expect(w.enter(true)).toEqual({ kind: "queue" });
});

test("[FIFO-5] a newcomer is not let in past a number that may be on its way back", () => {
  const w = new World({ permitsMax: 2 });
  w.crowd(3);
  w.visit(1);
  w.visit(2);
  w.crash();
  w.run({ type: "end", visit: ticketNumber(1), afterMs: 0 });
  expect([w.state.permits.free, w.enter()]).toEqual([1, { kind: "queue" }]);
  expect(w.one(JOIN)).toMatchObject({ place: { number: 4, state: "waiting", ahead: 1 } });
});

test("[FIFO-6] a newcomer with a free permit at hand is called in the step of its join", () => {
  const w = new World({ permitsMax: 2 });
  expect(w.one(JOIN)).toMatchObject({ place: { number: 1, state: "called", ahead: 0 } });
  expect(w.one(JOIN)).toMatchObject({ place: { number: 2, state: "called" } });
  expect(w.one(JOIN)).toMatchObject({ place: { number: 3, state: "waiting", ahead: 0 } });
  expect(w.one(JOIN)).toMatchObject({ place: { number: 4, state: "waiting", ahead: 1 } });
});
