/**
 * A long-running command from its flags to its exit code, with signals. What it brings up is
 * launch.ts.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, Failure } from "./failure.ts";
import { helpText, readFlags } from "./flags.ts";
import { launch } from "./launch.ts";
import type { Launched } from "./launch.ts";
import { refuseKeptByNpm } from "./npm-kept.ts";
import { jsonReport, textReport } from "./report.ts";
import { readSettings, settingSpecs } from "./settings.ts";
import { PROJECT_ROOT } from "./worker-config.ts";
import { startWorkerd } from "./workerd.ts";

/** After a signal everything is over within this, whatever still lingers. */
const STOP_WITHIN_MS = 5_000;
const ORPHAN_CHECK_MS = 250;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export interface CommandHelp {
  /** As it is written in a terminal: `npm run serve`. */
  readonly name: string;
  readonly about: string;
}

/** `npm start` and `npm run serve`: up, `ready`, and down at the first signal. */
export const runCommand = async (command: CommandHelp): Promise<void> => {
  // For workerd too: every file that is written from here on is for this user only.
  process.umask(0o077);
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
  const stopBecause = (reason: string) => {
    stopping = true;
    report.tell({ event: "stopping", message: `${reason}, stopping` });
    void stop();
  };
  for (const signal of SIGNALS)
    process.on(signal, () => (stopping ? process.exit(1) : stopBecause(signal)));
  onOrphaned(() => stopping || stopBecause("npm has ended"));

  try {
    refuseKeptByNpm(command.name, argv, settingSpecs, process.env);
    const flags = readFlags(argv, settingSpecs);
    if (flags.isOn("help")) {
      process.stdout.write(
        `${helpText(`${command.name} -- [flags]`, command.about, settingSpecs)}\n`,
      );
      return;
    }
    if (flags.isOn("version")) {
      process.stdout.write(`${versionOf()}\n`);
      return;
    }
    launching = launch({
      settings: readSettings(flags, process.env),
      startRuntime: startWorkerd,
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

const versionOf = (): string => {
  const told = readFileSync(resolve(PROJECT_ROOT, "package.json"), "utf8");
  return (JSON.parse(told) as { readonly version: string }).version;
};

/**
 * A signal to npm ends npm and its shell, but is not handed on to us: then our parent changes.
 * Started by hand, we outlive the shell that started us, as one expects of a server.
 */
const onOrphaned = (act: () => void): void => {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, ORPHAN_CHECK_MS);
  timer.unref();
};
