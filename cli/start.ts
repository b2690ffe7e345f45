import { runCommand } from "./launch/main.ts";

await runCommand({
  name: "npm start",
  about: "Runs Seiriken on this machine, in front of a site or a small demo shop.",
});
