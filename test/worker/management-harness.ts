/** The management API of rooms on a Registry of its own. */
import type { Env } from "../../src/worker/platform/env.ts";
import type { Envelope } from "../../src/api/envelope.ts";
import { managementApp } from "../../src/worker/operators/rooms-app.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import {
  ADMIN_TOKEN,
  envOn,
  mounted,
  room,
  withRegistry,
  type RecordedRooms,
  type Registry,
} from "../durable/registry-harness.ts";

export interface ManagementAnswer extends Envelope {
  readonly status: number;
  readonly headers: Headers;
}

export interface ManagementBench {
  call(method: string, path: string, body?: unknown): Promise<ManagementAnswer>;
  /** The room of an answer that must be a success. */
  made(name: string, more?: Record<string, unknown>): Promise<RoomResource>;
  readonly rooms: RecordedRooms;
  readonly registry: Registry;
  readonly env: Env;
}

export const ZONE = "/zones/z/waiting_rooms";

export const withApi = (name: string, use: (bench: ManagementBench) => Promise<void>) =>
  withRegistry(`management ${name}`, async (objects) => {
    const env = envOn(objects);
    const call = async (
      method: string,
      path: string,
      body?: unknown,
    ): Promise<ManagementAnswer> => {
      const init = {
        method,
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      };
      const response = await mounted(managementApp).request(path, init, env);
      const envelope = (await response.json()) as Envelope;
      return { status: response.status, headers: response.headers, ...envelope };
    };
    const made = async (of: string, more = {}) =>
      (await call("POST", ZONE, room(of, more))).result as RoomResource;
    await use({ call, made, rooms: objects.rooms, registry: objects.registry, env });
  });
