import { createRequire } from "node:module";

const fromMiniflare = createRequire(createRequire(import.meta.url).resolve("miniflare"));

export const versions = {
  workerd: (fromMiniflare("workerd/package.json") as { version: string }).version,
};
