import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleWhole } from "../../cli/launch/bundle.ts";
import { reservePort } from "../../cli/launch/ports.ts";
import { readWorkerConfig } from "../../cli/launch/worker-config.ts";
import { startWorkerd } from "../../cli/launch/workerd.ts";
import { ask } from "../support/http.ts";

const HOST = "127.0.0.1";
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "seiriken-isolates-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** What the object says in one life of workerd on this test's directory. */
const told = async (areApart: boolean): Promise<unknown> => {
  const main = fileURLToPath(new URL("../support/isolates-worker.ts", import.meta.url));
  const objects = [{ binding: "KEEPER", className: "Keeper" }];
  const config = { ...(await readWorkerConfig()), main, objects };
  const port = await reservePort(HOST, 0);
  const script = await bundleWhole(config);
  const runtime = await startWorkerd({
    config,
    scripts: { worker: script, objects: areApart ? script : null },
    host: HOST,
    port,
    vars: {},
    dataDir,
    report: { tell: () => undefined, fail: () => undefined },
    onSpawned: () => undefined,
    onRestarted: () => undefined,
    onLost: () => undefined,
  });
  try {
    return JSON.parse((await ask(`http://${HOST}:${port}/`)).text);
  } finally {
    await runtime.stop();
  }
};

test("[RUN-33] an object's isolate is not the Worker's, and what one isolate had stored goes on in two, and back", async () => {
  expect(await told(false)).toEqual({ word: "the Worker was here", asked: 1 });
  expect(await told(true)).toEqual({ word: null, asked: 2 });
  expect(await told(false)).toEqual({ word: "the Worker was here", asked: 3 });
});
