import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";

/** As often as the page pings: one that says nothing for longer is no more believed to be there. */
const PING_EVERY_MS = 30_000;

/** A socket that waits for its turn, and does as little as it can meanwhile. */
export class WaitingSocket {
  readonly opened: Promise<void>;
  readonly #socket: WebSocket;
  readonly #pings: NodeJS.Timeout;

  /** `onCalled` hears of the turn, at once. */
  constructor(url: string, headers: Readonly<Record<string, string>>, onCalled: () => void) {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.#socket = socket;
    this.opened = new Promise((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("error", reject);
    });
    socket.on("message", (message: Buffer) => {
      if (message.includes('"called"')) onCalled();
      else if (message.includes('"ready?"')) socket.send('{"type":"ready"}');
    });
    this.#pings = setInterval(() => socket.send("ping"), PING_EVERY_MS).unref();
    socket.on("close", () => clearInterval(this.#pings));
  }

  drop(): void {
    this.#socket.terminate();
  }
}

/** Whoever is called next, and when by `performance.now()`; one at a time. */
export class Turns<Who> {
  readonly #called: { readonly who: Who; readonly at: number }[] = [];
  #wake = (): void => undefined;

  call(who: Who): void {
    this.#called.push({ who, at: performance.now() });
    this.#wake();
  }

  async next(withinMs: number): Promise<{ readonly who: Who; readonly at: number }> {
    const giveUp = new AbortController();
    const called = new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#called.length === 0)
      await Promise.race([called, sleep(withinMs, null, { signal: giveUp.signal })]);
    giveUp.abort();
    const turn = this.#called.shift();
    if (turn === undefined) throw new Error(`nobody was called within ${withinMs} ms`);
    return turn;
  }
}

/** Runs `work` for each number below `count`, so many at a time. */
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
