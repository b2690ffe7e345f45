import type { LogLine } from "./log.ts";

/** Everything the Worker takes from outside, so that tests can hold the clock and the dice. */
export interface Ports {
  /** The isolate's own clock, in milliseconds since 1970. It may stand still, and it may be wrong. */
  readonly now: () => number;
  /** Runs once in so many milliseconds, unless the returned function is called before. */
  readonly timer: (ms: number, run: () => void) => () => void;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: (line: LogLine) => void;
  /** The way to the origin where no service binding is meant. */
  readonly fetch: (to: string | Request, init?: RequestInit) => Promise<Response>;
  /** A bare connection to `host:port`. */
  readonly connect: (address: string, options: SocketOptions) => Promise<Socket>;
}

/** Asks the runtime for many bytes at once, as each call costs and a request needs only a few. */
const drawnInBulk = (poolSize: number): Ports["randomBytes"] => {
  let pool = new Uint8Array(0);
  let used = 0;
  return (count) => {
    if (count > poolSize) return crypto.getRandomValues(new Uint8Array(count));
    if (used + count > pool.length) {
      pool = crypto.getRandomValues(new Uint8Array(poolSize));
      used = 0;
    }
    used += count;
    return pool.slice(used - count, used);
  };
};

export const platformPorts: Ports = {
  now: () => Date.now(),
  timer: (ms, run) => {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
  randomBytes: drawnInBulk(1_024),
  log: (line) => console.log(JSON.stringify(line)),
  fetch: (to, init) => fetch(to, init),
  // Not before it is needed: the command line takes this file in as well, in Node.
  connect: async (address, options) =>
    (await import("cloudflare:sockets")).connect(address, options),
};

/** Whole, from 0 up to (not including) `limit`, which is at most 2^32. */
export const randomBelow = (ports: Ports, limit: number): number => {
  const bytes = ports.randomBytes(4);
  const value = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
  return Math.floor((value / 2 ** 32) * limit);
};
