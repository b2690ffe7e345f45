import { expect, test } from "vitest";
import { OperatorLog } from "../../../src/worker/isolate/operator-log.ts";
import type { LogLine } from "../../../src/worker/platform/log.ts";

/** A log on a clock of the test's own, with the timers that were set. */
const bench = () => {
  const lines: LogLine[] = [];
  const timers: (() => void)[] = [];
  const works: Promise<unknown>[] = [];
  const clock = { now: Date.UTC(2026, 10, 20, 9, 55, 34) };
  const log = new OperatorLog({
    log: (line) => lines.push(line),
    now: () => clock.now,
    timer: (_ms, run) => {
      timers.push(run);
      return () => undefined;
    },
  });
  const waitUntil = (work: Promise<unknown>) => void works.push(work);
  const arrival = { address: "203.0.113.7", reference: "ABCD2345", waitUntil };
  const tell = (times: number) => {
    for (let n = 0; n < times; n += 1) log.tell(arrival, { action: "room-changed", room: "shop" });
  };
  return { lines, timers, works, clock, tell };
};

test("[OPLOG-1] a line says who did what to which room, from where, when, and under which reference", () => {
  const { lines, tell } = bench();
  tell(1);
  expect(lines).toEqual([
    {
      level: "info",
      event: "operator-change",
      reference: "ABCD2345",
      at: "2026-11-20T09:55:34.000Z",
      by: "ADMIN_TOKEN",
      network: "203.0.113.7",
      action: "room-changed",
      room: "shop",
    },
  ]);
});

test("[OPLOG-4] forty a second are written; the next line has the number of those left out", () => {
  const { lines, clock, tell } = bench();
  tell(40);
  expect(lines).toHaveLength(40);
  tell(3);
  expect(lines).toHaveLength(40);
  clock.now += 1_000;
  tell(1);
  expect(lines.at(-1)).toMatchObject({ event: "operator-change", unsaid: 3 });
});

test("[OPLOG-4] when nothing follows, a line of its own has the number, once", async () => {
  const { lines, timers, works, tell } = bench();
  tell(45);
  expect([timers.length, works.length]).toEqual([1, 1]);
  timers[0]?.();
  await works[0];
  expect(lines.at(-1)).toEqual({ level: "info", event: "operator-changes-unsaid", unsaid: 5 });
});

test("[OPLOG-4] nothing is counted twice, and a later burst is counted anew", () => {
  const { lines, timers, clock, tell } = bench();
  tell(41);
  clock.now += 1_000;
  tell(1);
  timers[0]?.();
  expect(lines).toHaveLength(41);
  clock.now += 1_000;
  tell(42);
  expect(timers).toHaveLength(2);
  timers[1]?.();
  expect(lines.at(-1)).toMatchObject({ event: "operator-changes-unsaid", unsaid: 2 });
});

test("[OPLOG-4] who is left out after the count, by a clock that lags behind the timer, is counted by another", () => {
  const { lines, timers, clock, tell } = bench();
  tell(45);
  clock.now += 999;
  timers[0]?.();
  tell(2);
  expect(timers).toHaveLength(2);
  timers[1]?.();
  const counts = lines.slice(40);
  expect(counts.map(({ event, unsaid }) => [event, unsaid])).toEqual([
    ["operator-changes-unsaid", 5],
    ["operator-changes-unsaid", 2],
  ]);
});
