/**
 * Asks the operators' API with a token that is kept in memory and nowhere else. When the token is refused
 * in the middle of the work, calls wait until their operator has signed in again, and then go on.
 */
import { failureOf, offline, successOf, type CallAnswer } from "./answer.ts";

export const API = "/.seiriken/api";
export const ZONE = "/.seiriken/client/v4/zones/local";
const VERIFY = "/.seiriken/client/v4/user/tokens/verify";
const GIVES_UP_AFTER_MS = 15_000;

export interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly ifMatch?: string | null;
}

type ReadAnswer = { readonly response: Response; readonly body: unknown };

export class ApiClient {
  #token: string;
  #renewed: PromiseWithResolvers<void> | null = null;
  readonly #onRefused: () => void;

  /** `onRefused`: the token is good no longer; `renew` is to follow. */
  constructor(token: string, onRefused: () => void) {
    this.#token = token;
    this.#onRefused = onRefused;
  }

  /** For the one who opens a socket. */
  get token(): string {
    return this.#token;
  }

  renew(token: string): void {
    this.#token = token;
    this.#renewed?.resolve();
    this.#renewed = null;
  }

  async ask<T>(path: string, asked: Asked = {}): Promise<CallAnswer<T>> {
    for (;;) {
      await this.#renewed?.promise;
      const used = this.#token;
      const fetched = await fetchJson(path, used, asked);
      if (fetched === null) return offline("Check the network; what is shown may be old.");
      const { response, body } = fetched;
      if (response.ok) return successOf<T>(body, response.headers.get("ETag"));
      if (response.status !== 401)
        return failureOf(response.status, body, response.headers.get("Retry-After"));
      if (used === this.#token) this.#refused();
    }
  }

  /** A file of the API's, such as CSV. */
  async file(path: string): Promise<Blob | null> {
    const response = await fetchWith(path, this.#token, {});
    return response?.ok === true ? response.blob() : null;
  }

  #refused(): void {
    if (this.#renewed !== null) return;
    this.#renewed = Promise.withResolvers<void>();
    this.#onRefused();
  }
}

/** Is this token good? Asked without a client, since a wrong one is an answer here. Empty: somebody else vouches. */
export const verifyToken = async (token: string): Promise<CallAnswer<unknown>> => {
  const fetched = await fetchJson(VERIFY, token, {});
  if (fetched === null) return offline("Check the network, and try again.");
  const { response, body } = fetched;
  return response.ok
    ? successOf(body, null)
    : failureOf(response.status, body, response.headers.get("Retry-After"));
};

const fetchJson = async (path: string, token: string, asked: Asked): Promise<ReadAnswer | null> => {
  const response = await fetchWith(path, token, asked);
  if (response === null) return null;
  try {
    const text = await response.text();
    return { response, body: text === "" ? null : JSON.parse(text) };
  } catch {
    return { response, body: null };
  }
};

const fetchWith = async (path: string, token: string, asked: Asked): Promise<Response | null> => {
  const headers = new Headers({ Accept: "application/json" });
  try {
    if (token !== "") headers.set("Authorization", `Bearer ${token}`);
    if (asked.body !== undefined) headers.set("Content-Type", "application/json");
    if (typeof asked.ifMatch === "string") headers.set("If-Match", asked.ifMatch);
    return await fetch(path, {
      method: asked.method ?? "GET",
      headers,
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(GIVES_UP_AFTER_MS),
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    });
  } catch {
    return null;
  }
};
