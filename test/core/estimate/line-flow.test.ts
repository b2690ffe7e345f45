import { expect, test } from "vitest";
import { LineFlow } from "../../../src/core/estimate/line-flow.ts";
import { instant } from "../../../src/core/time.ts";

const at = (seconds: number) => instant(1_800_000_000_000 + seconds * 1_000);

test("[ETA-8] where one in five does not come an entry takes 1.25 calls, and their claim times", () => {
  const flow = new LineFlow();
  for (let i = 0; i < 1_000; i += 1) flow.answered(i % 5 === 0 ? 30_000 : 1_000, i % 5 !== 0);
  expect(flow.callsPerEntry).toBeCloseTo(1.25, 1);
  expect(flow.claimMs / 1_000).toBeCloseTo(8.5, 0);
});

test("[ETA-8] who leaves is told from who is called", () => {
  const flow = new LineFlow();
  let waiting = 1_000;
  flow.observe(waiting, true, at(0));
  for (let second = 1; second <= 600; second += 1) {
    for (let i = 0; i < 3; i += 1) flow.joined();
    for (let i = 0; i < 2; i += 1) flow.called();
    // One in a thousand leaves each second: as many as the line gains.
    flow.observe((waiting += 3 - 2 - 1), true, at(second));
  }
  expect(flow.leavingPerMs * 1_000).toBeCloseTo(0.001, 4);
});

test("[ETA-8] while nobody knows who is there, nobody has left", () => {
  const flow = new LineFlow();
  flow.observe(1_000, true, at(0));
  flow.observe(0, false, at(10));
  flow.observe(0, true, at(20));
  flow.observe(0, true, at(30));
  expect(flow.leavingPerMs).toBe(0);
});

test("[ETA-8] those who come back do not make the line grow by itself", () => {
  const flow = new LineFlow();
  flow.observe(100, true, at(0));
  flow.observe(200, true, at(60));
  expect(flow.leavingPerMs).toBe(0);
});

test("[ETA-5] what is written is what is known", () => {
  const flow = new LineFlow();
  for (let i = 0; i < 50; i += 1) flow.answered(2_000, i % 2 === 0);
  flow.observe(100, true, at(0));
  flow.observe(40, true, at(60));
  const next = LineFlow.restore(JSON.parse(JSON.stringify(flow)) as ReturnType<LineFlow["toJSON"]>);
  expect(next.callsPerEntry).toBeCloseTo(flow.callsPerEntry, 3);
  expect(next.claimMs).toBeCloseTo(flow.claimMs, -1);
  expect(next.leavingPerMs).toBeCloseTo(flow.leavingPerMs, 9);
});
