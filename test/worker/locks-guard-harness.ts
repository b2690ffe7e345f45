/** Requests through lock rules, in front of real lock objects and an origin that counts. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Arrival } from "../../src/worker/arrival/arrival.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import { createIsolate } from "../../src/worker/isolate/isolate.ts";
import { guardWithLock } from "../../src/worker/locks/guard.ts";
import type { LogLine } from "../../src/worker/platform/log.ts";
import { forward, type OriginAnswer } from "../../src/worker/origin/forward.ts";
import { platformPorts, type Ports } from "../../src/worker/platform/ports.ts";
import { lockBench, newKey } from "./locks-harness.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly code: string | null;
}

export interface Seen {
  readonly request: Request;
  readonly body: Uint8Array;
  readonly fence: number | null;
}

type Origin = (request: Request, nth: number) => Response | Promise<Response>;

/** An isolate with one rule of its own, on a path that no other test uses. */
export class GuardBench {
  readonly seen: Seen[] = [];
  readonly log: LogLine[] = [];
  readonly path: string;
  readonly name: string;
  origin: Origin = (_, nth) => new Response(`effect ${nth}`, { status: 201 });
  readonly #isolate: ReturnType<typeof createIsolate>;
  readonly #ports: Ports;
  readonly #pending = new Set<Promise<unknown>>();

  private constructor(path: string, name: string) {
    this.path = path;
    this.name = name;
    this.#ports = {
      ...platformPorts,
      log: (line) => void this.log.push(line),
      fetch: async (to, init) => {
        const request = new Request(to, init);
        const reading = (request.clone() as Request).arrayBuffer();
        const body = new Uint8Array(await Promise.race([reading, aborted(request.signal)]));
        const fence = request.headers.get("Test-Fence");
        this.seen.push({ request, body, fence: fence === null ? null : Number(fence) });
        return this.origin(request, this.seen.length);
      },
    };
    this.#isolate = createIsolate(this.#ports);
  }

  static async with(rule: Record<string, unknown> = {}): Promise<GuardBench> {
    const name = newKey().slice(0, 40);
    const path = `/${name}`;
    const bench = new GuardBench(path, name);
    const under = typeof rule["path"] === "string" ? rule["path"] : "";
    const made = await lockBench().rules("POST", "", {
      key: { from: "header", name: "Idempotency-Key" },
      ...rule,
      name,
      path: `${path}${under}`,
    });
    if (made.status !== 201) throw new Error(made.text);
    return bench;
  }

  /** `to` is below the rule's path; a POST unless told otherwise. */
  async ask(to = "", init: RequestInit = {}, host = "shop.example"): Promise<Answer> {
    const response = await this.open(to, init, host);
    const text = await response.text();
    const isProblem = response.headers.get("Content-Type") === "application/problem+json";
    const code = isProblem ? (JSON.parse(text) as { code: string }).code : null;
    return { status: response.status, headers: response.headers, text, code };
  }

  /** With the key 17 in its header. */
  keyed(key: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { ...(init.headers as object), "Idempotency-Key": key };
    return this.ask("", { ...init, headers });
  }

  /** The answer with its body unread. */
  async open(to = "", init: RequestInit = {}, host = "shop.example"): Promise<Response> {
    const url = `https://${host}${this.path}${to}`;
    const request = new Request(url, { method: "POST", ...init });
    const context = createExecutionContext();
    const arrival = new Arrival(this.#ports, request, env as unknown as Env, (work) => {
      this.#pending.add(work);
      void work.catch(() => null).finally(() => this.#pending.delete(work));
      context.waitUntil(work);
    });
    const plain = { room: null, visit: null, isWatched: true };
    const answer =
      (await guardWithLock(this.#isolate, arrival, (again, fence) =>
        forward(this.#withFence(fence), arrival.with(again), {
          ...plain,
          fence,
          signal: again.signal,
        }),
      )) ?? (await forward(this.#ports, arrival, plain));
    void waitOnExecutionContext(context);
    return responseOf(answer);
  }

  /** Until all that runs beside the answers is over. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled([...this.#pending]);
  }

  #withFence(fence: number | null): Ports {
    return {
      ...this.#ports,
      fetch: (to, init) => {
        const request = new Request(to, init);
        if (fence !== null) request.headers.set("Test-Fence", String(fence));
        return this.#ports.fetch(request);
      },
    };
  }
}

/** As `fetch` gives up when its signal says so. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true }),
  );

const responseOf = (answer: OriginAnswer): Response => {
  if (answer.kind === "unreachable") return new Response("unreachable", { status: 502 });
  const { response, headers } = answer;
  // As the gate does: this visitor's own cookie, which nobody else may ever get.
  headers.append("Set-Cookie", "__Host-seiriken-pass-shop=secret");
  return response;
};

/** An origin's answer that the test ends itself. */
export const heldAnswer = (init: ResponseInit = {}) => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    response: new Response(readable, init),
    write: (text: string) => writer.write(new TextEncoder().encode(text)),
    end: () => writer.close(),
    fail: () => writer.abort(new Error("reset")),
  };
};
