/**
 * Wires the Worker together: own paths to their routes, everything else to the gate. It has no rule
 * of its own.
 */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { PREFIX } from "../durable/contract.ts";
import { invariant } from "../core/invariant.ts";
import { Arrival } from "./arrival/arrival.ts";
import { notFound } from "./answers/not-found.ts";
import { errorResponse } from "./answers/error-response.ts";
import { isSafe } from "./arrival/caller.ts";
import type { AppContext } from "./isolate/app-context.ts";
import { gate } from "./gate/gate.ts";
import type { Env } from "./platform/env.ts";
import { createIsolate } from "./isolate/isolate.ts";
import type { Isolate } from "./isolate/isolate.ts";
import { auditApp } from "./operators/audit-log.ts";
import { dashboardApp } from "./dashboard/dashboard.ts";
import { lockRulesApp } from "./operators/lock-rules.ts";
import { hearsOfLongBodies } from "./operators/long-bodies.ts";
import { answerLocks } from "./locks/service.ts";
import { andThen } from "./platform/maybe-promise.ts";
import type { MaybePromise } from "./platform/maybe-promise.ts";
import { quietLog, reasonOf } from "./platform/log.ts";
import { deletedRoomsApp, keysApp, managementApp } from "./operators/rooms-app.ts";
import { platformPorts } from "./platform/ports.ts";
import type { Ports } from "./platform/ports.ts";
import { metricsApp } from "./operators/metrics.ts";
import { openApiApp } from "./operators/openapi.ts";
import { PREVIEW_PATH, previewApp } from "./operators/preview.ts";
import { tokensApp } from "./operators/tokens.ts";
import { apiRoutes } from "./operators/visits.ts";
import { webhooksApp } from "./operators/webhooks.ts";
import { answerOwnScript } from "./visitors/own-scripts.ts";
import { answerVisitor, ROOMS } from "./visitors/routes.ts";
import { ownPathOf } from "./arrival/own-path.ts";

const NOT_READY_RETRY_SECONDS = 5;
/** Below it is all that app servers ask of us. */
const LOCKS = `${PREFIX}/locks`;

const isBelow = (prefix: string, path: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`);

/** Does a path change rooms or keys? Lock rules have a memory of their own. */
const changesDefinitions = (path: string): boolean =>
  isBelow(`${PREFIX}/client`, path) || isBelow(`${PREFIX}/api/keys`, path);

interface App {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response>;
}

/**
 * The Worker, with all that it takes from outside replaceable. One app is one isolate's memory. Only
 * operators' paths need a router: a visitor's requests have one way, and take it directly.
 */
export const createApp = (given: Partial<Ports> = {}): App => {
  const chosen = { ...platformPorts, ...given };
  const ports: Ports = { ...chosen, log: quietLog(chosen.log, chosen.now) };
  const isolate = createIsolate(ports);
  const owns = new WeakMap<Request, Own>();
  const ownFor = (request: Request): Own => {
    const own = owns.get(request);
    invariant(own !== undefined, "a request arrives before it is routed");
    return own;
  };
  // Made by their first request: the start waits for no routes (docs/decisions/the-start.md).
  let operators: Hono<AppContext> | undefined;
  return {
    fetch(request, env, context) {
      isolate.pacer.requestCame();
      const arrival = new Arrival(
        ports,
        request,
        env,
        (work) => context.waitUntil(work),
        (reason) => context.abort?.(new Error(reason)),
        isolate.silentRegions,
      );
      const own = ownPathOf(arrival.asked.pathname, arrival.readings);
      if (own === null) return throughTheGate(isolate, arrival);
      if (own.kind === "unclear") return unclear(arrival);
      const { path } = own;
      if (isBelow(LOCKS, path)) return locks(isolate, arrival);
      if (isBelow(ROOMS, path)) return visitors(isolate, arrival, path);
      const script = answerOwnScript(arrival, path);
      if (script !== null) return script;
      owns.set(request, { arrival, path });
      operators ??= operatorPaths(isolate, ownFor);
      return operators.fetch(request, env, context);
    },
  };
};

/** A request for a path of ours, and the spelling by which our routes find it. */
interface Own {
  readonly arrival: Arrival;
  readonly path: string;
}

const unclear = (arrival: Arrival): Response => {
  const answer = errorResponse(arrival, null, "ambiguous-url");
  return arrival.method === "HEAD" ? new Response(null, answer) : answer;
};

const throughTheGate = (isolate: Isolate, arrival: Arrival): MaybePromise<Response> => {
  try {
    const current = isolate.deployments.current(arrival);
    const answer = andThen(current, (deployment) =>
      deployment === null
        ? errorResponse(arrival, null, "not-ready", NOT_READY_RETRY_SECONDS)
        : gate(isolate, arrival, deployment),
    );
    const whole = arrival.method === "HEAD" ? andThen(answer, withoutBody) : answer;
    if (!(whole instanceof Promise)) return whole;
    return whole.catch((error: unknown) => internalError(isolate.ports, arrival, error));
  } catch (error) {
    return internalError(isolate.ports, arrival, error);
  }
};

const withoutBody = (answer: Response): Response => new Response(null, answer);

const internalError = (ports: Ports, arrival: Arrival, error: unknown): Response => {
  ports.log({
    level: "error",
    event: "internal-error",
    reference: arrival.reference,
    reason: reasonOf(error),
  });
  return errorResponse(arrival, null, "internal");
};

type OwnFor = (request: Request) => Own;

/** What all paths of ours begin with, and how they fail. */
const ownPaths = (isolate: Isolate, ownFor: OwnFor): Hono<AppContext> => {
  const app = new Hono<AppContext>({
    getPath: (request) => ownFor(request).path,
  });
  app.use(async function arrive(c, next) {
    c.set("isolate", isolate);
    c.set("arrival", ownFor(c.req.raw).arrival);
    await next();
  });
  app.notFound((c) => notFound(c.get("arrival"), "not-found"));
  app.onError((error, c) => internalError(isolate.ports, c.get("arrival"), error));
  return app;
};

const knowTheRooms = (isolate: Isolate) =>
  createMiddleware<AppContext>(async function knowTheRooms(c, next) {
    const deployment = await isolate.deployments.current(c.get("arrival"));
    if (deployment === null)
      return errorResponse(c.get("arrival"), null, "not-ready", NOT_READY_RETRY_SECONDS);
    c.set("deployment", deployment);
    return next();
  });

/** A sale's every visitor comes this way. */
const visitors = async (isolate: Isolate, arrival: Arrival, path: string): Promise<Response> => {
  try {
    const current = isolate.deployments.current(arrival);
    const deployment = current instanceof Promise ? await current : current;
    const answer =
      deployment === null
        ? errorResponse(arrival, null, "not-ready", NOT_READY_RETRY_SECONDS)
        : await answerVisitor(isolate, arrival, deployment, path);
    return arrival.method === "HEAD" ? new Response(null, answer) : answer;
  } catch (error) {
    return internalError(isolate.ports, arrival, error);
  }
};

/** They need nothing of the rooms, nor a router, and are taken often. */
const locks = async (isolate: Isolate, arrival: Arrival): Promise<Response> => {
  try {
    const answer = await answerLocks(isolate, arrival);
    return arrival.request.method === "HEAD" ? new Response(null, answer) : answer;
  } catch (error) {
    return internalError(isolate.ports, arrival, error);
  }
};

/** All that operators ask of us; a test walks its routes. */
export const operatorPaths = (isolate: Isolate, ownFor: OwnFor): Hono<AppContext> => {
  const app = ownPaths(isolate, ownFor);

  app.use(hearsOfLongBodies);
  // Operators' routes ask the Registry themselves, and must work when nothing else does.
  app.use(`${PREFIX}/*`, async function forgetWhatChanges(c, next) {
    await next();
    const isChange = !isSafe(c.req.method) && c.res.ok && changesDefinitions(c.req.path);
    if (isChange) isolate.deployments.expire();
  });
  app.route(`${PREFIX}/client/v4`, managementApp);
  app.route(`${PREFIX}/api/keys`, keysApp);
  app.route(`${PREFIX}/api/tokens`, tokensApp);
  app.route(`${PREFIX}/api/audit`, auditApp);
  app.route(`${PREFIX}/api/lock-rules`, lockRulesApp);
  app.route(`${PREFIX}/api/webhooks`, webhooksApp);
  app.route(`${PREFIX}/api/rooms`, deletedRoomsApp);
  app.route(`${PREFIX}/api`, openApiApp);
  app.route(`${PREFIX}/dashboard`, dashboardApp);

  app.use(knowTheRooms(isolate));
  app.route(`${PREFIX}/api`, apiRoutes);
  app.route(`${PREFIX}/metrics`, metricsApp);
  app.route(PREVIEW_PATH, previewApp);
  return app;
};
