/** What a simulated sale came to, as an HTML report. How it looks is report-page.ts. */
import { MEASURED } from "../../src/core/simulation/measured.ts";
import { PRICE } from "../../src/core/simulation/price.ts";
import type { Bill } from "../../src/core/simulation/price.ts";
import { arriveMsOf } from "../../src/core/simulation/sale.ts";
import type { Lengths, Sale, SaleOutcome } from "../../src/core/simulation/sale.ts";
import { bothCourses } from "./beside.ts";
import type { ReallyWas } from "./came.ts";
import type { DrawnSeries, PlotMark, TimePlot } from "./plot.ts";
import { reportPageHtml } from "./report-page.ts";
import type { ReportFigure, ReportRow, ReportTable } from "./report-page.ts";
import { dollarsText, people, percentText, spanText } from "./words.ts";

/** The same sale under another setting, maybe with fewer visitors and as much fewer permits. */
export interface SaleInstead {
  readonly name: string;
  readonly outcome: SaleOutcome;
}

export interface SaleReport {
  readonly sale: Sale;
  readonly outcome: SaleOutcome;
  readonly bill: Bill;
  /** The first of them is the sale as it is. */
  readonly instead: readonly SaleInstead[];
  /** One visitor of those stands for so many. */
  readonly scale: number;
  /** The room's event that was lived through. */
  readonly event?: string;
  /** Where a room's history knows it. */
  readonly really?: ReallyWas;
  /** Of Seiriken. */
  readonly version: string;
}

export const saleReportHtml = (report: SaleReport): string => {
  const { sale, outcome, instead } = report;
  const { visitors, limits } = sale;
  return reportPageHtml({
    title: `${people(visitors)} visitors, ${people(limits.permitsMax)} permits`,
    about: [...eventText(report), ...aboutOf(sale, outcome.drawnMs), ...reallyText(report)],
    figures: figuresOf(report),
    plots: plotsOf(report),
    tables: [costTable(report.bill), ...(instead.length === 0 ? [] : [insteadTable(report)])],
    notes: notesOf(report),
  });
};

const eventText = ({ event, sale: { opening } }: SaleReport): string[] =>
  event === undefined
    ? []
    : [
        `The room's event ${event}${opening?.ends == null ? "" : `, which ends ${spanText(opening.ends.afterMs)} after its start`}.`,
      ];

const reallyText = ({ really }: SaleReport): string[] =>
  really === undefined
    ? []
    : [
        `As it really was: the longest wait ${spanText(really.longestWaitMs)}, most in line ${people(really.waitingMost)}, most inside ${people(really.visitingMost)}.`,
      ];

const aboutOf = (sale: Sale, drawnMs: number | null): string[] => {
  const { arrivals, visit, leaveShare, patienceMs, missShare } = sale;
  const { startsPerMinuteMax, startsPerSecondMax } = sale.limits;
  const starts = [
    // So many can't come: it is no limit.
    ...(startsPerMinuteMax < sale.visitors ? [`${people(startsPerMinuteMax)} a minute`] : []),
    ...(startsPerSecondMax === null ? [] : [`${people(startsPerSecondMax)} a second`]),
  ];
  const isUneven = arrivals.length > 1;
  return [
    `All come within ${spanText(arriveMsOf(sale))}${isUneven ? ", not evenly," : ""} and stay ${lengthsText(visit)}.` +
      (starts.length === 0 ? "" : ` At most ${starts.join(" and ")} go in.`),
    ...openingText(sale, drawnMs),
    leaveShare === 0
      ? "Nobody leaves the line."
      : `${percentText(leaveShare)} of those in line leave it within ${spanText(patienceMs)} if they are not called before.`,
    ...(missShare === 0 ? [] : [`${percentText(missShare)} of those who are called do not come.`]),
  ];
};

const openingText = ({ opening, limits }: Sale, drawnMs: number | null): string[] => {
  const turns = limits.order === "random" ? "Each turn is drawn among those who wait." : null;
  if (opening === null || opening.prequeueMs === 0) return turns === null ? [] : [turns];
  const { prequeueMs, isDrawn } = opening;
  const order = isDrawn
    ? `Those who came before get their order by a draw${drawnMs === null ? "." : `: when its public value is there, ${spanText(drawnMs - prequeueMs)} after the start.`}`
    : (turns ?? "They go in in the order in which they came.");
  return [`Nobody goes in before the sale opens after ${spanText(prequeueMs)}. ${order}`];
};

const lengthsText = (lengths: Lengths): string => {
  if (lengths.kind === "around") return `around ${spanText(lengths.meanMs)}`;
  const { leastMs, mostMs } = lengths;
  return leastMs === mostMs ? spanText(leastMs) : `${spanText(leastMs)} to ${spanText(mostMs)}`;
};

const figuresOf = ({ outcome, bill }: SaleReport): ReportFigure[] => {
  const { waits, waitsFromStart, entered, left, missed, refused, lineEndsMs, overMs } = outcome;
  const wait = (ms: number | undefined): string =>
    ms === undefined ? "nobody entered" : spanText(ms);
  const unserved = Object.values(refused).reduce((sum, count) => sum + count, 0);
  return [
    {
      name: "Half waited less than",
      value: wait(waits?.medianMs),
      isMain: true,
      ...(waitsFromStart === null
        ? {}
        : { note: `of the early ones, ${spanText(waitsFromStart.medianMs)} from the opening on` }),
    },
    {
      name: "The line ends after",
      value: endText(lineEndsMs),
      isMain: true,
      note: overMs === null ? "visits go on" : `the last visit after ${spanText(overMs)}`,
    },
    {
      name: "Cost at Cloudflare",
      value: dollarsText(bill.dollars),
      isMain: true,
      note: "at published rates",
    },
    { name: "90 % waited less than", value: wait(waits?.p90Ms) },
    { name: "99 % waited less than", value: wait(waits?.p99Ms) },
    { name: "The longest wait", value: wait(waits?.longestMs) },
    { name: "Waiting at most", value: people(outcome.waitingMost) },
    {
      name: "Inside at most",
      value: people(outcome.visitingMost),
      note: `${people(outcome.startsMost)} started in the busiest second`,
    },
    {
      name: "Came in",
      value: people(entered),
      note: [`${people(left)} left`, `${people(missed)} missed their call`]
        .concat(unserved === 0 ? [] : [`${people(unserved)} were refused`])
        .join(", "),
    },
  ];
};

/** When it opens, and when its event ends. */
const marksOf = ({ opening }: Sale, drawnMs: number | null): PlotMark[] => {
  if (opening === null) return [];
  const { prequeueMs, ends } = opening;
  return [
    // A draw is so soon after it that their words would lie on each other.
    { atMs: prequeueMs, label: drawnMs === null ? "opens" : "opens, drawn" },
    ...(ends === null ? [] : [{ atMs: prequeueMs + ends.afterMs, label: "event ends" }]),
  ];
};

const plotsOf = ({ sale, outcome, really }: SaleReport): TimePlot[] => {
  const { limits } = sale;
  const marks = marksOf(sale, outcome.drawnMs);
  const both = really === undefined ? null : bothCourses(outcome.course, really.course);
  const course = both?.simulated ?? outcome.course;
  const beside = (what: "waiting" | "visiting"): DrawnSeries[] =>
    both === null
      ? []
      : [
          {
            label: "as it really was",
            values: both.really.map((point) => point[what]),
            look: "second",
          },
        ];
  const inFact = (most: number | undefined): string =>
    most === undefined ? "" : ` In fact they were ${people(most)} at most.`;
  const { waitsByArrival, waitingMost, visitingMost, entered } = outcome;
  const atMs = course.map((point) => point.atMs);
  const fullest = course.find(
    ({ waiting }) => waiting === Math.max(...course.map((p) => p.waiting)),
  );
  const isShort = (outcome.waits?.longestMs ?? 0) < 5 * 60_000;
  const unit = isShort ? "Seconds" : "Minutes";
  const waits = waitsByArrival.map(({ meanMs }) => meanMs / (isShort ? 1_000 : 60_000));
  return [
    {
      id: "waiting",
      title: "Waiting",
      says:
        (waitingMost === 0
          ? "Nobody has to wait."
          : `The line is longest after ${roughly(fullest?.atMs ?? 0)}, with ${people(waitingMost)}; its end comes after ${endText(outcome.lineEndsMs)}.`) +
        inFact(really?.waitingMost),
      ...{ atMs, marks },
      series: [
        { label: "waiting", values: course.map((point) => point.waiting), look: "first" },
        ...beside("waiting"),
      ],
    },
    {
      id: "inside",
      title: "Inside",
      says: `At most ${people(visitingMost)} are inside, of ${people(limits.permitsMax)} permits.${inFact(really?.visitingMost)}`,
      ...{ atMs, marks },
      series: [
        { label: "inside", values: course.map((point) => point.visiting), look: "first" },
        ...beside("visiting"),
        { label: "permits", values: course.map(() => limits.permitsMax), look: "limit" },
      ],
    },
    {
      id: "entered",
      title: "Came in so far",
      says: `${people(entered)} come in.`,
      ...{ atMs, marks },
      series: [{ label: "came in", values: course.map((point) => point.entered), look: "first" }],
    },
    ...(waits.length < 2
      ? []
      : [
          {
            id: "waits",
            title: `${unit} of waiting, by when one came`,
            says: `Whoever comes first waits ${spanText(waitsByArrival[0]?.meanMs ?? 0)}, whoever comes last ${spanText(waitsByArrival.at(-1)?.meanMs ?? 0)}: means of those who came in.`,
            ...{ atMs: waitsByArrival.map((point) => point.atMs), marks },
            series: [{ label: unit.toLowerCase(), values: waits, look: "first" as const }],
          },
        ]),
  ];
};

/** Nobody asks for the second of a moment that is minutes away. */
const roughly = (ms: number): string =>
  spanText(ms < 10 * MINUTE ? ms : Math.round(ms / MINUTE) * MINUTE);
const MINUTE = 60_000;

const costTable = (bill: Bill): ReportTable => {
  const rows: readonly (readonly [string, number, number, string])[] = [
    ["requests of the Worker", bill.requests, PRICE.workerRequest, "a million"],
    ["requests of objects", bill.objectCalls, PRICE.objectRequest, "a million"],
    ["rows written", bill.rows, PRICE.row, "a million"],
    ["processor time, ms", bill.cpuMs, PRICE.cpuMs, "a million"],
    ["objects awake, hours", bill.awakeHours, PRICE.awakeHour, "each"],
  ];
  return {
    id: "cost",
    title: "What it costs at Cloudflare",
    says:
      `At published rates, before what a plan includes. What one visitor takes was counted by ${MEASURED.by} on ${MEASURED.on}; ` +
      "how many they are, and how long objects are awake, comes of the simulation. " +
      `There ${people(MEASURED.crowd.visitors)} came at once before ${MEASURED.crowd.permits} permits, and shared what is written; ` +
      "where people come one by one each of them takes several rows, some cents for each hour of the sale.",
    columns: ["what", "how many", "dollars", "rate"],
    rows: rows.map(([what, count, price, by]) => ({
      cells: [what, people(count), centsText(count * price), rateText(price, by)],
    })),
    sum: ["together", "", centsText(bill.dollars), ""],
  };
};

/** As they add up. */
const centsText = (dollars: number): string => `$${dollars.toFixed(2)}`;

const rateText = (price: number, by: string): string =>
  by === "each" ? `$${price.toFixed(4)} each` : `$${(price * 1e6).toFixed(2)} ${by}`;

const insteadTable = ({ instead, scale }: SaleReport): ReportTable => ({
  id: "instead",
  title: "What other settings would give",
  says:
    scale === 1
      ? "Each was simulated like the sale itself."
      : `Each was simulated with a ${ordinal(scale)} of the visitors, permits and starts, so that waits and ends are nearly the same, and numbers of visitors are told ${people(scale)} times as large.`,
  columns: [
    "setting",
    "half wait less than",
    "line ends after",
    "90 %",
    "99 %",
    "waiting at most",
    "came in",
  ],
  rows: instead.map(({ name, outcome }, at): ReportRow => {
    const { waits, lineEndsMs, waitingMost, entered } = outcome;
    const wait = (ms: number | undefined): string => (ms === undefined ? "-" : spanText(ms));
    return {
      cells: [
        name,
        wait(waits?.medianMs),
        endText(lineEndsMs),
        wait(waits?.p90Ms),
        wait(waits?.p99Ms),
        people(waitingMost * scale),
        people(entered * scale),
      ],
      isGiven: at === 0,
      ...(lineEndsMs === null || latestMs(instead) === 0
        ? {}
        : { bar: { column: LINE_ENDS, share: lineEndsMs / latestMs(instead) } }),
    };
  }),
});

/** The column in which it stands. */
const LINE_ENDS = 2;

const latestMs = (instead: readonly SaleInstead[]): number =>
  instead.reduce((latest, { outcome }) => Math.max(latest, outcome.lineEndsMs ?? 0), 0);

const notesOf = ({ sale, outcome, version }: SaleReport): string[] => [
  `Lived through in virtual time by the steps that run a room, in parts of ${spanText(outcome.grainMs)}: nothing is told more finely. ` +
    "Networks, restarts and what the site itself bears are not in it.",
  `Seiriken ${version}, seed ${sale.seed}: the same settings and seed give the same report.`,
];

const ordinal = (scale: number): string => (scale === 2 ? "half" : `${scale}th`);
const endText = (ms: number | null): string =>
  ms === null ? "not in the time simulated" : spanText(ms);
