import { env } from "cloudflare:workers";
import type { Owner } from "../../src/core/locks/lock.ts";
import {
  lockName,
  parseLockKey,
  parseNamespace,
  shardOf,
  type LockName,
} from "../../src/core/locks/name.ts";
import { LOCK_SEAT_HEADER } from "../../src/core/locks/seat.ts";
import type { AcquireAnswer, Hold, LocksRpc } from "../../src/durable/locks-contract.ts";

const { LOCKS } = env as unknown as {
  LOCKS: DurableObjectNamespace<Rpc.DurableObjectBranded & LocksRpc>;
};
export const locksObjects = LOCKS;

export const nameOf = (key: string, namespace = "orders"): LockName =>
  lockName(parseNamespace(namespace)!, parseLockKey(key)!);

export const ownerOf = (text: string): Owner => `owner-${text}`.padEnd(22, "_") as Owner;

export const shardFor = (name: LockName) => LOCKS.getByName(String(shardOf(name)));

let keys = 0;
/** A key of its own for each test, and its shard. */
export const newLock = () => {
  keys += 1;
  const name = nameOf(`key-${keys}-${crypto.randomUUID()}`);
  return { name, shard: shardFor(name) };
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

export const holdIn = (answer: AcquireAnswer): Hold => {
  if (answer.kind !== "granted") throw new Error(`no hold but ${JSON.stringify(answer)}`);
  return answer.hold;
};

export interface LockMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const eventually = async <T>(look: () => T | Promise<T>, withinMs = 5_000): Promise<T> => {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > until) throw error;
      await scheduler.wait(10);
    }
  }
};

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

  heard(type: string, withinMs = 5_000): Promise<LockMessage> {
    return eventually(() => {
      const message = this.messages.find((one) => one.type === type);
      if (message === undefined)
        throw new Error(`heard ${JSON.stringify(this.messages)} but no ${type}`);
      return message;
    }, withinMs);
  }
}
