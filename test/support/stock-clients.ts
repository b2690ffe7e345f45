import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Agent, request, RetryAgent } from "undici";
import { expect } from "vitest";
import type { RecordingOrigin } from "./origin.ts";
import { requestRoom } from "./requests.ts";
import type { CountedRuns } from "./requests.ts";

const run = promisify(execFile);

/** The statuses that so many requests of a stock client come to in the end, its own retries included. */
export type StockClient = (url: string, count: number) => Promise<readonly number[]>;

const several = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, one));

/** `curl --retry 10`: no cookies, no headers of ours. */
export const curl: StockClient = (url, count) =>
  several(count, async () => {
    const { stdout } = await run("curl", ["-s", "--retry", "10", "-w", "\n%{http_code}", url]);
    return Number(stdout.split("\n").at(-1));
  });

/** undici's RetryAgent with its own defaults: five retries, each after at most 30 s. */
export const undici: StockClient = async (url, count) => {
  const agent = new Agent();
  const dispatcher = new RetryAgent(agent);
  const statuses = await several(count, async () => {
    const { statusCode, body } = await request(url, { dispatcher });
    await body.dump();
    return statusCode;
  });
  await agent.close();
  return statuses;
};

/** A room of requests that knows its clients by their address. */
export const keyedRoom = (permits: number, holdSeconds: number): object =>
  requestRoom({
    total_active_users: permits,
    seiriken: { hold_seconds: holdSeconds, client_key: { from: "address" } },
  });

/**
 * Everybody came in, under the number of the first try, within 1.3 times what the origin needed to
 * serve them all: its own count of the time that each was on it.
 */
export const expectAllIn = (
  statuses: readonly number[],
  { runs, onMax }: CountedRuns,
  { requests }: RecordingOrigin,
  { permits, slackMs }: { readonly permits: number; readonly slackMs: number },
): void => {
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect([runs.length, onMax]).toEqual([statuses.length, permits]);
  expect(Math.max(...runs.map(({ number }) => number))).toBe(statuses.length);
  const spans = requests.map(({ startedAtMs, endedAtMs }) => [startedAtMs, endedAtMs ?? NaN]);
  const worked = spans.reduce((total, [from = 0, to = 0]) => total + to - from, 0);
  const startedAt = requests.map(({ startedAtMs }) => startedAtMs);
  const tookMs = Math.max(...startedAt) - Math.min(...startedAt);
  expect(tookMs).toBeLessThanOrEqual((1.3 * worked) / permits + slackMs);
};
