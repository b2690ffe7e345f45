import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Proxy {
  readonly url: string;
  /** What it has passed on, as method and path. */
  readonly passed: readonly string[];
  reset(): void;
  close(): void;
}

/** An HTTP proxy before the server at `to`, which hears what `hostFor` says as `Host`. */
export const startProxy = async (
  to: () => string,
  hostFor: (headers: IncomingHttpHeaders) => string,
): Promise<Proxy> => {
  const passed: string[] = [];
  const server = createServer((request, response) => {
    const { method = "GET", headers, url = "/" } = request;
    passed.push(`${method} ${url}`);
    const asked = httpRequest(
      new URL(url, to()),
      { method, headers: { ...headers, host: hostFor(headers) } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    asked.on("error", () => response.destroy());
    request.pipe(asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    reset: () => void passed.splice(0),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
