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
/** A page answers `ready?` now and then; pings are not counted. */
const MESSAGES_MAX = 20;
const MESSAGES_WITHIN_MS = 10_000;

/** Of one socket, on the machine's clock. */
interface Sign {
  heardAt: number;
  /** It was told where its number stands, and counts for its number's presence. */
  isWelcome: boolean;
  /** Messages since `countedFrom`. */
  messages: number;
  countedFrom: number;
}

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
  readonly #signs = new Map<WebSocket, Sign>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    for (const socket of ctx.getWebSockets()) {
      const seat = seatOf(socket);
      if (seat !== null && socket.readyState === WebSocket.OPEN)
        this.#seat(socket, seat.number, Date.now(), true);
    }
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
    this.#seat(socket, number, now, false);
  }

  has(socket: WebSocket): boolean {
    return this.#signs.has(socket);
  }

  welcome(socket: WebSocket): void {
    const sign = this.#signs.get(socket);
    if (sign !== undefined) sign.isWelcome = true;
  }

  isWelcome(socket: WebSocket): boolean {
    return this.#signs.get(socket)?.isWelcome ?? false;
  }

  /** Takes note of a message; false when they come too fast. */
  heard(socket: WebSocket, now: number): boolean {
    const sign = this.#signs.get(socket);
    if (sign === undefined) return true;
    sign.heardAt = now;
    if (now - sign.countedFrom >= MESSAGES_WITHIN_MS) {
      sign.countedFrom = now;
      sign.messages = 0;
    }
    sign.messages += 1;
    return sign.messages <= MESSAGES_MAX;
  }

  /** Sockets over which nothing was heard for so long, pings included: nobody is there any more. */
  silentFor(ms: number, now: number): WebSocket[] {
    const silent: WebSocket[] = [];
    for (const [socket, { heardAt }] of this.#signs) {
      if (now - heardAt >= ms && now - this.#pingedAt(socket) >= ms) silent.push(socket);
    }
    return silent;
  }

  /** Null if the socket had left before. */
  remove(socket: WebSocket): TicketNumber | null {
    const number = this.numberOf(socket);
    if (number === null) return null;
    const sockets = this.#byNumber.get(number);
    this.#signs.delete(socket);
    if (sockets?.delete(socket) !== true) return null;
    if (sockets.size === 0) this.#byNumber.delete(number);
    return number;
  }

  /** When the number's sockets were last heard, by pings that woke nobody. On the machine's clock. */
  lastPing(number: TicketNumber): number | null {
    const last = Math.max(...[...this.of(number)].map((socket) => this.#pingedAt(socket)));
    return Number.isFinite(last) ? last : null;
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

  #pingedAt(socket: WebSocket): number {
    return this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? -Infinity;
  }

  #seat(socket: WebSocket, number: TicketNumber, now: number, isWelcome: boolean): void {
    this.#signs.set(socket, { heardAt: now, isWelcome, messages: 0, countedFrom: now });
    const sockets = this.#byNumber.get(number) ?? new Set();
    sockets.add(socket);
    this.#byNumber.set(number, sockets);
  }
}
