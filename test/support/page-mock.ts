/**
 * A small room on one Node server, for looking at the page and for testing its script without the
 * real objects. It speaks the visitor API as docs/PROTOCOL.md has it and can be told to misbehave.
 * `node test/support/page-mock.ts 8790` serves it: open http://127.0.0.1:8790/tickets
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { bellWorker } from "../../src/worker/page/assets.gen.ts";
import { BELL_PATH } from "../../src/worker/page/bell-path.ts";
import { renderQueuePage } from "../../src/worker/page/index.ts";
import type { QueuePageInput, PageTicket } from "../../src/worker/page/index.ts";
import type { PageEvent } from "../../src/page/state.ts";

const ROOM = "shop";
const API = `/.seiriken/rooms/${ROOM}`;
const COOKIE = "visitor";

interface Visitor {
  readonly id: string;
  number: number;
  state: "none" | "waiting" | "called" | "away" | "visiting" | "ended";
  ahead: number;
  /** Until when its call can be claimed. */
  claimBy: number;
  readonly sockets: Set<WebSocket>;
}

/** What tests may change while it runs. */
export interface MockControls {
  /** refuse: the upgrade fails · hold: it gets no answer · a number: accepted, then closed with this code. */
  sockets: "up" | "refuse" | "hold" | number;
  /** How API requests are answered. */
  api: "json" | "html" | "busy" | "line-full" | "drop" | "cookies" | "error-page";
  claim: "now" | "not-yet";
  ahead: number;
  waiting: number;
  /** Seconds; null means unknown. */
  eta: { low: number; high: number } | null;
  pollAfterSeconds: number;
  claimWithinSeconds: number;
  input: Partial<QueuePageInput>;
  /** What is going on in the room. Before it is drawn nobody is told a place. */
  event: PageEvent | null;
}

export interface PageMock {
  readonly url: string;
  readonly controls: MockControls;
  /** "POST /tickets", in order. */
  readonly requests: readonly string[];
  /** How often the page itself went out. */
  readonly pages: () => number;
  /** Texts that arrived on sockets, in order. */
  readonly heard: readonly string[];
  readonly openSockets: () => number;
  /** Those that were closed since included. */
  readonly socketsEver: () => number;
  /** How often a socket was asked for. */
  readonly upgrades: () => number;
  /** So many people go in: everyone moves up, those at 0 are called by `call`. */
  advance(people: number): void;
  call(): void;
  /** The calls that stand are missed, as they are when their time is over. */
  miss(): void;
  end(): void;
  send(message: object): void;
  dropSockets(code: number): void;
  close(): Promise<void>;
}

const freshCookie = (): string =>
  `${COOKIE}=${Math.random().toString(36).slice(2)}; Path=/; HttpOnly`;

const controlsByDefault = (): MockControls => ({
  sockets: "up",
  api: "json",
  claim: "now",
  ahead: 12,
  waiting: 30,
  eta: { low: 480, high: 700 },
  pollAfterSeconds: 2,
  claimWithinSeconds: 60,
  input: {},
  event: null,
});

const isUndrawn = (event: PageEvent | null): boolean =>
  event !== null && event.shuffle && event.phase !== "running";

const eventInput = (told: PageEvent | null): Partial<QueuePageInput> => {
  if (told === null) return {};
  const opensInMs = Math.max(0, Date.parse(told.starts_at) - Date.now());
  const mode = told.phase === "running" ? "queues" : "paused";
  return { mode, event: { told, phase: told.phase, opensInMs, opensAt: null } };
};

const baseInput = (
  controls: MockControls,
  to: string,
  request: IncomingMessage,
): QueuePageInput => ({
  room: { name: ROOM, id: "5".repeat(32) },
  appearance: { name: "Sendai Jazz Festival", accent: null, logo: null },
  languages: request.headers["accept-language"] ?? "",
  mode: "queues",
  message: null,
  closed: null,
  ticket: null,
  to,
  formLost: request.method === "POST",
  refreshSeconds: 20,
  cookiesMissing: false,
  reference: "7F3K-2QXM",
  nonce: Math.random().toString(36).slice(2),
  returnWindowSeconds: 3_600,
  claimWithinSeconds: controls.claimWithinSeconds,
  sessionSeconds: 300,
  apiBase: API,
  waiting: controls.waiting,
  visiting: 20,
  ...eventInput(controls.event),
  ...controls.input,
});

export const startPageMock = async (port = 0): Promise<PageMock> => {
  const controls = controlsByDefault();
  const visitors = new Map<string, Visitor>();
  const requests: string[] = [];
  const heard: string[] = [];
  const held: Duplex[] = [];
  let pages = 0;
  let socketsEver = 0;
  let upgrades = 0;
  let nextNumber = 1_248;

  const visitorOf = (request: IncomingMessage): Visitor | null => {
    const id = new RegExp(`${COOKIE}=(\\w+)`).exec(request.headers.cookie ?? "")?.[1];
    if (id === undefined) return null;
    const known = visitors.get(id);
    if (known !== undefined) return known;
    const visitor: Visitor = {
      id,
      number: 0,
      state: "none",
      ahead: 0,
      claimBy: 0,
      sockets: new Set(),
    };
    visitors.set(id, visitor);
    return visitor;
  };

  const claimBy = ({ claimBy: by }: Visitor): string => new Date(by).toISOString();

  const ticketOf = (visitor: Visitor): PageTicket => ({
    number: visitor.number,
    state: visitor.state === "ended" ? "none" : visitor.state,
    ...(isUndrawn(controls.event)
      ? { ahead: null, among: controls.waiting }
      : { ahead: visitor.ahead }),
    ...(controls.event === null ? {} : { event: controls.event }),
    eta:
      controls.eta === null
        ? { known: false }
        : { known: true, seconds: controls.eta.low, ...controls.eta },
    claim_by: visitor.state === "called" ? claimBy(visitor) : null,
    poll_after_seconds: controls.pollAfterSeconds,
  });

  const json = (response: ServerResponse, status: number, body: object, type = "json"): void => {
    response.writeHead(status, { "Content-Type": `application/${type}`, "Retry-After": "2" });
    response.end(JSON.stringify(body));
  };
  const problem = (response: ServerResponse, status: number, code: string): void =>
    json(response, status, { code, status, title: code }, "problem+json");
  const page = (response: ServerResponse, status: number, html: string, csp?: string): void => {
    response.writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      ...(csp === undefined ? {} : { "Content-Security-Policy": csp, "Set-Cookie": freshCookie() }),
    });
    response.end(html);
  };

  const take = (visitor: Visitor): number => {
    const isNew = visitor.state === "none" || visitor.state === "ended";
    if (isNew) {
      visitor.number = nextNumber++;
      visitor.state = "waiting";
      visitor.ahead = controls.ahead;
    }
    return isNew ? 201 : 200;
  };

  const claim = (visitor: Visitor, response: ServerResponse): void => {
    if (visitor.state === "ended") return problem(response, 410, "ended");
    if (visitor.state === "away") visitor.state = "waiting";
    if (visitor.state === "waiting" || controls.claim === "not-yet") {
      return json(response, 202, { ...ticketOf(visitor), retry_after_ms: 300 });
    }
    const isAgain = visitor.state === "visiting";
    visitor.state = "visiting";
    json(response, isAgain ? 200 : 201, {
      room: ROOM,
      visit: visitor.number,
      pass: "x",
      lease_until: claimBy(visitor),
    });
  };

  const answer = (key: string, visitor: Visitor | null, response: ServerResponse): void => {
    if (visitor === null) return problem(response, 400, "cookies-needed");
    const isGone = visitor.state === "ended" || visitor.state === "visiting";
    switch (key) {
      case "POST /tickets":
        return json(response, take(visitor), ticketOf(visitor));
      case "GET /tickets/mine":
        if (visitor.state === "none") return problem(response, 404, "no-ticket");
        if (isGone) return problem(response, 410, "ended");
        if (visitor.state === "away") visitor.state = "waiting";
        return json(response, 200, ticketOf(visitor));
      case "DELETE /tickets/mine":
        visitor.state = "none";
        response.writeHead(204).end();
        return;
      case "POST /visits":
        return claim(visitor, response);
      case "GET /visits/mine":
        return visitor.state === "visiting"
          ? json(response, 200, { lease_until: claimBy(visitor) })
          : problem(response, 410, "ended");
      default:
        return problem(response, 404, "not-found");
    }
  };

  const misbehave = (response: ServerResponse): boolean => {
    switch (controls.api) {
      case "json":
        return false;
      case "html":
        page(response, 200, "<title>Challenge</title>");
        return true;
      case "error-page":
        page(response, 502, "<title>Bad gateway</title>");
        return true;
      case "busy":
      case "line-full":
        problem(response, 503, controls.api);
        return true;
      case "cookies":
        problem(response, 400, "cookies-needed");
        return true;
      default:
        response.destroy();
        return true;
    }
  };

  const servePage = (request: IncomingMessage, response: ServerResponse, to: string): void => {
    const visitor = visitorOf(request);
    if (visitor?.state === "visiting" && !to.startsWith("/always")) {
      return page(response, 200, `<title>Inside</title><h1>Inside ${to}</h1>`);
    }
    const hasTicket = visitor !== null && visitor.state !== "none" && visitor.state !== "ended";
    const input = baseInput(controls, to, request);
    pages += 1;
    const { html, csp } = renderQueuePage({
      ...input,
      ticket: hasTicket ? ticketOf(visitor) : input.ticket,
    });
    if (visitor === null) return page(response, 503, html, csp);
    response.writeHead(503, { "Content-Type": "text/html", "Content-Security-Policy": csp });
    response.end(html);
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://mock");
    request.resume();
    if (url.pathname === BELL_PATH) {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(bellWorker);
      return;
    }
    if (!url.pathname.startsWith(API))
      return servePage(request, response, url.pathname + url.search);
    const path = url.pathname.slice(API.length);
    if (path === "/wait") return servePage(request, response, url.searchParams.get("to") ?? "/");
    const key = `${request.method ?? ""} ${path}`;
    requests.push(key);
    if (!misbehave(response)) answer(key, visitorOf(request), response);
  });

  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, stream, head) => {
    upgrades += 1;
    const visitor = visitorOf(request);
    if (controls.sockets === "hold") return held.push(stream);
    if (controls.sockets === "refuse" || visitor === null) return stream.destroy();
    sockets.handleUpgrade(request, stream, head, (socket) => {
      if (typeof controls.sockets === "number") return socket.close(controls.sockets);
      visitor.sockets.add(socket);
      socketsEver += 1;
      socket.on("close", () => visitor.sockets.delete(socket));
      socket.on("message", (bytes) => {
        const text = (bytes as Buffer).toString();
        heard.push(text);
        if (text === "ping") socket.send("pong");
      });
      socket.send(
        JSON.stringify({ type: "position", ...ticketOf(visitor), waiting: controls.waiting }),
      );
    });
  });

  const tell = (visitor: Visitor, message: object): void => {
    for (const socket of visitor.sockets) socket.send(JSON.stringify(message));
  };
  const position = (visitor: Visitor): void =>
    tell(visitor, { type: "position", ...ticketOf(visitor), waiting: controls.waiting });

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    controls,
    requests,
    heard,
    pages: () => pages,
    socketsEver: () => socketsEver,
    upgrades: () => upgrades,
    openSockets: () =>
      [...visitors.values()].reduce((sum, { sockets: open }) => sum + open.size, 0),
    advance(people) {
      controls.waiting = Math.max(1, controls.waiting - people);
      for (const visitor of visitors.values()) {
        if (visitor.state !== "waiting") continue;
        visitor.ahead = Math.max(0, visitor.ahead - people);
        position(visitor);
      }
    },
    call() {
      for (const visitor of visitors.values()) {
        if (visitor.state !== "waiting") continue;
        visitor.state = "called";
        visitor.ahead = 0;
        visitor.claimBy = Date.now() + controls.claimWithinSeconds * 1_000;
        tell(visitor, { type: "called", claim_by: claimBy(visitor) });
      }
    },
    miss() {
      for (const visitor of visitors.values()) {
        if (visitor.state !== "called") continue;
        visitor.state = "away";
        position(visitor);
      }
    },
    end() {
      for (const visitor of visitors.values())
        if (visitor.state !== "none") visitor.state = "ended";
    },
    send(message) {
      for (const visitor of visitors.values()) tell(visitor, message);
    },
    dropSockets(code) {
      for (const visitor of visitors.values()) for (const s of visitor.sockets) s.close(code);
    },
    async close() {
      for (const visitor of visitors.values()) for (const s of visitor.sockets) s.terminate();
      for (const stream of held) stream.destroy();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const mock = await startPageMock(Number(process.argv[2] ?? 8790));
  console.log(`${mock.url}/tickets`);
  setInterval(() => mock.advance(Math.ceil(Math.random() * 3)), 2_000);
  setInterval(() => mock.call(), 30_000);
}
