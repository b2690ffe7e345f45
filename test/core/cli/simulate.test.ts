import { describe, expect, test } from "vitest";
import { readFlags } from "../../../cli/launch/flags.ts";
import { readSale, simulateSpecs, type Known } from "../../../cli/simulate/options.ts";
import {
  billLines,
  chartLines,
  columnsOf,
  figureLines,
  hintLines,
  insteadLines,
  reallyLines,
} from "../../../cli/simulate/view.ts";
import { spanText } from "../../../cli/simulate/words.ts";
import { liveThrough } from "../../../src/core/simulation/lived-sale.ts";
import { MEASURED } from "../../../src/core/simulation/measured.ts";
import { billOf } from "../../../src/core/simulation/price.ts";
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
    ["--visitors=1,5"],
    ["--prequeue=1m"],
    ["--early=30%"],
    ["--order=draw"],
    ["--order=lifo"],
    ["--force"],
    ["--room=shop"],
    ["--event=drop"],
    ["--until=1d"],
    ["--patience=5m"],
  ])("[SIMULATE-8] %s is refused", (flag) => {
    expect(() => read([flag])).toThrow(flag.split("=")[0] ?? "");
  });

  test("[SIMULATE-8] a room's own limits hold where no flag says otherwise", () => {
    const known: Known = {
      limits: { ...LIMITS, permitsMax: 7, startsPerSecondMax: 3, paused: true },
      visitors: 70,
      arrivals: [
        { lengthMs: 60_000, weight: 1 },
        { lengthMs: 60_000, weight: 2 },
      ],
    };
    const { sale } = read(["--permits", "9", "--leave", "0.25"], known);
    expect(sale).toMatchObject({
      visitors: 70,
      arrivals: known.arrivals,
      leaveShare: 0.25,
    });
    expect(sale.limits).toMatchObject({ permitsMax: 9, startsPerSecondMax: 3, paused: false });
    expect(read([]).sale.limits).toMatchObject({ permitsMax: 500, startsPerSecondMax: null });
    expect(read(["--visitors", "1_000_000"]).sale.visitors).toBe(1_000_000);
    expect(read(["--visit", "90s"]).sale.visit).toEqual({ kind: "around", meanMs: 90_000 });
  });

  test.each([
    [["--from=a", "--from-history=2d", "--room=shop"], "--from and --from-history: one of them"],
    [["--arrivals=a", "--shape=burst"], "--arrivals and --shape: one of them"],
    [["--arrivals=a", "--early=10%", "--prequeue=5m"], "--arrivals and --early: one of them"],
    [["--from=a", "--event=b", "--no-event"], "--event and --no-event: one of them"],
  ])("[SIMULATE-8] %j contradict each other", (flags, said) => {
    expect(() => readSale(readFlags(flags, simulateSpecs), null, LIMITS)).toThrow(said);
  });

  test("[SIMULATE-9] of a crowd before the opening half come early, or as many as said", () => {
    const { sale } = read([
      "--prequeue",
      "30m",
      "--early",
      "80%",
      "--arrive",
      "5m",
      "--order=draw",
    ]);
    expect(sale.opening).toEqual({ prequeueMs: 1_800_000, isDrawn: true, ends: null });
    expect(sale.arrivals.map(({ lengthMs }) => lengthMs)).toEqual([1_800_000, 300_000]);
    const [early, late] = sale.arrivals.map(({ weight }) => weight);
    expect([early, late]).toEqual([0.8, expect.closeTo(0.2)]);
    expect(read(["--prequeue", "30m"]).sale.arrivals[0]?.weight).toBe(0.5);
    expect(read(["--order", "random"]).sale.limits.order).toBe("random");
  });

  test("[SIMULATE-9] witnesses take as long as is said to enter a draw's value, and draw nothing without one", () => {
    const drawn = ["--prequeue=10m", "--order=draw"];
    expect(read([...drawn, "--draw-after=2m"]).sale.opening?.valueAfterMs).toBe(120_000);
    expect(read(drawn).sale.opening).not.toHaveProperty("valueAfterMs");
    expect(() => read(["--prequeue=10m", "--draw-after=2m"])).toThrow("needs a draw");
    expect(() => read([...drawn, "--draw-after=11m"])).toThrow("at most 10m");
    const known: Known = { opening: { prequeueMs: 600_000, isDrawn: true, ends: null } };
    expect(read(["--draw-after=2m"], known).sale.opening?.valueAfterMs).toBe(120_000);
    const undrawn: Known = { opening: { prequeueMs: 600_000, isDrawn: false, ends: null } };
    expect(() => read(["--draw-after=2m"], undrawn)).toThrow("needs a draw");
  });

  test("[SIMULATE-9] an event's prequeue and draw hold where no flag says otherwise, its limits also after it", () => {
    const ends = { afterMs: 3_600_000, limits: { ...LIMITS, permitsMax: 7 } };
    const limits = { ...LIMITS, permitsMax: 70 };
    const known: Known = { limits, opening: { prequeueMs: 600_000, isDrawn: true, ends } };
    expect(read([], known).sale.opening).toMatchObject({ prequeueMs: 600_000, isDrawn: true });
    expect(read([], known).sale.opening?.ends?.limits.permitsMax).toBe(7);
    const { sale } = read(["--permits=9", "--order=fifo", "--prequeue=20m"], known);
    expect(sale.opening).toMatchObject({ prequeueMs: 1_200_000, isDrawn: false });
    expect([sale.limits.permitsMax, sale.opening?.ends?.limits.permitsMax]).toEqual([9, 9]);
  });

  test("[SIMULATE-8] --arrive gives known arrivals another length, --shape another shape", () => {
    const arrivals = [
      { lengthMs: 60_000, weight: 3 },
      { lengthMs: 120_000, weight: 1 },
    ];
    const longer = read(["--arrive", "6m"], { arrivals, visitors: 4 }).sale;
    expect(longer.arrivals.map(({ lengthMs }) => lengthMs)).toEqual([120_000, 240_000]);
    expect(read(["--shape", "even"], { arrivals }).sale.arrivals).toEqual([
      { lengthMs: 180_000, weight: 1 },
    ]);
  });

  test("[SIMULATE-5] in a burst half come in the first tenth", () => {
    const { arrivals } = read(["--shape", "burst"]).sale;
    expect(arrivals[0]?.lengthMs).toBe(60_000);
    expect(arrivals[0]?.weight).toBe(0.5);
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
      const lines = chartLines(outcome.course, "waiting", { isPlain, columns: 80 });
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(/^[\x20-\x7e]*$/.test(lines.join(""))).toBe(isPlain);
      expect(lines.join("\n")).toMatch(isPlain ? /##/ : /█/);
    }
    expect(chartLines([], "visiting", { isPlain: true, columns: 80 })).toEqual([
      "inside: nobody, at any time",
    ]);
  });

  test("[SIMULATE-10] the bill says for which crowd it was measured", () => {
    const [line = ""] = billLines(billOf(outcome, sale.limits, 10), 1_000);
    const { visitors } = MEASURED.crowd;
    expect(line).toContain(`as with ${visitors.toLocaleString("en")} who came at once`);
  });

  test.each([40, 60, 72])(
    "[SIMULATE-8] nothing is wider than a terminal of %i columns",
    (columns) => {
      const lines = [
        ...chartLines(outcome.course, "visiting", { isPlain: false, columns }),
        ...figureLines(sale, outcome, columns),
        ...billLines(billOf(outcome, sale.limits, 10), columns),
        ...insteadLines([{ name: "twice the starts a minute", outcome }], 10, columns),
        ...reallyLines(
          { longestWaitMs: 3_000_000, waitingMost: 9_000, visitingMost: 500, course: [] },
          columns,
        ),
      ];
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(lines.join("\n")).toMatch(/line empty after/);
    },
  );

  test("[SIMULATE-13] what really was stands in the chart, also after the simulated end", () => {
    const course = [0, 1, 2].map((at) => ({
      ...{ atMs: at * 60_000, waiting: 100, visiting: 0, entered: 0 },
    }));
    const real = [0, 1, 2, 3, 4].map((at) => ({ atMs: at * 60_000, waiting: 50, visiting: 0 }));
    const really = { longestWaitMs: 0, waitingMost: 50, visitingMost: 0, course: real };
    const look = { isPlain: true, columns: 80 };
    const [title, ...lines] = chartLines(course, "waiting", look, really);
    expect(title).toBe("in line (o as it really was)");
    const spots = lines.flatMap((line, row) => (line.includes("o") ? [row] : []));
    expect(spots).toEqual([3]);
    expect(lines.at(-1)).toMatch(/0 +4 min$/);
    expect(chartLines(course, "waiting", look).join("")).not.toContain("o as");
  });

  test.each([
    [undefined, 80],
    [0, 80],
    [200, 80],
    [64, 64],
    [3, 32],
  ])("[SIMULATE-8] of a terminal of %s columns %i are used", (told, used) =>
    expect(columnsOf(told)).toBe(used),
  );

  test("[SIMULATE-8] a line that does not end, and an event that ends before it, are told with what to do", () => {
    const ends = { afterMs: 60_000, limits: sale.limits };
    const opened = { ...sale, opening: { prequeueMs: 300_000, isDrawn: false, ends } };
    const endless = { ...outcome, lineEndsMs: null, overMs: null };
    const hints = hintLines(opened, endless, null, 80);
    const said = [...figureLines(opened, endless, 80), ...hints].join("\n");
    expect(said).toContain("the sale opens after        5 min");
    expect(said).toContain("the line is empty after     not in two weeks");
    expect(said).toContain("more permits, shorter visits, or fewer visitors");
    expect(said).toContain("The event ends after 6 min, before the line does");
    expect(hintLines(sale, outcome, null, 80)).toEqual([]);
    const full = { ...outcome, refused: { "line-full": 7 } };
    expect(hintLines(sale, full, null, 80).join("\n")).toContain("The line takes 5,000,000");
  });

  test("[SIMULATE-13] where more waited in fact it is told what that may come of", () => {
    const really = { longestWaitMs: 1, waitingMost: 9_000, visitingMost: 500, course: [] };
    expect(hintLines(sale, outcome, really, 80).join("\n")).toContain("More waited in fact");
    const { waitingMost } = outcome;
    expect(hintLines(sale, outcome, { ...really, waitingMost }, 80)).toEqual([]);
  });

  test("[SIMULATE-8] where nobody waits no wait is told", () => {
    const { sale: small } = read(["--visitors", "5", "--permits", "10"]);
    const lived = liveThrough(small);
    const hints = hintLines(small, lived, null, 80);
    const said = [...figureLines(small, lived, 80), ...hints].join("\n");
    expect(said).toContain("nobody waits");
    expect(said).toContain("a line needs fewer --permits");
    expect(said).not.toContain("the line is empty");
  });

  test("[SIMULATE-8] other settings stand in a table of eighty columns", () => {
    const lines = insteadLines([{ name: "twice the starts a minute", outcome }], 10, 80);
    expect(lines[0]).toContain("1/10 of the visitors");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each([
    [40, "0 s"],
    [2_500, "2.5 s"],
    [9_960, "10 s"],
    [59_400, "59 s"],
    [59_600, "1 min"],
    [119_600, "2 min"],
    [250_000, "4 min 10 s"],
    [3_599_600, "1 h"],
    [11_100_000, "3 h 5 min"],
    [86_380_000, "1 d"],
    [93_600_000, "1 d 2 h"],
  ])("[SIMULATE-8] %s ms is %s", (ms, said) => expect(spanText(ms)).toBe(said));
});
