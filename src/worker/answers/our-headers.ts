import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival.ts";
import { isAllowedOrigin } from "./own-hosts.ts";
import { REFERENCE_HEADER } from "./status.ts";

const EXPOSED = "Retry-After, Seiriken-Ticket, Seiriken-Pass, Seiriken-Status";
const PREFLIGHT_SECONDS = "600";

/** What every answer of our own carries. */
export const dressOurs = (
  headers: Headers,
  arrival: Arrival,
  room: RoomDefinition | null,
): void => {
  headers.set("Cache-Control", "no-store, no-transform");
  headers.set("Vary", "Accept, Accept-Language, Sec-Fetch-Dest, Cookie");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set(REFERENCE_HEADER, arrival.reference);
  if (room !== null) allowCors(headers, arrival, room);
};

/** Lets pages of the room's own hosts and of `cors_origins` read the answer, with credentials. */
const allowCors = (headers: Headers, arrival: Arrival, room: RoomDefinition): void => {
  const origin = arrival.request.headers.get("Origin");
  if (origin === null || !isAllowedOrigin(arrival, room, origin)) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Access-Control-Expose-Headers", EXPOSED);
};

/** Answers a preflight for a path of our own. */
export const ownPreflight = (arrival: Arrival, room: RoomDefinition, methods: string): Response => {
  const headers = new Headers({
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": "Content-Type, Seiriken-Ticket, Seiriken-Pass",
    "Access-Control-Max-Age": PREFLIGHT_SECONDS,
  });
  dressOurs(headers, arrival, room);
  return new Response(null, { status: 204, headers });
};
