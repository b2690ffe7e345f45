import type { RoomDefinition } from "../../core/definition.ts";
import type { LobbyIndex, VisitorId } from "../../core/ids.ts";
import type { InstantMs } from "../../core/time.ts";
import type { HeldTicket } from "../../durable/contract.ts";
import type { Arrival } from "../arrival.ts";
import { allSoon, soon } from "../soon.ts";
import type { Soon } from "../soon.ts";
import { readPass, readTicket, readVisitor } from "./claims.ts";
import type { HeldPass, HeldVisitor } from "./claims.ts";
import { readCookies } from "./cookies.ts";
import type { Keyring } from "./keyring.ts";

/** For clients without cookies; both ways. */
export const TICKET_HEADER = "Seiriken-Ticket";
export const PASS_HEADER = "Seiriken-Pass";

/** Who the visitor is to the room, by ticket or by visitor id. A ticket's word counts more. */
export interface Identity {
  readonly visitor: VisitorId;
  readonly lobby: LobbyIndex;
}

/** The authentic tokens that came with a request. Bad and doubled ones are as if they were not. */
export interface InHand {
  readonly identity: Identity | null;
  readonly ticket: HeldTicket | null;
  /** Authentic, but maybe over. */
  readonly pass: HeldPass | null;
}

/** A token in its header counts before the cookie. */
export const readInHand = (
  keys: Keyring,
  arrival: Arrival,
  room: RoomDefinition,
  now: InstantMs,
): Soon<InHand> => {
  const { headers } = arrival.request;
  const cookies = readCookies(arrival, room);
  const sentPass = headers.get(PASS_HEADER);
  const sentTicket = headers.get(TICKET_HEADER);
  const read: Soon<Read> = allSoon<Read>([
    sentPass ? readPass(keys, room, sentPass) : null,
    cookies.pass ? readPass(keys, room, cookies.pass) : null,
    sentTicket ? readTicket(keys, room, sentTicket, now) : null,
    cookies.ticket ? readTicket(keys, room, cookies.ticket, now) : null,
    cookies.visitor ? readVisitor(keys, room, cookies.visitor, now) : null,
  ]);
  return soon(read, inHandOf);
};

type Read = readonly [
  sentPass: HeldPass | null,
  pass: HeldPass | null,
  sentTicket: HeldTicket | null,
  ticket: HeldTicket | null,
  visitor: HeldVisitor | null,
];

const inHandOf = ([sentPass, cookiePass, sentTicket, cookieTicket, visitor]: Read): InHand => {
  const ticket = sentTicket ?? cookieTicket;
  const known = ticket ?? visitor;
  const identity = known === null ? null : { visitor: known.visitor, lobby: known.lobby };
  return { identity, ticket, pass: sentPass ?? cookiePass };
};
