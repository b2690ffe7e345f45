import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { RoomDefinition } from "../../src/core/definition.ts";
import { parseRoomId, type RoomId } from "../../src/core/ids.ts";
import type { RoomSnapshot } from "../../src/core/snapshot.ts";
import { instant } from "../../src/core/time.ts";
import { Registry } from "../../src/durable/registry.ts";
export type { Registry } from "../../src/durable/registry.ts";
import type { Env } from "../../src/worker/env.ts";
import { definitionOf } from "../../src/worker/management/resource.ts";
import { parseRoom } from "../../src/worker/management/schema.ts";

/** Rooms that remember what they were told, and fail while `reachable` is false. */
export class RecordedRooms {
  readonly told: (RoomDefinition | { readonly erased: string })[] = [];
  reachable = true;
  /** What a Room does before it hears. */
  pause: () => Promise<void> = async () => {};
  snapshotOf: () => RoomSnapshot = () => {
    throw new Error("no snapshot");
  };

  getByName(name: string) {
    const answer = async (fact: RoomDefinition | { readonly erased: string }) => {
      await this.pause();
      if (!this.reachable) throw new Error("unreachable");
      this.told.push(fact);
    };
    return {
      configure: (definition: RoomDefinition) => answer(definition),
      erase: () => answer({ erased: name }),
      snapshot: async () => {
        if (!this.reachable) throw new Error("unreachable");
        return this.snapshotOf();
      },
    };
  }
}

export interface RegistryBench {
  readonly registry: Registry;
  readonly rooms: RecordedRooms;
  readonly state: DurableObjectState;
  /** The same tables under a new instance, as after a restart. */
  restart(): Registry;
}

const namespace = (env as unknown as { REGISTRY: DurableObjectNamespace }).REGISTRY;

/** Runs inside the object `name`, on a Registry whose Rooms are recorded ones. */
export const withRegistry = <T>(name: string, use: (bench: RegistryBench) => Promise<T>) =>
  runInDurableObject(namespace.get(namespace.idFromName(name)), async (_, state) => {
    const rooms = new RecordedRooms();
    const build = () => new Registry(state, { ROOM: rooms });
    return use({ registry: build(), rooms, state, restart: build });
  });

/** An environment for the management apps on top of a bench. */
export const envOn = (bench: RegistryBench, more: Partial<Env> = {}): Env =>
  ({
    ADMIN_TOKEN: "admin",
    ROOM: bench.rooms,
    REGISTRY: { getByName: () => bench.registry },
    ...more,
  }) as unknown as Env;

export const roomId = (digit: string): RoomId => parseRoomId(digit.repeat(32)) as RoomId;

export const room = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  host: "shop.example.com",
  path: `/${name}`,
  total_active_users: 10,
  new_users_per_minute: 60,
  ...more,
});

/** A valid definition as the Worker would hand it over. */
export const definition = (id: RoomId, name: string, more: Record<string, unknown> = {}) => {
  const parsed = parseRoom(room(name, more));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const at = instant(0);
  return definitionOf(parsed.room, { id, createdAt: at, modifiedAt: at, cookieSuffix: name });
};
