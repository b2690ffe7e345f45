/**
 * A lock shard's hibernating sockets and their bounds. What a close means for a lock is in
 * core/locks.
 */
import type { Owner, SessionId } from "../../core/locks/lock.ts";
import type { LockName } from "../../core/locks/name.ts";
import type { LiveSession } from "../../core/locks/stored.ts";

/** What survives the object's sleep with a socket. `openedAt` is on the machine's clock. */
export interface LockSocketAttachment extends LiveSession {
  readonly openedAt: number;
}

/** Codes with which a socket of ours is closed. */
export const LOCK_CLOSE = {
  released: 1000,
  "try-again": 1013,
  "bad-message": 4400,
  silent: 4408,
  "taken-over": 4409,
  "too-many": 4429,
} as const;
export type LockCloseReason = keyof typeof LOCK_CLOSE;

/** A client says `ping` at least every 10 s; after three times that without one it has vanished. */
export const SILENT_MAX_MS = 30_000;
const SOCKETS_MAX = 10_000;
/** Closed on purpose, with a frame that says so; anything else is a loss (RFC 6455, 7.4.1). */
const CLEAN_CODES: readonly number[] = [1000, 1001, 1005];

export const isCleanClose = (code: number, wasClean: boolean): boolean =>
  wasClean && CLEAN_CODES.includes(code);

export const closeSocket = (socket: WebSocket, reason: LockCloseReason): void => {
  try {
    socket.close(LOCK_CLOSE[reason], reason);
  } catch {
    // It is closing already, which is all that was wanted.
  }
};

/** The hibernating sockets of a shard, found by their session. */
export class LocksSockets {
  readonly #ctx: DurableObjectState;
  readonly #bySession = new Map<SessionId, { socket: WebSocket; seat: LockSocketAttachment }>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    for (const socket of ctx.getWebSockets()) {
      const seat = socket.deserializeAttachment() as LockSocketAttachment | null;
      if (seat !== null && socket.readyState === WebSocket.OPEN)
        this.#bySession.set(seat.session, { socket, seat });
    }
  }

  get isFull(): boolean {
    return this.#bySession.size >= SOCKETS_MAX;
  }

  live(): readonly LiveSession[] {
    return [...this.#bySession.values()].map(({ seat }) => seat);
  }

  accept(
    socket: WebSocket,
    who: { name: LockName; owner: Owner; session: SessionId },
    place: Pick<LiveSession, "arrival" | "since">,
    openedAt: number,
  ): void {
    const seat: LockSocketAttachment = { ...who, ...place, openedAt };
    this.#ctx.acceptWebSocket(socket);
    socket.serializeAttachment(seat);
    this.#bySession.set(seat.session, { socket, seat });
  }

  tell(session: SessionId, message: object): void {
    const socket = this.#bySession.get(session)?.socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    try {
      socket.send(JSON.stringify(message));
    } catch {
      // The socket's close is on the way, and frees its lock.
    }
  }

  close(session: SessionId, reason: LockCloseReason): void {
    const socket = this.#bySession.get(session)?.socket;
    this.#bySession.delete(session);
    if (socket !== undefined) closeSocket(socket, reason);
  }

  remove(session: SessionId): void {
    this.#bySession.delete(session);
  }

  /** Null if it has no seat any more. */
  sessionOf(socket: WebSocket): SessionId | null {
    const session =
      (socket.deserializeAttachment() as LockSocketAttachment | null)?.session ?? null;
    return session !== null && this.#bySession.has(session) ? session : null;
  }

  /** Sockets not heard for too long, and when the next one would be. On the machine's clock. */
  silent(now: number): { readonly vanished: readonly SessionId[]; readonly nextAt: number | null } {
    const vanished: SessionId[] = [];
    let nextAt: number | null = null;
    for (const [session, { socket, seat }] of this.#bySession) {
      const at = this.#heardAt(socket, seat, now) + SILENT_MAX_MS;
      if (at <= now) vanished.push(session);
      else if (nextAt === null || at < nextAt) nextAt = at;
    }
    return { vanished, nextAt };
  }

  /** Pings are answered without waking the object; the runtime remembers the last one. */
  #heardAt(socket: WebSocket, seat: LockSocketAttachment, now: number): number {
    const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    // What lies in the future was written before the machine's clock was set back.
    return Math.min(now, Math.max(pingedAt, seat.openedAt));
  }
}
