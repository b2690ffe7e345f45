import { Failure } from "../../cli/launch/failure.ts";
import type { RoomId } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import { merged } from "../../src/api/merge-patch.ts";
import { definitionOf, resourceOf } from "../../src/api/rooms/resource.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import type { RoomJson } from "../../src/api/rooms-file/file.ts";
import { parseRoom } from "../../src/api/rooms/schema.ts";
import type { PlannedEventResource } from "../../src/api/events/resource.ts";
import type { RuleResource } from "../../src/api/rules/resource.ts";
import type { RoomStatusResource } from "../../src/api/rooms/status.ts";
import { EVENT_DEFAULTS } from "./event-defaults.ts";

/** The management API in memory: unique paths, whose `modified_on` moves only when something changed. */
export class FakeRooms {
  readonly rooms = new Map<string, RoomResource>();
  changes = 0;

  async listRooms() {
    return [...this.rooms.values()];
  }
  async createRoom(room: unknown) {
    return this.#put(`id-${(room as RoomJson).name}`, room);
  }
  /** Does once what somebody else does between reading and writing. */
  meanwhile: (() => void) | null = null;
  async readRoom(id: string) {
    const room = this.rooms.get(id);
    if (room === undefined) throw new Failure("not-found", id);
    return room;
  }
  async patchRoom(id: string, change: unknown, readOn?: string) {
    const now = merged({ ...this.rooms.get(id) }, change as Record<string, unknown>);
    this.meanwhile?.();
    this.meanwhile = null;
    if (this.rooms.get(id)?.modified_on !== readOn) throw new Failure("changed-since", "changed");
    return this.#put(id, now);
  }
  async putRoom(id: string, room: unknown, readOn: string) {
    this.meanwhile?.();
    this.meanwhile = null;
    if (this.rooms.get(id)?.modified_on !== readOn) throw new Failure("changed-since", "changed");
    return this.#put(id, room);
  }
  /** As another operator's patch. */
  patch(id: string, change: Record<string, unknown>): void {
    this.#put(id, merged({ ...this.rooms.get(id) }, change));
  }
  async deleteRoom(id: string): Promise<void> {
    this.rooms.delete(id);
  }

  readonly events = new Map<string, PlannedEventResource[]>();
  readonly rules = new Map<string, RuleResource[]>();
  async listEvents(room: string) {
    return this.events.get(room) ?? [];
  }
  async createEvent(room: string, event: unknown) {
    return this.putEvent(room, null, event);
  }
  /** Keeps what is given, and lets no two start together. */
  async putEvent(room: string, before: PlannedEventResource | null, event: unknown) {
    const given = event as PlannedEventResource;
    const others = (await this.listEvents(room)).filter(({ id }) => id !== before?.id);
    if (others.some((other) => other.event_start_time === given.event_start_time))
      throw new Failure("refused", "overlaps");
    const fresh = { ...EVENT_DEFAULTS, suspended: false, seiriken: { draw: null } };
    const merging = { ...fresh, ...before, ...given, id: `id-${given.name}` };
    const kept = merging as unknown as PlannedEventResource;
    this.events.set(room, [...others, kept]);
    return kept;
  }
  async deleteEvent(room: string, event: string) {
    const events = await this.listEvents(room);
    this.events.set(
      room,
      events.filter(({ id }) => id !== event),
    );
  }
  async listRules(room: string) {
    return this.rules.get(room) ?? [];
  }
  async putRules(room: string, rules: unknown) {
    const defaults = { description: "", enabled: true };
    const list = (rules as readonly RuleResource[]).map((rule) => ({ ...defaults, ...rule }));
    this.rules.set(room, list);
    return list;
  }

  crowd = { waiting: 0, called: 0, visiting: 0 };
  async statusOf() {
    return { seiriken: this.crowd } as unknown as RoomStatusResource;
  }

  #put(id: string, json: unknown): RoomResource {
    const parsed = parseRoom(json);
    if (!parsed.ok) throw new Failure("refused", JSON.stringify(parsed.problems));
    const at = instant(0);
    const identity = { id: id as RoomId, createdAt: at, modifiedAt: at, cookieSuffix: "" };
    const given = resourceOf(definitionOf(parsed.room, identity));
    for (const [other, room] of this.rooms) {
      if (other !== id && room.path === given.path) throw new Failure("conflict", "taken");
    }
    const before = this.rooms.get(id);
    const isSame =
      JSON.stringify({ ...before, modified_on: given.modified_on }) === JSON.stringify(given);
    if (!isSame) this.changes += 1;
    const stamped = { ...given, modified_on: isSame ? before!.modified_on : `${this.changes}` };
    this.rooms.set(id, stamped);
    return stamped;
  }
}

/** Valid, as a file may have it. */
export const fileRoom = (name: string, path: string, more: object = {}): RoomJson => ({
  name,
  host: "*",
  path,
  total_active_users: 1,
  new_users_per_minute: 60,
  ...more,
});
