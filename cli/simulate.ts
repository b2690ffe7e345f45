/** `npm run simulate`: tonight's sale, lived through on this machine by the core that will run it. */
import { VERSION } from "../src/api/version.ts";
import { UNCONFIGURED } from "../src/core/room/limits.ts";
import { insteadOf, scaleOf } from "../src/core/simulation/instead.ts";
import { LivedSale, SALE_MS_MAX } from "../src/core/simulation/lived-sale.ts";
import { billOf } from "../src/core/simulation/price.ts";
import type { Sale, SaleOutcome } from "../src/core/simulation/sale.ts";
import { runAsCommand, say, sayJson } from "./command.ts";
import { helpText, readFlags } from "./launch/flags.ts";
import { refuseKeptByNpm } from "./launch/npm-kept.ts";
import { knownFrom } from "./simulate/known.ts";
import { bareWordMeant } from "./simulate/meant.ts";
import { readSale, simulateSpecs } from "./simulate/options.ts";
import { judgeReportFile, writeReport } from "./simulate/report-file.ts";
import { saleReportHtml, type SaleInstead } from "./simulate/report.ts";
import {
  billLines,
  chartLines,
  columnsOf,
  figureLines,
  hintLines,
  insteadLines,
  reallyLines,
} from "./simulate/view.ts";
import { spanText } from "./simulate/words.ts";

const ABOUT = `Lives through a sale in virtual time, by the core that will run it: how long people
wait, when the line ends, what it costs, and what other settings would give.

  npm run simulate -- --visitors 100000 --permits 2000 --visit 3m --html sale.html
  npm run simulate -- --from rooms.json --room shop --arrivals crowd.csv
  npm run simulate -- --prequeue 30m --early 70% --order draw --told 0%`;
/** Looks between two words on how far it is. */
const LOOKS = 500;
const TELL_EVERY_MS = { terminal: 200, file: 5_000 };

await runAsCommand(async () => {
  const argv = process.argv.slice(2);
  refuseKeptByNpm("npm run simulate", argv, simulateSpecs, process.env);
  const names = Object.keys(simulateSpecs);
  const flags = readFlags(argv, simulateSpecs, (word, before) =>
    bareWordMeant(word, before, names),
  );
  if (flags.isOn("help")) {
    process.stdout.write(`${helpText("npm run simulate -- [flags]", ABOUT, simulateSpecs)}\n`);
    return;
  }
  // What can be wrong without looking anywhere is told first.
  readSale(flags, null, UNCONFIGURED);
  const html = flags.text("html");
  if (html !== null) await judgeReportFile(html, flags.isOn("force"));
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
  const { event, really } = known;
  const report = {
    ...{ sale, outcome, bill, instead, scale, version: VERSION },
    ...(event === undefined ? {} : { event }),
    ...(really === undefined ? {} : { really }),
  };
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
      ...(event === undefined ? {} : { event }),
      ...(really === undefined ? {} : { really }),
    });
    return;
  }
  const columns = columnsOf(process.stdout.columns);
  const look = { isPlain: flags.isOn("ascii") || !speaksUnicode(process.env), columns };
  const lines = [
    ...(event === undefined ? [] : [`With the room's event ${event}; --no-event is without it.`]),
    "",
    ...chartLines(outcome.course, "waiting", look, really ?? null),
    "",
    ...chartLines(outcome.course, "visiting", look, really ?? null),
    "",
    ...figureLines(sale, outcome, columns),
    ...(really === undefined ? [] : reallyLines(really, columns)),
    ...billLines(bill, columns),
    ...hintLines(sale, outcome, really ?? null, columns),
    "",
    ...(instead.length === 0 ? [] : [...insteadLines(instead, scale, columns), ""]),
    ...(html === null ? [] : [`The report is in ${html}.`]),
  ];
  lines.forEach(say);
});

function speaksUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  return /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "utf-8");
}

/** Word of how far it is goes where it disturbs no result. */
function live(sale: Sale, name: string): SaleOutcome {
  const lived = new LivedSale(sale);
  const isTerminal = process.stderr.isTTY && process.env["TERM"] !== "dumb";
  const everyMs = TELL_EVERY_MS[isTerminal ? "terminal" : "file"];
  let toldAt = Date.now();
  while (lived.live(LOOKS)) {
    if (Date.now() - toldAt < everyMs) continue;
    toldAt = Date.now();
    const percent = Math.floor(Math.max(lived.progress, lived.atMs / SALE_MS_MAX) * 100);
    const line = `${name}: ${percent} % are through, ${spanText(lived.atMs)} lived`;
    const shown = line.slice(0, (process.stderr.columns || line.length + 1) - 1);
    process.stderr.write(isTerminal ? `\r\u001b[K${shown}` : `${line}\n`);
  }
  if (isTerminal) process.stderr.write("\r\u001b[K");
  return lived.outcome();
}
