import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Owner } from "../../src/core/locks/lock.ts";
import {
  lockName,
  parseLockKey,
  parseNamespace,
  SHARDS,
  shardOf,
  type LockName,
} from "../../src/core/locks/name.ts";
import { LOCK_SEAT_HEADER } from "../../src/core/locks/seat.ts";
import type { AcquireAnswer, Grant, LocksRpc } from "../../src/durable/locks/contract.ts";
import { eventually } from "../support/eventually.ts";

const { LOCKS } = env as unknown as {
  LOCKS: DurableObjectNamespace<Rpc.DurableObjectBranded & LocksRpc>;
};
export const locksObjects = LOCKS;

export const nameOf = (key: string, namespace = "orders"): LockName =>
  lockName(parseNamespace(namespace)!, parseLockKey(key)!);

export const ownerOf = (text: string): Owner => `owner-${text}`.padEnd(22, "_") as Owner;

export const shardFor = (name: LockName) => LOCKS.getByName(String(shardOf(name)));

let keys = 0;
const used = new Set<number>();
/** A key of its own for each test, in a shard of its own while there are any. */
export const newLock = () => {
  if (used.size === SHARDS) used.clear();
  for (;;) {
    keys += 1;
    const name = nameOf(`key-${keys}-${crypto.randomUUID()}`);
    if (used.has(shardOf(name))) continue;
    used.add(shardOf(name));
    return { name, shard: shardFor(name) };
  }
};

export const acquire = (
  name: LockName,
  owner: string,
  more: { leaseMs?: number; waitMs?: number; ask?: string } = {},
): Promise<AcquireAnswer> =>
  shardFor(name).acquire({
    name,
    owner: ownerOf(owner),
    leaseMs: more.leaseMs ?? 30_000,
    waitMs: more.waitMs ?? 0,
    ask: more.ask ?? crypto.randomUUID(),
  }) as Promise<AcquireAnswer>;

export const release = (name: LockName, owner: string): Promise<boolean> =>
  shardFor(name).release({ name, owner: ownerOf(owner) }) as Promise<boolean>;

export const grantIn = (answer: AcquireAnswer): Grant => {
  if (answer.kind !== "granted") throw new Error(`no hold but ${JSON.stringify(answer)}`);
  return answer.grant;
};

/**
 * before: nothing is written · during: all of it, and then taken back · after: it is there, but
 * whoever wrote it does not hear so
 */
export type Fault = "before" | "during" | "after";

/** From now on those writes of the shard fail whose number, from 1, is to. Resolves with a mender. */
export const breakWrites = async (
  shard: unknown,
  when: Fault,
  fails: (nth: number) => boolean,
): Promise<() => void> => {
  let isBroken = true;
  let writes = 0;
  /** `undo` takes back what was written in it. */
  const attempt = <T>(work: () => T, undo: (work: () => void) => void): T => {
    writes += 1;
    if (!isBroken || !fails(writes)) return work();
    if (when === "before") throw new Error("the disk is full");
    if (when === "after") work();
    else undo(() => void work());
    throw new Error("the machine died before it could answer");
  };
  await runInDurableObject(shard as never, (_: unknown, { storage }: DurableObjectState) => {
    const { sql } = storage;
    const write = storage.transactionSync.bind(storage);
    let isWithin = false;
    const undo = (work: () => void): void => {
      const failure = new Error("the disk is full by now");
      try {
        write(() => {
          work();
          throw failure;
        });
      } catch (error) {
        if (error !== failure) throw error;
      }
    };
    const exec: SqlStorage["exec"] = (query, ...bindings) => {
      const run = () => sql.exec<never>(query, ...(bindings as SqlStorageValue[]));
      const isWrite = /^(?:INSERT|DELETE|UPDATE)/.test(query) && !isWithin;
      return isWrite ? attempt(run, undo) : run();
    };
    storage.transactionSync = <T>(work: () => T): T =>
      attempt(() => {
        isWithin = true;
        try {
          return write(work);
        } finally {
          isWithin = false;
        }
      }, undo);
    Object.defineProperty(storage, "sql", { value: { exec } });
  });
  return () => void (isBroken = false);
};

export interface LockMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A client's end of a socket, with everything that came over it. */
export class LockEar {
  readonly messages: LockMessage[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (data === "pong") this.messages.push({ type: "pong" });
      else this.messages.push(JSON.parse(String(data)) as LockMessage);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
    });
    socket.accept();
  }

  static async open(name: LockName, owner: string): Promise<LockEar> {
    const seat = JSON.stringify({ name, owner: ownerOf(owner) });
    const headers = { Upgrade: "websocket", [LOCK_SEAT_HEADER]: encodeURIComponent(seat) };
    const { webSocket } = await shardFor(name).fetch(new Request("http://locks/", { headers }));
    if (webSocket === null) throw new Error("no socket");
    return new LockEar(webSocket);
  }

  say(message: string): void {
    this.#socket.send(message);
  }

  close(code = 1000): void {
    this.#socket.close(code, "bye");
  }

  heard(type: string): Promise<LockMessage> {
    return eventually(() => {
      const message = this.messages.find((one) => one.type === type);
      if (message === undefined)
        throw new Error(`heard ${JSON.stringify(this.messages)} but no ${type}`);
      return message;
    });
  }
}
