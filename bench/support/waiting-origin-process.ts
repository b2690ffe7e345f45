/**
 * A site of which each request takes its time. It counts what is on it, and remembers in which order
 * requests started: by the moment at which their client sent them, which stands in a header.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { overtakings } from "./overtaking.ts";
import { SENT_HEADER } from "./waiting-load.ts";
import type { Start } from "./overtaking.ts";

const TAKES_MS = 20;

let starts: Start[] = [];
let on = 0;
let onMax = 0;

const server = createServer((request, response) => {
  on += 1;
  onMax = Math.max(onMax, on);
  starts.push({ sentAt: Number(request.headers[SENT_HEADER]), startedAt: Date.now() });
  setTimeout(() => {
    on -= 1;
    response.end("done\n");
  }, TAKES_MS);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

/** Asked what happened, it tells, and begins anew. */
process.on("message", () => {
  process.send?.({ onMax, started: starts.length, overtakings: overtakings(starts) });
  starts = [];
  onMax = on;
});
process.on("disconnect", () => process.exit(0));
