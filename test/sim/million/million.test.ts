import { expect, test } from "vitest";
import { beyondPlatform, costSheetOf, costSheetText } from "./cost-sheet.ts";
import { FAULTS_OF_SHELLS } from "./faults.ts";
import { MillionWorld } from "./million-world.ts";
import { saleOf } from "./sale.ts";

// A million of them: npm run test:long -- million
const VISITORS = 50_000;

test(`[SIM-4] [SIM-5] [SIM-6] ${VISITORS} visitors live through a sale, and every promise holds`, async () => {
  const world = await MillionWorld.of(saleOf(VISITORS));
  await world.run();
  const sheet = costSheetOf(world);
  console.log(costSheetText(sheet));
  expect(beyondPlatform(sheet)).toEqual([]);
  expect(world.line.counts.roomLives).toBe(2);
  expect(sheet.entered).toBeGreaterThan(0.4 * VISITORS);
  expect(sheet.left).toBeGreaterThan(0.35 * VISITORS);
  // Whose page was there all the time is called in turn, unless a call to it was lost; while the Room
  // settles a moment may go by. A page that its lobby dropped is back before its turn; the foremost
  // are 2 s later at most, with their permits kept, or some more where a message was lost.
  const { none, "cut-off": cutOff } = world.lateness.of;
  expect(none.veryLate).toBeLessThanOrEqual(none.visitors / 2_000);
  expect(cutOff.mostMs).toBeLessThanOrEqual(5_000);
  expect(cutOff.veryLate).toBeLessThanOrEqual(cutOff.visitors / 25);
});

test("[SIM-6] [LOBBY-16] the pages of a lobby that dies alone, with thousands, do not overrun it", async () => {
  const sale = {
    ...saleOf(5_000),
    lobbies: 1,
    joinsPerSecond: 250,
    leavers: 0,
    startsPerSecond: 40,
  };
  const world = await MillionWorld.of({ ...sale, lobbiesDieAt: 21_000, roomDiesAt: 100_000 });
  await world.run();
  expect(beyondPlatform(costSheetOf(world))).toEqual([]);
  const { "cut-off": cutOff } = world.lateness.of;
  expect(cutOff.visitors).toBeGreaterThan(1_000);
  expect(cutOff.mostMs).toBeLessThanOrEqual(5_000);
  expect(cutOff.veryLate).toBeLessThanOrEqual(cutOff.visitors / 25);
});

test.each(FAULTS_OF_SHELLS)("[SIM-7] it is noticed when $name", async ({ patches, noticed }) => {
  const world = await MillionWorld.of({ ...saleOf(3_000), lobbies: 12, lost: 0.05 }, patches);
  await expect(world.run()).rejects.toThrow(noticed);
});
