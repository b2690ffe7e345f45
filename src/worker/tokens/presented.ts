/**
 * The tokens that a request brought, in headers and cookies. Whether its pass is live is for
 * gate/standing.ts.
 */
import type { RoomDefinition } from "../../core/definition.ts";
import type { LobbyIndex, VisitorId } from "../../core/ids.ts";
import { VISITOR_LIFE_MS } from "../../core/token-lives.ts";
import { after } from "../../core/time.ts";
import type { InstantMs } from "../../core/time.ts";
import type { TicketClaims } from "../../durable/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { allOf, andThen } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { readPass, readTicket, readVisitor } from "./claims.ts";
import type { PassClaims, VisitorClaims } from "./claims.ts";
import { readCookies } from "./cookies.ts";
import type { Keyring } from "./keyring.ts";

/** For clients without cookies; both ways. */
export const TICKET_HEADER = "Seiriken-Ticket";
export const PASS_HEADER = "Seiriken-Pass";
const SENT_TICKET = TICKET_HEADER.toLowerCase();
const SENT_PASS = PASS_HEADER.toLowerCase();

/** Who the visitor is to the room, by ticket or by visitor id. A ticket's word counts more. */
export interface Identity {
  readonly visitor: VisitorId;
  readonly lobby: LobbyIndex;
}

/** The authentic tokens that came with a request. Bad and doubled ones are as if they were not. */
export interface PresentedTokens {
  readonly identity: Identity | null;
  readonly ticket: TicketClaims | null;
  /** Authentic, but maybe over. */
  readonly pass: PassClaims | null;
  /** Its client has the ticket, or the pass, where it can read it: it sent it in a header. */
  readonly showsTicket: boolean;
  readonly showsPass: boolean;
  /** When the visitor id was given out that names the visitor; null where none came. */
  readonly metAt: InstantMs | null;
}

/** A token in its header counts before the cookie. */
export const readPresented = (
  keys: Keyring,
  arrival: Arrival,
  room: RoomDefinition,
  now: InstantMs,
): MaybePromise<PresentedTokens> => {
  const { headers } = arrival;
  const cookies = readCookies(arrival, room);
  const sentPass = headers.get(SENT_PASS);
  const sentTicket = headers.get(SENT_TICKET);
  const read: MaybePromise<Read> = allOf<Read>([
    sentPass ? readPass(keys, room, sentPass) : null,
    cookies.pass ? readPass(keys, room, cookies.pass) : null,
    sentTicket ? readTicket(keys, room, sentTicket, now) : null,
    cookies.ticket ? readTicket(keys, room, cookies.ticket, now) : null,
    cookies.visitor ? readVisitor(keys, room, cookies.visitor, now) : null,
  ]);
  return andThen(read, inHandOf);
};

/** A visitor id lives equally long, whoever has it. */
const metAt = ({ until }: VisitorClaims): InstantMs => after(until, -VISITOR_LIFE_MS);

type Read = readonly [
  sentPass: PassClaims | null,
  pass: PassClaims | null,
  sentTicket: TicketClaims | null,
  ticket: TicketClaims | null,
  visitor: VisitorClaims | null,
];

const inHandOf = ([
  sentPass,
  cookiePass,
  sentTicket,
  cookieTicket,
  visitor,
]: Read): PresentedTokens => {
  const ticket = sentTicket ?? cookieTicket;
  const known = ticket ?? visitor;
  const identity = known === null ? null : { visitor: known.visitor, lobby: known.lobby };
  const showsTicket = sentTicket !== null;
  return {
    identity,
    ticket,
    pass: sentPass ?? cookiePass,
    showsTicket,
    metAt: visitor === null || visitor.visitor !== known?.visitor ? null : metAt(visitor),
    // A ticket in a header becomes a pass in one, but not the pass that a cookie keeps.
    showsPass: sentPass !== null || (showsTicket && cookiePass === null),
  };
};
