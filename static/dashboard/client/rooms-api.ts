import type { PlannedEventResource } from "../../../src/api/events/resource.ts";
import type { MinuteResource } from "../../../src/api/rooms/history.ts";
import type { RoomOverview } from "../../../src/api/rooms/overview.ts";
import type { RoomResource } from "../../../src/api/rooms/resource.ts";
import type { Answer } from "./answer.ts";
import { API, ZONE, type Client } from "./client.ts";

export interface Overview {
  readonly rooms: readonly RoomOverview[];
  readonly total: number;
}

const roomAt = (room: string): string => `${ZONE}/waiting_rooms/${encodeURIComponent(room)}`;
const ownAt = (room: string): string => `${API}/rooms/${encodeURIComponent(room)}`;

export const readOverview = (client: Client): Promise<Answer<Overview>> =>
  client.ask(`${API}/rooms`);

export const readRoom = (client: Client, room: string): Promise<Answer<RoomResource>> =>
  client.ask(roomAt(room));

/** `etag`: as it was read; null changes whatever stands now. */
export const patchRoom = (
  client: Client,
  room: string,
  change: object,
  etag: string | null,
): Promise<Answer<RoomResource>> =>
  client.ask(roomAt(room), { method: "PATCH", body: change, ifMatch: etag });

export const revokeAll = (client: Client, room: string): Promise<Answer<{ revoked: number }>> =>
  client.ask(`${ownAt(room)}/revoke`, { method: "POST" });

export const revokeVisit = (client: Client, room: string, visit: number): Promise<Answer<null>> =>
  client.ask(`${ownAt(room)}/visits/${visit}`, { method: "DELETE" });

export const readHistory = (
  client: Client,
  room: string,
  minutes: number,
): Promise<Answer<{ readonly minutes: readonly MinuteResource[] }>> =>
  client.ask(`${ownAt(room)}/history?minutes=${minutes}`);

export const historyCsv = (client: Client, room: string, minutes: number): Promise<Blob | null> =>
  client.file(`${ownAt(room)}/history?minutes=${minutes}&format=csv`);

export const listEvents = (
  client: Client,
  room: string,
): Promise<Answer<readonly PlannedEventResource[]>> =>
  client.ask(`${roomAt(room)}/events?per_page=1000`);

export const makeEvent = (
  client: Client,
  room: string,
  event: object,
): Promise<Answer<PlannedEventResource>> =>
  client.ask(`${roomAt(room)}/events`, { method: "POST", body: event });

export const readEvent = (
  client: Client,
  room: string,
  event: string,
): Promise<Answer<PlannedEventResource>> => client.ask(`${roomAt(room)}/events/${event}`);

export const patchEvent = (
  client: Client,
  room: string,
  event: string,
  change: object,
  etag: string | null,
): Promise<Answer<PlannedEventResource>> =>
  client.ask(`${roomAt(room)}/events/${event}`, { method: "PATCH", body: change, ifMatch: etag });

export const deleteEvent = (
  client: Client,
  room: string,
  event: string,
  etag: string | null,
): Promise<Answer<unknown>> =>
  client.ask(`${roomAt(room)}/events/${event}`, { method: "DELETE", ifMatch: etag });
