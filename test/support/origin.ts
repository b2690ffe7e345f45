import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

export interface RecordedRequest {
  readonly method: string;
  /** Path and query exactly as they came. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  /** Empty for handlers that read the request themselves. */
  body: Buffer;
  /** `performance.now()` and `Date.now()` when its headers had arrived. */
  readonly startedAtMs: number;
  readonly startedAt: number;
  /** Null while it runs. */
  endedAtMs: number | null;
  /** The other side went away before the answer had ended. */
  aborted: boolean;
}

export type OriginHandler = (
  recorded: RecordedRequest,
  response: ServerResponse,
  request: IncomingMessage,
) => void | Promise<void>;

export interface RecordingOrigin {
  readonly url: string;
  /** In order of arrival, WebSocket upgrades among them. */
  readonly requests: RecordedRequest[];
  /** Requests that run now, and the most that ever did. */
  readonly running: number;
  readonly runningMax: number;
  readonly socketsOpen: number;
  /**
   * Answers from now on; without an argument the default again (200 and a short HTML page). With
   * `stream` the handler reads the body from `request` itself.
   */
  handle(handler?: OriginHandler, options?: { readonly stream?: boolean }): void;
  /** Forgets the records and the high-water mark. */
  reset(): void;
  close(): Promise<void>;
}

/** A server that remembers all that reached it. WebSockets echo, on every path. */
export const recordingOrigin = async (): Promise<RecordingOrigin> => {
  const requests: RecordedRequest[] = [];
  let running = 0;
  let runningMax = 0;
  let handler = defaultHandler;
  let streams = false;

  const server = createServer((request, response) => {
    const recorded = record(request);
    requests.push(recorded);
    running += 1;
    runningMax = Math.max(runningMax, running);
    let saidAllAtMs: number | null = null;
    response.on("prefinish", () => (saidAllAtMs = performance.now()));
    response.on("close", () => {
      running -= 1;
      recorded.aborted = !response.writableFinished;
      // That all has gone out this process hears turns later, when the next request may have come.
      recorded.endedAtMs = (recorded.aborted ? null : saidAllAtMs) ?? performance.now();
    });
    void serve(recorded, request, response).catch(() => response.destroy());
  });
  const serve = async (
    recorded: RecordedRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const answer = handler;
    if (!streams) recorded.body = await readAll(request);
    await answer(recorded, response, request);
  };

  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    const recorded = record(request);
    requests.push(recorded);
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on("error", () => client.terminate());
      client.on("close", () => (recorded.endedAtMs = performance.now()));
      client.on("message", (message, isBinary) => client.send(message, { binary: isBinary }));
    });
  });

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get running() {
      return running;
    },
    get runningMax() {
      return runningMax;
    },
    get socketsOpen() {
      return sockets.clients.size;
    },
    handle(next = defaultHandler, { stream = false } = {}) {
      handler = next;
      streams = stream;
    },
    reset() {
      requests.length = 0;
      runningMax = running;
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const defaultHandler: OriginHandler = ({ method, url }, response) => {
  const page = `<!doctype html><title>origin</title><p id="origin">origin saw ${method} ${encodeURI(url)}</p>`;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
};

/** What reached the origin below a room's path, in order: method, path and query. */
export const reachedOrigin = ({ requests }: RecordingOrigin, room: string): string[] =>
  requests
    .filter(({ url }) => url.startsWith(`/${room}/`))
    .map(({ method, url }) => `${method} ${url}`);

const record = (request: IncomingMessage): RecordedRequest => ({
  method: request.method ?? "",
  url: request.url ?? "",
  headers: request.headers,
  rawHeaders: request.rawHeaders,
  body: Buffer.alloc(0),
  startedAtMs: performance.now(),
  startedAt: Date.now(),
  endedAtMs: null,
  aborted: false,
});

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};
