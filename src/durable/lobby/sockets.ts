/**
 * A lobby's hibernating sockets, their attachments and their bounds. What a socket means for
 * presence is in core/lobby.
 */
import { closingFor, type CloseReason } from "../../core/lobby/close-codes.ts";
import { parseTicketNumber, type TicketNumber, type VisitorId } from "../../core/ids.ts";
import type { Remembered } from "../../core/lobby/presence.ts";
import type { TicketClaims } from "../contract.ts";
import type { InstantMs } from "../../core/time.ts";

/** One moment on the Room's clock and on the machine's. */
export interface ClockPair {
  readonly room: InstantMs;
  readonly local: number;
}

/** What survives hibernation with a socket. */
export interface SocketAttachment {
  readonly number: TicketNumber;
  /** The visitor whose socket it is. Absent on sockets that an older version accepted. */
  readonly visitor?: VisitorId;
  /** The last message over this socket, pings apart, on the machine's clock. */
  readonly heardAt: number;
  /** Of its number, and when that was; null until the socket was told where its number stands. */
  readonly known: { readonly remembered: Remembered; readonly at: ClockPair } | null;
}

const SOCKETS_PER_TICKET_MAX = 3;
/**
 * Counts sockets too that we have closed and their clients have not: each may keep part of a
 * message.
 */
const CONNECTIONS_PER_TICKET_MAX = 6;
/** A client says `ready` and nothing else; far less than this. */
const MESSAGE_MAX = 256;
/** Sends in one go before other work gets its turn. */
const SLICE = 200;
/**
 * How many messages a socket may send within a time: a page answers `ready?` now and then. Pings do
 * not count.
 */
const MESSAGES_MAX = 20;
const MESSAGES_WITHIN_MS = 10_000;

/** Of one socket, on the machine's clock. */
interface Sign {
  readonly visitor: Pick<SocketAttachment, "visitor">;
  heardAt: number;
  /** It was told where its number stands, and counts for its number's presence. */
  isWelcome: boolean;
  /** Messages since `countedFrom`. */
  messages: number;
  countedFrom: number;
}

const NOBODY: ReadonlySet<WebSocket> = new Set();

const seatOf = (socket: WebSocket): SocketAttachment | null => {
  const seat = socket.deserializeAttachment() as SocketAttachment | null;
  return seat === null || parseTicketNumber(seat.number) === null ? null : seat;
};

export const close = (socket: WebSocket, reason: CloseReason): void => {
  try {
    socket.close(closingFor(reason).code, reason);
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
      if (seat === null || socket.readyState !== WebSocket.OPEN) continue;
      // The socket was still to be told its place by a life of the lobby that is over.
      if (seat.known === null) close(socket, "idle");
      else this.#seat(socket, seat, true);
    }
  }

  numbers(): IterableIterator<TicketNumber> {
    return this.#byNumber.keys();
  }

  of(number: TicketNumber): ReadonlySet<WebSocket> {
    return this.#byNumber.get(number) ?? NOBODY;
  }

  numberOf(socket: WebSocket): TicketNumber | null {
    return seatOf(socket)?.number ?? null;
  }

  /** May the number have one more? */
  hasRoomFor(number: TicketNumber): boolean {
    const connections = this.#ctx.getWebSockets(String(number)).length;
    return (
      this.of(number).size < SOCKETS_PER_TICKET_MAX && connections < CONNECTIONS_PER_TICKET_MAX
    );
  }

  accept(
    socket: WebSocket,
    { number, visitor }: Pick<TicketClaims, "number" | "visitor">,
    now: number,
  ): void {
    this.#ctx.acceptWebSocket(socket, [String(number)]);
    const seat: SocketAttachment = { number, visitor, heardAt: now, known: null };
    socket.serializeAttachment(seat);
    this.#seat(socket, seat, false);
  }

  /** Keeps with the number's sockets what is known of it now. */
  remember(number: TicketNumber, { heardAt, present, claimBy }: Remembered, at: ClockPair): void {
    const known = { remembered: { heardAt, present, claimBy }, at };
    for (const socket of this.of(number)) {
      const sign = this.#signs.get(socket);
      if (sign?.isWelcome !== true) continue;
      const { visitor, heardAt: heard } = sign;
      socket.serializeAttachment({
        number,
        ...visitor,
        heardAt: heard,
        known,
      } satisfies SocketAttachment);
    }
  }

  /** What was kept with the number's sockets while the lobby slept. */
  known(number: TicketNumber): NonNullable<SocketAttachment["known"]>[] {
    return [...this.of(number)].flatMap((socket) => seatOf(socket)?.known ?? []);
  }

  /** The visitor of the number's sockets; null where none says it. */
  visitorOf(number: TicketNumber): VisitorId | null {
    for (const socket of this.of(number)) {
      const visitor = this.#signs.get(socket)?.visitor.visitor;
      if (visitor !== undefined) return visitor;
    }
    return null;
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

  /** Sockets over which nothing was heard for so long, pings included. */
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

  /**
   * Sends each number its own message, in slices, so that other work of the object goes between.
   */
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

  #seat(socket: WebSocket, seat: SocketAttachment, isWelcome: boolean): void {
    const { number, heardAt } = seat;
    const visitor = seat.visitor === undefined ? {} : { visitor: seat.visitor };
    this.#signs.set(socket, { visitor, heardAt, isWelcome, messages: 0, countedFrom: heardAt });
    const sockets = this.#byNumber.get(number) ?? new Set();
    sockets.add(socket);
    this.#byNumber.set(number, sockets);
  }
}
