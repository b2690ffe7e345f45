/**
 * The tokens that one answer gives out or takes away. What they say is in claims.ts, how they look as
 * cookies in cookies.ts, what a request brought in presented.ts.
 */
import { base64url } from "jose";
import type { RoomDefinition } from "../../core/definition.ts";
import type { LobbyIndex, VisitorId } from "../../core/ids.ts";
import { VISITOR_LIFE_MS } from "../../core/token-lives.ts";
import { after, SECOND_MS } from "../../core/time.ts";
import type { InstantMs } from "../../core/time.ts";
import type { TicketClaims, VisitView } from "../../durable/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Ports } from "../platform/ports.ts";
import { underReference } from "../../core/reference.ts";
import { signPass, signTicket, signVisitor, ticketUntil } from "./claims.ts";
import { cookieOf } from "./cookies.ts";
import type { CookieKind } from "./cookies.ts";
import { isCorsOrigin } from "../arrival/own-hosts.ts";
import { isFromPage } from "../arrival/caller.ts";
import { PASS_HEADER, TICKET_HEADER } from "./presented.ts";
import type { Identity, PresentedTokens } from "./presented.ts";
import type { Keyring } from "./keyring.ts";

/** An expired pass still asks for its visit, or pays on return; its cookie outlives it by this. */
const PASS_AFTERLIFE_SECONDS = 3_600;
const VISITOR_ID_BYTES = 16;

/** A visitor id is for browsers only. */
const HEADERS: Readonly<Partial<Record<CookieKind, string>>> = {
  ticket: TICKET_HEADER,
  pass: PASS_HEADER,
};

/**
 * What one answer gives its visitor to keep: cookies, and the same tokens in headers and bodies for
 * those who keep no cookies. Scripts of the room's own pages never see what their cookies hold.
 */
export class IssuedTokens {
  readonly #keys: Keyring;
  readonly #arrival: Arrival;
  readonly #room: RoomDefinition;
  readonly #presented: PresentedTokens;
  /** Null until something is given: most answers give nothing. */
  #given: Map<CookieKind, { readonly token: string; readonly cookie: string }> | null = null;

  constructor(keys: Keyring, arrival: Arrival, room: RoomDefinition, presented: PresentedTokens) {
    this.#keys = keys;
    this.#arrival = arrival;
    this.#room = room;
    this.#presented = presented;
  }

  get isEmpty(): boolean {
    return this.#given === null;
  }

  async visitor(identity: Identity, now: InstantMs): Promise<void> {
    this.#arrival.isOf(identity.visitor);
    const until = after(now, VISITOR_LIFE_MS);
    const token = await signVisitor(this.#keys, this.#room, { ...identity, until });
    this.#keep("visitor", token, VISITOR_LIFE_MS / SECOND_MS);
  }

  /** The token where its client may read it, else null. */
  async ticket(claims: TicketClaims, now: InstantMs): Promise<string | null> {
    this.#arrival.isOf(claims.visitor);
    const token = await signTicket(this.#keys, this.#room, claims);
    this.#keep("ticket", token, (ticketUntil(this.#room, claims.heardAt) - now) / SECOND_MS);
    return this.shows("ticket") ? token : null;
  }

  /** The token where its client may read it, else null. */
  async pass(lobby: LobbyIndex, visit: VisitView): Promise<string | null> {
    const { reference } = this.#arrival;
    const token = await signPass(this.#keys, this.#room, lobby, visit, reference);
    const lifeSeconds = (visit.leaseUntil - visit.now) / SECOND_MS;
    this.#keep("pass", token, lifeSeconds + PASS_AFTERLIFE_SECONDS);
    return this.shows("pass") ? token : null;
  }

  /**
   * May the client read the token, and not only keep its cookie? Programs may, pages of `cors_origins`,
   * and clients that sent a good one in its header.
   */
  shows(kind: CookieKind): boolean {
    const { showsTicket, showsPass } = this.#presented;
    if (kind === "pass" ? showsPass : showsTicket) return true;
    if (!isFromPage(this.#arrival)) return true;
    const origin = this.#arrival.headers.get("origin");
    return origin !== null && isCorsOrigin(this.#room, origin);
  }

  gives(kind: CookieKind): boolean {
    return this.#given?.has(kind) === true;
  }

  /** Does this answer take the ticket away? */
  get clearsTicket(): boolean {
    return this.#given?.get("ticket")?.token === "";
  }

  clear(kind: "ticket" | "pass"): void {
    this.#keep(kind, "", 0);
  }

  writeTo(headers: Headers): void {
    if (this.#given === null) return;
    for (const [kind, { token, cookie }] of this.#given) {
      headers.append("Set-Cookie", cookie);
      const name = HEADERS[kind];
      if (name !== undefined && token !== "" && this.shows(kind)) headers.set(name, token);
    }
  }

  /** An empty token clears the cookie. */
  #keep(kind: CookieKind, token: string, maxAgeSeconds: number): void {
    const cookie = cookieOf(this.#arrival, this.#room, kind, token, maxAgeSeconds);
    this.#given ??= new Map();
    this.#given.set(kind, { token, cookie });
  }
}

/**
 * A visitor nobody has met: 128 random bits, and the lobby that will speak for them. Who still has the
 * pass of a visit keeps its reference.
 */
export const newIdentity = (
  ports: Ports,
  lobby: LobbyIndex,
  former: { readonly reference: string | null } | null = null,
): Identity => {
  const visitor = base64url.encode(ports.randomBytes(VISITOR_ID_BYTES)) as VisitorId;
  const reference = former?.reference ?? null;
  return { visitor: reference === null ? visitor : underReference(reference, visitor), lobby };
};
