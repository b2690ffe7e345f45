import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleWhole } from "../../cli/launch/bundle.ts";
import { reservePort } from "../../cli/launch/ports.ts";
import type { Runtime } from "../../cli/launch/runtime.ts";
import { readWorkerConfig } from "../../cli/launch/worker-config.ts";
import { startWorkerd } from "../../cli/launch/workerd.ts";
import { ask } from "../support/http.ts";

const HOST = "127.0.0.1";
let dataDir: string;
let runtime: Runtime;
let url: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "seiriken-collection-"));
  const main = fileURLToPath(new URL("../support/collection-worker.ts", import.meta.url));
  const config = { ...(await readWorkerConfig()), main, objects: [] };
  const port = await reservePort(HOST, 0);
  url = `http://${HOST}:${port}`;
  runtime = await startWorkerd({
    config,
    scripts: { worker: await bundleWhole(config), objects: null },
    host: HOST,
    port,
    vars: {},
    dataDir,
    report: { tell: () => undefined, fail: () => undefined },
    onSpawned: () => undefined,
    onRestarted: () => undefined,
    onLost: () => undefined,
  });
});
afterEach(async () => {
  await runtime.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("[RUN-32] on workerd as we start it 1,024 requests free what was forgotten, and not one fewer", async () => {
  const keptAfter = async (requests: number) =>
    Number((await ask(`${url}/?requests=${requests}`)).text);
  expect(await keptAfter(0)).toBe(100);
  expect(await keptAfter(1_023)).toBe(100);
  expect(await keptAfter(1)).toBe(0);
});
