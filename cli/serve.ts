import { runCommand } from "./launch/main.ts";

await runCommand({
  name: "npm run serve",
  about: "Runs Seiriken in front of your site: to host it yourself.",
});
