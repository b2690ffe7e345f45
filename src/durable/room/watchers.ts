/**
 * The sockets of operators who watch the room: which there are, what they are sent, and until when.
 * What a message holds is in core/room/live.ts.
 */
import { liveClosing, type LiveCloseReason } from "../../core/live/closing.ts";
import { SECOND_MS } from "../../core/time.ts";
import { WATCHER_HEADER, type WatcherClaims } from "../contract.ts";
import { logFailure } from "../log.ts";

export const WATCHERS_MAX = 20;
const PUSH_MS = SECOND_MS;
/** How long a token is believed before the Registry is asked again. */
const BELIEVED_MS = 30 * SECOND_MS;
/** While the Registry can't be reached tokens are believed this much longer. */
const UNHEARD_MS = 60 * SECOND_MS;
/** Pages ping far more often; a connection that died says nothing. */
const SILENT_MS = 150 * SECOND_MS;

export interface RoomWatchersSource {
  /** What is sent now; null: the room is gone. */
  message(): string | null;
  /** Of these tokens, those that are good still. */
  living(tokens: readonly string[]): Promise<readonly string[]>;
}

const claimsOf = (socket: WebSocket): WatcherClaims | null =>
  socket.deserializeAttachment() as WatcherClaims | null;

const close = (socket: WebSocket, reason: LiveCloseReason): void => {
  try {
    socket.close(liveClosing(reason).code, reason);
  } catch {
    // It is closing already, which is all that was wanted.
  }
};

/** They hibernate with the room: whoever watches a room in which nothing happens costs nothing. */
export class RoomWatchers {
  readonly #ctx: DurableObjectState;
  readonly #source: RoomWatchersSource;
  readonly #sockets: Set<WebSocket>;
  #pushedAt = 0;
  #isDue = false;
  #checkedAt = 0;

  constructor(ctx: DurableObjectState, source: RoomWatchersSource) {
    this.#ctx = ctx;
    this.#source = source;
    this.#sockets = new Set(ctx.getWebSockets().filter(({ readyState }) => readyState === 1));
    if (this.#sockets.size > 0) this.#answerPings();
  }

  /** A refusal is the answer's body, for the Worker to pass on. */
  open(request: Request): Response {
    const claims = JSON.parse(
      request.headers.get(WATCHER_HEADER) ?? "null",
    ) as WatcherClaims | null;
    if (claims === null) return refused("token-invalid");
    const first = this.#source.message();
    if (first === null) return refused("room-gone");
    this.#hangUp();
    // Sockets count until their clients have closed them too.
    if (this.#ctx.getWebSockets().length >= WATCHERS_MAX) return refused("too-many");
    const { 0: client, 1: server } = new WebSocketPair();
    this.#answerPings();
    this.#ctx.acceptWebSocket(server);
    server.serializeAttachment({ ...claims, openedAt: Date.now() } satisfies WatcherClaims);
    if (this.#sockets.size === 0) this.#checkedAt = Date.now();
    this.#sockets.add(server);
    server.send(first);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Pings are answered without this; there is nothing else to say. */
  heard(socket: WebSocket): void {
    this.#part(socket, "bad-message");
  }

  closed(socket: WebSocket, code: number, reason: string): void {
    this.#sockets.delete(socket);
    try {
      socket.close(code === 1005 || code === 1006 ? 1000 : code, reason);
    } catch {
      // Closed from both sides: nothing is left to answer.
    }
  }

  /**
   * Something has changed. What is sent of it goes out after the step has answered, and at most once a
   * second.
   */
  changed(): void {
    if (this.#sockets.size === 0 || this.#isDue) return;
    this.#isDue = true;
    const inMs = Math.max(0, this.#pushedAt + PUSH_MS - Date.now());
    this.#ctx.waitUntil(
      scheduler
        .wait(inMs)
        .then(() => this.#push())
        .catch((error: unknown) => logFailure("room-watchers", error))
        .finally(() => {
          this.#isDue = false;
        }),
    );
  }

  closeAll(reason: LiveCloseReason): void {
    for (const socket of [...this.#sockets]) this.#part(socket, reason);
  }

  async #push(): Promise<void> {
    this.#hangUp();
    await this.#check(Date.now());
    if (this.#sockets.size === 0) return;
    this.#pushedAt = Date.now();
    const message = this.#source.message();
    if (message === null) return this.closeAll("room-gone");
    for (const socket of this.#sockets) {
      try {
        socket.send(message);
      } catch {
        this.#sockets.delete(socket);
      }
    }
    return undefined;
  }

  /** Nothing is sent on a token that was last heard to be good longer ago than this allows. */
  async #check(now: number): Promise<void> {
    for (const socket of [...this.#sockets]) {
      const until = claimsOf(socket)?.until ?? null;
      if (until !== null && until <= now) this.#part(socket, "token-invalid");
    }
    if (now - this.#checkedAt < BELIEVED_MS) return;
    const tokens = [...this.#sockets].flatMap((socket) => claimsOf(socket)?.token ?? []);
    try {
      const living = tokens.length === 0 ? [] : await this.#source.living([...new Set(tokens)]);
      this.#checkedAt = now;
      for (const socket of [...this.#sockets]) {
        const token = claimsOf(socket)?.token ?? null;
        if (token !== null && !living.includes(token)) this.#part(socket, "token-invalid");
      }
    } catch (error) {
      logFailure("room-watchers-tokens", error);
      if (now - this.#checkedAt >= BELIEVED_MS + UNHEARD_MS) this.closeAll("try-again");
    }
  }

  #hangUp(): void {
    const since = Date.now() - SILENT_MS;
    for (const socket of [...this.#sockets]) {
      const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
      if (Math.max(pingedAt, claimsOf(socket)?.openedAt ?? 0) < since) this.#part(socket, "idle");
    }
  }

  #part(socket: WebSocket, reason: LiveCloseReason): void {
    this.#sockets.delete(socket);
    close(socket, reason);
  }

  #answerPings(): void {
    this.#ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }
}

const refused = (reason: LiveCloseReason): Response =>
  Response.json(liveClosing(reason), { status: 403 });
