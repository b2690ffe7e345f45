import { expect, test } from "vitest";
import { EdgeTally, type EdgeReport } from "../../src/core/edge-report.ts";

const count = (tally: EdgeTally): void => {
  tally.bypassed();
  tally.arrived();
  tally.arrived();
  tally.answered(20);
  tally.answered(null);
  tally.failed();
};

test("[BYPASS-13] what was counted is told once, and kept where telling fails", async () => {
  const tally = new EdgeTally(() => 0);
  count(tally);
  const failing = (): Promise<never> => {
    count(tally);
    return Promise.reject(new Error("gone"));
  };
  await expect(tally.toldBy(failing)).rejects.toThrow("gone");
  const told: (EdgeReport | null)[] = [];
  const tell = (report: EdgeReport | null) => Promise.resolve(told.push(report));
  await tally.toldBy(tell);
  await tally.toldBy(tell);
  expect(told).toMatchObject([
    { bypassed: 2, arrivals: 4, origin: { answers: 4, errors: 2 } },
    null,
  ]);
  expect(told[0]?.origin?.latencyMs.map(([, times]) => times)).toEqual([2]);
});

test("[BYPASS-13] reports of several isolates add up", () => {
  const lobby = new EdgeTally(() => 0);
  for (const isolate of [new EdgeTally(() => 0), new EdgeTally(() => 0)]) {
    count(isolate);
    const report = isolate.take();
    if (report !== null) lobby.add(report);
  }
  expect(lobby.take()).toMatchObject({ bypassed: 2, arrivals: 4, origin: { answers: 4 } });
  lobby.add({ bypassed: 0, arrivals: 1, origin: null });
  expect(lobby.take()).toEqual({ bypassed: 0, arrivals: 1, origin: null });
});
