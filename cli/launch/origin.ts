import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { startShop } from "../demo/shop.ts";
import { describe, Failure } from "./failure.ts";
import { isLoopback } from "./ports.ts";
import type { Report } from "./report.ts";
import type { Settings } from "./settings.ts";

export interface Origin {
  readonly url: string;
  readonly isDemo: boolean;
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 3_000;

/** The given origin if it answers, or the demo shop. `port` is where we are going to listen. */
export const openOrigin = async (
  settings: Settings,
  port: number,
  report: Report,
): Promise<Origin> => {
  const { origin, allowMissingOrigin } = settings;
  if (origin === null) {
    const shop = await startShop();
    report.tell({ event: "step", message: `demo shop on ${shop.url}` });
    return { url: shop.url, isDemo: true, close: () => shop.close() };
  }
  if (pointsAt(origin, port))
    throw new Failure("origin-is-self", `${origin} is where Seiriken itself will listen`, [
      "give the site its own port, and Seiriken another one with --port",
    ]);
  const problem = await problemWith(origin);
  if (problem !== null && !allowMissingOrigin)
    throw new Failure("origin-unreachable", `the origin ${origin} does not answer: ${problem}`, [
      "start it first, or go on without it: --allow-missing-origin",
    ]);
  report.tell(
    problem === null
      ? { event: "step", message: `origin ${origin} answers` }
      : { event: "warning", message: `the origin ${origin} does not answer yet: ${problem}` },
  );
  return { url: origin, isDemo: false, close: () => Promise.resolve() };
};

const pointsAt = (origin: string, port: number): boolean => {
  const url = new URL(origin);
  return isLoopback(url.hostname) && Number(url.port) === port;
};

/** Any HTTP answer will do, whatever its status. */
const problemWith = (origin: string): Promise<string | null> =>
  askHead(origin).then(
    () => null,
    (thrown: unknown) => describe(thrown),
  );

/** How the origin answers a HEAD for this; null: not at all. */
export const statusAt = (url: string): Promise<number | null> => askHead(url).catch(() => null);

const askHead = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const open = url.startsWith("https:") ? httpsRequest : httpRequest;
    const request = open(url, { method: "HEAD", agent: false });
    request.setTimeout(ANSWER_WITHIN_MS, () => request.destroy(new Error("no answer in 3 s")));
    request.on("error", reject);
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.end();
  });
