import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { PREFIX } from "../durable/contract.ts";
import { invariant } from "../core/invariant.ts";
import { arrivalOf } from "./arrival.ts";
import type { Arrival } from "./arrival.ts";
import { dressOurs } from "./answers/our-headers.ts";
import { trouble } from "./answers/trouble.ts";
import { isSafe } from "./caller.ts";
import type { AppContext } from "./context.ts";
import { gate } from "./gate/gate.ts";
import type { Env } from "./env.ts";
import { createIsolate } from "./isolate/isolate.ts";
import type { Isolate } from "./isolate/isolate.ts";
import { LOCKS_PREFIX } from "./locks/asked.ts";
import { lockRulesApp } from "./locks/rule-routes.ts";
import { locksApp } from "./locks/service.ts";
import { quietLog, reasonOf } from "./log.ts";
import { keysApp, managementApp } from "./management/index.ts";
import { platformPorts } from "./ports.ts";
import type { Ports } from "./ports.ts";
import { problem } from "./problem.ts";
import { apiRoutes } from "./routes/api.ts";
import { visitorRoutes } from "./routes/visitor.ts";

const NOT_READY_RETRY_SECONDS = 5;
/** Below it is all that visitors ask of us. */
const ROOMS = `${PREFIX}/rooms`;
/** Below it is all that app servers ask of us. */
const LOCKS = `${PREFIX}/locks`;

/**
 * Our own paths are found by their canonical spelling, like every other path. Those of locks are taken
 * as they are: a key may hold any character, and must never go on to the origin.
 */
const pathOf = ({ url, readings }: Arrival): string => {
  const { pathname } = url;
  return pathname.startsWith(LOCKS_PREFIX) ? pathname : (readings?.[0] ?? "/");
};

const isBelow = (prefix: string, path: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`);

const isManagement = (path: string): boolean =>
  path.startsWith(`${PREFIX}/client/`) || path.startsWith(`${PREFIX}/api/`);

interface App {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response>;
}

/**
 * The Worker, with all that it takes from outside replaceable. One app is one isolate's memory. Only
 * our own paths need a router: a visitor's requests have one way, and take it directly.
 */
export const createApp = (given: Partial<Ports> = {}): App => {
  const chosen = { ...platformPorts, ...given };
  const ports: Ports = { ...chosen, log: quietLog(chosen.log, chosen.now) };
  const isolate = createIsolate(ports);
  const arrivals = new WeakMap<Request, Arrival>();
  const arrivalFor = (request: Request): Arrival => {
    const arrival = arrivals.get(request);
    invariant(arrival !== undefined, "a request arrives before it is routed");
    return arrival;
  };
  const visitors = visitorPaths(isolate, arrivalFor);
  const locks = lockPaths(isolate, arrivalFor);
  const operators = operatorPaths(isolate, arrivalFor);
  return {
    fetch(request, env, context) {
      const arrival = arrivalOf(ports, request, env, (work) => context.waitUntil(work));
      const path = pathOf(arrival);
      if (!isBelow(PREFIX, path)) return throughTheGate(isolate, arrival);
      arrivals.set(request, arrival);
      const owner = isBelow(ROOMS, path) ? visitors : isBelow(LOCKS, path) ? locks : operators;
      return owner.fetch(request, env, context);
    },
  };
};

const throughTheGate = async (isolate: Isolate, arrival: Arrival): Promise<Response> => {
  try {
    const deployment = await isolate.deployments.current(arrival);
    const answer =
      deployment === null
        ? trouble(arrival, null, "not-ready", NOT_READY_RETRY_SECONDS)
        : await gate(isolate, arrival, deployment);
    return arrival.request.method === "HEAD" ? new Response(null, answer) : answer;
  } catch (error) {
    return internalTrouble(isolate.ports, arrival, error);
  }
};

const internalTrouble = (ports: Ports, arrival: Arrival, error: unknown): Response => {
  ports.log({
    level: "error",
    event: "internal-error",
    reference: arrival.reference,
    reason: reasonOf(error),
  });
  return trouble(arrival, null, "internal");
};

type ArrivalFor = (request: Request) => Arrival;

/** What all paths of ours begin with, and how they fail. */
const ownPaths = (isolate: Isolate, arrivalFor: ArrivalFor): Hono<AppContext> => {
  const app = new Hono<AppContext>({
    getPath: (request) => pathOf(arrivalFor(request)),
  });
  app.use(async function arrive(c, next) {
    c.set("isolate", isolate);
    c.set("arrival", arrivalFor(c.req.raw));
    await next();
  });
  app.notFound((c) => {
    const answer = problem("not-found", c.get("arrival").reference);
    dressOurs(answer.headers, c.get("arrival"), null);
    return answer;
  });
  app.onError((error, c) => internalTrouble(isolate.ports, c.get("arrival"), error));
  return app;
};

const knowTheRooms = (isolate: Isolate) =>
  createMiddleware<AppContext>(async function knowTheRooms(c, next) {
    const deployment = await isolate.deployments.current(c.get("arrival"));
    if (deployment === null)
      return trouble(c.get("arrival"), null, "not-ready", NOT_READY_RETRY_SECONDS);
    c.set("deployment", deployment);
    return next();
  });

/** Apart from the others, as it is asked by everybody: Hono's quick router takes few, plain paths. */
const visitorPaths = (isolate: Isolate, arrivalFor: ArrivalFor): Hono<AppContext> => {
  const app = ownPaths(isolate, arrivalFor);
  app.use(knowTheRooms(isolate));
  app.route(ROOMS, visitorRoutes);
  return app;
};

/** Apart as well: locks need nothing of the rooms, and are taken often. */
const lockPaths = (isolate: Isolate, arrivalFor: ArrivalFor): Hono<AppContext> => {
  const app = ownPaths(isolate, arrivalFor);
  app.route(LOCKS, locksApp);
  return app;
};

const operatorPaths = (isolate: Isolate, arrivalFor: ArrivalFor): Hono<AppContext> => {
  const app = ownPaths(isolate, arrivalFor);

  // They know their own way to the Registry and must work when nothing else does.
  app.use(`${PREFIX}/*`, async function forgetWhatChanges(c, next) {
    await next();
    if (!isSafe(c.req.method) && isManagement(c.req.path)) isolate.deployments.expire();
  });
  app.route(`${PREFIX}/client/v4`, managementApp);
  app.route(`${PREFIX}/api/keys`, keysApp);
  app.route(`${PREFIX}/api/lock-rules`, lockRulesApp);

  app.use(knowTheRooms(isolate));
  app.route(`${PREFIX}/api`, apiRoutes);
  return app;
};
