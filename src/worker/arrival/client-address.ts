import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { bareAddress } from "../../core/address/ip-address.ts";
import {
  clientBehind,
  parseTrustedProxies,
  trustsPeer,
  withoutPeer,
} from "../../core/address/trusted-proxies.ts";
import type { Client, TrustedProxies } from "../../core/address/trusted-proxies.ts";
import type { Env } from "../platform/env.ts";

export const CHAIN_HEADER = "x-forwarded-for";

/** The client of a request. Where no proxy is trusted, that is the connected peer. */
export const clientIn = (
  request: Request,
  env: Env,
  trusted: TrustedProxies | null,
  chain: string,
): Client => {
  const peer = peerOf(request, env);
  if (trusted === null) return { address: peer, before: chain };
  // The edge has written its peer into the chain as well; a plain socket has not.
  return clientBehind(trusted, peer, env.LOCAL === "1" ? chain : withoutPeer(chain, peer));
};

/** Does the request come from a proxy that is trusted, so that its headers may be that one's? */
export const isFromTrusted = (
  request: Request,
  env: Env,
  trusted: TrustedProxies | null,
): boolean => trusted !== null && trustsPeer(trusted, peerOf(request, env));

/** A connection's peer is told with each of its requests. */
const peers = new BoundedMap<string, string>(2_000);

/** The one that came last: behind a proxy it is always the same. */
let latest = { text: "", address: "" };

const peerIn = (text: string): string => {
  if (latest.text !== text) latest = { text, address: peers.getOrMake(text, bareAddress) };
  return latest.address;
};

/**
 * The connected peer: the edge names it in a header of its own; on one machine the runtime knows
 * the socket.
 */
const peerOf = (request: Request, env: Env): string | null => {
  const { cf } = (env.LOCAL === "1" ? request : {}) as { cf?: { clientIp?: unknown } };
  return typeof cf?.clientIp === "string"
    ? peerIn(cf.clientIp)
    : request.headers.get("CF-Connecting-IP");
};

type Read = TrustedProxies | "unreadable" | null;

/** The variable does not change while an isolate lives. */
let lastRead: { readonly text: string; readonly trusted: Read } | null = null;

/** Which proxies the deployment trusts. */
export const trustedBy = ({ TRUSTED_PROXIES: text }: Env): Read => {
  if (text === undefined || text === "") return null;
  if (lastRead?.text !== text)
    lastRead = { text, trusted: parseTrustedProxies(text) ?? "unreadable" };
  return lastRead.trusted;
};
