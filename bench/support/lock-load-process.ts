import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { messageEnd } from "./http-stream.ts";
import type { LockLoad, LockLoadResult } from "./lock-load.ts";
import { overtaken, type Grant } from "./lock-order.ts";
import { quantile } from "./stats.ts";

/** They come one after the other, as people do, so that there is an order to keep. */
const ARRIVE_WITHIN_MS = 100;
const OPEN_AFTER_MS = 200;
const STATUS_AT = "HTTP/1.1 ".length;
const ACQUIRE = JSON.stringify({ lease_seconds: 30, wait_seconds: 60 });

/** One client's way to its lock. Both reject when they are not answered as they should be. */
interface Way {
  /** Waits in line; resolves with what gives the lock back. */
  take(key: string): Promise<() => Promise<void>>;
  close(): void;
}

/** A kept connection, on which one question follows the other. */
class HttpWay implements Way {
  readonly #load: LockLoad;
  readonly #socket: Socket;
  #unread: Buffer = Buffer.alloc(0);
  #answered: (message: string) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  private constructor(load: LockLoad, socket: Socket) {
    this.#load = load;
    this.#socket = socket;
    socket.on("error", (error) => this.#failed(error));
    socket.on("close", () => this.#failed(new Error("the connection was closed")));
    socket.on("data", (chunk: Buffer) => {
      this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
      const end = messageEnd(this.#unread);
      if (end < 0) return;
      const message = this.#unread.toString("latin1", 0, end);
      this.#unread = this.#unread.subarray(end);
      this.#answered(message);
    });
  }

  static async open(load: LockLoad): Promise<HttpWay> {
    const { hostname, port } = new URL(load.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new HttpWay(load, socket);
  }

  async take(key: string): Promise<() => Promise<void>> {
    const { owner } = JSON.parse(await this.#ask("POST", key, 201, [], ACQUIRE)) as {
      owner: string;
    };
    return async () => void (await this.#ask("DELETE", key, 204, [`Seiriken-Owner: ${owner}`]));
  }

  close(): void {
    this.#socket.destroy();
  }

  async #ask(
    method: string,
    key: string,
    status: number,
    headers: readonly string[],
    body = "",
  ): Promise<string> {
    const { host, pathname } = new URL(this.#load.url);
    const answered = new Promise<string>((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
    this.#socket.write(
      [
        `${method} ${pathname}/${key} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${this.#load.token}`,
        ...headers,
        ...(body === "" ? [] : ["Content-Type: application/json"]),
        `Content-Length: ${body.length}`,
        "",
        body,
      ].join("\r\n"),
    );
    const message = await answered;
    if (message.slice(STATUS_AT, STATUS_AT + 3) !== String(status))
      throw new Error(`${method} of a lock was answered ${message.slice(0, 400)}`);
    return message.slice(message.indexOf("\r\n\r\n") + 4);
  }
}

/** Each lock is a connection of its own. */
class SocketWay implements Way {
  readonly #load: LockLoad;

  constructor(load: LockLoad) {
    this.#load = load;
  }

  async take(key: string): Promise<() => Promise<void>> {
    const { url, token } = this.#load;
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/${key}`, {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    await new Promise<void>((granted, failed) => {
      socket.on("error", failed);
      socket.on("close", (code, reason) => failed(new Error(`closed ${code} ${String(reason)}`)));
      socket.on("message", (text) => {
        const { type } = JSON.parse((text as Buffer).toString()) as { type: string };
        if (type === "granted") granted();
      });
    });
    return () => {
      socket.close(1000);
      return closed;
    };
  }

  close(): void {
    // Its connections end with their locks.
  }
}

class Run {
  readonly #load: LockLoad;
  readonly #grants: Grant[] = [];
  readonly #handoversMs: number[] = [];
  #inside = 0;
  #releasedAt: number | null = null;
  #endsAt = 0;

  constructor(load: LockLoad) {
    this.#load = load;
  }

  async result(): Promise<LockLoadResult> {
    const { clients, seconds, isContended } = this.#load;
    const ways = await Promise.all(Array.from({ length: clients }, () => this.#open()));
    // The first of everything takes longer: connections, keys and what is made for them.
    await Promise.all(ways.map(async (way, at) => (await way.take(`key-${at}`))()));
    await (
      await ways[0]?.take("one")
    )?.();
    // Of one key somebody has the lock until all stand in line.
    const opener = isContended ? await this.#open() : null;
    const open = await opener?.take("one");
    const startedAt = performance.now() + (open === undefined ? 0 : OPEN_AFTER_MS);
    this.#endsAt = startedAt + seconds * 1_000;
    const driving = Promise.all(ways.map((way, at) => this.#drive(way, at)));
    if (open !== undefined) await sleep(OPEN_AFTER_MS);
    await open?.();
    await driving;
    const endedAt = performance.now();
    for (const way of ways) way.close();
    opener?.close();
    return {
      pairs: this.#grants.length,
      seconds: (endedAt - startedAt) / 1_000,
      overtaken: isContended ? overtaken(this.#grants) : 0,
      handoverMedianMs: quantile(this.#handoversMs, 0.5),
      handoverP99Ms: quantile(this.#handoversMs, 0.99),
    };
  }

  async #open(): Promise<Way> {
    return this.#load.way === "http" ? HttpWay.open(this.#load) : new SocketWay(this.#load);
  }

  async #drive(way: Way, at: number): Promise<void> {
    const { clients, isContended, holdMs } = this.#load;
    const key = isContended ? "one" : `key-${at}`;
    if (isContended) await sleep((at / clients) * ARRIVE_WITHIN_MS);
    while (performance.now() < this.#endsAt) {
      const askedAt = performance.now();
      const release = await way.take(key);
      this.#onGrant(askedAt);
      if (holdMs > 0) await sleep(holdMs);
      this.#inside -= 1;
      this.#releasedAt = performance.now();
      await release();
    }
  }

  #onGrant(askedAt: number): void {
    const now = performance.now();
    this.#grants.push({ askedAt });
    this.#inside += 1;
    if (!this.#load.isContended) return;
    if (this.#inside > 1) throw new Error("two hold one lock");
    if (this.#releasedAt !== null) this.#handoversMs.push(now - this.#releasedAt);
    this.#releasedAt = null;
  }
}

process.on("message", (load: LockLoad) => {
  new Run(load).result().then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
