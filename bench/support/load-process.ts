/**
 * Sends requests over kept connections: each as soon as the last one there was answered, or at a fixed
 * rate.
 */
import { connect } from "node:net";
import type { Socket } from "node:net";
import type { Load, LoadResult } from "./load.ts";
import { LOST, STILL_MS } from "./load.ts";
import { messageEnd } from "./http-stream.ts";
import { quantile } from "./stats.ts";

/** "HTTP/1.1 " */
const STATUS_AT = 9;
/** Every so many-th answer's time is kept: enough for a quantile, and cheap. */
const TIMED_EACH = 8;

/** How long the generator sleeps at most, at a fixed rate, before it looks for answers. */
const LOOK_MS = 0.25;
/** After the last request of a fixed rate was due. */
const REST_MS = 2_000;

interface Connection {
  readonly socket: Socket;
  unread: Buffer;
  /** When its request was sent, or due; 0 while it has none. */
  since: number;
}

class Run {
  readonly #load: Load;
  readonly #requests: readonly Buffer[];
  readonly #statuses: Record<string, number> = {};
  readonly #timesMs: number[] = [];
  /** What a connection does that has its answer. */
  #next: (connection: Connection) => void = () => undefined;
  #sent = 0;
  #answered = 0;
  #endsAt = 0;
  #endedAt = 0;
  #stillMs = 0;

  constructor(load: Load) {
    this.#load = load;
    this.#requests = load.requests.map((request) => Buffer.from(request));
  }

  async result(): Promise<LoadResult> {
    const { connections: wanted, seconds, perSecond } = this.#load;
    const sockets = await Promise.all(Array.from({ length: wanted }, () => this.#open()));
    const connections = sockets.map((socket) => ({ socket, unread: Buffer.alloc(0), since: 0 }));
    const startedAt = performance.now();
    this.#endsAt = startedAt + seconds * 1_000;
    this.#endedAt = startedAt;
    if (perSecond === undefined) await this.#asAnswered(connections);
    else await this.#atRate(connections, startedAt, perSecond);
    const tookMs = this.#endedAt - startedAt;
    return {
      answers: this.#answered,
      seconds: tookMs / 1_000,
      statuses: this.#statuses,
      medianMs: quantile(this.#timesMs, 0.5),
      p99Ms: quantile(this.#timesMs, 0.99),
      timesMs: this.#timesMs,
      stillShare: this.#stillMs / tookMs,
    };
  }

  /** Until the time is over, or the server ends the connections. */
  async #asAnswered(connections: readonly Connection[]): Promise<void> {
    this.#next = (connection) => {
      const now = performance.now();
      if (now >= this.#endsAt) connection.socket.destroy();
      else this.#send(connection, now);
    };
    const driven = connections.map((connection) => this.#drive(connection));
    for (const connection of connections) this.#next(connection);
    await Promise.all(driven);
  }

  /** Until all that was due is answered, or long overdue. */
  async #atRate(
    connections: readonly Connection[],
    startedAt: number,
    perSecond: number,
  ): Promise<void> {
    const idle = [...connections];
    this.#next = (connection) => void idle.push(connection);
    const driven = connections.map((connection) => this.#drive(connection));
    const count = Math.floor(this.#load.seconds * perSecond);
    const asleep = new Int32Array(new SharedArrayBuffer(4));
    const dueAt = (): number => startedAt + (this.#sent * 1_000) / perSecond;
    while (this.#answered < count && performance.now() < this.#endsAt + REST_MS) {
      while (this.#sent < count && dueAt() <= performance.now()) {
        const connection = idle.pop();
        if (connection === undefined) break;
        this.#send(connection, dueAt());
      }
      // A timer of the event loop would be a millisecond late, and spinning takes the origin's processor.
      Atomics.wait(asleep, 0, 0, Math.min(LOOK_MS, Math.max(0, dueAt() - performance.now())));
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { socket } of connections) socket.destroy();
    await Promise.all(driven);
  }

  #open(): Promise<Socket> {
    const { hostname, port } = new URL(this.#load.url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        socket.on("error", () => socket.destroy());
        resolve(socket);
      });
    });
  }

  #send(connection: Connection, since: number): void {
    connection.since = since;
    connection.socket.write(this.#requests[this.#sent++ % this.#requests.length]!);
  }

  /** Until the connection ends. */
  #drive(connection: Connection): Promise<void> {
    const { socket } = connection;
    return new Promise((resolve) => {
      socket.on("close", () => {
        if (connection.since > 0) this.#statuses[LOST] = (this.#statuses[LOST] ?? 0) + 1;
        resolve();
      });
      socket.on("data", (chunk: Buffer) => {
        const { unread, since } = connection;
        const all = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
        const end = messageEnd(all);
        connection.unread = end < 0 ? all : all.subarray(end);
        if (end < 0) return;
        connection.since = 0;
        this.#count(all, since);
        this.#next(connection);
      });
    });
  }

  #count(answer: Buffer, since: number): void {
    const status = answer.toString("latin1", STATUS_AT, STATUS_AT + 3);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#answered += 1;
    const now = performance.now();
    if (now - this.#endedAt > STILL_MS) this.#stillMs += now - this.#endedAt;
    this.#endedAt = now;
    const isTimed = this.#load.perSecond !== undefined || this.#answered % TIMED_EACH === 0;
    if (isTimed) this.#timesMs.push(now - since);
  }
}

process.on("message", (load: Load) => {
  new Run(load).result().then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
