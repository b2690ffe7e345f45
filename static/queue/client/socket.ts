/**
 * The page's socket: opens, reconnects, and says what comes. The messages are described in
 * docs/PROTOCOL.md.
 */
import { createTimer, jittered, returnsIn, SECOND } from "./timing.ts";
import type { PageEvent, PageTicket } from "../../../src/page/state.ts";

export type SocketMessage =
  | ({
      readonly type: "position";
      readonly waiting?: number;
      readonly return_after_ms?: number;
      /** Of the room, when the socket opens. */
      readonly closed?: boolean;
      readonly paused?: boolean;
      readonly message?: string | null;
    } & Partial<PageTicket>)
  | { readonly type: "ready?" }
  /** The room opened again, or lets everybody through. */
  | { readonly type: "reload" }
  | { readonly type: "paused"; readonly paused: boolean }
  | { readonly type: "event"; readonly event: PageEvent | null; readonly now: string }
  | { readonly type: "called"; readonly claim_by?: string | null }
  | { readonly type: "message" | "closed"; readonly text: string | null };

export interface SocketEvents {
  /** Every message but `ready?`, which is answered here. */
  message(message: SocketMessage): void;
  /** The socket is gone; another try follows unless `close` was called. */
  down(code: number): void;
  /** How long after a loss the page is to be back, as its lobby told. */
  returnAfterMs(): number;
}

export interface Socket {
  open(): void;
  close(): void;
  /** After sleep: opens at once unless the socket was heard a moment ago, or is being opened. */
  wake(): void;
}

const PING_MS = 30 * SECOND;
/** Two pings without an answer. */
const SILENT_MS = 65 * SECOND;
const HEARD_LATELY_MS = 35 * SECOND;
/** One that is being opened for longer than this lost its way while the machine slept. */
const CONNECTS_WITHIN_MS = 10 * SECOND;
/** Refusals that another try would only repeat: long pauses, while polling does the work. */
const REFUSED = [4400, 4401, 4403, 4410, 4429];
const REFUSED_PAUSE_MS = 120 * SECOND;

export const createSocket = (base: string, events: SocketEvents): Socket => {
  const url = location.origin.replace(/^http/, "ws") + base + "/socket";
  const retry = createTimer();
  const ping = createTimer();
  let socket: WebSocket | null = null;
  let wanted = false;
  let heardAt = 0;
  let attempt = 0;

  const drop = (code: number): void => {
    const gone = socket;
    socket = null;
    ping.disarm();
    if (gone !== null) {
      gone.onopen = gone.onmessage = gone.onclose = null;
      gone.close();
    }
    if (!wanted) return;
    const pause =
      REFUSED.indexOf(code) < 0 ? returnsIn(attempt++, events.returnAfterMs()) : REFUSED_PAUSE_MS;
    retry.set(pause, connect);
    events.down(code);
  };

  const keepAlive = (): void =>
    ping.set(jittered(PING_MS), () => {
      if (Date.now() - heardAt > SILENT_MS) return drop(1006);
      if (socket !== null && socket.readyState === WebSocket.OPEN) socket.send("ping");
      keepAlive();
    });

  const hear = (text: unknown): void => {
    heardAt = Date.now();
    if (typeof text !== "string" || text === "pong") return;
    let message: SocketMessage;
    try {
      message = JSON.parse(text) as SocketMessage;
    } catch (_notOurs) {
      return;
    }
    if (message.type === "ready?") {
      if (socket !== null) socket.send('{"type":"ready"}');
      return;
    }
    attempt = 0;
    events.message(message);
  };

  const connect = (): void => {
    retry.disarm();
    heardAt = Date.now();
    try {
      socket = new WebSocket(url);
    } catch (_blocked) {
      return drop(1006);
    }
    // workerd frees a connection that it closes itself at once only if the page has spoken before.
    socket.onopen = () => socket !== null && socket.send("ping");
    socket.onmessage = (event) => hear(event.data);
    socket.onclose = (event) => drop(event.code);
    keepAlive();
  };

  /** A second socket beside a living one would be closed again, or take its place for nothing. */
  const isAlive = (): boolean => {
    if (socket === null) return false;
    const silentMs = Date.now() - heardAt;
    if (socket.readyState === WebSocket.CONNECTING) return silentMs < CONNECTS_WITHIN_MS;
    return socket.readyState === WebSocket.OPEN && silentMs < HEARD_LATELY_MS;
  };

  return {
    open() {
      if (wanted) return;
      wanted = true;
      connect();
    },
    close() {
      wanted = false;
      retry.disarm();
      drop(1000);
    },
    wake() {
      if (!wanted || isAlive()) return;
      attempt = 0;
      wanted = false;
      drop(1000);
      wanted = true;
      connect();
    },
  };
};
