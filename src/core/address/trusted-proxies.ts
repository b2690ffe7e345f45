/**
 * Finds a client's address behind proxies that the operator trusts. Reading one address is ip-
 * address.ts.
 */
import {
  bareAddress,
  isInNetwork,
  parseAddress,
  parseNetwork,
  type IpNetwork,
} from "./ip-address.ts";

/**
 * Proxies before us whose word on a client's address counts: how many, or the networks they are in.
 */
export type TrustedProxies = number | readonly string[];

export const HOPS_MAX = 32;
export const NETWORKS_MAX = 64;
/** A network as text: the longest IPv6 address, with quotes and brackets, and the length. */
const NETWORK_LENGTH_MAX = 64;
/** Entries of a chain that are looked at: a client may send thousands. */
const ENTRIES_MAX = 64;

export const TRUSTED_WANTED =
  `must be how many proxies stand before this one (0 to ${HOPS_MAX}), or at most ${NETWORKS_MAX} ` +
  'of their networks such as "10.0.0.0/8" and "2001:db8::/32"';

export const isTrustedProxies = (value: unknown): value is TrustedProxies =>
  Array.isArray(value)
    ? value.length <= NETWORKS_MAX && value.every(isNetwork)
    : Number.isInteger(value) && (value as number) >= 0 && (value as number) <= HOPS_MAX;

const isNetwork = (value: unknown): boolean =>
  typeof value === "string" && value.length <= NETWORK_LENGTH_MAX && parseNetwork(value) !== null;

/** `2`, or `10.0.0.0/8, 192.0.2.1`, as a variable says it. Null for anything else. */
export const parseTrustedProxies = (text: string): TrustedProxies | null => {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const value = /^\d+$/.test(text.trim()) ? Number(text) : parts;
  return isTrustedProxies(value) ? value : null;
};

/** The client's address, and the part of the chain that the client itself had sent. */
export interface Client {
  readonly address: string | null;
  readonly before: string;
}

/**
 * The client that asked the outermost trusted proxy. The chain (`X-Forwarded-For`) is read from its
 * right end, where the nearest proxy wrote the address of its peer; further left only as far as
 * each entry was written by a proxy that is trusted, and not beyond what is no address. So whatever
 * a client writes itself stands to the left of its own address, and is not read.
 */
export const clientBehind = (
  trusted: TrustedProxies,
  peer: string | null,
  chain: string,
): Client => {
  let client: Client = { address: peer, before: chain };
  let passed = 0;
  for (const entry of entriesFromTheRight(chain)) {
    if (!isTrusted(trusted, client.address, passed)) break;
    if (entry.text === "") continue;
    if (parseAddress(entry.text) === null) break;
    client = { address: bareAddress(entry.text), before: entry.before };
    passed += 1;
  }
  return client;
};

/** Is the connected peer one of the trusted proxies? */
export const trustsPeer = (trusted: TrustedProxies, peer: string | null): boolean =>
  isTrusted(trusted, peer, 0);

/** The chain as an edge hands it on that has written its own peer, our peer, at its end already. */
export const withoutPeer = (chain: string, peer: string | null): string => {
  const [last] = entriesFromTheRight(chain);
  return last !== undefined && peer !== null && last.text === peer ? last.before : chain;
};

interface Entry {
  readonly text: string;
  /** All that stands to the left of it. */
  readonly before: string;
}

function* entriesFromTheRight(chain: string): Generator<Entry> {
  let rest = chain;
  for (let seen = 0; rest !== "" && seen < ENTRIES_MAX; seen += 1) {
    const comma = rest.lastIndexOf(",");
    const before = rest.slice(0, Math.max(0, comma));
    yield { text: rest.slice(comma + 1).trim(), before };
    rest = before;
  }
}

const isTrusted = (trusted: TrustedProxies, address: string | null, passed: number): boolean => {
  if (typeof trusted === "number") return passed < trusted;
  const parsed = address === null ? null : parseAddress(address);
  return parsed !== null && networksOf(trusted).some((network) => isInNetwork(parsed, network));
};

/** A list of networks is read once. */
const networks = new WeakMap<readonly string[], readonly IpNetwork[]>();

const networksOf = (texts: readonly string[]): readonly IpNetwork[] => {
  const known = networks.get(texts);
  if (known !== undefined) return known;
  const read = texts.flatMap((text) => parseNetwork(text) ?? []);
  networks.set(texts, read);
  return read;
};
