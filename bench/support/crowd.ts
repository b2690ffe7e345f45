import { WebSocket } from "ws";

/** A socket that waits for its turn, and does as little as it can meanwhile. */
export class WaitingSocket {
  readonly opened: Promise<void>;
  /** When its turn was told, by `performance.now()`. */
  readonly called: Promise<number>;
  readonly #socket: WebSocket;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.#socket = socket;
    this.opened = new Promise((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("error", reject);
    });
    this.called = new Promise((resolve) => {
      socket.on("message", (message: Buffer) => {
        if (message.includes('"called"')) resolve(performance.now());
        else if (message.includes('"ready?"')) socket.send('{"type":"ready"}');
      });
    });
  }

  drop(): void {
    this.#socket.terminate();
  }
}

/** Runs `work` for each number below `count`, so many at a time, and keeps the order. */
export const each = async <T>(
  count: number,
  atOnce: number,
  work: (at: number) => Promise<T>,
): Promise<T[]> => {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) results[at] = await work(at);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return results;
};
