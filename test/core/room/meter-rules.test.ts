import fc from "fast-check";
import { expect, test } from "vitest";
import type { Refusal } from "../../../src/core/room/commands.ts";
import { HISTORY_KEPT_MS, type HistoryCount } from "../../../src/core/room/history.ts";
import type { HistoryTotals } from "../../../src/core/room/totals.ts";
import { WAIT_BOUNDS_MS } from "../../../src/core/room/totals.ts";
import { instant } from "../../../src/core/time.ts";
import { JOIN, World } from "./world.ts";

const totalsOf = (w: World): HistoryTotals => w.run({ type: "meter" }).totals;

/** Counted, and not yet written by anything else. */
const inMemory = (w: World): void => w.state.history.count("bypassed", instant(w.now));

/** Each sum is at least what it was. */
const expectGrown = (before: HistoryTotals, after: HistoryTotals): void => {
  const { refusedBy = {}, waits = [], ...counts } = before;
  for (const [count, sum] of Object.entries(counts))
    expect(after[count as HistoryCount] ?? 0, count).toBeGreaterThanOrEqual(sum);
  for (const [reason, sum] of Object.entries(refusedBy))
    expect(after.refusedBy?.[reason as Refusal] ?? 0, reason).toBeGreaterThanOrEqual(sum);
  for (const [index, sum] of waits.entries())
    expect(after.waits?.[index] ?? 0, `waits ${index}`).toBeGreaterThanOrEqual(sum);
};

const acts = fc.array(
  fc.oneof(
    { arbitrary: fc.constant("join" as const), weight: 5 },
    { arbitrary: fc.constant("enter" as const), weight: 2 },
    { arbitrary: fc.constant("end" as const), weight: 3 },
    { arbitrary: fc.constant("crash" as const), weight: 2 },
    { arbitrary: fc.constant("pass by" as const), weight: 2 },
    { arbitrary: fc.constant("scrape" as const), weight: 4 },
    { arbitrary: fc.constantFrom(1, 999, 20_000, 61_000, 600_000), weight: 6 },
  ),
  { maxLength: 60 },
);

test("[METRIC-3] no sum that was told is ever lower later, wherever the room dies", () => {
  fc.assert(
    fc.property(acts, (all) => {
      const w = new World({ permitsMax: 2, lineMax: 4, claimWithinMs: 5_000, leaseMs: 60_000 });
      let told: HistoryTotals = {};
      for (const act of all) {
        if (act === "join") w.batch([JOIN]);
        else if (act === "enter") w.batch([{ op: "enter", transient: false }]);
        else if (act === "end") w.end(1 + (w.state.line.issued % 7));
        else if (act === "pass by") inMemory(w);
        else if (act === "crash") w.crash();
        else if (typeof act === "number") w.tick(act);
        else {
          const now = totalsOf(w);
          expectGrown(told, now);
          told = now;
        }
      }
      expectGrown(told, totalsOf(w));
    }),
  );
});

test("[METRIC-3] what was counted in memory alone is written before it is told, as one row", () => {
  const w = new World();
  const written = () => w.last?.changes.map((change) => ("put" in change ? change.put : "drop"));
  inMemory(w);
  expect(totalsOf(w)).toEqual({ bypassed: 1 });
  expect(written()).toEqual(["head"]);
  totalsOf(w);
  expect(written()).toEqual([]);
});

test("[METRIC-3] [METRIC-4] sums outlive a restart and the minutes that they are made of", () => {
  const w = new World({ permitsMax: 1 });
  w.batch([JOIN, JOIN, JOIN]);
  const before = totalsOf(w);
  expect(before).toMatchObject({ issued: 3, calls: 1 });
  w.tick(61_000);
  w.crash();
  expect(totalsOf(w)).toMatchObject({ issued: 3 });
  w.tick(HISTORY_KEPT_MS + 120_000);
  w.batch([JOIN]);
  w.tick(61_000);
  expect(w.store.history(instant(0), Infinity).every(({ issued }) => issued < 3)).toBe(true);
  expect(totalsOf(w)).toMatchObject({ issued: 4 });
});

test("[METRIC-4] the sums are those of all minutes", () => {
  const w = new World({ permitsMax: 1, claimWithinMs: 5_000 });
  for (let minute = 0; minute < 5; minute += 1) {
    w.batch([JOIN, JOIN]);
    w.tick(37_000);
  }
  const totals = totalsOf(w);
  const rows = [...w.store.history(instant(0), Infinity), w.state.history.current];
  for (const count of ["issued", "calls", "missed"] as const)
    expect(totals[count]).toBe(rows.reduce((sum, row) => sum + (row?.[count] ?? 0), 0));
});

test("[METRIC-4] a room of an older version, whose head has no sums, begins at those of its running minute", () => {
  const w = new World({ permitsMax: 1 });
  w.batch([JOIN, JOIN]);
  const { head } = w.store.load();
  if (head === null) throw new Error("it has a head");
  const { totals: _totals, ...old } = head;
  w.store.write([{ put: "head", head: old }]);
  w.crash();
  expect(totalsOf(w)).toMatchObject({ issued: 2 });
});

test("[METRIC-4] waits are summed by doublings, each where the minutes have it, and refusals by why", () => {
  const w = new World();
  const at = instant(w.now);
  const waits = [0, 1_023, 1_024, 2_047, 2_048, 60_000, 16_777_215, 16_777_216, 90_000_000];
  for (const ms of waits) w.state.history.waited(instant(w.now - ms), at);
  w.state.history.refused("busy", at);
  w.tick(61_000);
  w.state.history.refused("busy", instant(w.now));
  w.state.history.refused("line-full", instant(w.now));
  w.state.history.waited(instant(w.now - 3_000), instant(w.now));
  w.run({ type: "meter" });
  w.crash();
  const totals = totalsOf(w);
  expect(totals.refusedBy).toEqual({ busy: 2, "line-full": 1 });
  expect(totals.refused).toBe(3);
  const waited = (ms: number) => totals.waits?.[WAIT_BOUNDS_MS.findIndex((bound) => ms < bound)];
  expect([waited(0), waited(1_024), waited(2_048), waited(60_000)]).toEqual([2, 2, 2, 1]);
  expect([waited(16_777_215), totals.waits?.at(-1)]).toEqual([1, 2]);
  expect(totals.waitedMs).toBe(waits.reduce((sum, ms) => sum + ms, 3_000));
});
