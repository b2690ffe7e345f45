/**
 * The long forms of the tests, one after the other: `npm run test:long`. Each seed is told with its
 * result; the last line is the sum, and the exit code is 0 only without failures.
 *
 *   npm run test:long -- simulator                    one part: simulator, million, histories, locks, long,
 *                                                     endurance, chaos
 *   npm run test:long -- endurance --minutes 3        an hour without --minutes
 *   npm run test:long -- simulator --seed 17          one seed again, byte for byte
 *   npm run test:long -- simulator --seed 2001-3000   other seeds than the usual ones
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { beyondPlatform, costSheetOf, costSheetText } from "../test/sim/million/cost-sheet.ts";
import { MillionWorld } from "../test/sim/million/million-world.ts";
import { saleOf } from "../test/sim/million/sale.ts";
import { live } from "../test/sim/sim-world.ts";

/** A thousand worlds, each as rough as its seed makes it: ten million steps. */
const WORLDS = 1_000;
const STEPS_PER_WORLD = 10_000;
const ROUNDS = 25;
const ENDURANCE = "test/long/endurance.test.ts";
const MILLION = 1_000_000;
/** Worlds of one seed that `request-histories` lives through in one round. */
const REQUEST_SEEDS = 150;

const HISTORIES = [
  "test/core/clock.test",
  "test/core/line/counted-bits",
  "test/core/line/line-histories",
  "test/core/locks/histories",
  "test/core/collections/due-times",
  "test/core/requests-twin/twin-histories",
  "test/core/ring/history",
  "test/core/ring/schedule",
  "test/core/room/clock-histories",
  "test/core/room/estimate",
  "test/core/room/request-histories",
  "test/core/room/room-histories",
];

interface Tally {
  readonly passed: number;
  readonly failed: number;
}
interface Seeds {
  readonly first: number;
  readonly last: number;
}

const sumOf = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
});

const textOf = ({ passed, failed }: Tally): string => `${passed} passed, ${failed} failed`;

const tell = (isGreen: boolean, what: string, startedAt: number): void => {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${isGreen ? "ok    " : "FAILED"}  ${what} (${seconds} s)`);
};

/** Worlds of test/sim, without vitest around them. */
const simulator = ({ first, last }: Seeds): Tally => {
  const startedAt = performance.now();
  let steps = 0;
  let failed = 0;
  for (let seed = first; seed <= last; seed += 1) {
    const bornAt = performance.now();
    try {
      const lived = live(seed, STEPS_PER_WORLD);
      steps += lived.steps;
      const { visits, boots, digest } = lived;
      const what = `${lived.steps} steps, ${visits} visits, ${boots} boots, digest ${digest}`;
      tell(true, `simulator, seed ${seed}: ${what}`, bornAt);
    } catch (thrown) {
      failed += 1;
      tell(false, `simulator, seed ${seed}: ${String(thrown)}`, bornAt);
      console.log(`        again: npm run test:long -- simulator --seed ${seed}`);
    }
  }
  tell(failed === 0, `simulator: ${steps} steps of seeds ${first} to ${last}`, startedAt);
  return { passed: last - first + 1 - failed, failed };
};

/** One sale a seed, with a million visitors: test/sim/million. */
const million = async ({ first, last }: Seeds): Promise<Tally> => {
  let failed = 0;
  for (let seed = first; seed <= last; seed += 1) {
    const startedAt = performance.now();
    const complaint = await livesThroughSale(seed);
    tell(
      complaint === null,
      `million, seed ${seed}${complaint === null ? "" : `: ${complaint}`}`,
      startedAt,
    );
    if (complaint === null) continue;
    failed += 1;
    console.log(`        again: npm run test:long -- million --seed ${seed}`);
  }
  return { passed: last - first + 1 - failed, failed };
};

const livesThroughSale = async (seed: number): Promise<string | null> => {
  try {
    const world = await MillionWorld.of(saleOf(MILLION, seed));
    await world.run();
    const sheet = costSheetOf(world);
    console.log(costSheetText(sheet));
    return beyondPlatform(sheet).join("; ") || null;
  } catch (thrown) {
    return String(thrown);
  }
};

/** Some test files by `npm test`, which says in its last line how many passed and failed. */
const runTests = (
  files: readonly string[],
  env: Record<string, string>,
  tells: "at once" | "when it fails",
): Promise<Tally> =>
  new Promise((done) => {
    const child = spawn(process.execPath, ["scripts/test.ts", ...files], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    let output = "";
    const hear = (piece: string): void => {
      output += piece;
      if (tells === "at once") process.stdout.write(piece);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", hear);
    child.once("close", () => {
      const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
      const tally = { passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
      if (tells === "when it fails" && tally.failed > 0) console.log(output);
      done(tally);
    });
  });

/** The random histories that `npm test` runs once, in rounds, each from a seed of its own. */
const histories = async ({ first, last }: Seeds): Promise<Tally> => {
  const tallies: Tally[] = [];
  for (let seed = first; seed <= last; seed += 1) {
    const startedAt = performance.now();
    const env = { SEED: String(seed), REQUEST_SEED: String(1 + (seed - 1) * REQUEST_SEEDS) };
    const tally = await runTests(HISTORIES, env, "when it fails");
    tallies.push(tally);
    tell(tally.failed === 0, `histories, seed ${seed}: ${textOf(tally)}`, startedAt);
    if (tally.failed > 0)
      console.log(`        again: npm run test:long -- histories --seed ${seed}`);
  }
  return sumOf(tallies);
};

/** What runs on real clocks, and so from no seed but that of its plan. */
const real = async (files: readonly string[], env: Record<string, string>): Promise<Tally> => {
  const tallies: Tally[] = [];
  for (const file of files) {
    const startedAt = performance.now();
    const tally = await runTests([file], { TELL: "1", ...env }, "at once");
    tallies.push(tally);
    tell(tally.failed === 0, `${file}: ${textOf(tally)}`, startedAt);
  }
  return sumOf(tallies);
};

const testsOf = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);

type Part = (seeds: Seeds | null) => Tally | Promise<Tally>;

const PARTS: Readonly<Record<string, Part>> = {
  simulator: (seeds) => simulator(seeds ?? { first: 1, last: WORLDS }),
  million: (seeds) => million(seeds ?? { first: 1, last: 1 }),
  histories: (seeds) => histories(seeds ?? { first: 1, last: ROUNDS }),
  locks: () => real(["test/e2e/locks-history"], {}),
  long: () =>
    real(
      testsOf("test/long").filter((file) => file !== ENDURANCE),
      {},
    ),
  endurance: () =>
    real([ENDURANCE], {
      MINUTES: values.minutes,
      PROJECT_MINUTES: String(Number(values.minutes) + 15),
    }),
  chaos: (seeds) => {
    const env = seeds === null ? {} : { SEED: String(seeds.first) };
    return real(testsOf("test/chaos"), { LONG: "1", ...env });
  },
};

const parseSeeds = (text: string | undefined): Seeds | null => {
  if (text === undefined) return null;
  const [, first, last = first] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(text) ?? [];
  if (first === undefined) throw new Error(`--seed is a number or two, as in 17 or 1-40: ${text}`);
  return { first: Number(first), last: Number(last) };
};

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, minutes: { type: "string", default: "60" } },
  allowPositionals: true,
});
const seeds = parseSeeds(values.seed);
const wanted = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = wanted.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  throw new Error(`no part ${unknown.join(", ")}: there are ${Object.keys(PARTS).join(", ")}`);
}
const tallies: Tally[] = [];
for (const name of wanted) {
  const part = PARTS[name];
  if (part === undefined) continue;
  console.log(`\n== ${name}`);
  tallies.push(await part(seeds));
}
const total = sumOf(tallies);
console.log(`\n${textOf(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
