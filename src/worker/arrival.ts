import type { Env } from "./env.ts";
import type { Ports } from "./ports.ts";
import { canonicalHost, readingsOf } from "./url/canonical.ts";

/** One request, with what is worked out of it once and early. */
export interface Arrival {
  readonly request: Request;
  /** Parsed, so that plain dot segments and backslashes are resolved. The origin is sent this. */
  readonly url: URL;
  readonly host: string;
  readonly isHttps: boolean;
  /** The canonical path first; null when the path has no single meaning. */
  readonly readings: readonly [string, ...string[]] | null;
  readonly env: Env;
  /** Short, random: it is on the page and in the log. */
  readonly reference: string;
  /** The client's address, where it can be trusted. */
  readonly address: string | null;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** No letters or digits that are read wrong over a telephone. */
const REFERENCE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const REFERENCE_LENGTH = 8;

export const arrivalOf = (
  ports: Ports,
  request: Request,
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
): Arrival => {
  const url = new URL(request.url);
  let reference: string | null = null;
  return {
    request,
    url,
    host: canonicalHost(url.hostname),
    isHttps: isHttps(request, url, env),
    readings: readingsOf(url.pathname),
    env,
    // Most requests are let through, and never tell theirs.
    get reference() {
      return (reference ??= referenceFrom(ports));
    },
    get address() {
      return addressOf(request, env);
    },
    waitUntil,
  };
};

const referenceFrom = (ports: Ports): string =>
  Array.from(
    ports.randomBytes(REFERENCE_LENGTH),
    (byte) => REFERENCE_ALPHABET[byte % REFERENCE_ALPHABET.length],
  ).join("");

/** On one's own machine a proxy may end TLS; it is believed, for all it can spoil is its own cookies. */
const isHttps = (request: Request, url: URL, env: Env): boolean =>
  url.protocol === "https:" ||
  (env.LOCAL === "1" &&
    request.headers.get("X-Forwarded-Proto")?.split(",")[0]?.trim() === "https");

/** The edge names the client in a header of its own; here, the runtime knows the socket. */
const addressOf = (request: Request, env: Env): string | null => {
  const { cf } = (env.LOCAL === "1" ? request : {}) as { cf?: { clientIp?: unknown } };
  return typeof cf?.clientIp === "string"
    ? withoutPort(cf.clientIp)
    : request.headers.get("CF-Connecting-IP");
};

/** `192.0.2.7:4711`, `[2001:db8::1]:4711`, or an address alone. */
const withoutPort = (address: string): string => {
  if (address.startsWith("[")) return address.slice(1, address.indexOf("]"));
  const colon = address.indexOf(":");
  return colon >= 0 && colon === address.lastIndexOf(":") ? address.slice(0, colon) : address;
};
