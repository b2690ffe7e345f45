import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomId } from "../../core/ids.ts";
import { Bypass } from "../../core/rules/bypass.ts";
import type { InstantMs } from "../../core/time.ts";
import type { Ports } from "../platform/ports.ts";

/** More rooms than one deployment has. */
const ROOMS_MAX = 2_000;

interface CompiledBypass {
  readonly changedAt: InstantMs;
  readonly bypass: Bypass;
}

/** Each room's rules as functions, made once for each version of the list. */
export class Bypasses {
  readonly #ports: Ports;
  readonly #rooms = new BoundedMap<RoomId, CompiledBypass>(ROOMS_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Null for a room without rules. */
  of(room: RoomDefinition): Bypass | null {
    const { rules } = room;
    if (rules === undefined || rules.list.length === 0) return null;
    const known = this.#rooms.get(room.id);
    if (known?.changedAt === rules.changedAt) return known.bypass;
    const bypass = new Bypass(rules.list);
    this.#rooms.set(room.id, { changedAt: rules.changedAt, bypass });
    for (const { id } of bypass.unreadable)
      this.#ports.log({ level: "error", event: "rule-unreadable", room: room.name, rule: id });
    return bypass;
  }
}
