/**
 * What requests do to code that V8 has optimized: objects that nobody has any more when old objects are
 * collected. `node --expose-gc --trace-deopt … short-lived.ts kept|forgotten|headers`
 */
import { setTimeout as pause } from "node:timers/promises";
import { LastMade } from "../../src/core/last-made.ts";
import { SentHeaders } from "../../src/worker/arrival/sent-headers.ts";

const TIMES = 30_000;
const COLLECTIONS = 4;
/** In which another thread optimizes what has become hot. */
const OPTIMIZED_WITHIN_MS = 60;

class Looked {
  readonly at: number;
  text: string | null = null;

  constructor(at: number) {
    this.at = at;
  }
}

const lastLooked = new LastMade<Looked>();
const isKept = process.argv[2] === "kept";
let seen = 0;

const lookAgain = (at: number): void => {
  const looked = new Looked(at);
  looked.text = `${at}`;
  if (isKept) lastLooked.keep(looked);
  // Made in memory, and not only as two values of this function's.
  seen += JSON.stringify(looked).length;
};

/** Node's own are garbage after each request as well, and would be counted. */
const headers = {
  forEach(look: (value: string, name: string) => void): void {
    look("1024", "content-length");
    look("text/html", "content-type");
  },
} as Headers;

const readHeaders = (): void => {
  seen += new SentHeaders(headers).values.length;
};

const work = process.argv[2] === "headers" ? readHeaders : lookAgain;
for (let round = 0; round < COLLECTIONS; round += 1) {
  for (let at = 0; at < TIMES; at += 1) work(at);
  await pause(OPTIMIZED_WITHIN_MS);
  globalThis.gc?.();
}
if (seen === 0) throw new Error("nothing was seen");
