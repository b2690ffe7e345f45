/** Opens the client's WebSocket in Node or in a Worker. What goes over it is in socket-lock.ts. */
import { errorFrom, LocksError } from "./errors.ts";

/** A WebSocket as the client uses it. */
export interface Wire {
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface WireEvents {
  message(text: string): void;
  /** Called once, whichever side closed the socket. */
  close(code: number, reason: string): void;
}

/** Opens a WebSocket; rejects with a `LocksError` when there is none. */
export type Connect = (
  url: string,
  headers: Readonly<Record<string, string>>,
  events: WireEvents,
) => Promise<Wire>;

/** In a Worker: the socket of an answer to `fetch`. */
export const connectInWorker: Connect = async (url, headers, events) => {
  const response = await fetch(url.replace(/^ws/, "http"), {
    headers: { ...headers, Upgrade: "websocket" },
  });
  const { webSocket: socket } = response as Response & { webSocket?: WebSocket | null };
  if (socket === null || socket === undefined)
    throw errorFrom(
      response.status,
      response.headers.get("Retry-After"),
      await response.text().catch(() => ""),
    );
  socket.addEventListener("message", ({ data }) => events.message(String(data)));
  socket.addEventListener("close", ({ code, reason }) => events.close(code, reason));
  socket.addEventListener("error", () => events.close(1006, ""));
  (socket as WebSocket & { accept(): void }).accept();
  return socket;
};

/** The part of the package `ws` that we use: Node's own WebSocket takes no headers. */
interface NodeSocket {
  on(event: "open", run: () => void): void;
  on(event: "message", run: (data: unknown) => void): void;
  on(event: "close", run: (code: number, reason: unknown) => void): void;
  on(event: "error", run: (error: Error) => void): void;
  on(event: "unexpected-response", run: (request: unknown, response: NodeResponse) => void): void;
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
}
interface NodeResponse {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  on(event: "data", run: (chunk: unknown) => void): void;
  on(event: "end", run: () => void): void;
}
type NodeSocketClass = new (
  url: string,
  options: { headers: Readonly<Record<string, string>>; handshakeTimeout: number },
) => NodeSocket;

const HANDSHAKE_MS = 5_000;
/** Named apart, so that a Worker's bundle does not take it along. */
const PACKAGE: string = "ws";

export const connectInNode: Connect = async (url, headers, events) => {
  const { WebSocket: Socket } = (await import(PACKAGE)) as { WebSocket: NodeSocketClass };
  const socket = new Socket(url, { headers, handshakeTimeout: HANDSHAKE_MS });
  return new Promise((resolve, reject) => {
    socket.on("open", () => {
      socket.on("message", (data) => events.message(String(data)));
      socket.on("close", (code, reason) => events.close(code, String(reason)));
      // What a peer does not answer, `ws` itself ends after half a minute.
      resolve(socket);
    });
    socket.on("unexpected-response", (_, response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => {
        const retryAfter = response.headers["retry-after"];
        const error = errorFrom(response.statusCode ?? 0, String(retryAfter ?? "") || null, text);
        reject(error);
        socket.terminate();
      });
    });
    socket.on("error", (error) =>
      reject(new LocksError("unreachable", `no connection: ${error.message}`, { cause: error })),
    );
  });
};

export const connectHere: Connect = (url, headers, events) =>
  "WebSocketPair" in globalThis
    ? connectInWorker(url, headers, events)
    : connectInNode(url, headers, events);
