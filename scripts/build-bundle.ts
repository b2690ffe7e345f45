/**
 * Bundles the Worker into dist/, with what wrangler.toml says of it, so that `serve` runs where only the
 * packages of production are installed: `npm run bundle`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { bundleParts } from "../cli/launch/bundle.ts";
import { PREBUILT } from "../cli/launch/worker.ts";
import { readWorkerConfig } from "../cli/launch/worker-config.ts";

const config = await readWorkerConfig();
const { worker, objects } = await bundleParts(config);
await mkdir(dirname(PREBUILT.config), { recursive: true });
await writeFile(PREBUILT.worker, worker);
await writeFile(PREBUILT.objects, objects);
await writeFile(PREBUILT.config, `${JSON.stringify(config, null, 2)}\n`);
