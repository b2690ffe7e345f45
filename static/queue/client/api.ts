import type { PageTicket } from "../../../src/page/state.ts";

/** The members of our answers that the page reads: ticket, visit, not yet, or problem. */
export interface Body extends Partial<PageTicket> {
  readonly code?: string;
  readonly pass?: string;
  readonly closed?: string | null;
  readonly retry_after_ms?: number;
}

export type ApiAnswer =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: Body;
      readonly retryMs: number;
    }
  /** HTML where JSON was due: a challenge, or a log-in page. */
  | { readonly kind: "page" }
  | { readonly kind: "down" };

export interface Api {
  ask(method: "GET" | "POST" | "DELETE", path: string): Promise<ApiAnswer>;
  /** The visitor's clock at an instant of the server's. */
  local(rfc3339: string): number;
}

const TIMEOUT_MS = 15_000;
const RETRY_MS = 5_000;

const retryOf = (response: Response, body: Body): number => {
  const header = Number(response.headers.get("Retry-After"));
  return body.retry_after_ms || (header > 0 ? header * 1_000 : RETRY_MS);
};

export const createApi = (base: string): Api => {
  let serverIsAheadMs = 0;

  const read = async (response: Response): Promise<ApiAnswer> => {
    const dateMs = Date.parse(response.headers.get("Date") || "");
    if (dateMs) serverIsAheadMs = dateMs - Date.now();
    if (response.status === 204) return { kind: "json", status: 204, body: {}, retryMs: RETRY_MS };
    if (!/json/.test(response.headers.get("Content-Type") || "")) {
      // An error page must not replace this one; a challenge has to.
      return response.status < 500 || response.headers.has("Cf-Mitigated")
        ? { kind: "page" }
        : { kind: "down" };
    }
    const body = (await response.json()) as Body;
    return { kind: "json", status: response.status, body, retryMs: retryOf(response, body) };
  };

  return {
    local: (rfc3339) => Date.parse(rfc3339) - serverIsAheadMs,
    ask: (method, path) =>
      Promise.race([
        fetch(base + path, {
          method,
          credentials: "same-origin",
          cache: "no-store",
          headers: { Accept: "application/json" },
        }).then(read),
        new Promise<never>((_, reject) => window.setTimeout(reject, TIMEOUT_MS)),
      ]).catch((): ApiAnswer => ({ kind: "down" })),
  };
};
