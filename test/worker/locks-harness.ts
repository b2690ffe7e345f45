/** The Worker in front of real lock objects, with an origin of the test's own. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApp } from "../../src/worker/app.ts";
import type { LogLine } from "../../src/worker/platform/log.ts";
import type { Env } from "../../src/worker/platform/env.ts";

export const LOCK_TOKEN = "a-lock-token-for-tests";
export const ADMIN_TOKEN = "an-admin-token-for-tests";
const HOST = "https://shop.example";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: any;
  readonly text: string;
}

export interface Asking {
  readonly token?: string | null;
  readonly owner?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Bench {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The lock service: `path` from the namespace on. */
  locks(method: string, path: string, asking?: Asking): Promise<Answered>;
  /** The management of lock rules: `path` is empty or `/name`. */
  rules(method: string, path: string, body?: unknown, token?: string | null): Promise<Answered>;
}

export interface BenchOptions {
  readonly env?: Partial<Env>;
  readonly log?: (line: LogLine) => void;
}

/** One isolate. */
export const lockBench = (options: BenchOptions = {}): Bench => {
  const bindings = { ...(env as unknown as Env), LOCK_TOKEN, ADMIN_TOKEN, ...options.env } as Env;
  const app = createApp({ log: options.log ?? (() => undefined) });
  const fetch = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const context = createExecutionContext();
    const response = await app.fetch(new Request(`${HOST}${path}`, init), bindings, context);
    void waitOnExecutionContext(context);
    return response;
  };
  const ask = async (
    method: string,
    path: string,
    { token = LOCK_TOKEN, owner, body, headers = {} }: Asking,
  ): Promise<Answered> => {
    const response = await fetch(path, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(owner === undefined ? {} : { "Seiriken-Owner": owner }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    };
  };
  return {
    fetch,
    locks: (method, path, asking = {}) => ask(method, `/.seiriken/locks/${path}`, asking),
    rules: (method, path, body, token = ADMIN_TOKEN) =>
      ask(method, `/.seiriken/api/lock-rules${path}`, { body, token }),
  };
};

let keys = 0;
/** A key that no other test uses. */
export const newKey = (): string => {
  keys += 1;
  return `key-${keys}-${crypto.randomUUID()}`;
};
