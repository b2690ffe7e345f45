/**
 * `npm run bench`: every benchmark in turn, each in a process of its own; or those that are named.
 *
 *   npm run bench -- pass core        two of them
 *   npm run bench -- --quick          to see that they run; nothing is written down
 *   npm run bench -- pass --to bench/RESULTS.amd.md     figures of another machine, beside the first's
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ALL = [
  "pass",
  "rules",
  "rules-requests",
  "tickets",
  "long-line",
  "baton",
  "core",
  "size",
  "counter",
  "ring",
  "locks",
  "locks-rules",
  "estimate",
  "draw",
  "change",
  "watchers",
  "forecast",
  "record",
  "growth",
  "million",
];
/** The longest takes some minutes; one that hangs is ended. */
const TIMEOUT_MS = 900_000;

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false }, to: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !ALL.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(", ")}; there are ${ALL.join(", ")}`);
  process.exit(2);
}
const flags = [
  ...(values.quick ? ["--quick"] : []),
  ...(values.to === undefined ? [] : ["--to", values.to]),
];
for (const name of positionals.length > 0 ? positionals : ALL) {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [file, ...flags], {
    stdio: "inherit",
    timeout: TIMEOUT_MS,
  });
  const [code] = (await once(child, "exit")) as [number | null];
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`\n${name}: ${code === 0 ? "done" : "FAILED"} in ${seconds} s`);
  if (code !== 0) process.exitCode = 1;
}
