import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { definitionDuring } from "../../core/events/during.ts";
import type { EventId, EventPhase } from "../../core/events/event.ts";
import { eventAt } from "../../core/events/phases.ts";
import type { RoomId } from "../../core/ids.ts";
import type { RoomSnapshot } from "../../core/snapshot.ts";
import type { InstantMs } from "../../core/time.ts";

/** More rooms than one deployment has. */
const ROOMS_MAX = 2_000;

interface View {
  readonly snapshot: Pick<RoomSnapshot, "event"> | null;
  readonly now: InstantMs;
}

interface Kept {
  readonly of: RoomDefinition;
  readonly id: EventId;
  readonly phase: EventPhase;
  readonly during: RoomDefinition;
}

/** Rooms as the events that are on make them, put together once for each phase. */
export class DefinitionsDuring {
  readonly #rooms = new BoundedMap<RoomId, Kept>(ROOMS_MAX);

  /** What the Room says is on counts; before it has said anything, the isolate's clock. */
  of(room: RoomDefinition, { snapshot, now }: View): RoomDefinition {
    if (room.events === undefined || room.events.list.length === 0) return room;
    const at = snapshot === null ? eventAt(room.events.list, now) : null;
    const current = at === null ? snapshot?.event : { id: at.event.id, phase: at.phase };
    if (current === undefined) return room;
    const { id, phase } = current;
    const known = this.#rooms.get(room.id);
    if (known?.of === room && known.id === id && known.phase === phase) return known.during;
    const during = definitionDuring(room, current);
    this.#rooms.set(room.id, { of: room, id, phase, during });
    return during;
  }
}
