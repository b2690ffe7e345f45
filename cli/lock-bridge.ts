import { Locks } from "../src/client/locks.ts";
import { runAsCommand } from "./command.ts";
import { helpText, readFlags, type FlagSpecs } from "./launch/flags.ts";
import { usageFailure } from "./launch/failure.ts";
import { startBridge } from "./lock-bridge/bridge.ts";

const SPECS: FlagSpecs = {
  port: { value: "PORT", help: "where to listen; 0 picks a free port (1006)" },
  host: { value: "HOST", help: "the address to listen on (127.0.0.1)" },
  server: { value: "URL", help: "the deployment (SEIRIKEN_SERVER; http://127.0.0.1:8787)" },
  token: { value: "TOKEN", help: "its LOCK_TOKEN (SEIRIKEN_LOCK_TOKEN)" },
  namespace: { value: "NAME", help: "where the keys are (bridge)" },
  help: { help: "this text" },
};

const ABOUT = `Speaks LOCK key / ok over TCP for clients that exist, and takes the locks from a deployment.
Closing the connection unlocks. Anyone who can reach the port can lock: keep it on a private address.`;

await runAsCommand(async () => {
  const flags = readFlags(process.argv.slice(2), SPECS);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (flags.isOn("help")) return say(helpText("npm run lock-bridge -- [flags]", ABOUT, SPECS));
  const server = flags.text("server") ?? process.env["SEIRIKEN_SERVER"] ?? "http://127.0.0.1:8787";
  const token = flags.text("token") ?? process.env["SEIRIKEN_LOCK_TOKEN"] ?? "";
  const port = Number(flags.text("port") ?? "1006");
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw usageFailure(`--server ${server}: give a URL such as https://shop.example.com`);
  if (token === "")
    throw usageFailure("a token is needed", ["give the deployment's LOCK_TOKEN with --token"]);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw usageFailure("--port: a port is a whole number from 0 to 65535");
  const bridge = await startBridge({
    locks: new Locks({ server, token }),
    namespace: flags.text("namespace") ?? "bridge",
    host: flags.text("host") ?? "127.0.0.1",
    port,
    log: (line) => void process.stderr.write(`${line}\n`),
  });
  say(`ready ${bridge.host}:${bridge.port}`);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
  await stopped;
  await bridge.stop();
});
