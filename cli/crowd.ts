import { openNetwork } from "./crowd/browser.ts";
import { jsonDisplay, lineDisplay, terminalDisplay } from "./crowd/display.ts";
import type { Display } from "./crowd/display.ts";
import { crowdSpecs, readPlan } from "./crowd/plan.ts";
import type { CrowdPlan } from "./crowd/plan.ts";
import { runCrowd } from "./crowd/run.ts";
import { describe, Failure } from "./launch/failure.ts";
import { helpText, readFlags } from "./launch/flags.ts";
import { refuseKeptByNpm } from "./launch/npm-kept.ts";
import { jsonReport, textReport } from "./launch/report.ts";

const COMMAND = "npm run crowd";
const ABOUT =
  "A simulated crowd over real sockets, so that you can watch a line move on this machine.";

const displayFor = (plan: CrowdPlan, isJson: boolean): Display => {
  const writeLine = (line: string) => process.stdout.write(`${line}\n`);
  if (isJson) return jsonDisplay(writeLine);
  if (!process.stdout.isTTY) return lineDisplay(writeLine);
  return terminalDisplay(
    plan,
    (text) => process.stdout.write(text),
    () => process.stdout.columns,
  );
};

const main = async (): Promise<void> => {
  const argv = process.argv.slice(2);
  const isJson = argv.includes("--json");
  // a reader that has seen enough (`| head`) is no error
  process.stdout.on("error", () => process.exit(0));
  try {
    refuseKeptByNpm(COMMAND, argv, crowdSpecs, process.env);
    const flags = readFlags(argv, crowdSpecs);
    if (flags.isOn("help")) {
      process.stdout.write(`${helpText(`${COMMAND} -- [flags]`, ABOUT, crowdSpecs)}\n`);
      return;
    }
    const plan = readPlan(flags);
    const network = openNetwork(plan.server);
    const interrupted = new AbortController();
    process.once("SIGINT", () => interrupted.abort());
    process.once("SIGTERM", () => interrupted.abort());
    const isClean = await runCrowd(plan, network, displayFor(plan, isJson), interrupted.signal);
    network.agent.destroy();
    process.exitCode = isClean ? 0 : 1;
  } catch (thrown) {
    const failure =
      thrown instanceof Failure ? thrown : new Failure("unexpected", describe(thrown));
    (isJson ? jsonReport() : textReport()).fail(failure);
    process.exitCode = failure.exitCode;
  }
};

await main();
