import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordingOrigin } from "./origin.ts";

/** One request as its bytes came. */
export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  /** With the request line, without the blank line. */
  readonly head: string;
  /** As it came, chunks and all. */
  readonly body: string;
  /** Requests before it on the same connection. */
  readonly before: number;
}

export type Script = (socket: Socket, request: ScriptedRequest) => void | Promise<void>;

export interface ScriptedOrigin extends RecordingOrigin {
  readonly heard: ScriptedRequest[];
  /** Forgets what it heard; resolves when nobody has a connection of before. */
  startAnew(): Promise<void>;
}

/** A server that answers byte for byte what a script says, by the request's first segment. */
export const scriptedOrigin = async (
  scripts: Readonly<Record<string, Script>>,
): Promise<ScriptedOrigin> => {
  const heard: ScriptedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    let text = "";
    let before = 0;
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      for (let taken = requestIn(text); taken !== null; taken = requestIn(text)) {
        text = text.slice(taken.length);
        const request = { ...taken.request, before: before++ };
        heard.push(request);
        // The last segment says what to do: rooms are told apart by the first.
        const act = /([\w-]+)(?:\?.*)?$/.exec(request.path)?.[1] ?? "";
        void (scripts[act] ?? plain)(socket, request);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    requests: [],
    running: 0,
    runningMax: 0,
    socketsOpen: 0,
    handle: () => undefined,
    reset: () => void heard.splice(0),
    async startAnew() {
      heard.splice(0);
      const open = [...sockets].filter((socket) => !socket.destroyed);
      const closed = open.map((socket) => once(socket, "close"));
      open.forEach((socket) => socket.end());
      await Promise.all(closed);
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
};

/** A short answer of known length. */
export const answer = (text: string, headers: readonly string[] = []): string =>
  ["HTTP/1.1 200 OK", `Content-Length: ${Buffer.byteLength(text)}`, ...headers, "", text].join(
    "\r\n",
  );

export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

export const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/** A little after what was written before, so that both do not arrive as one. */
export const soon = (act: () => void): Promise<void> => sleep(60).then(act);

const plain: Script = (socket, { method, path }) => void socket.write(answer(`${method} ${path}`));

const requestIn = (
  text: string,
): { request: Omit<ScriptedRequest, "before">; length: number } | null => {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const head = text.slice(0, headEnd);
  const rest = text.slice(headEnd + 4);
  const length = bodyLength(head, rest);
  if (length === null || rest.length < length) return null;
  const [method = "", path = ""] = head.split(" ");
  return {
    request: { method, path, head, body: rest.slice(0, length) },
    length: headEnd + 4 + length,
  };
};

/** Null while it is not all here. */
const bodyLength = (head: string, rest: string): number | null => {
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const end = /(?:^|\r\n)0\r\n\r\n/.exec(rest);
    return end === null ? null : end.index + end[0].length;
  }
  return Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
};
