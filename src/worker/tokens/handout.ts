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

/** A visitor id is for browsers only. */
const HEADERS: Readonly<Partial<Record<CookieKind, string>>> = {
  ticket: TICKET_HEADER,
  pass: PASS_HEADER,
};

/** What one answer gives its visitor to keep: cookies, and the same tokens in headers. */
export class Handout {
  readonly #keys: Keyring;
  readonly #arrival: Arrival;
  readonly #room: RoomDefinition;
  /** Null until something is given: most answers give nothing. */
  #given: Map<CookieKind, { readonly token: string; readonly cookie: string }> | null = null;

  constructor(keys: Keyring, arrival: Arrival, room: RoomDefinition) {
    this.#keys = keys;
    this.#arrival = arrival;
    this.#room = room;
  }

  get isEmpty(): boolean {
    return this.#given === null;
  }

  async visitor(identity: Identity, now: InstantMs): Promise<void> {
    const until = after(now, VISITOR_LIFE_MS);
    const token = await signVisitor(this.#keys, this.#room, { ...identity, until });
    this.#keep("visitor", token, VISITOR_LIFE_MS / SECOND_MS);
  }

  async ticket(held: HeldTicket, now: InstantMs): Promise<string> {
    const token = await signTicket(this.#keys, this.#room, held);
    this.#keep("ticket", token, (ticketUntil(this.#room, held.heardAt) - now) / SECOND_MS);
    return token;
  }

  async pass(lobby: LobbyIndex, visit: VisitView): Promise<string> {
    const token = await signPass(this.#keys, this.#room, lobby, visit);
    const lifeSeconds = (visit.leaseUntil - visit.now) / SECOND_MS;
    this.#keep("pass", token, lifeSeconds + PASS_AFTERLIFE_SECONDS);
    return token;
  }

  clear(kind: "ticket" | "pass"): void {
    this.#keep(kind, "", 0);
  }

  writeTo(headers: Headers): void {
    if (this.#given === null) return;
    for (const [kind, { token, cookie }] of this.#given) {
      headers.append("Set-Cookie", cookie);
      const name = HEADERS[kind];
      if (name !== undefined && token !== "") headers.set(name, token);
    }
  }

  /** An empty token clears the cookie. */
  #keep(kind: CookieKind, token: string, maxAgeSeconds: number): void {
    const cookie = cookieOf(this.#arrival, this.#room, kind, token, maxAgeSeconds);
    this.#given ??= new Map();
    this.#given.set(kind, { token, cookie });
  }
}

/** A visitor nobody has met: 128 random bits, and the lobby that will speak for them. */
export const newIdentity = (ports: Ports, lobby: LobbyIndex): Identity => ({
  visitor: base64url.encode(ports.randomBytes(VISITOR_ID_BYTES)) as VisitorId,
  lobby,
});
