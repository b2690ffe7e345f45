import { runCommand } from "./launch/main.ts";

await runCommand({
  usage: "npm start -- [flags]",
  about: "Runs Seiriken on this machine, in front of a site or a small demo shop.",
});
