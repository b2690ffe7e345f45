import { Locks } from "../src/client/locks.ts";
import { plainText } from "../src/core/plain-text.ts";
import { LogThrottle } from "../src/core/log-throttle.ts";
import { runAsCommand } from "./command.ts";
import { helpText, readFlags, type FlagSpecs } from "./launch/flags.ts";
import { usageFailure } from "./launch/failure.ts";
import { refuseKeptByNpm } from "./launch/npm-kept.ts";
import { tokenFrom } from "./token.ts";
import { startBridge } from "./lock-bridge/bridge.ts";

const SPECS: FlagSpecs = {
  port: { value: "PORT", help: "where to listen; 0 picks a free port (1006)" },
  host: { value: "HOST", help: "the address to listen on (127.0.0.1)" },
  server: { value: "URL", help: "the deployment (SEIRIKEN_SERVER; http://127.0.0.1:8787)" },
  "token-file": { value: "FILE", help: "holds its LOCK_TOKEN (or the variable LOCK_TOKEN)" },
  token: { value: "TOKEN", help: "the same, for everybody to read in the list of processes" },
  namespace: { value: "NAME", help: "where the keys are (bridge)" },
  help: { help: "this text" },
};

const COMMAND = "npm run lock-bridge";
const ABOUT = `Speaks LOCK key / ok over TCP for clients that exist, and takes the locks from a deployment.
Closing the connection unlocks. Anyone who can reach the port can lock: keep it on a private address.`;

/** How many lines a second are logged: their keys come from any client of the port. */
const LOG_LINES_PER_SECOND_MAX = 20;
const bridgeLog = (): ((line: string) => void) => {
  const throttle = new LogThrottle(LOG_LINES_PER_SECOND_MAX);
  return (line) => {
    const unsaid = throttle.mayTell(performance.now());
    if (unsaid === null) return;
    const more = unsaid === 0 ? "" : ` (${unsaid} lines were left out)`;
    process.stderr.write(`${plainText(line)}${more}\n`);
  };
};

await runAsCommand(async () => {
  const argv = process.argv.slice(2);
  refuseKeptByNpm(COMMAND, argv, SPECS, process.env);
  const flags = readFlags(argv, SPECS);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (flags.isOn("help")) return say(helpText(`${COMMAND} -- [flags]`, ABOUT, SPECS));
  const server = flags.text("server") ?? process.env["SEIRIKEN_SERVER"] ?? "http://127.0.0.1:8787";
  const token = tokenFrom(
    {
      flag: "token",
      given: flags.text("token"),
      file: flags.text("token-file"),
      variable: "LOCK_TOKEN",
      formerly: "SEIRIKEN_LOCK_TOKEN",
      env: process.env,
    },
    1,
  );
  const port = Number(flags.text("port") ?? "1006");
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw usageFailure("--server: give a URL such as https://shop.example.com");
  if (token === null)
    throw usageFailure("a token is needed", [
      "give the deployment's LOCK_TOKEN in the variable of that name, or with --token-file",
    ]);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw usageFailure("--port: a port is a whole number from 0 to 65535");
  const bridge = await startBridge({
    locks: new Locks({ server, token }),
    namespace: flags.text("namespace") ?? "bridge",
    host: flags.text("host") ?? "127.0.0.1",
    port,
    log: bridgeLog(),
  });
  say(`ready ${bridge.host}:${bridge.port}`);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
  await stopped;
  await bridge.stop();
});
