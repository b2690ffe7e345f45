import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { versions } from "./versions.ts";
import { isQuick, resultsFile } from "./options.ts";
import { rounded } from "./stats.ts";

export interface Figure {
  readonly what: string;
  readonly unit?: string;
  readonly ours: number;
  readonly baseline?: number;
  /** The figure that the target speaks of; `ours / baseline` where there is a baseline. */
  readonly ratio?: number;
  readonly target?: Target;
}

/** A bound for the ratio (`of: "ratio"`) or for our own figure. */
export interface Target {
  readonly of: "ratio" | "ours";
  readonly least?: number;
  readonly most?: number;
}

export interface Section {
  /** The file's name without its ending; the section's mark in RESULTS.md. */
  readonly name: string;
  readonly title: string;
  /** What is compared with what, in a sentence or two. */
  readonly about: string;
  readonly figures: readonly Figure[];
  readonly notes?: readonly string[];
}

const RESULTS = resolve(fileURLToPath(new URL("../..", import.meta.url)), resultsFile);
const HEAD = `# Results

Each section is written by its benchmark, which measures its baseline in the same run, alternating.
Machines are noisy: the ratios of medians are what counts. All of them: \`npm run bench\`.
`;

/** Prints the section and, after a full run, puts it in its place among the results. */
export const publish = (section: Section): void => {
  const text = textOf(section);
  console.log(`\n${text}`);
  if (isQuick) {
    console.log("(quick: not written down)");
    return;
  }
  const before = existsSync(RESULTS) ? readFileSync(RESULTS, "utf8") : HEAD;
  writeFileSync(RESULTS, withSection(before, section.name, text));
};

const withSection = (document: string, name: string, text: string): string => {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const section = `${opening}\n\n${text}\n\n${closing}`;
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) return `${document.trimEnd()}\n\n${section}\n`;
  return document.slice(0, start) + section + document.slice(end + closing.length);
};

const textOf = ({ name, title, about, figures, notes = [] }: Section): string =>
  [
    `## ${title}`,
    about,
    table([
      ["", "here", "baseline", "ratio", "target", ""],
      ...figures.map((figure) => rowOf(figure)),
    ]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")]),
    `${circumstances()} Run: \`npx node bench/${name}.ts\`.`,
  ].join("\n\n");

const rowOf = ({ what, unit, ours, baseline, ratio, target }: Figure): string[] => {
  const compared = ratio ?? (baseline === undefined ? undefined : ours / baseline);
  return [
    unit === undefined ? what : `${what} (${unit})`,
    rounded(ours),
    baseline === undefined ? "" : rounded(baseline),
    // Nothing against nothing is no ratio.
    compared === undefined || Number.isNaN(compared) ? "" : rounded(compared),
    target === undefined ? "" : wordsOf(target),
    target === undefined ? "" : verdict(target, target.of === "ours" ? ours : compared),
  ];
};

const wordsOf = ({ of, least, most }: Target): string =>
  [
    of === "ratio" ? "ratio" : "",
    least === undefined ? "" : `≥ ${least}`,
    most === undefined ? "" : `≤ ${most}`,
  ]
    .filter((word) => word !== "")
    .join(" ");

const verdict = ({ least = -Infinity, most = Infinity }: Target, value = Number.NaN): string =>
  value >= least && value <= most ? "met" : "**missed**";

const table = (rows: readonly string[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => aligned(cell, column, widths[column] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  const [head = [], ...body] = rows;
  return [line(head), line(rule), ...body.map(line)].join("\n");
};

const aligned = (cell: string, column: number, width: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);

/** When, on what, and how busy the machine was with other things. */
const circumstances = (): string => {
  const [minute = 0] = loadavg();
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 16).replace("T", " ");
  return (
    `${day} UTC, commit ${commit()}; ${cpus().length} × ${processor}, ${memory} GB; ` +
    `Node ${process.versions.node}, workerd ${versions.workerd}; ` +
    `load average ${minute.toFixed(1)} at the end.`
  );
};

const commit = (): string => {
  try {
    const git = (...asked: string[]) => execFileSync("git", asked, { encoding: "utf8" }).trim();
    const isChanged =
      git("status", "--porcelain", "--untracked-files=no", "--", "src", "cli") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${isChanged ? " and changes" : ""}`;
  } catch {
    return "unknown";
  }
};
