import { expect, test } from "vitest";
import { lobbyIndex } from "../../../src/core/ids.ts";
import { Ledger } from "../../../src/core/line/ledger.ts";
import { instant } from "../../../src/core/time.ts";

const lobby = lobbyIndex(3);

test("[LINE-19] a chunk is kept until its last number is spent, and then nothing of it", () => {
  const ledger = new Ledger();
  for (const n of [8_191, 8_192, 8_193]) {
    ledger.enrol(n, lobby);
    ledger.move(n, "present");
  }
  ledger.move(8_192, "spent");
  ledger.moveAway(8_193, instant(5));
  expect(ledger.unspent.chunks()).toEqual([0, 1]);
  expect(ledger.leftAt(1)).toBe(5);
  ledger.move(8_193, "spent");
  expect(ledger.unspent.chunks()).toEqual([0]);
  expect(() => ledger.leftAt(1)).toThrow("has its note");
  ledger.move(8_191, "spent");
  expect([...ledger.lobbies()]).toEqual([]);
});

test("[LINE-22] a chunk remembers the last to become away, whatever order it is told in", () => {
  const ledger = new Ledger();
  for (const n of [1, 2, 3]) ledger.enrol(n, lobby);
  expect(ledger.leftAt(0)).toBeNull();
  ledger.moveAway(1, instant(7));
  ledger.moveAway(2, instant(9));
  ledger.moveAway(3, instant(8));
  expect(ledger.leftAt(0)).toBe(9);
});

test("moving a number that is not unspent is a bug of ours", () => {
  expect(() => new Ledger().move(1, "present")).toThrow("has its note");
});
