import { runCommand } from "./launch/main.ts";
import { startMiniflare } from "./launch/miniflare.ts";

await runCommand({
  usage: "npm start -- [flags]",
  about: "Runs Seiriken on this machine (Miniflare), in front of a site or a small demo shop.",
  startRuntime: startMiniflare,
});
