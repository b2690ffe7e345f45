import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./http.ts";
import type { Answer, AskOptions } from "./http.ts";
import type { RecordingOrigin } from "./origin.ts";
import type { Seiriken } from "./seiriken.ts";

const JSON_CLIENT = { accept: "application/json" };

/** A room of requests over `/report`. */
export const requestRoom = (more: object = {}, name = "report") => {
  const { seiriken = {}, ...rest } = more as { seiriken?: object };
  return {
    name,
    host: "*",
    path: `/${name}`,
    total_active_users: 20,
    new_users_per_minute: 1_000_000,
    ...rest,
    seiriken: { permit: "request", ...seiriken },
  };
};

/** One request that the origin saw, by its own clock. */
export interface Run {
  readonly number: number;
  readonly startedAt: number;
}

/**
 * An origin that counts what is on it, itself. `?ms=` says how long a request takes, also when its
 * client goes away, and one with `?until-told` takes until `tell`; it answers with the number that it
 * was let in under.
 */
export class CountedRuns {
  readonly runs: Run[] = [];
  on = 0;
  onMax = 0;
  /** Lets those end that wait to be told. */
  readonly tell: () => void;

  constructor(origin: RecordingOrigin) {
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    this.tell = tell;
    origin.handle(async ({ url, headers, startedAt }, response) => {
      const number = Number(headers["seiriken-visit"]);
      this.runs.push({ number, startedAt });
      this.on += 1;
      this.onMax = Math.max(this.onMax, this.on);
      const query = new URL(url, "http://origin").searchParams;
      if (query.has("until-told")) await told;
      await sleep(Number(query.get("ms") ?? 0));
      this.on -= 1;
      response.end(String(number));
    });
  }

  /** How many started in each second of the origin's clock, the first and the last left out. */
  get wholeSeconds(): number[] {
    const seconds = new Map<number, number>();
    for (const { startedAt } of this.runs) {
      const second = Math.floor(startedAt / 1_000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    const first = Math.min(...seconds.keys());
    const last = Math.max(...seconds.keys());
    return Array.from({ length: Math.max(0, last - first - 1) }, (_, at) => {
      return seconds.get(first + 1 + at) ?? 0;
    });
  }

  /** Into how many spans of so many milliseconds the starts go, the last one begun included. */
  windows(windowMs: number): number {
    const starts = this.runs.map(({ startedAt }) => startedAt);
    return Math.floor((Math.max(...starts) - Math.min(...starts)) / windowMs) + 2;
  }

  /** The most that started in any span of so many milliseconds. */
  mostWithin(windowMs: number): number {
    const starts = this.runs.map(({ startedAt }) => startedAt).toSorted((a, b) => a - b);
    let most = 0;
    for (let from = 0, to = 0; to < starts.length; to += 1) {
      while ((starts[to] ?? 0) - (starts[from] ?? 0) >= windowMs) from += 1;
      most = Math.max(most, to - from + 1);
    }
    return most;
  }
}

/** One try of a caller, by `Date.now()`. */
export interface Try {
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly status: number;
  readonly number: number;
}

export interface Caller {
  readonly tries: readonly Try[];
  /** What it was let in under. */
  readonly number: number;
  readonly last: Answer;
}

export interface CallOptions extends AskOptions {
  /** Waits for `Retry-After` before it comes back; else it comes back at once. */
  readonly waits?: boolean;
  /** Tries again when the connection breaks, as when the server dies. */
  readonly survives?: boolean;
  readonly triesMax?: number;
}

/** Repeats its request with the ticket that it was given until it gets through. */
export const callUntilIn = async (
  { url }: Pick<Seiriken, "url">,
  path: string,
  { waits = false, survives = false, triesMax = 100, ...options }: CallOptions = {},
): Promise<Caller> => {
  const tries: Try[] = [];
  let ticket: string | undefined;
  for (;;) {
    const askedAt = Date.now();
    const headers = { ...JSON_CLIENT, ...(ticket ? { "seiriken-ticket": ticket } : {}) };
    const answer = await ask(url + path, { ...options, headers }).catch((error: unknown) => {
      if (!survives) throw error;
    });
    if (answer === undefined) {
      await sleep(RECONNECT_MS);
      continue;
    }
    const number = answer.status === 200 ? Number(answer.text) : numberOf(answer);
    tries.push({ askedAt, answeredAt: Date.now(), status: answer.status, number });
    if (answer.status === 200) return { tries, number, last: answer };
    if (answer.status !== 503 || tries.length >= triesMax)
      throw new Error(`turned away with ${answer.status} ${answer.text}`);
    ticket = String(answer.headers["seiriken-ticket"]);
    if (waits) await sleep(Number(answer.headers["retry-after"]) * 1_000);
  }
};

const RECONNECT_MS = 100;

const numberOf = (answer: Answer): number => Number(answer.json().seiriken.number);

/** What a busy machine may need from a client's asking to its standing in line, and to a start. */
const JOIN_SLACK_MS = 1_000;
const START_SLACK_MS = 250;

/** Runs that started before one with a lower number that had been waiting all the while. */
export const overtakers = (
  callers: readonly Caller[],
  runs: readonly Run[],
  holdMs: number,
  /** What the machine just now adds to each. */
  slackMs = 0,
): readonly Run[] => {
  const startedAt = new Map(runs.map(({ number, startedAt: at }) => [number, at]));
  const waits = callers.flatMap(({ tries }) =>
    tries.map(({ status, number, askedAt }) => ({
      number,
      from: askedAt + JOIN_SLACK_MS + slackMs,
      // Nobody is sent away before its hold is over.
      until:
        status === 200 ? (startedAt.get(number) ?? 0) - START_SLACK_MS - slackMs : askedAt + holdMs,
    })),
  );
  return runs.filter(({ number, startedAt: at }) =>
    waits.some((wait) => wait.number < number && wait.from < at && at < wait.until),
  );
};

/** Starts of the last minute as the room tells them, oldest first. */
export const startsLastMinute = async (seiriken: Seiriken, room = "report"): Promise<number[]> =>
  (await ask(`${seiriken.url}/.seiriken/rooms/${room}`)).json().starts_last_minute;
