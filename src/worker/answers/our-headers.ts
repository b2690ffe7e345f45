import type { RoomDefinition } from "../../core/definition.ts";
import { LastMade } from "../../core/last-made.ts";
import { PREFIX } from "../../durable/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { isForScript, isForWorker } from "../arrival/caller.ts";
import { isAllowedOrigin } from "../arrival/own-hosts.ts";
import { REFERENCE_HEADER } from "./status.ts";

const EXPOSED = "Retry-After, Seiriken-Ticket, Seiriken-Pass, Seiriken-Status";
const VARY = "Accept, Accept-Language, Sec-Fetch-Dest, Cookie";
const PREFLIGHT_SECONDS = "600";

/** What every answer of our own carries, as an answer that has nothing to do with a room is made of it. */
export const commonHeaders = (arrival: Arrival): Record<string, string> =>
  lastCommon.keep({
    "Cache-Control": "no-store, no-transform",
    Vary: mayBeKept(arrival) ? `${VARY}, *` : VARY,
    "X-Content-Type-Options": "nosniff",
    [REFERENCE_HEADER]: arrival.reference,
  });

const lastCommon = new LastMade<Record<string, string>>();

/** What every answer of our own carries. */
export const setCommonHeaders = (
  headers: Headers,
  arrival: Arrival,
  room: RoomDefinition | null,
): void => {
  for (const [name, value] of Object.entries(commonHeaders(arrival))) headers.set(name, value);
  if (room !== null) allowCors(headers, arrival, room);
};

/**
 * Service workers' caches take no heed of `no-store`, but refuse what varies with everything (Service
 * Workers, 5.4.5): the page, and what it asks us.
 */
const mayBeKept = (arrival: Arrival): boolean =>
  isForWorker(arrival) || (arrival.asked.pathname.startsWith(`${PREFIX}/`) && isForScript(arrival));

/** Lets pages of the room's own hosts and of `cors_origins` read the answer, with credentials. */
const allowCors = (headers: Headers, arrival: Arrival, room: RoomDefinition): void => {
  const origin = arrival.headers.get("origin");
  if (origin === null || !isAllowedOrigin(arrival, room, origin)) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Access-Control-Expose-Headers", EXPOSED);
};

/** Answers a preflight for a path of our own. */
export const ownPreflight = (arrival: Arrival, room: RoomDefinition, methods: string): Response => {
  const headers = new Headers({
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": "Content-Type, Seiriken-Ticket, Seiriken-Pass, Seiriken-Proof",
    "Access-Control-Max-Age": PREFLIGHT_SECONDS,
  });
  setCommonHeaders(headers, arrival, room);
  return new Response(null, { status: 204, headers });
};
