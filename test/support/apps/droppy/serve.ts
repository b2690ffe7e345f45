/**
 * droppy behind a bare HTTP server, as its README says for Express:
 *
 *   node serve.ts <folder with node_modules> <config folder> <files folder>
 *
 * Prints `ready <url>`. The one line that is the operator's own tells Seiriken that whoever logs
 * out is done.
 */
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

interface Droppy {
  readonly onRequest: RequestListener;
  setupWebSocket(server: Server): void;
}

/** The page that follows a log-out still belongs to the visit. */
const RELEASE = "release; after=2";

const [installed = "", configdir = "", filesdir = ""] = process.argv.slice(2);
const load = createRequire(join(installed, "package.json"));
const droppy = load("droppy") as (options: object) => Droppy;
const app = droppy({ configdir, filesdir, logLevel: 0 });

// As droppy's own command does: on a Node newer than itself it ends an upload's answer twice.
process.on("uncaughtException", (error) => console.error(error));

const server = createServer((request, response) => {
  if (request.url === "/!/logout") response.setHeader("Seiriken-Command", RELEASE);
  app.onRequest(request, response);
});
app.setupWebSocket(server);
server.listen(0, "127.0.0.1", () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

process.stdin.on("end", () => process.exit()).resume();
