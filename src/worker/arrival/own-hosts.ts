import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "./arrival.ts";
import { canonicalHost } from "../../core/url/canonical.ts";

/**
 * Is this one of the room's own hosts, on the port of this request? Another port is another site. A
 * room of every host has, for each request, that request's.
 */
export const isOwnUrl = (arrival: Arrival, room: RoomDefinition, url: URL): boolean => {
  if (portOf(url, url.protocol === "https:") !== portOf(arrival.url, arrival.isHttps)) return false;
  const host = canonicalHost(url.hostname);
  return host === arrival.host || room.routes.some((route) => canonicalHost(route.host) === host);
};

/** Where TLS ends before us, a port that its scheme implies is still not said. */
const portOf = ({ port }: URL, isHttps: boolean): string =>
  port === (isHttps ? "443" : "80") ? "" : port;

/** May pages of this origin (a scheme, host and port) speak with the room in a visitor's name? */
export const isAllowedOrigin = (
  arrival: Arrival,
  room: RoomDefinition,
  origin: string,
): boolean => {
  if (isCorsOrigin(room, origin)) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== "https:" && (url.protocol !== "http:" || arrival.isHttps)) return false;
  return isOwnUrl(arrival, room, url);
};

/** Is a page of this origin one that this deployment has served here? */
export const isOwnOrigin = (arrival: Arrival, origin: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== "https:" && (url.protocol !== "http:" || arrival.isHttps)) return false;
  const isSamePort =
    portOf(url, url.protocol === "https:") === portOf(arrival.url, arrival.isHttps);
  return isSamePort && canonicalHost(url.hostname) === arrival.host;
};

/** Did the operator name this origin, so that its pages carry their tokens themselves? */
export const isCorsOrigin = ({ corsOrigins }: RoomDefinition, origin: string): boolean =>
  corsOrigins.some((allowed) => sameOrigin(allowed, origin));

const sameOrigin = (allowed: string, origin: string): boolean =>
  URL.canParse(allowed) && new URL(allowed).origin === origin.toLowerCase();
