/** The product with its objects counted from outside: calls by method, rows written, messages. */
import { createApp } from "../../src/worker/app.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import { Lobby as PlainLobby } from "../../src/durable/lobby/lobby.ts";
import { Locks as PlainLocks } from "../../src/durable/locks/locks.ts";
import { Registry as PlainRegistry } from "../../src/durable/registry/registry.ts";
import { Room as PlainRoom } from "../../src/durable/room/room.ts";
import { count, countsSoFar } from "./counts.ts";

/** Where this Worker tells its counts. */
const COUNTS_PATH = "/.bench/counts";

/** Its methods are counted where they stand, so whoever extends it is counted as well. */
interface ObjectClass {
  readonly prototype: object;
}

/** The runtime's own calls; each is a request like the others, or a message. */
const EVENTS = ["alarm", "webSocketMessage", "webSocketClose", "webSocketError"];

/** Every method that can be called from outside, and every row that the object writes. */
const counted = <Class extends ObjectClass>(name: string, plain: Class): Class => {
  const { prototype } = plain as { prototype: Record<string, unknown> };
  for (const method of Object.getOwnPropertyNames(prototype)) {
    const original = prototype[method];
    if (method === "constructor" || typeof original !== "function") continue;
    const kind = EVENTS.includes(method) ? "event" : "call";
    prototype[method] = function (this: object, ...given: unknown[]): unknown {
      count(`${kind} ${name}.${method}`);
      countRowsOf(name, this as { ctx: DurableObjectState });
      return original.apply(this, given) as unknown;
    };
  }
  return plain;
};

const watched = new WeakSet<object>();

/** From the first call on; the tables are made in it as well. */
const countRowsOf = (name: string, { ctx }: { ctx: DurableObjectState }): void => {
  if (watched.has(ctx)) return;
  watched.add(ctx);
  const storage = Object.getPrototypeOf(ctx.storage) as DurableObjectStorage;
  const sql = Object.getPrototypeOf(ctx.storage.sql) as SqlStorage;
  ownerOf.set(ctx.storage, name);
  ownerOf.set(ctx.storage.sql, name);
  if (watched.has(storage)) return;
  watched.add(storage);
  const { setAlarm, deleteAlarm } = storage;
  const { exec } = sql;
  storage.setAlarm = function (at, options) {
    count(`rows ${ownerOf.get(this) ?? "?"} alarm`);
    return setAlarm.call(this, at, options);
  };
  storage.deleteAlarm = function (options) {
    count(`rows ${ownerOf.get(this) ?? "?"} alarm`);
    return deleteAlarm.call(this, options);
  };
  sql.exec = function (query, ...bindings) {
    const cursor = exec.call(this, query, ...bindings);
    if (!/^(?:INSERT|UPDATE|DELETE)/i.test(query)) return cursor as never;
    const table = /(?:INTO|UPDATE|FROM) (\w+)/i.exec(query)?.[1] ?? "?";
    count(`rows ${ownerOf.get(this) ?? "?"} ${table}`, cursor.rowsWritten);
    return cursor as never;
  };
};

const ownerOf = new WeakMap<object, string>();

export const Room = counted("Room", PlainRoom);
export const Lobby = counted("Lobby", PlainLobby);
counted("Locks", PlainLocks);
counted("Registry", PlainRegistry);
export { Locks, Registry } from "../../src/worker/objects.ts";

const app = createApp();

export default {
  fetch(request, env, ctx) {
    if (request.url.endsWith(COUNTS_PATH)) return Response.json(countsSoFar());
    count("request Worker");
    return app.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
