/**
 * A site of which each request takes its time. It counts what is on it, and remembers in which order
 * requests started, by the number that whoever stands before it has given them.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { overtaken } from "./overtaking.ts";
import type { Start } from "./overtaking.ts";

const TAKES_MS = 20;
/** Ours, and the one that HAProxy is told to write its request counter into. */
const NUMBER_HEADERS = ["seiriken-visit", "x-number"];

let starts: Start[] = [];
let on = 0;
let onMax = 0;

const server = createServer((request, response) => {
  on += 1;
  onMax = Math.max(onMax, on);
  const number = NUMBER_HEADERS.map((name) => request.headers[name]).find(Boolean);
  starts.push({ number: Number(number), startedAt: Date.now() });
  setTimeout(() => {
    on -= 1;
    response.end("done\n");
  }, TAKES_MS);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

/** Asked what happened, it tells, and begins anew. */
process.on("message", () => {
  process.send?.({ onMax, started: starts.length, overtaken: overtaken(starts) });
  starts = [];
  onMax = on;
});
process.on("disconnect", () => process.exit(0));
