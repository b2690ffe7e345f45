import { runCommand } from "./launch/main.ts";
import { startWorkerd } from "./launch/workerd.ts";

await runCommand({
  usage: "npm run serve -- [flags]",
  about: "Runs the same Worker on plain workerd: to host it yourself, and for measurements.",
  startRuntime: startWorkerd,
});
