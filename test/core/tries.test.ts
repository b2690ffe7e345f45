import { expect, test } from "vitest";
import { after, instant, type InstantMs } from "../../src/core/time.ts";
import {
  afterWrongTry,
  triesWaitMs,
  TRIES_AT_ONCE,
  TRY_EVERY_MS,
  type ForgivenAt,
} from "../../src/core/tries.ts";

const NOW = instant(1_800_000_000_000);

const wrongTries = (count: number, at: InstantMs, before?: ForgivenAt): ForgivenAt => {
  let forgivenAt = before;
  for (let n = 0; n < count; n += 1) forgivenAt = afterWrongTry(forgivenAt, at);
  return forgivenAt!;
};

test("[API-17] ten wrong tries may come at once, and the eleventh waits", () => {
  expect(triesWaitMs(wrongTries(TRIES_AT_ONCE - 1, NOW), NOW)).toBe(0);
  expect(triesWaitMs(wrongTries(TRIES_AT_ONCE, NOW), NOW)).toBe(TRY_EVERY_MS);
});

test("[API-17] then one in six seconds, to the millisecond", () => {
  const spent = wrongTries(TRIES_AT_ONCE, NOW);
  expect(triesWaitMs(spent, after(NOW, 5_999))).toBe(1);
  expect(triesWaitMs(spent, after(NOW, 6_000))).toBe(0);
  const again = afterWrongTry(spent, after(NOW, 6_000));
  expect(triesWaitMs(again, after(NOW, 6_000))).toBe(6_000);
});

test("[API-17] a minute later all is forgiven", () => {
  const later = after(NOW, TRIES_AT_ONCE * TRY_EVERY_MS);
  const spent = wrongTries(TRIES_AT_ONCE, NOW);
  expect(triesWaitMs(wrongTries(TRIES_AT_ONCE - 1, later, spent), later)).toBe(0);
});

test("[API-17] a clock that ran back holds nobody up for longer", () => {
  const spent = wrongTries(TRIES_AT_ONCE, NOW);
  const before = after(NOW, -3_600_000);
  expect(triesWaitMs(spent, before)).toBe(0);
  expect(afterWrongTry(spent, before)).toBe(after(before, TRY_EVERY_MS));
});

test("[API-17] more wrong tries than are allowed cost no more than the allowance", () => {
  expect(triesWaitMs(wrongTries(100, NOW), NOW)).toBe(TRY_EVERY_MS);
});
