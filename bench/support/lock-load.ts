import { fork } from "node:child_process";
import { once } from "node:events";

/** How clients take a lock: by a lease over HTTP, or by a socket that is the lock. */
export type LockWay = "http" | "socket";

export interface LockLoad {
  /** Up to the namespace; the key follows. */
  readonly url: string;
  readonly token: string;
  readonly way: LockWay;
  readonly clients: number;
  /** All want one key; else each has its own. */
  readonly isContended: boolean;
  /** How long each keeps the lock. */
  readonly holdMs: number;
  readonly seconds: number;
}

export interface LockLoadResult {
  readonly pairs: number;
  readonly seconds: number;
  /** Grants that came after one who had asked clearly later. */
  readonly overtaken: number;
  /** From a release, as it is sent, to the next grant, as it is heard. */
  readonly handoverMedianMs: number;
  readonly handoverP99Ms: number;
}

/** Clients that take a lock, keep it for a while, give it back, and ask again. */
export const startLockLoad = () => {
  const child = fork(new URL("./lock-load-process.ts", import.meta.url));
  return {
    async run(load: LockLoad): Promise<LockLoadResult> {
      child.send(load);
      const [answer] = (await once(child, "message")) as [
        { result?: LockLoadResult; error?: string },
      ];
      if (answer.result === undefined) throw new Error(answer.error);
      return answer.result;
    },
    stop: () => void child.kill(),
  };
};

/** The front before redis-semaphore, in a process of its own. */
export const startLockFront = async (redisSocket: string, token: string) => {
  const child = fork(new URL("./lock-front-process.ts", import.meta.url), [redisSocket, token]);
  const [port] = (await once(child, "message")) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
};
