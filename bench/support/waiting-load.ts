import { fork } from "node:child_process";
import { once } from "node:events";

export interface WaitingLoad {
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
}

export interface WaitingResult {
  readonly answers: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Clients that ask, wait for their answer however long it takes, and ask again. */
export const startWaitingLoad = () => {
  const child = fork(new URL("./waiting-load-process.ts", import.meta.url));
  return {
    async run(load: WaitingLoad): Promise<WaitingResult> {
      child.send(load);
      const [answer] = (await once(child, "message")) as [
        { result?: WaitingResult; error?: string },
      ];
      if (answer.result === undefined) throw new Error(answer.error);
      return answer.result;
    },
    stop: () => void child.kill(),
  };
};

export interface OriginTold {
  readonly onMax: number;
  readonly started: number;
  readonly overtaken: number;
}

/** A site of 20 ms a request, in a process of its own. */
export const startWaitingOrigin = async () => {
  const child = fork(new URL("./waiting-origin-process.ts", import.meta.url));
  const [port] = (await once(child, "message")) as [number];
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** What happened on it since it was asked last. */
    async told(): Promise<OriginTold> {
      child.send("tell");
      const [told] = (await once(child, "message")) as [OriginTold];
      return told;
    },
    stop: () => void child.kill(),
  };
};
