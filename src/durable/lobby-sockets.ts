import { parseTicketNumber, type TicketNumber } from "../core/ids.ts";
import { instant, type InstantMs } from "../core/time.ts";

/** What survives hibernation with a socket. */
export interface Seat {
  readonly number: TicketNumber;
  readonly openedAt: InstantMs;
}

/** Codes with which a socket of ours is closed. */
export const CLOSE = {
  "bad-message": 4400,
  "ticket-invalid": 4401,
  origin: 4403,
  idle: 4408,
  "room-closed": 4410,
  "too-many": 4429,
  visiting: 1000,
} as const;

export type CloseReason = keyof typeof CLOSE;

export const SOCKETS_PER_TICKET_MAX = 3;
/** A client says `ready` and nothing else; far less than this. */
const MESSAGE_MAX = 256;
/** Sends in one go before other work gets its turn. */
const SLICE = 200;

const seatOf = (socket: WebSocket): Seat | null => {
  const seat = socket.deserializeAttachment() as Seat | null;
  return seat === null || parseTicketNumber(seat.number) === null ? null : seat;
};

export const close = (socket: WebSocket, reason: CloseReason): void => {
  try {
    socket.close(CLOSE[reason], reason);
  } catch {
    // It is closing already, which is all that was wanted.
  }
};

const send = (socket: WebSocket, message: string): boolean => {
  if (socket.readyState !== WebSocket.OPEN) return false;
  try {
    socket.send(message);
    return true;
  } catch {
    return false;
  }
};

/** A message that a client may send; null for anything else. */
export const parseClientMessage = (message: string | ArrayBuffer): "ready" | "ping" | null => {
  if (typeof message !== "string" || message.length > MESSAGE_MAX) return null;
  if (message === "ping") return "ping";
  try {
    const value: unknown = JSON.parse(message);
    const isReady =
      typeof value === "object" && value !== null && "type" in value && value.type === "ready";
    return isReady ? "ready" : null;
  } catch {
    return null;
  }
};

/** The hibernating sockets of a lobby, found by the number that each one waits for. */
export class LobbySockets {
  readonly #ctx: DurableObjectState;
  readonly #byNumber = new Map<TicketNumber, Set<WebSocket>>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    for (const socket of ctx.getWebSockets()) {
      const seat = seatOf(socket);
      if (seat !== null && socket.readyState === WebSocket.OPEN) this.#seat(socket, seat.number);
    }
  }

  get count(): number {
    let count = 0;
    for (const sockets of this.#byNumber.values()) count += sockets.size;
    return count;
  }

  numbers(): IterableIterator<TicketNumber> {
    return this.#byNumber.keys();
  }

  of(number: TicketNumber): ReadonlySet<WebSocket> {
    return this.#byNumber.get(number) ?? new Set();
  }

  numberOf(socket: WebSocket): TicketNumber | null {
    return seatOf(socket)?.number ?? null;
  }

  accept(socket: WebSocket, number: TicketNumber, now: number): void {
    this.#ctx.acceptWebSocket(socket);
    socket.serializeAttachment({ number, openedAt: instant(now) } satisfies Seat);
    this.#seat(socket, number);
  }

  /** False if the socket had left before. */
  remove(socket: WebSocket): TicketNumber | null {
    const number = this.numberOf(socket);
    if (number === null) return null;
    const sockets = this.#byNumber.get(number);
    if (sockets?.delete(socket) !== true) return null;
    if (sockets.size === 0) this.#byNumber.delete(number);
    return number;
  }

  /** When the number's sockets were last heard, by pings that woke nobody. On the machine's clock. */
  lastPing(number: TicketNumber): number | null {
    let last: number | null = null;
    for (const socket of this.of(number)) {
      const at = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null;
      if (at !== null && (last === null || at > last)) last = at;
    }
    return last;
  }

  tell(number: TicketNumber, message: string): void {
    for (const socket of this.of(number)) send(socket, message);
  }

  closeAll(number: TicketNumber, reason: CloseReason): void {
    for (const socket of [...this.of(number)]) {
      close(socket, reason);
      this.remove(socket);
    }
  }

  /** Tells many, each its own, in slices; other work of the object goes between. */
  async tellMany(
    numbers: Iterable<TicketNumber>,
    messageFor: (number: TicketNumber) => string | null,
  ): Promise<void> {
    let sent = 0;
    for (const number of numbers) {
      const message = messageFor(number);
      if (message === null) continue;
      this.tell(number, message);
      sent += 1;
      if (sent % SLICE === 0) await scheduler.wait(0);
    }
  }

  #seat(socket: WebSocket, number: TicketNumber): void {
    const sockets = this.#byNumber.get(number) ?? new Set();
    sockets.add(socket);
    this.#byNumber.set(number, sockets);
  }
}
