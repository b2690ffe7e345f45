import type { AuditPageResource } from "../../../src/api/audit/resource.ts";
import type { CallAnswer } from "./answer.ts";
import { API, type ApiClient } from "./client.ts";

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
