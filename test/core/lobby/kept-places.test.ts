import fc from "fast-check";
import { expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { KeptPlaces, type KeptPlace } from "../../../src/core/lobby/kept-places.ts";
import { LineOrder } from "../../../src/core/line/order.ts";
import { instant } from "../../../src/core/time.ts";

const WINDOW_MS = 60_000;
const at = (ms: number) => instant(1_800_000_000_000 + ms);
const place = (key: string, number: number, heardMs = 0): KeptPlace => ({
  key,
  number: ticketNumber(number),
  joinedAt: at(0),
  heardAt: at(heardMs),
});
const takeUp = (places: KeptPlaces, key: string, ms = 0): number | null =>
  places.takeUp(key, WINDOW_MS, at(ms))?.number ?? null;

test("[KEYED-1] the oldest place of a key comes first, in whatever order they were left", () => {
  const places = new KeptPlaces();
  for (const number of [7, 3, 5]) places.leave(place("a", number));
  expect([1, 2, 3, 4].map(() => takeUp(places, "a"))).toEqual([3, 5, 7, null]);
});

test("[KEYED-2] no key is given another one's place", () => {
  const places = new KeptPlaces();
  places.leave(place("a", 1));
  expect(takeUp(places, "b")).toBeNull();
  expect(takeUp(places, "a")).toBe(1);
});

test.each([
  [WINDOW_MS - 1, 1],
  [WINDOW_MS, 2],
])("[KEYED-4] %i ms after it was left the place is number %i", (ms, number) => {
  const places = new KeptPlaces();
  places.leave(place("a", 1, 0));
  places.leave(place("a", 2, 10));
  expect(takeUp(places, "a", ms)).toBe(number);
});

test("[KEYED-4] what is over is forgotten, in memory and in its rows", () => {
  const places = new KeptPlaces([place("a", 1, 0), place("a", 2, 10)]);
  places.expire(WINDOW_MS, at(WINDOW_MS));
  expect([places.size, places.drainChanges()]).toEqual([1, { put: [], drop: [1] }]);
});

test("[KEYED-4] beyond the bound the place that was left longest ago is forgotten", () => {
  const places = new KeptPlaces([], 2);
  for (const number of [9, 4, 6]) places.leave(place("a", number));
  expect([takeUp(places, "a"), takeUp(places, "a"), takeUp(places, "a")]).toEqual([4, 6, null]);
});

test("[KEYED-4] so is its row", () => {
  const places = new KeptPlaces([place("a", 9), place("b", 4)], 2);
  const left = place("a", 6);
  places.leave(left);
  expect(places.drainChanges()).toEqual({ put: [left], drop: [9] });
});

test("[KEYED-1] where an order was drawn its first comes first, not the lowest number", () => {
  const order = LineOrder.plain.renewed([
    { first: ticketNumber(1), last: ticketNumber(8), seed: "5e".repeat(32) },
  ]);
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8].map((spot) => order.numberAt(spot as never));
  expect(numbers).not.toEqual(numbers.toSorted((one, other) => one - other));
  const places = new KeptPlaces(numbers.map((number) => place("a", number)));
  const taken = numbers.map(() => places.takeUp("a", WINDOW_MS, at(0), order)?.number);
  expect(taken).toEqual(numbers);
});

test("[KEYED-3] a number that came back with its ticket is not given out", () => {
  const places = new KeptPlaces([place("a", 1), place("a", 2)]);
  places.forget(ticketNumber(1));
  expect(takeUp(places, "a")).toBe(2);
});

/** One flat list, looked through whole. */
class PlainPlaces {
  kept: KeptPlace[] = [];

  leave(left: KeptPlace, most: number): void {
    this.kept = this.kept.filter(({ number }) => number !== left.number);
    if (this.kept.length >= most) this.kept.shift();
    this.kept.push(left);
  }

  takeUp(key: string, nowMs: number): number | null {
    const good = this.kept.filter((one) => one.key === key && one.heardAt + WINDOW_MS > at(nowMs));
    const number = good.length === 0 ? null : Math.min(...good.map((one) => one.number));
    this.kept = this.kept.filter((one) => one.number !== number);
    return number;
  }
}

const deed = fc.oneof(
  fc.record({ do: fc.constant("leave"), key: fc.nat(3), number: fc.nat(40), ms: fc.nat(9_000) }),
  fc.record({ do: fc.constant("take"), key: fc.nat(3), number: fc.nat(40), ms: fc.nat(9_000) }),
  fc.record({ do: fc.constant("forget"), key: fc.nat(3), number: fc.nat(40), ms: fc.nat(9_000) }),
  fc.record({ do: fc.constant("restart"), key: fc.nat(3), number: fc.nat(40), ms: fc.nat(9_000) }),
);

test("[KEYED-2] over any history each place is given out once, to its own key, as a flat list would", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 120 }), (deeds) => {
      const most = 12;
      const rows = new Map<number, KeptPlace>();
      const plain = new PlainPlaces();
      let places = new KeptPlaces([], most);
      let nowMs = 0;
      for (const { do: what, key, number, ms } of deeds) {
        nowMs += ms;
        if (what === "leave") {
          const left = place(`k${key}`, number + 1, nowMs);
          places.leave(left);
          plain.leave(left, most);
        } else if (what === "take") {
          expect(takeUp(places, `k${key}`, nowMs)).toBe(plain.takeUp(`k${key}`, nowMs));
        } else if (what === "forget") {
          places.forget(ticketNumber(number + 1));
          plain.kept = plain.kept.filter((one) => one.number !== number + 1);
        } else {
          const written = [...rows.values()].toSorted((a, b) => a.heardAt - b.heardAt);
          places = new KeptPlaces(written, most);
          plain.kept.sort((a, b) => a.heardAt - b.heardAt);
        }
        const { put, drop } = places.drainChanges();
        for (const one of put) rows.set(one.number, one);
        for (const one of drop) rows.delete(one);
        expect(places.size).toBeLessThanOrEqual(most);
      }
    }),
  );
});
