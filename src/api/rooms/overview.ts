/** Every room in one answer, as the dashboard's first view shows them. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomSnapshot } from "../../core/snapshot.ts";
import { rfc3339 } from "../../core/time.ts";
import { statusOf, type RoomStatusResource } from "./status.ts";

/** One answer tells as many rooms at most; `total` says how many there are. */
export const OVERVIEW_ROOMS_MAX = 200;

/** A room at a glance. */
export interface RoomOverview {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly host: string;
  readonly path: string;
  readonly modified_on: string;
  /** Null while the room can't be reached. */
  readonly status: RoomStatusResource | null;
  /** Starts in each of the last sixty seconds, oldest first; empty where nothing is known. */
  readonly starts_last_minute: readonly number[];
}

export const overviewOf = (room: RoomDefinition, snapshot: RoomSnapshot | null): RoomOverview => ({
  id: room.id,
  name: room.name,
  description: room.description,
  host: room.routes[0]?.host ?? "",
  path: room.routes[0]?.path ?? "",
  modified_on: rfc3339(room.modifiedAt),
  status: snapshot === null ? null : statusOf(room, snapshot),
  starts_last_minute: snapshot?.startsLastMinute ?? [],
});
