import { describe, expect, test } from "vitest";
import { readFlags } from "../../../cli/launch/flags.ts";
import { readSale, simulateSpecs, type Known } from "../../../cli/simulate/options.ts";
import { chartLines, insteadLines, spanText } from "../../../cli/simulate/view.ts";
import { liveThrough } from "../../../src/core/simulation/lived-sale.ts";
import { LIMITS } from "../../support/limits.ts";

const read = (argv: readonly string[], known: Known = {}) =>
  readSale(readFlags(argv, simulateSpecs), known, LIMITS);

describe("what the command is asked", () => {
  test("[SIMULATE-8] every mistake is told at once, with what to write instead", () => {
    const wrong = [
      "--visitors",
      "0",
      "--permits=many",
      "--visit=3",
      "--leave=120%",
      "--shape=round",
    ];
    expect(() => read([...wrong, "--arrive=2y", "--session=10ms"])).toThrow(/--permits "many"/);
    try {
      read([...wrong, "--arrive=2y", "--session=10ms"]);
    } catch (error) {
      const { details, exitCode } = error as { details: readonly string[]; exitCode: number };
      expect(exitCode).toBe(2);
      expect(details).toHaveLength(7);
      expect(details.join("\n")).toContain('--visit "3": a time such as 3m, or two such as 1m..5m');
      expect(details.join("\n")).toContain('--shape "round": even or burst');
    }
  });

  test.each([
    ["--visit=5m..1m"],
    ["--visit=1m..2m..3m"],
    ["--visit=10ms"],
    ["--visitors=10000001"],
    ["--visitors=1e6"],
    ["--visitors=-1"],
    ["--leave=-10%"],
    ["--miss=1.5"],
    ["--seed=x"],
  ])("[SIMULATE-8] %s is refused", (flag) => {
    expect(() => read([flag])).toThrow(flag.slice(0, flag.indexOf("=")));
  });

  test("[SIMULATE-8] a room's own limits hold where no flag says otherwise", () => {
    const known: Known = {
      limits: { ...LIMITS, permitsMax: 7, startsPerSecondMax: 3, paused: true },
      visitors: 70,
      arrivals: [1, 2],
      arriveMs: 120_000,
    };
    const { sale } = read(["--permits", "9", "--leave", "0.25"], known);
    expect(sale).toMatchObject({
      visitors: 70,
      arrivals: [1, 2],
      arriveMs: 120_000,
      leaveShare: 0.25,
    });
    expect(sale.limits).toMatchObject({ permitsMax: 9, startsPerSecondMax: 3, paused: false });
    expect(read([]).sale.limits).toMatchObject({ permitsMax: 500, startsPerSecondMax: null });
    expect(read(["--visitors", "1_000_000"]).sale.visitors).toBe(1_000_000);
    expect(read(["--visit", "90s"]).sale.visit).toEqual({ kind: "around", meanMs: 90_000 });
  });

  test("[SIMULATE-5] in a burst half come in the first tenth", () => {
    const { arrivals } = read(["--shape", "burst"]).sale;
    expect((arrivals[0] ?? 0) / arrivals.reduce((sum, part) => sum + part, 0)).toBe(0.5);
  });
});

describe("what the command says", () => {
  const { sale } = read([
    "--visitors",
    "300",
    "--permits",
    "10",
    "--visit",
    "10s",
    "--arrive",
    "1m",
  ]);
  const outcome = liveThrough(sale);

  test("[SIMULATE-8] a chart fits eighty columns, also in plain characters", () => {
    for (const isPlain of [false, true]) {
      const lines = chartLines(outcome.course, "waiting", isPlain);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(/^[\x20-\x7e]*$/.test(lines.join(""))).toBe(isPlain);
      expect(lines.join("\n")).toMatch(isPlain ? /##/ : /█/);
    }
    expect(chartLines([], "visiting", true)).toHaveLength(10);
  });

  test("[SIMULATE-8] other settings stand in a table of eighty columns", () => {
    const lines = insteadLines([{ name: "twice the starts a minute", outcome }], 10);
    expect(lines[0]).toContain("1/10 of the visitors");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each([
    [40, "0 s"],
    [2_500, "2.5 s"],
    [59_400, "59 s"],
    [250_000, "4 min 10 s"],
    [11_100_000, "3 h 05 min"],
    [93_600_000, "1 d 02 h"],
    [null, "not in two weeks"],
  ])("[SIMULATE-8] %s ms is %s", (ms, said) => expect(spanText(ms)).toBe(said));
});
