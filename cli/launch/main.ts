import { describe, Failure } from "./failure.ts";
import { helpText, readFlags } from "./flags.ts";
import { launch } from "./launch.ts";
import type { Launched } from "./launch.ts";
import { jsonReport, textReport } from "./report.ts";
import type { StartRuntime } from "./runtime.ts";
import { readSettings, settingSpecs } from "./settings.ts";

/** After a signal everything is over within this, whatever still lingers. */
const STOP_WITHIN_MS = 5_000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export interface Command {
  readonly usage: string;
  readonly about: string;
  readonly startRuntime: StartRuntime;
}

/** `npm start` and `npm run serve`: up, `ready`, and down at the first signal. */
export const runCommand = async (command: Command): Promise<void> => {
  const argv = process.argv.slice(2);
  const report = argv.includes("--json") ? jsonReport() : textReport();
  const exitWith = (thrown: unknown) => {
    const failure =
      thrown instanceof Failure ? thrown : new Failure("unexpected", describe(thrown));
    report.fail(failure);
    process.exitCode = failure.exitCode;
  };

  let launching: Promise<Launched> | null = null;
  let stopping = false;
  const stop = async () => {
    setTimeout(() => process.exit(), STOP_WITHIN_MS).unref();
    const launched = await launching?.catch(() => null);
    await launched?.stop();
    process.exit();
  };
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      report.tell({ event: "stopping", message: `${signal}, stopping` });
      void stop();
    });

  try {
    const flags = readFlags(argv, settingSpecs);
    if (flags.isOn("help")) {
      process.stdout.write(`${helpText(command.usage, command.about, settingSpecs)}\n`);
      return;
    }
    launching = launch({
      settings: readSettings(flags, process.env),
      startRuntime: command.startRuntime,
      report,
      env: process.env,
      onLost(reason) {
        exitWith(new Failure("runtime-lost", reason));
        void stop();
      },
    });
    const { url } = await launching;
    if (!stopping) report.tell({ event: "ready", url });
  } catch (thrown) {
    exitWith(thrown);
  }
};
