import { A_PAGE, NOTHING } from "./outcome.ts";
import { boot } from "./page.ts";
import type { PageTicket } from "../../../src/page/state.ts";

/** The members of our answers that the page reads: ticket, visit, not yet, or problem. */
export interface Body extends Partial<PageTicket> {
  readonly code?: string;
  readonly pass?: string;
  readonly closed?: string | null;
  readonly retry_after_ms?: number;
}

export interface ApiAnswer {
  /** Of HTTP, or `A_PAGE`, or `NOTHING`. */
  readonly status: number;
  readonly body: Body;
  /** So long to wait before asking again. */
  readonly retryMs: number;
}

const TIMEOUT_MS = 15_000;
const RETRY_MS = 5_000;

const answerOf = (status: number, body: Body = {}, retryAfter = 0): ApiAnswer => ({
  status,
  body,
  retryMs: body.retry_after_ms || (retryAfter > 0 ? retryAfter * 1_000 : RETRY_MS),
});

let serverIsAheadMs = 0;

/** The visitor's clock at an instant of the server's. */
export const local = (rfc3339: string): number => Date.parse(rfc3339) - serverIsAheadMs;

const read = async (response: Response): Promise<ApiAnswer> => {
  const { headers, status } = response;
  const dateMs = Date.parse(headers.get("Date") || "");
  if (dateMs) serverIsAheadMs = dateMs - Date.now();
  if (status === 204) return answerOf(status);
  if (/json/.test(headers.get("Content-Type") || ""))
    return answerOf(status, (await response.json()) as Body, Number(headers.get("Retry-After")));
  // An error page must not replace this one; a challenge has to.
  return answerOf(status < 500 || headers.has("Cf-Mitigated") ? A_PAGE : NOTHING);
};

export const askApi = (method: "GET" | "POST" | "DELETE", path: string): Promise<ApiAnswer> =>
  Promise.race([
    fetch(boot.api + path, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      headers: { Accept: "application/json" },
    }).then(read),
    new Promise<never>((_, reject) => setTimeout(reject, TIMEOUT_MS)),
  ]).catch(() => answerOf(NOTHING));
