import type { Socket } from "node:net";
import { openRaw } from "./http.ts";

/** A connection that asked for the room's socket, by hand: it sends and answers only what it is told to. */
export interface RawSocket {
  readonly socket: Socket;
  /** All that came, as Latin-1: server frames are not masked, so their words can be read. */
  readonly heard: () => string;
}

/** What the server says of itself decides nothing: any key will do. */
const UPGRADE = {
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version": "13",
};

export const openRawSocket = async (
  server: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawSocket> => {
  const socket = await openRaw(server);
  let heard = "";
  socket.on("error", () => undefined);
  socket.on("data", (data: Buffer) => (heard += data.toString("latin1")));
  const lines = Object.entries({ Host: new URL(server).host, ...UPGRADE, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`);
  return { socket, heard: () => heard };
};
