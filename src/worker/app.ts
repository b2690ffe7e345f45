import { Hono } from "hono";
import { PREFIX } from "../durable/contract.ts";
import { arrivalOf } from "./arrival.ts";
import { dressOurs } from "./answers/our-headers.ts";
import { trouble } from "./answers/trouble.ts";
import { isSafe } from "./caller.ts";
import type { AppContext } from "./context.ts";
import { gate } from "./gate/gate.ts";
import { createIsolate } from "./isolate/isolate.ts";
import { LOCKS_PREFIX } from "./locks/asked.ts";
import { locksApp } from "./locks/service.ts";
import { quietLog, reasonOf } from "./log.ts";
import { keysApp, managementApp } from "./management/index.ts";
import { platformPorts } from "./ports.ts";
import type { Ports } from "./ports.ts";
import { problem } from "./problem.ts";
import { apiRoutes } from "./routes/api.ts";
import { visitorRoutes } from "./routes/visitor.ts";
import { readingsOf } from "./url/canonical.ts";

const NOT_READY_RETRY_SECONDS = 5;

/**
 * Our own paths are found by their canonical spelling, like every other path. Those of locks are taken
 * as they are: a key may hold any character, and must never go on to the origin.
 */
const getPath = (request: Request): string => {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(LOCKS_PREFIX) ? pathname : (readingsOf(pathname)?.[0] ?? "/");
};

const isManagement = (path: string): boolean =>
  path.startsWith(`${PREFIX}/client/`) || path.startsWith(`${PREFIX}/api/`);

/** The Worker, with all that it takes from outside replaceable. One app is one isolate's memory. */
export const createApp = (given: Partial<Ports> = {}) => {
  const chosen = { ...platformPorts, ...given };
  const ports: Ports = { ...chosen, log: quietLog(chosen.log, chosen.now) };
  const isolate = createIsolate(ports);
  const app = new Hono<AppContext>({ getPath });

  app.use(async function arrive(c, next) {
    const waitUntil = (work: Promise<unknown>): void => c.executionCtx.waitUntil(work);
    c.set("isolate", isolate);
    c.set("arrival", arrivalOf(ports, c.req.raw, c.env, waitUntil));
    await next();
  });

  // They know their own way to the Registry and must work when nothing else does.
  app.use(`${PREFIX}/*`, async function forgetWhatChanges(c, next) {
    await next();
    if (!isSafe(c.req.method) && isManagement(c.req.path)) isolate.deployments.expire();
  });
  app.route(`${PREFIX}/client/v4`, managementApp);
  app.route(`${PREFIX}/api/keys`, keysApp);
  app.route(`${PREFIX}/locks`, locksApp);

  app.use(async function knowTheRooms(c, next) {
    const deployment = await isolate.deployments.current(c.var.arrival);
    if (deployment === null)
      return trouble(c.var.arrival, null, "not-ready", NOT_READY_RETRY_SECONDS);
    c.set("deployment", deployment);
    return next();
  });

  app.route(`${PREFIX}/api`, apiRoutes);
  app.route(`${PREFIX}/rooms`, visitorRoutes);
  app.all(`${PREFIX}/*`, (c) => {
    const answer = problem("not-found", c.var.arrival.reference);
    dressOurs(answer.headers, c.var.arrival, null);
    return answer;
  });

  app.all("*", (c) => gate(isolate, c.var.arrival, c.var.deployment));

  app.onError((error, c) => {
    const { arrival } = c.var;
    ports.log({
      level: "error",
      event: "internal-error",
      reference: arrival.reference,
      reason: reasonOf(error),
    });
    return trouble(arrival, null, "internal");
  });

  return app;
};
