/** The headers that the origin gets. Which may pass is header-fate.ts. */
import type { RoomDefinition } from "../../core/definition.ts";
import { LastMade } from "../../core/last-made.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { CHAIN_HEADER } from "../arrival/client-address.ts";
import type { SentHeaders } from "../arrival/sent-headers.ts";
import { withoutOurCookies } from "../tokens/cookies.ts";
import { fatedHeaders, isOfPreflight } from "./header-fate.ts";
import type { HeaderFate } from "./header-fate.ts";
import { LOOP_HEADER, loopHeaderAfter } from "./loops.ts";
import type { Target } from "./target.ts";

const NONE: readonly string[] = [];

/** By lower-case name. A plain object, as the runtime takes nothing else over as quickly. */
export type HeaderValues = Record<string, string>;

const lastValues = new LastMade<HeaderValues>();

/**
 * Why a request goes on that has no pass. An exempt one was judged by its method, and a preflight by
 * what browsers make of it: neither may be more to the origin.
 */
export type WithoutPass = "exempt" | "preflight";

/**
 * What the origin is told: all that the client said, but nothing that only we may say.
 *
 * @throws LoopError where the request has come round to us
 */
export const originRequestHeaders = (
  arrival: Arrival,
  room: RoomDefinition | null,
  target: Target,
  without: WithoutPass | null = null,
): HeaderValues => {
  const { headers, method } = arrival;
  const values = lastValues.keep({});
  const listed = listedBy(headers.get("connection"));
  // Without an edge in front only the runtime knows the client, and this header is forged.
  const forged = arrival.env.LOCAL === "1" && target.kind !== "zone" ? "cf-connecting-ip" : "";
  let trusts: boolean | null = null;
  // In one pass, and nothing is taken out again: of all that is done for a request, this costs most.
  const { names, values: sent } = headers;
  let at = 0;
  for (const { name, fate } of fatedHeaders(names)) {
    const value = sent[at] ?? "";
    at += 1;
    if (fate === "drop" || listed.includes(name) || name === forged) continue;
    if (without === "preflight" && !isOfPreflight(name)) continue;
    if (fate === "cookie") setUnlessEmpty(values, name, withoutOurCookies(value));
    else if (fate === "pass") values[name] = value;
    else if (fate === "host") setUnlessEmpty(values, name, target.kind === "url" ? null : value);
    else if (fate === "override") {
      if (method === "POST" && without === null) values[name] = value;
    } else if (isVouchedFor(fate, arrival, target) || (trusts ??= arrival.isFromTrusted(room)))
      values[name] = value;
  }
  if (without !== "preflight" && headers.get("upgrade")?.toLowerCase() === "websocket")
    values["upgrade"] = "websocket";
  if (target.kind !== "zone") nameTheClient(values, arrival, room);
  // An edge in front notices by itself.
  if (target.kind !== "zone" || arrival.env.LOCAL === "1") noteLoops(values, headers, room);
  return values;
};

/** Of most requests that bring a pass there is nothing to note: their room's name is sign enough. */
const noteLoops = (values: HeaderValues, came: SentHeaders, room: RoomDefinition | null): void => {
  const isFromRoom = came.get("seiriken-room") !== null;
  // As it came: a client that lists it in `Connection` does not take the sign away.
  const noted = came.get(LOOP_HEADER);
  if (room === null || isFromRoom || noted !== null)
    values[LOOP_HEADER] = loopHeaderAfter(noted, isFromRoom);
};

/** Was this header set by the edge or a trusted proxy, and not by the client? */
const isVouchedFor = (fate: HeaderFate, { env }: Arrival, target: Target): boolean =>
  target.kind === "zone" || (fate === "edges" && env.LOCAL !== "1");

const setUnlessEmpty = (values: HeaderValues, name: string, value: string | null): void => {
  if (value !== null && value !== "") values[name] = value;
};

/** Further names that a `Connection` header keeps to its connection. */
export const listedBy = (connection: string | null): readonly string[] => {
  if (connection === null || connection === "keep-alive" || connection === "close") return NONE;
  const listed = connection.split(",").map((name) => name.trim().toLowerCase());
  return listed.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
};

/** The zone's own origin hears this from the edge itself. */
const nameTheClient = (
  values: HeaderValues,
  arrival: Arrival,
  room: RoomDefinition | null,
): void => {
  const { isHttps, asked } = arrival;
  const { address, before } = arrival.clientOf(room, values[CHAIN_HEADER] ?? "");
  const chain = chainOf(before, address);
  if (chain !== "") values[CHAIN_HEADER] = chain;
  values["x-forwarded-proto"] = isHttps ? "https" : "http";
  values["x-forwarded-host"] = asked.server.host;
};

/**
 * `X-Forwarded-For`: what the client sent, then its address as we know it, without trusted proxies.
 */
const chainOf = (sent: string, address: string | null): string => {
  if (sent === "") return address ?? "";
  const hops = sent
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  if (address !== null && hops.at(-1) !== address) hops.push(address);
  return hops.join(", ");
};
