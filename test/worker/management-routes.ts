/** The routes of the management, as its routers have them. */
import { findTargetHandler } from "hono/utils/handler";
import { operatorPaths } from "../../src/worker/app.ts";
import { createIsolate } from "../../src/worker/isolate/isolate.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";
import { needOf, type Need } from "../../src/worker/sign-in/needs.ts";

/** Open to everybody: it says nothing of this deployment; its link is signed; it signs in itself. */
export const OPEN: ReadonlySet<string> = new Set([
  "GET /.seiriken/api/openapi.json",
  "GET /.seiriken/preview/:link",
  "GET /.seiriken/dashboard",
]);

export interface ManagementRoute {
  readonly method: string;
  readonly path: string;
  readonly needs: readonly Need[];
}

/** Each path that takes a method, with what was declared for it. */
export const managementRoutes = ((): readonly ManagementRoute[] => {
  const app = operatorPaths(createIsolate(platformPorts), () => {
    throw new Error("nothing is asked");
  });
  const found = new Map<string, ManagementRoute>();
  for (const { method, path, handler } of app.routes) {
    if (method === "ALL") continue;
    const need = needOf(findTargetHandler(handler));
    const route = found.get(`${method} ${path}`) ?? { method, path, needs: [] };
    const needs = need === null ? route.needs : [...route.needs, need];
    found.set(`${method} ${path}`, { ...route, needs });
  }
  return [...found.values()];
})();

export const nameOf = ({ method, path }: Pick<ManagementRoute, "method" | "path">): string =>
  `${method} ${path}`;

export const guardedRoutes = managementRoutes.filter((route) => !OPEN.has(nameOf(route)));
