import type { RoomDefinition } from "../../core/definition.ts";
import type { LobbyIndex, VisitorId } from "../../core/ids.ts";
import type { InstantMs } from "../../core/time.ts";
import type { HeldTicket } from "../../durable/contract.ts";
import type { Arrival } from "../arrival.ts";
import { readPass, readTicket, readVisitor } from "./claims.ts";
import type { HeldPass } from "./claims.ts";
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

/** A token in its header is looked at first, then the cookie. */
export const readInHand = async (
  keys: Keyring,
  arrival: Arrival,
  room: RoomDefinition,
  now: InstantMs,
): Promise<InHand> => {
  const { headers } = arrival.request;
  const cookies = readCookies(arrival, room);
  const sentPass = headers.get(PASS_HEADER);
  const sentTicket = headers.get(TICKET_HEADER);
  // Whatever is not there, or was verified here before, is not waited for.
  const pass =
    (sentPass ? await readPass(keys, room, sentPass) : null) ??
    (cookies.pass ? await readPass(keys, room, cookies.pass) : null);
  const ticket =
    (sentTicket ? await readTicket(keys, room, sentTicket, now) : null) ??
    (cookies.ticket ? await readTicket(keys, room, cookies.ticket, now) : null);
  const visitor =
    ticket ?? (cookies.visitor ? await readVisitor(keys, room, cookies.visitor, now) : null);
  const identity = visitor === null ? null : { visitor: visitor.visitor, lobby: visitor.lobby };
  return { identity, ticket, pass };
};
