/** How a running crowd looks on a terminal or in a log. The counts are tally.ts. */
import type { CrowdPlan } from "./plan.ts";
import type { CrowdCounts, Stage, Summary } from "./tally.ts";

/** Everyone got to an end of their own, or all were sent home. */
export type CrowdOutcome = "through" | "time is up" | "stopped";

export interface Display {
  readonly everyMs: number;
  show(counts: CrowdCounts, tookMs: number): void;
  summary(summary: Summary, ending: CrowdOutcome): void;
}

const BAR_WIDTH = 48;
/** Drawn from left to right: what is behind us, then what is to come. */
const BAR: readonly (readonly [Stage, string])[] = [
  ["done", "█"],
  ["left", "▄"],
  ["failed", "×"],
  ["inside", "▓"],
  ["waiting", "▒"],
  ["arriving", "░"],
  ["away", "·"],
];

export const jsonDisplay = (write: (line: string) => void): Display => ({
  everyMs: 1_000,
  show: (counts, tookMs) => write(JSON.stringify({ event: "progress", tookMs, ...counts })),
  summary: (summary, ending) => write(JSON.stringify({ event: "summary", ending, ...summary })),
});

/** One line a second, for logs. */
export const lineDisplay = (write: (line: string) => void): Display => ({
  everyMs: 1_000,
  show: (counts, tookMs) => write(`${seconds(tookMs).padStart(8)}  ${countsLine(counts)}`),
  summary: (summary, ending) => summaryLines(summary, ending).forEach(write),
});

/** A few lines that are drawn over themselves. */
export const terminalDisplay = (
  plan: CrowdPlan,
  write: (text: string) => void,
  columns: () => number,
): Display => {
  let drawn = 0;
  const draw = (lines: readonly string[]) => {
    const up = drawn === 0 ? "" : `\x1b[${drawn}A`;
    write(up + lines.map((line) => `\x1b[2K${line.slice(0, columns() - 1)}\n`).join(""));
    drawn = lines.length;
  };
  return {
    everyMs: 200,
    show: (counts, tookMs) =>
      draw([
        `${plan.visitors} visitors for room ${plan.room} on ${plan.server}${plan.path}`,
        "",
        `  ${bar(counts)}`,
        `  ${countsLine(counts)}`,
        `  ${seconds(tookMs)} of at most ${seconds(plan.timeoutMs)}, most inside at once ${counts.insideMax}`,
      ]),
    summary: (summary, ending) => write(`\n${summaryLines(summary, ending).join("\n")}\n`),
  };
};

export const bar = ({ stages }: CrowdCounts): string => {
  const all = BAR.reduce((sum, [stage]) => sum + stages[stage], 0);
  let behind = 0;
  return BAR.map(([stage, mark]) => {
    const from = Math.round((behind / all) * BAR_WIDTH);
    behind += stages[stage];
    return mark.repeat(Math.round((behind / all) * BAR_WIDTH) - from);
  }).join("");
};

const countsLine = ({ stages, errors }: CrowdCounts): string =>
  [
    `to come ${stages.away}`,
    `arriving ${stages.arriving}`,
    `waiting ${stages.waiting}`,
    `inside ${stages.inside}`,
    `done ${stages.done}`,
    `left ${stages.left}`,
    `errors ${errors}`,
  ].join("  ");

export const summaryLines = (summary: Summary, ending: CrowdOutcome): string[] => {
  const { stages, waitMs, turns } = summary;
  const unfinished = stages.away + stages.arriving + stages.waiting + stages.inside;
  const lines = [
    `in ${seconds(summary.tookMs)}: ${stages.done} done, ${stages.left} gave up, ${stages.failed} failed`,
    turns === 0
      ? "waits      nobody had to wait"
      : `waits      half under ${time(waitMs.p50)}, 95 % under ${time(waitMs.p95)}, longest ${time(waitMs.max)}`,
    `entries    ${summary.atOnce} at once, ${turns} by ticket, ${summary.insideMax} inside at most`,
    `order      ${summary.overtaken === 0 ? "nobody was overtaken" : `${summary.overtaken} saw a higher number go first`}`,
  ];
  if (summary.reconnects > 0) lines.push(`sockets    ${summary.reconnects} lost and reconnected`);
  if (ending !== "through")
    lines.push(`${ending.padEnd(10)} ${unfinished} were still on their way and went home`);
  for (const [kind, count] of Object.entries(summary.errorKinds))
    lines.push(`error      ${count} × ${kind}`);
  return lines;
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const time = (ms: number | null): string => (ms === null ? "unknown" : seconds(ms));
