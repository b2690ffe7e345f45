import type { AuditPageResource } from "../../../src/api/audit/resource.ts";
import type { CallAnswer } from "./answer.ts";
import { API, ZONE, type ApiClient } from "./client.ts";

const PAGE = 50;

/** The newest first; `before` goes on behind a page. `room` null: of every room and of none. */
export const readAudit = (
  client: ApiClient,
  room: string | null,
  before: number | null,
): Promise<CallAnswer<AuditPageResource>> => {
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (room !== null) query.set("room", room);
  if (before !== null) query.set("before", String(before));
  return client.ask(`${API}/audit?${query.toString()}`);
};

/** Where a change of this kind is sent to; null: it is not taken back from here. */
export const placeOf = (
  action: string,
  room: string | null,
  target: string | null,
): string | null => {
  if (room === null) return null;
  const at = `${ZONE}/waiting_rooms/${encodeURIComponent(room)}`;
  switch (action) {
    case "room-changed":
      return at;
    case "event-changed":
      return target === null ? null : `${at}/events/${encodeURIComponent(target)}`;
    default:
      return null;
  }
};

export const takeBack = (
  client: ApiClient,
  place: string,
  patch: object,
): Promise<CallAnswer<unknown>> => client.ask(place, { method: "PATCH", body: patch });
