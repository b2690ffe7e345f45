import { expect, test } from "vitest";
import { mayTake } from "../../../src/core/locks/share.ts";

test.each([
  [0, 20, 0, true],
  [0, 21, 0, false],
  [19, 1, 19, true],
  [20, 1, 20, false],
  [0, 10, 60, false],
  [0, 8, 60, true],
  [0, 1, 96, false],
  [0, 1, 95, true],
])(
  "[IDEM-18] with %i of 100, may one have %i more when %i are taken? %s",
  (own, more, taken, may) => {
    expect(mayTake(own, more, { taken, most: 100 })).toBe(may);
  },
);

test("[IDEM-18] however many take what they may, one more finds something", () => {
  const most = 200_000;
  let taken = 0;
  for (let client = 0; client < 1_000; client += 1) {
    let own = 0;
    while (mayTake(own, 1, { taken, most })) [own, taken] = [own + 1, taken + 1];
    if (client === 0) expect(own).toBe(most / 5);
    expect(own).toBeGreaterThan(0);
    if (client > 30) break;
  }
  expect(taken).toBeLessThan(most);
});
