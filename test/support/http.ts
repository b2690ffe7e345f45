import { Agent, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value … exactly as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly text: string;
  /** Every `Set-Cookie` of the answer. */
  readonly setCookies: readonly string[];
  json<T = any>(): T;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Milliseconds until the request fails; 30,000 by default. */
  readonly within?: number;
}

/** Keeps connections, without a limit: a test that needs its own gives its own headers or `raw`. */
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 64 });

/**
 * One request on `node:http`: the headers are exactly the given ones, and redirects, cookies and
 * compression are left alone. A kept connection that the server had closed is retried once.
 */
export const ask = async (url: string, options: AskOptions = {}): Promise<Answer> => {
  try {
    return await askOnce(url, options);
  } catch (thrown) {
    if (thrown instanceof StaleConnection) return askOnce(url, options);
    throw thrown;
  }
};

class StaleConnection extends Error {}

const askOnce = (
  url: string,
  { method = "GET", headers = {}, body, within = 30_000 }: AskOptions,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const target = new URL(url);
    // the path as it was written: URL would tidy up dot segments and double slashes
    const path = url.slice(target.protocol.length + 2).replace(/^[^/?#]*/, "") || "/";
    const request = httpRequest({
      host: target.hostname.replace(/^\[|\]$/g, ""),
      port: target.port,
      path: path.replace(/#.*$/, ""),
      method,
      agent,
      headers: body === undefined ? headers : { "content-length": byteLength(body), ...headers },
    });
    const timer = setTimeout(() => {
      request.destroy(new Error(`${method} ${url}: no answer within ${within} ms`));
    }, within);
    request.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const isStale = request.reusedSocket && error.code === "ECONNRESET";
      reject(isStale ? new StaleConnection(error.message) : error);
    });
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
      response.on("end", () => {
        clearTimeout(timer);
        const all = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: all,
          text: all.toString("utf8"),
          setCookies: response.headers["set-cookie"] ?? [],
          json: () => JSON.parse(all.toString("utf8")),
        });
      });
    });
    request.end(body);
  });

const byteLength = (body: string | Buffer): number => Buffer.byteLength(body);

/** A bare TCP connection to a server, for half-closes, resets and bytes no client would send. */
export const openRaw = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });

/**
 * Sends these bytes and gives back all that comes until the server closes, or `within` ms are over
 * (2,000 by default): say `Connection: close` to be quick.
 */
export const raw = async (
  url: string,
  bytes: string | Buffer,
  { within = 2_000 }: { readonly within?: number } = {},
): Promise<string> => {
  const socket = await openRaw(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    };
    const timer = setTimeout(finish, within);
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("end", finish);
    socket.on("error", finish);
    socket.write(bytes);
  });
};
