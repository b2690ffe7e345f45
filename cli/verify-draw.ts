import { KNOWN_CHAINS } from "../src/core/draw/drand-chain.ts";
import { examine } from "../src/core/draw/examine.ts";
import { parseChainText, parseRecordText } from "../src/api/draws/record.ts";
import { runAsCommand, say } from "./command.ts";
import { readDraw, readDrawFile } from "./draws/read-draw.ts";
import { outcomeOf, rankLine, reportOf } from "./draws/report.ts";
import { parseVerifyDrawCommand, VERIFY_DRAW_HELP } from "./verify-draw-command.ts";

await runAsCommand(async () => {
  const request = parseVerifyDrawCommand(process.argv.slice(2));
  if (request.kind === "help") {
    process.stdout.write(`${VERIFY_DRAW_HELP}\n`);
    return;
  }
  const { source, before, chain, number } = request;
  const record = await readDraw(source, parseRecordText);
  const findings = examine(record, {
    earlier: before === null ? null : readDrawFile(before, parseRecordText),
    chains: chain === null ? KNOWN_CHAINS : [...KNOWN_CHAINS, readDrawFile(chain, parseChainText)],
  });
  for (const line of reportOf(record, findings)) say(line);
  const failure = outcomeOf(findings);
  if (failure !== null) throw failure;
  if (number !== null) say(rankLine(record, number));
});
