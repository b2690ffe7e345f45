/** The demo shop's server: tickets for a concert, with seats that run out. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { posterSvg } from "./art.ts";
import { Guests } from "./guests.ts";
import { homePage, notFoundPage, thanksPage, ticketsPage } from "./pages.ts";
import type { GateHeaders } from "./pages.ts";
import { BoxOffice } from "./seats.ts";

export interface Shop {
  readonly url: string;
  close(): Promise<void>;
}

const FORM_BYTES_MAX = 16_384;
const SOCKET_BYTES_MAX = 65_536;

/** The small site that stands behind the gate when no origin is given. */
export const startShop = async (port = 0): Promise<Shop> => {
  const boxOffice = new BoxOffice();
  const guests = new Guests();
  const server = createServer((request, response) => {
    void answer(request, response, boxOffice, guests).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: SOCKET_BYTES_MAX });
  server.on("upgrade", (request, socket, head) => {
    if (pathOf(request) !== "/live") return socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on("error", () => client.terminate());
      client.on("message", (message, isBinary) => client.send(message, { binary: isBinary }));
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  boxOffice: BoxOffice,
  guests: Guests,
): Promise<void> => {
  const nowMs = performance.now();
  const gate = gateHeaders(request);
  guests.heard(gate.visit, nowMs);
  const visits = guests.lastMinute(nowMs);
  const url = new URL(request.url ?? "/", "http://shop");
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
  switch (`${method} ${url.pathname}`) {
    case "GET /":
      return html(response, 200, homePage(gate, visits));
    case "GET /tickets": {
      const problem = PROBLEMS.get(url.searchParams.get("problem") ?? "") ?? null;
      return html(response, 200, ticketsPage(boxOffice.tiers(), gate, visits, problem));
    }
    case "POST /checkout":
      return checkout(response, boxOffice, await readForm(request));
    case "GET /checkout":
      return redirect(response, "/tickets");
    case "GET /checkout/thanks": {
      const order = boxOffice.find(url.searchParams.get("order") ?? "");
      if (order === null) return redirect(response, "/tickets");
      response.setHeader("seiriken-command", "release; after=30");
      return html(response, 200, thanksPage(order, gate, visits));
    }
    case "GET /api/seats":
      return send(
        response,
        200,
        "application/json",
        JSON.stringify({ tiers: boxOffice.tiers(), visits_last_minute: visits }),
      );
    case "GET /art/poster.svg":
      response.setHeader("cache-control", "public, max-age=3600");
      return send(response, 200, "image/svg+xml", posterSvg());
    default:
      return html(response, 404, notFoundPage());
  }
};

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["unknown-tier", "Please choose where you would like to sit."],
  ["bad-quantity", "Please choose how many tickets you would like."],
  ["sold-out", "There are not that many seats left there. Please choose others."],
]);

const checkout = (
  response: ServerResponse,
  boxOffice: BoxOffice,
  form: URLSearchParams | null,
): void => {
  if (form === null) return send(response, 413, "text/plain", "This form is too large.\n");
  const reply = boxOffice.order(form.get("tier") ?? "", Number(form.get("quantity")));
  return redirect(
    response,
    reply.ok ? `/checkout/thanks?order=${reply.order.id}` : `/tickets?problem=${reply.reason}`,
  );
};

const readForm = async (request: IncomingMessage): Promise<URLSearchParams | null> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > FORM_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
};

const gateHeaders = ({ headers }: IncomingMessage): GateHeaders => ({
  room: single(headers["seiriken-room"]),
  visit: single(headers["seiriken-visit"]),
  signed: headers["seiriken-signature"] !== undefined,
});

const single = (value: string | string[] | undefined): string | null =>
  typeof value === "string" ? value : null;

const pathOf = (request: IncomingMessage): string =>
  new URL(request.url ?? "/", "http://shop").pathname;

const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { location, "cache-control": "no-store" }).end();
};

const html = (response: ServerResponse, status: number, body: string): void =>
  send(response, status, "text/html; charset=utf-8", body);

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  if (!response.hasHeader("cache-control")) response.setHeader("cache-control", "no-store");
  const bytes = Buffer.from(body);
  response.writeHead(status, { "content-type": type, "content-length": bytes.length }).end(bytes);
};
