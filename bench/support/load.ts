import { fork } from "node:child_process";
import { once } from "node:events";

/** The status of a request whose connection ended before its answer. */
export const LOST = "lost";
/** More than this share of lost requests spoil a result. */
const LOST_SHARE_MAX = 0.001;

/** Requests as they go over the wire; the connections take them in turn. */
export interface Load {
  readonly url: string;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /**
   * Sent at this rate, whatever the answers do, and timed from when each was due: a server that stands
   * still is charged for all that waited. Without it each connection sends as soon as it has its answer.
   */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The times that were kept, some of all. */
  readonly timesMs: readonly number[];
  /** The share of the time in which no connection had an answer for more than `STILL_MS`. */
  readonly stillShare: number;
}

/** Some hundred answers' time. */
export const STILL_MS = 20;

export interface LoadGenerator {
  run(load: Load): Promise<LoadResult>;
  stop(): void;
}

/** In a process of its own, so that its work and its pauses are not those of the one who measures. */
export const startLoadGenerator = (): LoadGenerator => {
  const child = fork(new URL("./load-process.ts", import.meta.url));
  return {
    async run(load) {
      child.send(load);
      const [answer] = (await once(child, "message")) as [{ result?: LoadResult; error?: string }];
      if (answer.result === undefined) throw new Error(answer.error);
      return answer.result;
    },
    stop: () => void child.kill(),
  };
};

export interface OriginProcess {
  readonly url: string;
  stop(): void;
}

export const startOrigin = async (): Promise<OriginProcess> => {
  const child = fork(new URL("./origin-process.ts", import.meta.url));
  const [port] = (await once(child, "message")) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
};

/** A request's bytes, with the headers that browsers send and then those given. */
export const requestText = (
  method: string,
  path: string,
  host: string,
  headers: Readonly<Record<string, string>>,
): string =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(method === "POST" ? ["Content-Length: 0"] : []),
    "",
    "",
  ].join("\r\n");

/** Throws unless every answer had one of these statuses: a refusal is quick, and no result. */
export const onlyStatuses = (result: LoadResult, ...wanted: readonly number[]): LoadResult => {
  const { answers, statuses } = result;
  const lost = statuses[LOST] ?? 0;
  const others = Object.keys(statuses).filter(
    (status) => status !== LOST && !wanted.includes(Number(status)),
  );
  if (others.length > 0 || answers === 0 || lost > answers * LOST_SHARE_MAX)
    throw new Error(`unexpected answers: ${JSON.stringify(statuses)}`);
  if (lost > 0) console.error(`${lost} of ${answers} requests lost their connection`);
  return result;
};
