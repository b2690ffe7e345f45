import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import type { RoomDefinition } from "../../src/core/definition.ts";
import { parseRoomId, type RoomId } from "../../src/core/ids.ts";
import type { RoomSnapshot } from "../../src/core/snapshot.ts";
import { instant } from "../../src/core/time.ts";
import { Registry } from "../../src/durable/registry/registry.ts";
export type { Registry } from "../../src/durable/registry/registry.ts";
import { Arrival } from "../../src/worker/arrival/arrival.ts";
import type { AppContext } from "../../src/worker/isolate/app-context.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import { createIsolate } from "../../src/worker/isolate/isolate.ts";
import { roomChanged } from "../../src/worker/operators/room-change.ts";
import { settingsShown } from "../../src/api/audit/shown.ts";
import { definitionOf } from "../../src/api/rooms/resource.ts";
import { parseRoom } from "../../src/api/rooms/schema.ts";
import type { LogLine } from "../../src/worker/platform/log.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";

type Told = RoomDefinition | { readonly retired: string } | { readonly erased: string };

/** Rooms that remember what they were told, and fail while `reachable` is false. */
export class RecordedRooms {
  readonly told: Told[] = [];
  reachable = true;
  /** What a Room does before it hears. */
  pause: () => Promise<void> = async () => {};
  snapshotOf: () => RoomSnapshot = () => {
    throw new Error("no snapshot");
  };

  getByName(name: string) {
    const answer = async (fact: Told) => {
      await this.pause();
      if (!this.reachable) throw new Error("unreachable");
      this.told.push(fact);
    };
    return {
      configure: (definition: RoomDefinition) => answer(definition),
      retire: () => answer({ retired: name }),
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
    const build = () => new Registry(state, { ROOM: rooms }, roomChanged, settingsShown);
    return use({ registry: build(), rooms, state, restart: build });
  });

export const ADMIN_TOKEN = "an-admin-token-for-tests";

/** A management app as the Worker mounts it: one isolate, and whoever asks comes from nowhere known. */
export const mounted = (
  app: Hono<AppContext>,
  log: (line: LogLine) => void = () => undefined,
): Hono<AppContext> => {
  const ports = { ...platformPorts, log };
  const isolate = createIsolate(ports);
  const outer = new Hono<AppContext>();
  outer.use(async (c, next) => {
    c.set("isolate", isolate);
    c.set("arrival", new Arrival(ports, c.req.raw, c.env, () => undefined));
    await next();
  });
  outer.route("/", app);
  return outer;
};

/** An environment for the management apps on top of a bench. */
export const envOn = (bench: RegistryBench, more: Partial<Env> = {}): Env =>
  ({
    ADMIN_TOKEN,
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
