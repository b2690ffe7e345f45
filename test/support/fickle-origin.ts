import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordingOrigin } from "./origin.ts";

const CHUNK = Buffer.alloc(65_536, "x");

/** What `?do=` makes the origin do; without it, a short answer after `?ms=`. */
const acts: Record<
  string,
  (
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ) => void | Promise<void>
> = {
  hang: () => undefined,
  /** Breaks the connection off in the middle of the answer. */
  reset(_, response) {
    response.writeHead(200, { "content-length": 1_000 }).write("half");
    setTimeout(() => response.socket?.resetAndDestroy(), 50);
  },
  /** Closes the connection politely before the answer is whole. */
  truncate(_, response) {
    response.writeHead(200, { "content-length": 1_000 }).write("half");
    setTimeout(() => response.socket?.destroy(), 50);
  },
  /** Begins to answer, and says nothing more. */
  silence(_, response) {
    response.writeHead(200).write("half");
  },
  /** A little every 50 ms, for `?ms=`, or for ever. */
  async drip(_, response, query) {
    response.writeHead(200, { "content-type": query.get("type") ?? "text/plain" });
    const until = Date.now() + Number(query.get("ms") ?? Infinity);
    while (Date.now() < until && !response.destroyed) {
      response.write("data: drip\n\n");
      await sleep(50);
    }
    response.end();
  },
  /** `?bytes=`, as fast as they are taken, with a pause of `?ms=` in the middle. */
  async big(_, response, query) {
    const bytes = Number(query.get("bytes"));
    response.writeHead(200, { "content-length": bytes });
    let paused = false;
    for (let left = bytes; left > 0 && !response.destroyed; left -= CHUNK.length) {
      if (!paused && left < bytes / 2) {
        paused = true;
        await sleep(Number(query.get("ms") ?? 0));
      }
      if (!response.write(CHUNK.subarray(0, left))) await drained(response);
    }
    response.end();
  },
  /** What came, as length and SHA256. */
  async digest(request, response) {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    response.end(`${bytes} ${hash.digest("hex")}`);
  },
};

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      response.off("drain", goOn);
      response.off("close", goOn);
      resolve();
    };
    response.on("drain", goOn);
    response.on("close", goOn);
  });

/** Makes the origin do what each request says. */
export const makeFickle = (origin: RecordingOrigin): void =>
  origin.handle(
    async ({ url }, response, request) => {
      const query = new URL(url, "http://origin").searchParams;
      const act = acts[query.get("do") ?? ""];
      if (act !== undefined) return act(request, response, query);
      request.resume();
      await sleep(Number(query.get("ms") ?? 0));
      response.end("done");
      return undefined;
    },
    { stream: true },
  );
