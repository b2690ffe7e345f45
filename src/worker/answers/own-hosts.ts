import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival.ts";
import { canonicalHost } from "../url/canonical.ts";

/** Is this host one of the room's own? A room of every host has, for each request, that request's. */
export const isOwnHost = (arrival: Arrival, room: RoomDefinition, host: string): boolean =>
  host === arrival.host || room.routes.some((route) => canonicalHost(route.host) === host);

/** May pages of this origin (a scheme, host and port) speak with the room in a visitor's name? */
export const isAllowedOrigin = (
  arrival: Arrival,
  room: RoomDefinition,
  origin: string,
): boolean => {
  if (room.corsOrigins.some((allowed) => sameOrigin(allowed, origin))) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== "https:" && (url.protocol !== "http:" || arrival.isHttps)) return false;
  return isOwnHost(arrival, room, canonicalHost(url.hostname));
};

const sameOrigin = (allowed: string, origin: string): boolean =>
  URL.canParse(allowed) && new URL(allowed).origin === origin.toLowerCase();
