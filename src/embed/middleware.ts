/**
 * The counter as Hono middleware: ticket in a cookie, permit until the answer's end. The counting
 * is counter.ts.
 */
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { routePath } from "hono/route";
import { waitUntil } from "cloudflare:workers";
import type { LobbyRpc, RoomRpc } from "../durable/contract.ts";
import type { ObjectsOf } from "../worker/platform/env.ts";
import type { Lifetime } from "../worker/permit/lifetime.ts";
import { maySayNothing, relayAnswer, relayUntilIdle } from "../worker/permit/relay-answer.ts";
import { TICKET_HEADER } from "../worker/tokens/presented.ts";
import { Counter } from "./counter.ts";
import type { NotYet, TurnedAway } from "./counter.ts";
import type { CounterLimits } from "./settings.ts";

export interface MiddlewareOptions extends CounterLimits {
  /** The counter's name; the path that the middleware was mounted at by default. */
  readonly name?: string;
  /** The longest silence within an answer, after which it is broken off; no such limit by default. */
  readonly silenceSeconds?: number;
  /** Bindings of the app: `ROOM`, `LOBBY` and the secret `COUNTER_SECRET` by default. */
  readonly bindings?: { readonly room?: string; readonly lobby?: string; readonly secret?: string };
}

const SECOND_MS = 1_000;
/** An answer whose reader takes nothing for so long is broken off. */
const STALL_MAX_MS = 60_000;

/**
 * Lets at most `limit` requests at once through to the app's own handlers, in the order of their
 * numbers. A permit lasts until the answer has been read to its end; errors pass as they are.
 */
export const counter = (options: MiddlewareOptions): MiddlewareHandler =>
  async function counter(c, next) {
    const name = options.name ?? routePath(c);
    const cookie = cookieOf(name);
    const ticket = c.req.header(TICKET_HEADER) ?? getCookie(c, cookie, "host") ?? null;
    const begun = await counterOf(c, name, options).begin(ticket);
    if (begun.kind !== "begun") return turnedAway(c, cookie, begun);
    if (ticket !== null) setCookie(c, cookie, "", { ...COOKIE, maxAge: 0 });
    // A handler whose client breaks off is dropped where it stands; what it began goes on.
    const handling = next();
    waitUntil(handling.catch(() => null));
    try {
      await handling;
    } catch (error) {
      begun.permit.end("answered");
      throw error;
    }
    const answer = await watched(c, begun.permit, options.silenceSeconds ?? null);
    // Assigned over another one it would be given that one's headers once more.
    c.res = undefined;
    c.res = answer;
    return undefined;
  };

const COOKIE = {
  prefix: "host",
  path: "/",
  secure: true,
  httpOnly: true,
  sameSite: "Lax",
} as const;

const cookieOf = (name: string): string =>
  `seiriken-ticket-${name.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "counter"}`;

const counterOf = (c: Context, name: string, options: MiddlewareOptions): Counter => {
  const { name: _, silenceSeconds: __, bindings = {}, ...limits } = options;
  const bound = <T>(binding: string): T => {
    const value = (c.env as Readonly<Record<string, T | undefined>>)[binding];
    if (value === undefined) throw new TypeError(`counter() needs the binding ${binding}`);
    return value;
  };
  return new Counter({
    ...limits,
    name,
    room: bound<ObjectsOf<RoomRpc>>(bindings.room ?? "ROOM"),
    lobby: bound<ObjectsOf<LobbyRpc>>(bindings.lobby ?? "LOBBY"),
    secret: bound<string>(bindings.secret ?? "COUNTER_SECRET"),
  });
};

/** The permit lasts as long as the answer; nobody reads one whose client has gone. */
const watched = (
  c: Context,
  lifetime: Lifetime,
  silenceSeconds: number | null,
): Response | Promise<Response> => {
  const { res: answer } = c;
  const request = c.req.raw;
  if (answer.webSocket !== null && answer.webSocket !== undefined)
    return relayUntilIdle(answer, lifetime);
  if (request.signal.aborted || request.method === "HEAD") {
    lifetime.end("answered");
    return answer;
  }
  lifetime.endWith(request.signal);
  return relayAnswer(answer, lifetime, {
    // A handler of the same Worker ends its answers itself, whatever it takes of the body.
    arrival: { request: { body: null, headers: request.headers }, abort: (why) => abort(c, why) },
    silenceMaxMs:
      silenceSeconds === null || maySayNothing(answer.headers) ? null : silenceSeconds * SECOND_MS,
    stallMaxMs: STALL_MAX_MS,
    isEncoded: false,
    isAwaited: false,
  });
};

/** Hono's own type of the context does not know it yet. */
const abort = (c: Context, why: string): void =>
  (c.executionCtx as Partial<Pick<ExecutionContext, "abort">>).abort?.(new Error(why));

const turnedAway = (c: Context, cookie: string, no: NotYet | TurnedAway): Response => {
  const seconds = Math.max(1, Math.ceil(no.retryAfterMs / SECOND_MS));
  c.header("Retry-After", String(seconds));
  c.header("Cache-Control", "no-store");
  // A browser asks again by itself; what it sends by POST it would send as a GET.
  if (c.req.method === "GET" && /\btext\/html\b/.test(c.req.header("Accept") ?? ""))
    c.header("Refresh", String(seconds));
  if (no.kind === "refused") {
    const detail = "Come back after the time in Retry-After.";
    return c.json({ code: no.refusal, status: 503, detail }, 503, PROBLEM);
  }
  const { number, ahead, ticket } = no;
  c.header(TICKET_HEADER, ticket);
  setCookie(c, cookie, ticket, COOKIE);
  const detail =
    `Repeat this request after the time in Retry-After, with this ticket in ${TICKET_HEADER} or ` +
    `in its cookie: number ${number} keeps its place. Without it you start at the back.`;
  return c.json({ code: "not-yet", status: 503, detail, number, ahead, ticket }, 503, PROBLEM);
};

const PROBLEM = { "Content-Type": "application/problem+json" };
