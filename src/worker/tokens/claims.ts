/**
 * What tokens say, signed and read. Where a request carries them is presented.ts; which it is given
 * is issued.ts.
 */
import {
  canLastUntil,
  canPassLastUntil,
  TICKET_LIFE_FACTOR,
  VISITOR_LIFE_MS,
} from "../../core/token-lives.ts";
import { isOver, after, instant } from "../../core/time.ts";
import type { InstantMs } from "../../core/time.ts";
import { parseLobbyIndex, parseTicketNumber, parseVisitorId } from "../../core/ids.ts";
import type { LobbyIndex, VisitId, VisitorId } from "../../core/ids.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { TicketClaims, VisitView } from "../../durable/contract.ts";
import { parseReference } from "../../core/reference.ts";
import { andThen } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { CookieKind } from "./cookies.ts";
import type { Keyring } from "./keyring.ts";

/** Instants in claims are the Room's clock. */
export interface VisitorClaims {
  readonly visitor: VisitorId;
  readonly lobby: LobbyIndex;
  readonly until: InstantMs;
}

export interface PassClaims {
  readonly visit: VisitId;
  readonly epoch: number;
  readonly lobby: LobbyIndex;
  readonly mintedAt: InstantMs;
  readonly until: InstantMs;
  /** Its cookie had not come back when it was minted. */
  readonly provisional: boolean;
  /** The visitor's, so that the visit is logged under it; a pass carries no visitor id. */
  readonly reference: string | null;
}

/** A puzzle that a visitor is to solve for a ticket. */
export interface PuzzleClaims {
  readonly visitor: VisitorId;
  readonly lobby: LobbyIndex;
  readonly bits: number;
  readonly until: InstantMs;
}

// In a token each claim has one letter: k kind, r room, then what the kind carries.

export const signVisitor = (keys: Keyring, room: RoomDefinition, claims: VisitorClaims) =>
  keys.sign({ k: "visitor", r: room.id, i: claims.visitor, l: claims.lobby, u: claims.until });

export const signTicket = (keys: Keyring, room: RoomDefinition, claims: TicketClaims) =>
  keys.sign({
    k: "ticket",
    r: room.id,
    n: claims.number,
    i: claims.visitor,
    l: claims.lobby,
    j: claims.joinedAt,
    h: claims.heardAt,
  });

/** A visit is named after its number, so one claim carries both. */
export const signPass = (
  keys: Keyring,
  room: RoomDefinition,
  lobby: LobbyIndex,
  visit: VisitView,
  reference: string,
) =>
  keys.sign({
    k: "pass",
    r: room.id,
    v: visit.visit,
    e: visit.epoch,
    l: lobby,
    m: visit.now,
    u: visit.passUntil,
    f: reference,
    ...(visit.provisional ? { p: 1 } : {}),
  });

export const signPuzzle = (keys: Keyring, room: RoomDefinition, puzzle: PuzzleClaims) =>
  keys.sign({
    k: "puzzle",
    r: room.id,
    i: puzzle.visitor,
    l: puzzle.lobby,
    b: puzzle.bits,
    u: puzzle.until,
  });

/** Until when a ticket is accepted. */
export const ticketUntil = (room: RoomDefinition, heardAt: InstantMs): InstantMs =>
  after(heardAt, room.limits.returnWindowMs * TICKET_LIFE_FACTOR);

export const readVisitor = (
  keys: Keyring,
  room: RoomDefinition,
  token: string,
  now: InstantMs,
): MaybePromise<VisitorClaims | null> =>
  andThen(keys.read(token, visitorIn), (read) => {
    const visitor = ofRoom(read, room);
    if (visitor === null || isOver(visitor.until, now)) return null;
    return canLastUntil(visitor.until, VISITOR_LIFE_MS, now) ? visitor : null;
  });

const visitorIn = (read: unknown): Said<VisitorClaims> | null => {
  const claims = claimsIn(read, "visitor");
  const visitor = parseVisitorId(claims?.["i"]);
  const lobby = parseLobbyIndex(claims?.["l"]);
  const until = parseInstant(claims?.["u"]);
  if (visitor === null || lobby === null || until === null) return null;
  return saidBy(claims, { visitor, lobby, until });
};

export const readTicket = (
  keys: Keyring,
  room: RoomDefinition,
  token: string,
  now: InstantMs,
): MaybePromise<TicketClaims | null> =>
  andThen(keys.read(token, ticketIn), (read) => {
    const ticket = ofRoom(read, room);
    if (ticket === null || isOver(ticketUntil(room, ticket.heardAt), now)) return null;
    // Heard of in the future: it would be accepted longer than any ticket.
    return canLastUntil(ticket.heardAt, 0, now) ? ticket : null;
  });

const ticketIn = (read: unknown): Said<TicketClaims> | null => {
  const claims = claimsIn(read, "ticket");
  const number = parseTicketNumber(claims?.["n"]);
  const visitor = parseVisitorId(claims?.["i"]);
  const lobby = parseLobbyIndex(claims?.["l"]);
  const joinedAt = parseInstant(claims?.["j"]);
  const heardAt = parseInstant(claims?.["h"]);
  if (number === null || visitor === null || lobby === null) return null;
  if (joinedAt === null || heardAt === null) return null;
  return saidBy(claims, { number, visitor, lobby, joinedAt, heardAt });
};

/** An authentic pass, expired or not: whether it is live is the gate's to say. */
export const readPass = (
  keys: Keyring,
  room: RoomDefinition,
  token: string,
): MaybePromise<PassClaims | null> =>
  andThen(keys.read(token, passIn), (read) => ofRoom(read, room));

const passIn = (read: unknown): Said<PassClaims> | null => {
  const claims = claimsIn(read, "pass");
  const visit = parseTicketNumber(claims?.["v"]);
  const lobby = parseLobbyIndex(claims?.["l"]);
  const epoch = claims?.["e"];
  const mintedAt = parseInstant(claims?.["m"]);
  const until = parseInstant(claims?.["u"]);
  if (visit === null || lobby === null || !Number.isInteger(epoch)) return null;
  if (mintedAt === null || until === null || !canPassLastUntil(until, mintedAt)) return null;
  return saidBy(claims, {
    visit,
    epoch: epoch as number,
    lobby,
    mintedAt,
    until,
    provisional: claims?.["p"] === 1,
    reference: parseReference(claims?.["f"]),
  });
};

/** An authentic puzzle, also one whose time is over. */
export const readPuzzle = (
  keys: Keyring,
  room: RoomDefinition,
  token: string,
): MaybePromise<PuzzleClaims | null> =>
  andThen(keys.read(token, puzzleIn), (read) => ofRoom(read, room));

const puzzleIn = (read: unknown): Said<PuzzleClaims> | null => {
  const claims = claimsIn(read, "puzzle");
  const visitor = parseVisitorId(claims?.["i"]);
  const lobby = parseLobbyIndex(claims?.["l"]);
  const until = parseInstant(claims?.["u"]);
  const bits = claims?.["b"];
  if (visitor === null || lobby === null || until === null || !Number.isInteger(bits)) return null;
  return saidBy(claims, { visitor, lobby, until, bits: bits as number });
};

type Claims = Readonly<Record<string, unknown>>;

/** What a token says, and of which room. */
interface Said<T> {
  readonly room: unknown;
  readonly claims: T;
}

const saidBy = <T>(claims: Claims | null, parsed: T): Said<T> => ({
  room: claims?.["r"],
  claims: parsed,
});

const ofRoom = <T>(said: Said<T> | null, room: RoomDefinition): T | null =>
  said !== null && said.room === room.id ? said.claims : null;

const claimsIn = (read: unknown, kind: CookieKind | "puzzle"): Claims | null =>
  typeof read === "object" && read !== null && (read as Claims)["k"] === kind
    ? (read as Claims)
    : null;

const parseInstant = (value: unknown): InstantMs | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? instant(value) : null;
