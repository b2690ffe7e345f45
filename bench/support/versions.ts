import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const versions = {
  workerd: (require("workerd/package.json") as { version: string }).version,
};
