import { describe, expect, test } from "vitest";
import { bar, lineDisplay, summaryLines } from "../../cli/crowd/display.ts";
import { crowdSpecs, readPlan, VISITORS_MAX } from "../../cli/crowd/plan.ts";
import { countOvertaken, percentile, Tally } from "../../cli/crowd/tally.ts";
import type { VisitorTimes } from "../../cli/crowd/tally.ts";
import { readFlags } from "../../cli/launch/flags.ts";

const plan = (...argv: string[]) => readPlan(readFlags(argv, crowdSpecs));

describe("the plan of a crowd", () => {
  test("defaults are those of the help text", () => {
    expect(plan()).toEqual({
      server: "http://127.0.0.1:8787",
      room: "shop",
      path: "/tickets",
      visitors: 200,
      arriveMs: 10_000,
      stayMinMs: 2_000,
      stayMaxMs: 5_000,
      leaveShare: 0.1,
      sockets: true,
      timeoutMs: 120_000,
    });
  });

  test("spans, ranges and shares are read with their units", () => {
    const read = plan("--arrive", "500ms", "--stay", "1.5s..1m", "--leave=25", "--timeout", "1h");
    expect(read).toMatchObject({ arriveMs: 500, stayMinMs: 1_500, stayMaxMs: 60_000 });
    expect(read).toMatchObject({ leaveShare: 0.25, timeoutMs: 3_600_000 });
    expect(plan("--stay", "3s")).toMatchObject({ stayMinMs: 3_000, stayMaxMs: 3_000 });
  });

  test.each(["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "http://127.9.9.9:1"])(
    "[CROWD-1] %s is this machine",
    (server) => {
      expect(plan("--server", server).server).toBe(server);
    },
  );

  test.each([
    "http://example.com",
    "http://127.0.0.1.example.com",
    "http://10.0.0.1",
    "http://0:80",
  ])("[CROWD-1] %s is refused", (server) => {
    // "0" is 0.0.0.0 once it is parsed, which is no loopback address
    expect(() => plan("--server", server)).toThrow(/stays on this machine/);
  });

  test.each([
    ["--visitors", String(VISITORS_MAX + 1)],
    ["--visitors", "0"],
    ["--visitors", "1e3"],
    ["--timeout", "61m"],
    ["--arrive", "31m"],
    ["--stay", "11m"],
    ["--stay", "5s..2s"],
    ["--stay", "1s..2s..3s"],
    ["--leave", "101%"],
    ["--sockets", "maybe"],
    ["--path", "tickets"],
    ["--room", "a/b"],
  ])("[CROWD-2] %s %s is refused", (flag, value) => {
    expect(() => plan(flag, value)).toThrow(flag);
  });
});

describe("what the crowd counts", () => {
  const turn = (
    number: number,
    ticketAtMs: number,
    calledAtMs: number,
    wasAway = false,
  ): VisitorTimes => ({
    number,
    ticketAtMs,
    calledAtMs,
    enteredAtMs: calledAtMs + 100,
    wasAway,
  });

  test.each([
    [[], 0.5, null],
    [[7], 0.5, 7],
    [[3, 1, 2], 0.5, 2],
    [[3, 1, 2], 1, 3],
    [Array.from({ length: 100 }, (_, index) => index + 1), 0.95, 95],
  ])("the percentile of %j at %d is %s", (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });

  test.each([
    ["called within the slack", [turn(1, 0, 2_500), turn(2, 0, 1_000)], 0],
    ["called just past the slack", [turn(1, 0, 2_501), turn(2, 0, 1_000)], 1],
    ["called in order", [turn(1, 0, 1_000), turn(2, 0, 9_000)], 0],
    ["had no ticket yet", [turn(1, 1_001, 9_000), turn(2, 0, 1_000)], 0],
    ["had been away", [turn(1, 0, 9_000, true), turn(2, 0, 1_000)], 0],
  ])("[CROWD-5] %s", (_, turns, overtaken) => {
    expect(countOvertaken(turns, 1_500)).toBe(overtaken);
  });

  test("[CROWD-4] the summary names ends, waits, the most inside and errors by kind", () => {
    const tally = new Tally(3);
    for (const stage of ["arriving", "waiting", "inside"] as const)
      tally.move(
        stage === "arriving" ? "away" : stage === "waiting" ? "arriving" : "waiting",
        stage,
      );
    tally.turn(turn(1, 0, 900));
    tally.move("inside", "done");
    tally.move("away", "left");
    tally.move("away", "failed");
    tally.error("GET /tickets: ECONNRESET");
    const summary = tally.summary(4_000);
    expect(summary).toMatchObject({ insideMax: 1, errors: 1, turns: 1, waitMs: { p50: 1_000 } });
    const lines = summaryLines(summary, "through").join("\n");
    expect(lines).toContain("1 done, 1 gave up, 1 failed");
    expect(lines).toContain("half under 1.0 s");
    expect(lines).toContain("1 × GET /tickets: ECONNRESET");
  });

  test("the bar is always as wide, whatever is in it", () => {
    const tally = new Tally(7);
    expect(bar(tally.counts())).toHaveLength(48);
    tally.move("away", "waiting");
    tally.move("away", "done");
    expect(bar(tally.counts())).toHaveLength(48);
  });

  test("[CROWD-8] without a terminal progress is one line", () => {
    const lines: string[] = [];
    lineDisplay((line) => lines.push(line)).show(new Tally(5).counts(), 1_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/to come 5 .*errors 0/);
  });
});
