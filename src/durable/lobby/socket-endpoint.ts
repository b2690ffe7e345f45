/** Opens and closes visitors' sockets. What is sent over them is in broadcasts.ts. */
import { parseTicketNumber, type TicketNumber } from "../../core/ids.ts";
import { closingFor, type CloseReason, type SocketClosing } from "../../core/lobby/close-codes.ts";
import { SOCKET_SILENT_MS, type Presence } from "../../core/lobby/presence.ts";
import type { Place } from "../../core/room/commands.ts";
import type { InstantMs } from "../../core/time.ts";
import { LOBBY_TICKET_HEADER, SOCKET_REFUSED, type TicketClaims } from "../contract.ts";
import type { PlaceFinder } from "./place-finder.ts";
import { close, parseClientMessage, type LobbySockets } from "./sockets.ts";
import { logFailure } from "../log.ts";

/** What the endpoint needs of its lobby. */
export interface EndpointSource {
  readonly sockets: LobbySockets;
  readonly presence: Presence;
  readonly places: PlaceFinder;
  now(): InstantMs;
  /** Tells the number's sockets where it stands. */
  greet(place: Place): void;
  /** Tells the Room what changed in presence. */
  speak(): Promise<void>;
  /** The number does not wait here: its sockets are told that their ticket is invalid. */
  refuseTicket(number: TicketNumber): void;
}

const TICKET_INVALID = closingFor("ticket-invalid");
const TOO_MANY = closingFor("too-many");

/** Accepts visitors' sockets, hears them, and lets them go. */
export class SocketEndpoint {
  readonly #source: EndpointSource;

  constructor(source: EndpointSource) {
    this.#source = source;
  }

  /**
   * A refusal is the answer's body, for the Worker to pass on: an accepted socket would keep the
   * lobby awake.
   */
  open(request: Request): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    const refusal = this.#seat(server, request.headers.get(LOBBY_TICKET_HEADER));
    if (refusal !== null) return Response.json(refusal, { status: SOCKET_REFUSED });
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
    if (presence.hasChanges) void speak();
  }

  closed(socket: WebSocket, code: number, reason: string): void {
    this.#leave(socket);
    try {
      socket.close(code === 1005 || code === 1006 ? 1000 : code, reason);
    } catch {
      // Closed from both sides: nothing is left to answer.
    }
  }

  /** Closes sockets that were silent for too long: their connections have died without a close. */
  hangUp(): void {
    for (const socket of this.#source.sockets.silentFor(SOCKET_SILENT_MS, Date.now()))
      this.#part(socket, "idle");
  }

  #seat(socket: WebSocket, header: string | null): SocketClosing | null {
    const asked = JSON.parse(header ?? "null") as TicketClaims | null;
    if (asked === null) return TICKET_INVALID;
    const number = parseTicketNumber(asked.number);
    if (number === null) return TICKET_INVALID;
    const { sockets } = this.#source;
    if (!sockets.hasRoomFor(number)) return TOO_MANY;
    sockets.accept(socket, { ...asked, number }, Date.now());
    this.#greet(socket, asked).catch((error: unknown) => {
      logFailure("lobby-greet", error);
      this.#part(socket, "idle");
    });
    return null;
  }

  /** A new socket hears at once where its number stands. */
  async #greet(socket: WebSocket, ticket: TicketClaims): Promise<void> {
    const { sockets, presence, places, now, greet, speak, refuseTicket } = this.#source;
    const { number } = ticket;
    const place = places.placeOf(ticket) ?? (await places.comeBack(ticket));
    if (place === null || ("state" in place && place.state === "visiting"))
      return refuseTicket(number);
    if ("kind" in place) return this.#part(socket, "idle");
    // It may have left while the Room was asked.
    if (!sockets.has(socket)) return presence.socketClosed(number, now());
    sockets.welcome(socket);
    presence.socketOpened(number, now());
    greet(place);
    if (presence.hasChanges) await speak();
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
