/**
 * What one visitor of the crowd sends: requests with a browser's headers and cookies. What it does
 * with the answers is journey.ts.
 */
import { Agent, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { WebSocket } from "ws";
import { CrowdError, errorKind } from "./crowd-error.ts";

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The connections that the whole crowd shares. */
export interface Network {
  readonly server: string;
  readonly agent: Agent;
}

const CONNECTIONS_MAX = 128;
const ANSWER_WITHIN_MS = 30_000;

export const openNetwork = (server: string): Network => ({
  server,
  agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX }),
});

/** As much of a browser as the waiting room can see: headers of a person's browser, and cookies. */
export class Browser {
  readonly #network: Network;
  readonly #cookies = new Map<string, string>();

  constructor(network: Network) {
    this.#network = network;
  }

  navigate(path: string): Promise<BrowserAnswer> {
    return this.#ask("GET", path, {
      accept: "text/html,application/xhtml+xml",
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate",
      "sec-fetch-site": "none",
    });
  }

  /** What our page's script would send. */
  call(method: string, path: string, headers: Record<string, string> = {}): Promise<BrowserAnswer> {
    return this.#ask(method, path, {
      ...headers,
      accept: "application/json",
      origin: this.#network.server,
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
    });
  }

  socket(path: string): WebSocket {
    return new WebSocket(this.#network.server.replace(/^http/, "ws") + path, {
      headers: { cookie: this.#cookieHeader(), origin: this.#network.server },
      perMessageDeflate: false,
      handshakeTimeout: ANSWER_WITHIN_MS,
    });
  }

  /** Tries once more when a kept connection turns out to be closed; every call of ours is idempotent. */
  async #ask(
    method: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<BrowserAnswer> {
    const cookie = this.#cookieHeader();
    const all = { "accept-language": "en", ...(cookie === "" ? {} : { cookie }), ...headers };
    const where = `${method} ${path.split("?")[0]}`;
    for (let attempt = 1; ; attempt += 1)
      try {
        const answer = await exchange(this.#network, method, path, all);
        answer.headers["set-cookie"]?.forEach((line) => this.#keep(line));
        return answer;
      } catch (thrown) {
        if (attempt === 2 || !(thrown instanceof StaleConnection))
          throw new CrowdError(`${where}: ${errorKind(thrown)}`);
      }
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    const isOver = attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
    if (isOver) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(at + 1).trim());
  }
}

class StaleConnection extends Error {}

const exchange = (
  { server, agent }: Network,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<BrowserAnswer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(server + path, { method, agent, headers });
    request.setTimeout(ANSWER_WITHIN_MS, () => request.destroy(new Error("no answer in 30 s")));
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === "ECONNRESET";
      reject(isStale ? new StaleConnection(error.message) : error);
    });
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    request.end();
  });
