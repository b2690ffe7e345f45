import type { Operator } from "../../../src/core/access/scopes.ts";
import type { PlannedEventResource } from "../../../src/api/events/resource.ts";
import type { MinuteResource } from "../../../src/api/rooms/history.ts";
import type { RoomOverview } from "../../../src/api/rooms/overview.ts";
import type { RoomResource } from "../../../src/api/rooms/resource.ts";
import type { HistoryStep } from "../../../src/core/room/history-steps.ts";
import type { CallAnswer } from "./answer.ts";
import { API, ZONE, type ApiClient } from "./client.ts";

export interface Overview {
  readonly rooms: readonly RoomOverview[];
  readonly total: number;
  readonly operator: SignedInAs;
}

/** Who signed in, and what they may do. */
export type SignedInAs = Pick<Operator, "name" | "scope" | "rooms">;

const roomAt = (room: string): string => `${ZONE}/waiting_rooms/${encodeURIComponent(room)}`;
const ownAt = (room: string): string => `${API}/rooms/${encodeURIComponent(room)}`;

export const readOverview = (client: ApiClient): Promise<CallAnswer<Overview>> =>
  client.ask(`${API}/rooms`);

export const readRoom = (client: ApiClient, room: string): Promise<CallAnswer<RoomResource>> =>
  client.ask(roomAt(room));

/** `etag`: as it was read; null changes whatever stands now. */
export const patchRoom = (
  client: ApiClient,
  room: string,
  change: object,
  etag: string | null,
): Promise<CallAnswer<RoomResource>> =>
  client.ask(roomAt(room), { method: "PATCH", body: change, ifMatch: etag });

export const revokeAll = (
  client: ApiClient,
  room: string,
): Promise<CallAnswer<{ revoked: number }>> =>
  client.ask(`${ownAt(room)}/revoke`, { method: "POST" });

export const revokeVisit = (
  client: ApiClient,
  room: string,
  visit: number,
): Promise<CallAnswer<null>> => client.ask(`${ownAt(room)}/visits/${visit}`, { method: "DELETE" });

const historyAt = (room: string, minutes: number, step: HistoryStep): string =>
  `${ownAt(room)}/history?minutes=${minutes}&step=${step}`;

export const readHistory = (
  client: ApiClient,
  room: string,
  minutes: number,
  step: HistoryStep,
): Promise<CallAnswer<{ readonly minutes: readonly MinuteResource[] }>> =>
  client.ask(historyAt(room, minutes, step));

export const historyFile = (
  client: ApiClient,
  room: string,
  minutes: number,
  step: HistoryStep,
): Promise<Blob | null> => client.file(`${historyAt(room, minutes, step)}&format=csv`);

export const listEvents = (
  client: ApiClient,
  room: string,
): Promise<CallAnswer<readonly PlannedEventResource[]>> =>
  client.ask(`${roomAt(room)}/events?per_page=1000`);

export const makeEvent = (
  client: ApiClient,
  room: string,
  event: object,
): Promise<CallAnswer<PlannedEventResource>> =>
  client.ask(`${roomAt(room)}/events`, { method: "POST", body: event });

export const readEvent = (
  client: ApiClient,
  room: string,
  event: string,
): Promise<CallAnswer<PlannedEventResource>> => client.ask(`${roomAt(room)}/events/${event}`);

export const patchEvent = (
  client: ApiClient,
  room: string,
  event: string,
  change: object,
  etag: string | null,
): Promise<CallAnswer<PlannedEventResource>> =>
  client.ask(`${roomAt(room)}/events/${event}`, { method: "PATCH", body: change, ifMatch: etag });

export const deleteEvent = (
  client: ApiClient,
  room: string,
  event: string,
  etag: string | null,
): Promise<CallAnswer<unknown>> =>
  client.ask(`${roomAt(room)}/events/${event}`, { method: "DELETE", ifMatch: etag });
