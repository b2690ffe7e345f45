/** Sends requests over kept connections, each as soon as the last one there was answered. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import type { Load, LoadResult } from "./load.ts";
import { LOST } from "./load.ts";
import { messageEnd } from "./http-stream.ts";
import { quantile } from "./stats.ts";

/** "HTTP/1.1 " */
const STATUS_AT = 9;
/** Every so many-th answer's time is kept: enough for a quantile, and cheap. */
const TIMED_EACH = 8;

class Run {
  readonly #load: Load;
  readonly #requests: readonly Buffer[];
  readonly #statuses: Record<string, number> = {};
  readonly #timesMs: number[] = [];
  #sent = 0;
  #answered = 0;
  #endsAt = 0;
  #endedAt = 0;

  constructor(load: Load) {
    this.#load = load;
    this.#requests = load.requests.map((request) => Buffer.from(request));
  }

  async result(): Promise<LoadResult> {
    const sockets = await Promise.all(
      Array.from({ length: this.#load.connections }, () => this.#open()),
    );
    const startedAt = performance.now();
    this.#endsAt = startedAt + this.#load.seconds * 1_000;
    await Promise.all(sockets.map((socket) => this.#drive(socket)));
    return {
      answers: this.#answered,
      seconds: (this.#endedAt - startedAt) / 1_000,
      statuses: this.#statuses,
      medianMs: quantile(this.#timesMs, 0.5),
      p99Ms: quantile(this.#timesMs, 0.99),
    };
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

  /** Until the time is over, or the server ends the connection. */
  #drive(socket: Socket): Promise<void> {
    return new Promise((resolve) => {
      let unread: Buffer = Buffer.alloc(0);
      let sentAt = 0;
      const send = (): void => {
        if (performance.now() >= this.#endsAt) {
          sentAt = 0;
          socket.destroy();
          return;
        }
        sentAt = performance.now();
        socket.write(this.#requests[this.#sent++ % this.#requests.length]!);
      };
      socket.on("close", () => {
        if (sentAt > 0) this.#statuses[LOST] = (this.#statuses[LOST] ?? 0) + 1;
        resolve();
      });
      socket.on("data", (chunk: Buffer) => {
        unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
        const end = messageEnd(unread);
        if (end < 0) return;
        this.#count(unread, sentAt);
        unread = unread.subarray(end);
        send();
      });
      send();
    });
  }

  #count(answer: Buffer, sentAt: number): void {
    const status = answer.toString("latin1", STATUS_AT, STATUS_AT + 3);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#answered += 1;
    this.#endedAt = performance.now();
    if (this.#answered % TIMED_EACH === 0) this.#timesMs.push(this.#endedAt - sentAt);
  }
}

process.on("message", (load: Load) => {
  new Run(load).result().then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
