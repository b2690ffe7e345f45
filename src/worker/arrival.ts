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
  /** The same, with a request that was made anew from its own. */
  with(request: Request): Arrival;
}

/** No letters or digits that are read wrong over a telephone. */
const REFERENCE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const REFERENCE_LENGTH = 8;

export const arrivalOf = (
  ports: Ports,
  request: Request,
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
): Arrival => new FirstArrival(ports, request, env, waitUntil);

/** A class, as an object with getters of its own is dear to make, and every request makes one. */
class FirstArrival implements Arrival {
  readonly request: Request;
  readonly url: URL;
  readonly host: string;
  readonly isHttps: boolean;
  readonly readings: readonly [string, ...string[]] | null;
  readonly env: Env;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly #ports: Ports;
  /** As it came: only that tells the client's address. */
  #client: Request;
  #reference: string | null = null;

  constructor(
    ports: Ports,
    request: Request,
    env: Env,
    waitUntil: (work: Promise<unknown>) => void,
  ) {
    this.request = request;
    this.#client = request;
    this.url = new URL(request.url);
    this.host = canonicalHost(this.url.hostname);
    this.isHttps = isHttps(request, this.url, env);
    this.readings = readingsOf(this.url.pathname);
    this.env = env;
    this.waitUntil = waitUntil;
    this.#ports = ports;
  }

  // Most requests are let through, and never tell theirs.
  get reference(): string {
    return (this.#reference ??= referenceFrom(this.#ports));
  }

  get address(): string | null {
    return addressOf(this.#client, this.env);
  }

  with(request: Request): Arrival {
    const copy = new FirstArrival(this.#ports, request, this.env, this.waitUntil);
    copy.#client = this.#client;
    copy.#reference = this.reference;
    return copy;
  }
}

const referenceFrom = (ports: Ports): string => {
  let text = "";
  for (const byte of ports.randomBytes(REFERENCE_LENGTH))
    text += REFERENCE_ALPHABET[byte % REFERENCE_ALPHABET.length] ?? "";
  return text;
};

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
