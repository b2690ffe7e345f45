/** `npm run simulate`: tonight's sale, lived through on this machine by the core that will run it. */
import { writeFile } from "node:fs/promises";
import { VERSION } from "../src/api/version.ts";
import { UNCONFIGURED } from "../src/core/room/limits.ts";
import { insteadOf, scaleOf } from "../src/core/simulation/instead.ts";
import { LivedSale, SALE_MS_MAX } from "../src/core/simulation/lived-sale.ts";
import { billOf } from "../src/core/simulation/price.ts";
import type { Sale, SaleOutcome } from "../src/core/simulation/sale.ts";
import { runAsCommand, sayJson } from "./command.ts";
import { describe, Failure } from "./launch/failure.ts";
import { helpText, readFlags } from "./launch/flags.ts";
import { knownFrom } from "./simulate/known.ts";
import { readSale, simulateSpecs } from "./simulate/options.ts";
import { saleReportHtml, type SaleInstead } from "./simulate/report.ts";
import { billLines, chartLines, figureLines, insteadLines, spanText } from "./simulate/view.ts";

const ABOUT =
  "Lives through a sale in virtual time, by the core that will run it: waits, the line's end, the price.";
/** Looks between two words on how far it is. */
const LOOKS = 2_000;
const TELL_EVERY_MS = { terminal: 200, file: 5_000 };

await runAsCommand(async () => {
  const flags = readFlags(process.argv.slice(2), simulateSpecs);
  if (flags.isOn("help")) {
    process.stdout.write(`${helpText("npm run simulate -- [flags]", ABOUT, simulateSpecs)}\n`);
    return;
  }
  // What can be wrong without looking anywhere is told first.
  readSale(flags, {}, UNCONFIGURED);
  const known = await knownFrom(flags, process.env, Date.now());
  const { sale, pages } = readSale(flags, known, UNCONFIGURED);
  const outcome = live(sale, "the sale");
  const bill = billOf(outcome, sale.limits, pages);
  const others = flags.isOn("alone") ? [] : insteadOf(sale);
  const instead = others.map(({ name, sale: other }): SaleInstead => ({
    name,
    outcome: live(other, name),
  }));
  const scale = scaleOf(sale);
  const html = flags.text("html");
  const report = { sale, outcome, bill, instead, scale, version: VERSION };
  if (html !== null) await writeReport(html, saleReportHtml(report), flags.isOn("force"));
  if (flags.isOn("json")) {
    sayJson({
      sale,
      outcome,
      bill,
      instead: instead.map(({ name, outcome: { waits, lineEndsMs } }) => ({
        name,
        waits,
        lineEndsMs,
      })),
      scale,
    });
    return;
  }
  const isPlain =
    flags.isOn("ascii") || !/utf-?8/i.test(process.env["LC_ALL"] || process.env["LANG"] || "utf-8");
  const lines = [
    "",
    ...chartLines(outcome.course, "waiting", isPlain),
    "",
    ...chartLines(outcome.course, "visiting", isPlain),
    "",
    ...figureLines(sale, outcome),
    ...billLines(bill),
    "",
    ...(instead.length === 0 ? [] : [...insteadLines(instead, scale), ""]),
    ...(html === null ? [] : [`The report is in ${html}.`]),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
});

/** Word of how far it is goes where it disturbs no result. */
function live(sale: Sale, name: string): SaleOutcome {
  const lived = new LivedSale(sale);
  const isTerminal = process.stderr.isTTY;
  const everyMs = TELL_EVERY_MS[isTerminal ? "terminal" : "file"];
  let toldAt = Date.now();
  while (lived.live(LOOKS)) {
    if (Date.now() - toldAt < everyMs) continue;
    toldAt = Date.now();
    const percent = Math.floor(Math.max(lived.progress, lived.atMs / SALE_MS_MAX) * 100);
    const line = `${name}: ${percent} % are through, ${spanText(lived.atMs)} lived`;
    process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  }
  if (isTerminal) process.stderr.write("\r\u001b[K");
  return lived.outcome();
}

async function writeReport(file: string, html: string, isForced: boolean): Promise<void> {
  try {
    await writeFile(file, html, { flag: isForced ? "w" : "wx" });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    if (isThere)
      throw new Failure("file", `${file} is there already`, ["another name, or --force"], 2);
    throw new Failure("file", `${file} can't be written`, [describe(error)]);
  }
}
