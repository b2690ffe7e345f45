import { base64url } from "jose";
import type { RoomDefinition } from "../../core/definition.ts";
import type { LobbyIndex, VisitorId } from "../../core/ids.ts";
import { after, SECOND_MS } from "../../core/time.ts";
import type { InstantMs } from "../../core/time.ts";
import type { HeldTicket, VisitView } from "../../durable/contract.ts";
import type { Arrival } from "../arrival.ts";
import type { Ports } from "../ports.ts";
import { signPass, signTicket, signVisitor, ticketUntil, VISITOR_LIFE_MS } from "./claims.ts";
import { cookieOf } from "./cookies.ts";
import type { CookieKind } from "./cookies.ts";
import { PASS_HEADER, TICKET_HEADER } from "./in-hand.ts";
import type { Identity } from "./in-hand.ts";
import type { Keyring } from "./keyring.ts";

/** An expired pass still asks for its visit, or pays on return; its cookie outlives it by this. */
const PASS_AFTERLIFE_SECONDS = 3_600;
const VISITOR_ID_BYTES = 16;

/** What one answer gives its visitor to keep: cookies, and the same tokens in headers. */
export class Handout {
  readonly #keys: Keyring;
  readonly #arrival: Arrival;
  readonly #room: RoomDefinition;
  readonly #cookies = new Map<CookieKind, string>();
  readonly #headers = new Map<string, string>();

  constructor(keys: Keyring, arrival: Arrival, room: RoomDefinition) {
    this.#keys = keys;
    this.#arrival = arrival;
    this.#room = room;
  }

  get isEmpty(): boolean {
    return this.#cookies.size === 0;
  }

  async visitor(identity: Identity, now: InstantMs): Promise<void> {
    const until = after(now, VISITOR_LIFE_MS);
    const token = await signVisitor(this.#keys, this.#room, { ...identity, until });
    this.#keep("visitor", token, VISITOR_LIFE_MS / SECOND_MS);
  }

  async ticket(held: HeldTicket, now: InstantMs): Promise<string> {
    const token = await signTicket(this.#keys, this.#room, held);
    this.#keep("ticket", token, (ticketUntil(this.#room, held.heardAt) - now) / SECOND_MS);
    this.#headers.set(TICKET_HEADER, token);
    return token;
  }

  async pass(lobby: LobbyIndex, visit: VisitView): Promise<string> {
    const token = await signPass(this.#keys, this.#room, lobby, visit);
    const lifeSeconds = (visit.leaseUntil - visit.now) / SECOND_MS;
    this.#keep("pass", token, lifeSeconds + PASS_AFTERLIFE_SECONDS);
    this.#headers.set(PASS_HEADER, token);
    return token;
  }

  clear(kind: "ticket" | "pass"): void {
    this.#keep(kind, "", 0);
    this.#headers.delete(kind === "ticket" ? TICKET_HEADER : PASS_HEADER);
  }

  writeTo(headers: Headers): void {
    for (const cookie of this.#cookies.values()) headers.append("Set-Cookie", cookie);
    for (const [name, value] of this.#headers) headers.set(name, value);
  }

  #keep(kind: CookieKind, value: string, maxAgeSeconds: number): void {
    this.#cookies.set(kind, cookieOf(this.#arrival, this.#room, kind, value, maxAgeSeconds));
  }
}

/** A visitor nobody has met: 128 random bits, and the lobby that will speak for them. */
export const newIdentity = (ports: Ports, lobby: LobbyIndex): Identity => ({
  visitor: base64url.encode(ports.randomBytes(VISITOR_ID_BYTES)) as VisitorId,
  lobby,
});
