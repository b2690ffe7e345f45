/** The protocol of Sendai Lock (SEEDS: S4) in front of the lock service. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import type { Lock, Locks } from "../../src/client/locks.ts";
import { LocksError } from "../../src/client/locks.ts";
import { describe } from "../launch/failure.ts";

export interface BridgeOptions {
  readonly locks: Pick<Locks, "acquire">;
  readonly namespace: string;
  readonly host: string;
  readonly port: number;
  readonly log: (line: string) => void;
}

export interface Bridge {
  readonly host: string;
  readonly port: number;
  /** Closes every connection, and with it gives every lock back. */
  stop(): Promise<void>;
}

/** Longer than any `LOCK` with a key that can be. */
const LINE_BYTES_MAX = 1_024;
/** Asked for on one connection and not yet answered. */
const PENDING_MAX = 1_000;
const CONNECTIONS_MAX = 10_000;
const KEEP_ALIVE_MS = 10_000;
const RETRY_MS = 1_000;

export const startBridge = async (options: BridgeOptions): Promise<Bridge> => {
  const open = new Set<Connection>();
  const server = createServer((socket) => {
    const connection = new Connection(socket, options);
    open.add(connection);
    socket.on("close", () => open.delete(connection));
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(options.port, options.host);
  await once(server, "listening");
  const { address, port } = server.address() as AddressInfo;
  return {
    host: address,
    port,
    async stop() {
      server.close();
      await Promise.all([...open].map((connection) => connection.end()));
    },
  };
};

/** One client. Its lines are answered in their order, and closing it gives all it holds back. */
class Connection {
  readonly #socket: Socket;
  readonly #options: BridgeOptions;
  readonly #gone = new AbortController();
  readonly #held = new Map<string, Lock>();
  readonly #pending: string[] = [];
  #partial = Buffer.alloc(0);
  #isWorking = false;

  constructor(socket: Socket, options: BridgeOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on("data", (chunk) => this.#onBytes(chunk));
    socket.on("end", () => void this.#leave("release"));
    // Reset, or the host is gone: its last writes may be on their way.
    socket.on("error", () => void this.#leave("abandon"));
    socket.on("close", () => void this.#leave("release"));
  }

  async end(): Promise<void> {
    this.#socket.destroySoon();
    await this.#leave("release");
  }

  #onBytes(chunk: Buffer): void {
    let rest = this.#partial.length === 0 ? chunk : Buffer.concat([this.#partial, chunk]);
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      this.#onLine(rest.subarray(0, at).toString("utf8").replace(/\r$/, ""));
      rest = rest.subarray(at + 1);
    }
    this.#partial = Buffer.from(rest);
    if (rest.length > LINE_BYTES_MAX) this.#refuse("the line is too long");
  }

  #onLine(line: string): void {
    const key = /^LOCK +(\S.*?) *$/.exec(line)?.[1];
    if (key === undefined) return this.#refuse("say LOCK and a key");
    if (this.#pending.length >= PENDING_MAX) return this.#refuse("too many lines at once");
    this.#pending.push(key);
    void this.#work();
  }

  /** One key after the other: an `ok` does not say which key it is for. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (;;) {
      const key = this.#pending.shift();
      if (key === undefined || this.#gone.signal.aborted) break;
      if (this.#held.has(key)) this.#say("error you hold this key");
      else await this.#lock(key);
    }
    this.#isWorking = false;
  }

  async #lock(key: string): Promise<void> {
    try {
      const lock = await this.#acquire(key);
      if (this.#gone.signal.aborted) return await lock.release();
      this.#held.set(key, lock);
      void lock.lost.then((reason) => this.#onLost(key, reason));
      this.#say("ok");
    } catch (error) {
      if (!this.#gone.signal.aborted) this.#refuse(describe(error));
    }
  }

  /** The protocol knows no "try again": a client waits until the server can be reached. */
  async #acquire(key: string): Promise<Lock> {
    const { signal } = this.#gone;
    for (;;) {
      try {
        const { locks, namespace } = this.#options;
        return await locks.acquire(namespace, key, { by: "socket", signal });
      } catch (error) {
        if (!(error instanceof LocksError) || !error.isPassing) throw error;
        this.#options.log(`${error.message}; trying again`);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        signal.throwIfAborted();
      }
    }
  }

  /** The lock is lost: the connection is cut too, so that its client stops. */
  #onLost(key: string, reason: Error): void {
    this.#options.log(`${key}: ${reason.message}`);
    this.#held.delete(key);
    this.#socket.destroy();
  }

  #say(line: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${line}\n`);
  }

  #refuse(why: string): void {
    this.#say(`error ${why}`);
    this.#socket.destroySoon();
    void this.#leave("release");
  }

  async #leave(how: "release" | "abandon"): Promise<void> {
    this.#gone.abort(new Error("the client has gone"));
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const lock of held) {
      if (how === "abandon") lock.abandon();
      else await lock.release().catch((error: unknown) => this.#options.log(describe(error)));
    }
  }
}
