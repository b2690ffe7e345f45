import { runCommand } from "./launch/main.ts";

await runCommand({
  usage: "npm run serve -- [flags]",
  about: "Runs Seiriken in front of your site: to host it yourself.",
});
