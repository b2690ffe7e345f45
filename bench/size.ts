/**
 * How large the Worker and the queue page are, and how soon the Worker answers after its start,
 * against one that only forwards. `npx node bench/size.ts [--quick] [--start]`
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { bundleParts } from "../cli/launch/bundle.ts";
import { PROJECT_ROOT, readWorkerConfig } from "../cli/launch/worker-config.ts";
import { ask } from "../test/support/http.ts";
import { DOCUMENT } from "../test/support/visitor.ts";
import { alternate } from "./support/alternate.ts";
import { startOrigin } from "./support/load.ts";
import { full, isStartOnly } from "./support/options.ts";
import { publish } from "./support/report.ts";
import { roomOf, serve } from "./support/serve.ts";
import type { ServeOptions } from "./support/serve.ts";
import { median, rounded } from "./support/stats.ts";

const ROUNDS = full(7, 2);
const KB = 1_024;
const CHECKS = full(3, 1);

const origin = await startOrigin();
const PRODUCT: ServeOptions = { origin: origin.url };
const BARE: ServeOptions = {
  main: new URL("./baselines/pass-through.ts", import.meta.url),
  objects: [],
  origin: origin.url,
};

/** From the start of the process to the end of its first answer, which is the origin's. */
const firstAnswerMs = async (options: ServeOptions): Promise<number> => {
  const served = await serve(options);
  const { status } = await ask(served.url);
  const took = performance.now() - served.spawnedAtMs;
  await served.stop();
  if (status !== 200) throw new Error(`not the origin's page but ${status}`);
  return took;
};

const wrangler = (...args: string[]) =>
  promisify(execFile)(join(PROJECT_ROOT, "node_modules/.bin/wrangler"), args, {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      CI: "1",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_SEND_ERROR_REPORTS: "false",
      WRANGLER_HIDE_BANNER: "true",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  });

const inFolder = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = mkdtempSync(join(tmpdir(), "seiriken-size-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** What `wrangler deploy` would upload, compressed, in KB. */
const uploadKb = async (): Promise<number> =>
  inFolder(async (directory) => {
    const { stdout } = await wrangler("deploy", "--dry-run", "--minify", "--outdir", directory);
    return Number(/gzip: ([\d.]+) KiB/.exec(stdout)?.[1] ?? Number.NaN);
  });

/** Time at work while the Worker starts, as wrangler's own check tells it. */
const startupCheckMs = async (): Promise<number> =>
  inFolder(async (directory) => {
    const profile = join(directory, "startup.cpuprofile");
    const { stdout } = await wrangler("check", "startup", "--outfile", profile);
    return Number(/Active: ([\d.]+) ms/.exec(stdout)?.[1] ?? Number.NaN);
  });

/** The queue page as it goes over the wire, before compression. */
const queuePage = async (): Promise<Buffer> => {
  const served = await serve(PRODUCT);
  await served.rooms.createRoom(roomOf("shop", { queue_all: true }));
  const { status, body } = await ask(`${served.url}/shop`, { headers: DOCUMENT });
  await served.stop();
  if (status !== 503) throw new Error(`not the page but ${status}`);
  return body;
};

const starts = await alternate(
  { product: () => firstAnswerMs(PRODUCT), bare: () => firstAnswerMs(BARE) },
  ROUNDS,
);
if (isStartOnly) {
  const shown = (each: readonly number[]) =>
    `${rounded(median(each))} ms (${each.map((ms) => Math.round(ms)).join(", ")})`;
  console.log(`here ${shown(starts.product)}; baseline ${shown(starts.bare)}`);
  process.exit(0);
}

const config = await readWorkerConfig();
const { worker, objects } = await bundleParts(config);
const page = await queuePage();
const checks: number[] = [];
for (let at = 0; at < CHECKS; at += 1) checks.push(await startupCheckMs());
const upload = await uploadKb();
origin.stop();

publish({
  name: "size",
  title: "Size and start",
  about:
    "The Worker as wrangler would upload it, the queue page as a browser gets it, and the time " +
    "from starting workerd to the end of its first answer, against a Worker that only forwards. " +
    `Medians of ${ROUNDS} alternating starts.`,
  figures: [
    { what: "Worker, minified, gzip", unit: "KB", ours: upload },
    {
      what: "Worker, as raw workerd runs it, gzip",
      unit: "KB",
      ours: (gzipSync(worker).length + gzipSync(objects).length) / KB,
    },
    {
      what: "queue page, gzip",
      unit: "KB",
      ours: gzipSync(page).length / KB,
      target: { of: "ours", most: 15 },
    },
    {
      what: "queue page, brotli",
      unit: "KB",
      ours: brotliCompressSync(page).length / KB,
      target: { of: "ours", most: 11 },
    },
    {
      what: "start to first answer",
      unit: "ms",
      ours: median(starts.product),
      baseline: median(starts.bare),
      target: { of: "ours", most: 45 },
    },
    { what: "start-up work by `wrangler check startup`", unit: "ms", ours: median(checks) },
  ],
  notes: [
    "Until 22 November raw workerd ran the Worker as it is written, blanks and all; then `start to " +
      "first answer` and its size were those of that.",
    `The page is ${rounded(page.length / KB)} KB before compression, script and style in it. What weighs ` +
      "how much in it, and what a start does: docs/decisions/the-page.md and the-start.md.",
  ],
});
