import { parseTicketNumber, type TicketNumber } from "../core/ids.ts";
import { SOCKET_SILENT_MS, type Presence } from "../core/lobby/presence.ts";
import type { Place } from "../core/room/commands.ts";
import type { InstantMs } from "../core/time.ts";
import { LOBBY_TICKET_HEADER, type HeldTicket } from "./contract.ts";
import type { LobbyDesk } from "./lobby-desk.ts";
import {
  close,
  parseClientMessage,
  SOCKETS_PER_TICKET_MAX,
  type CloseReason,
  type LobbySockets,
} from "./lobby-sockets.ts";
import { logFailure } from "./log.ts";

/** What the door needs of its lobby. */
export interface DoorSource {
  readonly sockets: LobbySockets;
  readonly presence: Presence;
  readonly desk: LobbyDesk;
  now(): InstantMs;
  /** Tells the number's sockets where it stands. */
  greet(place: Place): void;
  /** Passes on what is new about who is there. */
  speak(): Promise<void>;
  /** The number waits here no more. */
  dismiss(number: TicketNumber, reason: CloseReason): void;
}

interface Refusal {
  readonly code: number;
  readonly reason: string;
}

const TICKET_INVALID: Refusal = { code: 4401, reason: "ticket-invalid" };
const TOO_MANY: Refusal = { code: 4429, reason: "too-many" };

/** Where visitors' sockets come in and go out. */
export class LobbyDoor {
  readonly #source: DoorSource;

  constructor(source: DoorSource) {
    this.#source = source;
    // Whoever was connected when the lobby went to sleep is so still.
    for (const number of source.sockets.numbers()) {
      const count = source.sockets.of(number).size;
      for (let opened = 0; opened < count; opened += 1)
        source.presence.socketOpened(number, source.now());
    }
  }

  /** A socket that is refused is accepted first: a browser shows its page nothing else. */
  open(request: Request): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    const refusal = this.#seat(server, request.headers.get(LOBBY_TICKET_HEADER));
    if (refusal !== null) {
      server.accept();
      server.close(refusal.code, refusal.reason);
    }
    return new Response(null, { status: 101, webSocket: client });
  }

  heard(socket: WebSocket, message: string | ArrayBuffer): void {
    const { sockets, presence, now, speak } = this.#source;
    if (!sockets.has(socket)) return;
    const number = sockets.numberOf(socket);
    if (number === null || parseClientMessage(message) === null)
      return this.#part(socket, "bad-message");
    if (!sockets.heard(socket, Date.now())) return this.#part(socket, "too-many");
    presence.spoke(number, now());
    if (presence.hasNews) void speak();
  }

  closed(socket: WebSocket, code: number, reason: string): void {
    this.#leave(socket);
    try {
      socket.close(code === 1005 || code === 1006 ? 1000 : code, reason);
    } catch {
      // Closed from both sides: nothing is left to answer.
    }
  }

  /** Connections that died without a word are not kept for ever. */
  hangUp(): void {
    for (const socket of this.#source.sockets.silentFor(SOCKET_SILENT_MS, Date.now()))
      this.#part(socket, "idle");
  }

  #seat(socket: WebSocket, header: string | null): Refusal | null {
    const asked = JSON.parse(header ?? "null") as HeldTicket | { refuse: Refusal } | null;
    if (asked === null) return TICKET_INVALID;
    if ("refuse" in asked) return asked.refuse;
    const number = parseTicketNumber(asked.number);
    if (number === null) return TICKET_INVALID;
    const { sockets } = this.#source;
    if (sockets.of(number).size >= SOCKETS_PER_TICKET_MAX) return TOO_MANY;
    sockets.accept(socket, number, Date.now());
    this.#greet(socket, asked).catch((error: unknown) => {
      logFailure("lobby-greet", error);
      this.#part(socket, "idle");
    });
    return null;
  }

  /** A new socket hears at once where its number stands. */
  async #greet(socket: WebSocket, ticket: HeldTicket): Promise<void> {
    const { sockets, presence, desk, now, greet, speak, dismiss } = this.#source;
    const { number } = ticket;
    const place = desk.placeHere(number) ?? (await desk.comeBack(ticket));
    if (place === null || ("state" in place && place.state === "visiting"))
      return dismiss(number, "ticket-invalid");
    if ("kind" in place) return this.#part(socket, "idle");
    // It may have left while the Room was asked.
    if (!sockets.has(socket)) return presence.socketClosed(number, now());
    presence.socketOpened(number, now());
    sockets.welcome(socket);
    greet(place);
    if (presence.hasNews) await speak();
  }

  /** Ends one socket; its number keeps its place, and its other sockets. */
  #part(socket: WebSocket, reason: CloseReason): void {
    this.#leave(socket);
    close(socket, reason);
  }

  #leave(socket: WebSocket): void {
    const { sockets, presence, now } = this.#source;
    const wasWelcome = sockets.isWelcome(socket);
    const number = sockets.remove(socket);
    if (number !== null && wasWelcome) presence.socketClosed(number, now());
  }
}
