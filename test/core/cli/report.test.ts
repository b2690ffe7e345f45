import { expect, test } from "vitest";
import { Tally } from "../../../cli/crowd/tally.ts";
import { Failure } from "../../../cli/launch/failure.ts";
import { jsonReport, logTeller, textReport, type LaunchEvent } from "../../../cli/launch/report.ts";

const HOSTILE = "before\u001b]0;title\u0007\u009b2J\r\nready http://192.0.2.1\u202e";

const printed = (use: (report: ReturnType<typeof textReport>) => void): string[] => {
  const lines: string[] = [];
  use(
    textReport(
      (line) => lines.push(line),
      (line) => lines.push(line),
    ),
  );
  return lines.flatMap((line) => line.split("\n"));
};

test("[RUN-19] nothing that the launcher passes on acts on the terminal, or looks like its own line", () => {
  const lines = printed((report) => {
    for (const event of ["step", "warning", "hint", "restarted", "stopping"] as const)
      report.tell({ event, message: HOSTILE });
    report.tell({ event: "log", level: "error", message: HOSTILE });
    report.fail(new Failure("x", HOSTILE, [HOSTILE]));
  });
  // oxlint-disable-next-line no-control-regex
  expect(lines.join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(lines.filter((line) => line.startsWith("ready"))).toEqual([]);
});

test("[RUN-19] nor as JSON, which stays what it was", () => {
  const lines: string[] = [];
  const report = jsonReport((line) => lines.push(line));
  report.tell({ event: "log", level: "error", message: HOSTILE });
  report.fail(new Failure("x", HOSTILE));
  // oxlint-disable-next-line no-control-regex
  expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([HOSTILE, HOSTILE]);
});

test("[RUN-19] a hundred lines of a log a second, cut and without queries", () => {
  const told: LaunchEvent[] = [];
  let now = 0;
  const tell = logTeller({ tell: (event) => told.push(event), fail: () => undefined }, () => now);
  for (let n = 0; n < 5_000; n += 1)
    tell({ level: "error", message: "GET /a?token=secret failed" });
  expect(told).toHaveLength(100);
  expect(told[0]).toEqual({ event: "log", level: "error", message: "GET /a?… failed" });
  now = 1_000;
  tell({ level: "error", message: "x".repeat(1_000_000) });
  expect(told[100]).toEqual({ event: "warning", message: "4900 lines of the log were left out" });
  expect((told[101] as { message: string }).message).toHaveLength(8_000);
});

test("[CROWD-9] errors are counted by kind: printable, short, and not without end", () => {
  const tally = new Tally(1);
  tally.error(HOSTILE.repeat(1_000));
  for (let n = 0; n < 1_000; n += 1) tally.error(`kind ${n}`);
  const kinds = Object.keys(tally.summary(0).errorKinds);
  expect(kinds.length).toBeLessThanOrEqual(51);
  // oxlint-disable-next-line no-control-regex
  expect(kinds.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(Math.max(...kinds.map((kind) => kind.length))).toBeLessThan(2_000);
});
