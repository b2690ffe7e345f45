/**
 * The page's socket: opens, reconnects, and says what comes. The messages are described in
 * docs/PROTOCOL.md.
 */
import { boot } from "./page.ts";
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

/** As `readyState` says it; one that is being opened is before that. */
const OPEN = 1;
const PING_MS = 30 * SECOND;
/** Two pings without an answer. */
const SILENT_MS = 65 * SECOND;
const HEARD_LATELY_MS = 35 * SECOND;
/** One that is being opened for longer than this lost its way while the machine slept. */
const CONNECTS_WITHIN_MS = 10 * SECOND;
/** Refusals that another try would only repeat: long pauses, while polling does the work. */
const REFUSED = [4400, 4401, 4403, 4410, 4429];
const REFUSED_PAUSE_MS = 120 * SECOND;

export const createSocket = (events: SocketEvents): Socket => {
  const url = location.origin.replace(/^http/, "ws") + boot.api + "/socket";
  const retry = createTimer();
  const ping = createTimer();
  let socket: WebSocket | null = null;
  let wanted = false;
  let heardAt = 0;
  let attempt = 0;

  const letGo = (): void => {
    retry();
    ping();
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    socket = null;
  };

  const drop = (code: number): void => {
    letGo();
    const pause =
      REFUSED.indexOf(code) < 0 ? returnsIn(attempt++, events.returnAfterMs()) : REFUSED_PAUSE_MS;
    retry(pause, connect);
    events.down(code);
  };

  const keepAlive = (): void =>
    ping(jittered(PING_MS), () => {
      if (Date.now() - heardAt > SILENT_MS) return drop(1006);
      if (socket && socket.readyState === OPEN) socket.send("ping");
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
    if (message.type === "ready?") return socket!.send('{"type":"ready"}');
    attempt = 0;
    events.message(message);
  };

  const connect = (): void => {
    letGo();
    heardAt = Date.now();
    try {
      const opened = (socket = new WebSocket(url));
      // workerd frees a connection that it closes itself at once only if the page has spoken before.
      opened.onopen = () => opened.send("ping");
      opened.onmessage = ({ data }) => hear(data);
      opened.onclose = ({ code }) => drop(code);
      keepAlive();
    } catch (_blocked) {
      drop(1006);
    }
  };

  /** A second socket beside a living one would be closed again, or take its place for nothing. */
  const isAlive = (): boolean => {
    const readyState = socket ? socket.readyState : OPEN + 1;
    const silentMs = Date.now() - heardAt;
    return readyState <= OPEN && silentMs < (readyState ? HEARD_LATELY_MS : CONNECTS_WITHIN_MS);
  };

  return {
    open() {
      if (wanted) return;
      wanted = true;
      connect();
    },
    close() {
      wanted = false;
      letGo();
    },
    wake() {
      if (!wanted || isAlive()) return;
      attempt = 0;
      connect();
    },
  };
};
