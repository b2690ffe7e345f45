/**
 * All that must hold: `npm test`. First format, lint, types and dead code, then the tests in Node,
 * in workerd and in a browser. The last line is the sum, and the exit code is 0 only without failures.
 *
 *   npm test -- test/core/ring       only the tests whose path contains this, no checks
 *   npm test -- --project core       the checks and one project (core, workers, e2e, alone, beside)
 */
import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, setPriority, tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBrowsers } from "./browser.ts";
import { makeTestFolder } from "./test-folder.ts";

const PROJECTS = ["workers", "e2e", "alone"];
/** Run beside those before the last: one only computes, the other mostly waits. What they say comes after. */
const CORE = "core";
const BESIDE = "beside";
/** Has the machine to itself: what runs beside the others has ended by then. */
const ALONE = "alone";
/** Those in which a browser is opened. */
const IN_BROWSERS: readonly (string | null)[] = ["e2e", BESIDE];
const CORES = availableParallelism();
/** Files at a time, on two cores: vitest itself would take one less than there are. */
const AT_ONCE: Readonly<Record<string, number>> = {
  [CORE]: CORES,
  // Half of the time they wait: for objects, leases and real timers.
  workers: 2 * CORES,
  // They work, and those of `beside` run besides: one more would make each of them slower, not all sooner.
  e2e: CORES,
  // Hardly anything else: of 410 s of tests the processors work 75.
  [BESIDE]: 2,
  // Those that count seconds go in pairs with those that wait: scripts/longest-first.ts.
  [ALONE]: 2,
};
/** Takes what the others leave of the processors, and a tenth of them besides, so that it goes on. */
const GIVES_WAY = 10;
/** Each is a server, and a browser or a runtime besides. */
const AT_ONCE_MAX = 6;
const IS_LONG = process.env["TELL"] === "1";
/** What a test prints is told if it fails; that of a long run always is: there it is the result. */
const QUIET_TESTS = IS_LONG ? [] : ["--silent=passed-only"];
/** A project that takes longer hangs: it is ended and counts as failed. A long run says how long it takes. */
const PROJECT_TIMEOUT_MS = Number(process.env["PROJECT_MINUTES"] ?? 30) * 60_000;

const BIN = resolve("node_modules/.bin");
const QUIET = {
  CI: "1",
  TMPDIR: makeTestFolder({ mayBeMemory: !IS_LONG }),
  // Most processes load the same few large packages: compiled once, that takes half the time.
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled"),
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }),
};

interface Tally {
  readonly passed: number;
  readonly failed: number;
}

const run = (
  command: readonly string[],
  env: Record<string, string> = {},
  output: number | "inherit" = "inherit",
  niceness = 0,
): Promise<boolean> => {
  const [name = "", ...args] = command;
  return new Promise((done) => {
    const child = spawn(join(BIN, name), args, {
      stdio: ["ignore", output, output],
      timeout: PROJECT_TIMEOUT_MS,
      // The tests' own children must find the Node that came with npm, not the machine's.
      env: { ...process.env, ...QUIET, PATH: `${BIN}${delimiter}${process.env["PATH"]}`, ...env },
    });
    // At once, before it has threads and children of its own: those get it from here.
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
    child.once("error", () => done(false));
    child.once("exit", (code) => done(code === 0));
  });
};

/** Those that take longest first, as there are as many at a time as cores. */
const CHECKS: readonly (readonly [string, readonly string[]])[] = [
  ["types of the tools", ["tsc", "-p", "tsconfig.node.json"]],
  ["types of the tests in workerd", ["tsc", "-p", "tsconfig.workers-test.json"]],
  ["lint", ["oxlint", "--ignore-pattern=test/canary"]],
  ["format", ["oxfmt", "--list-different", "."]],
  ["dead code", ["knip"]],
  ["types of the Worker", ["tsc", "-p", "tsconfig.json"]],
  ["types of the dashboard", ["tsc", "-p", "static/dashboard/tsconfig.json"]],
  ["types of the page", ["tsc", "-p", "static/tsconfig.json"]],
];

/** Several at a time, and what each says is told together. */
const runChecks = async (): Promise<Tally> => {
  const folder = mkdtempSync(join(tmpdir(), "seiriken-checks-"));
  const left = [...CHECKS.entries()];
  let failed = 0;
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, [name, command]] = next;
      const told = join(folder, `${at}.txt`);
      const startedAt = performance.now();
      const holds = await run(command, {}, openSync(told, "w"));
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      process.stdout.write(holds ? "" : readFileSync(told, "utf8"));
      console.log(`${holds ? "ok    " : "FAILED"}  ${name} (${seconds} s)`);
      if (!holds) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(CORES, AT_ONCE_MAX) }, worker));
  rmSync(folder, { recursive: true });
  return { passed: 0, failed };
};

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** Skipped or still to be written: neither may be. */
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

const files: FileReport[] = [];
const SLOWEST_TOLD = 10;

const tellSlowest = (): void => {
  const seconds = ({ startTime, endTime }: FileReport): number => (endTime - startTime) / 1_000;
  const slowest = files.toSorted((one, other) => seconds(other) - seconds(one));
  console.log("\nWhat took longest:");
  for (const file of slowest.slice(0, SLOWEST_TOLD))
    console.log(`${seconds(file).toFixed(1).padStart(7)} s  ${relative(".", file.name)}`);
};

/** Once more in the end, where they are found. */
const tellFailed = (): void => {
  for (const { name, assertionResults } of files)
    for (const { status, fullName } of assertionResults)
      if (status === "failed") console.log(`FAILED  ${relative(".", name)}: ${fullName.trim()}`);
};

/** One project, or with `null` whatever the filters name. What runs behind others says all in the end. */
const runTests = async (
  project: string | null,
  filters: readonly string[],
  { behind = false, niceness = 0 } = {},
): Promise<Tally> => {
  const title = `\n== ${project ?? filters.join(" ")}`;
  if (!behind) console.log(title);
  const folder = mkdtempSync(join(tmpdir(), "seiriken-test-"));
  const told = join(folder, "output.txt");
  const output = behind ? openSync(told, "w") : "inherit";
  const file = join(folder, "report.json");
  const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const scope = project === null ? filters : ["--project", project, ...filters];
  try {
    const most = AT_ONCE[project ?? ""];
    const atOnce = most === undefined ? [] : [`--maxWorkers=${Math.min(most, AT_ONCE_MAX)}`];
    const browsers = IN_BROWSERS.includes(project) ? ensureBrowsers() : {};
    const green = await run(
      ["vitest", "run", ...QUIET_TESTS, ...options, ...atOnce, ...scope],
      browsers,
      output,
      niceness,
    );
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    files.push(...report.testResults);
    const failed = report.numFailedTests + report.numPendingTests + report.numTodoTests;
    // Red without a failed test: a file that did not load, an error outside of any test.
    return { passed: report.numPassedTests, failed: green ? failed : Math.max(1, failed) };
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    return { passed: 0, failed: 1 };
  } finally {
    if (output !== "inherit") console.log(`${title}\n${readFileSync(told, "utf8")}`);
    rmSync(folder, { recursive: true });
  }
};

const { values, positionals } = parseArgs({
  options: { project: { type: "string", multiple: true } },
  allowPositionals: true,
});
const tallies: Tally[] = positionals.length > 0 ? [] : [await runChecks()];
const isWhole = values.project === undefined && positionals.length === 0;
const behind = isWhole
  ? [
      runTests(BESIDE, [], { behind: true }),
      runTests(CORE, [], { behind: true, niceness: GIVES_WAY }),
    ]
  : [];
for (const project of values.project ?? (positionals.length > 0 ? [null] : PROJECTS)) {
  if (project === ALONE) await Promise.all(behind);
  tallies.push(await runTests(project, positionals));
}
tallies.push(...(await Promise.all(behind)));
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
if (isWhole) tellSlowest();
tellFailed();
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
