import type { Brand } from "./brand.ts";

/** A visitor's place: whole, from 1 up, never issued twice in one room. */
export type TicketNumber = Brand<number, "TicketNumber">;
/** A visit is named after the number that it spent, so it is as unique as the number. */
export type VisitId = TicketNumber;
/** The stable id of a room (32 hex digits). Names change, ids do not. */
export type RoomId = Brand<string, "RoomId">;
/** The secret-free id inside the signed visitor token (22 characters, base64url). */
export type VisitorId = Brand<string, "VisitorId">;
/** Which lobby of the room: whole, from 0 up, at most 65,534. */
export type LobbyIndex = Brand<number, "LobbyIndex">;
/** Which permit of the room: whole, from 0 up. */
export type SlotIndex = Brand<number, "SlotIndex">;

/** 2^48: beyond any line, and exact in a double. */
export const TICKET_NUMBER_MAX = 2 ** 48;
export const LOBBY_INDEX_MAX = 65_534;

const wholeWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

export const parseTicketNumber = (value: unknown): TicketNumber | null =>
  wholeWithin(value, 1, TICKET_NUMBER_MAX) ? (value as TicketNumber) : null;

export const parseLobbyIndex = (value: unknown): LobbyIndex | null =>
  wholeWithin(value, 0, LOBBY_INDEX_MAX) ? (value as LobbyIndex) : null;

export const parseRoomId = (value: unknown): RoomId | null =>
  typeof value === "string" && /^[0-9a-f]{32}$/.test(value) ? (value as RoomId) : null;

export const parseVisitorId = (value: unknown): VisitorId | null =>
  typeof value === "string" && /^[\w-]{22}$/.test(value) ? (value as VisitorId) : null;

/** For the core's own arithmetic, where the range is already known. */
export const ticketNumber = (value: number): TicketNumber => value as TicketNumber;
export const slotIndex = (value: number): SlotIndex => value as SlotIndex;
export const lobbyIndex = (value: number): LobbyIndex => value as LobbyIndex;
