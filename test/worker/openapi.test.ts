import { expect, test } from "vitest";
import { auditApp } from "../../src/worker/operators/audit-log.ts";
import { tokensApp } from "../../src/worker/operators/tokens.ts";
import { lockRulesApp } from "../../src/worker/operators/lock-rules.ts";
import { deletedRoomsApp, keysApp, managementApp } from "../../src/worker/operators/rooms-app.ts";
import { metricsApp } from "../../src/worker/operators/metrics.ts";
import { openApiApp } from "../../src/worker/operators/openapi.ts";
import { apiRoutes } from "../../src/worker/operators/visits.ts";
import { webhooksApp } from "../../src/worker/operators/webhooks.ts";
import { World } from "./fakes.ts";

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const fetched = async (): Promise<Description> => {
  const answer = await new World().fetch("/.seiriken/api/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  return answer.json();
};

test("[OPENAPI-1] the document is served to everybody, also where management is off", async () => {
  expect((await fetched()).openapi).toBe("3.1.0");
});

/** As `GET /client/v4/zones/{zone}/waiting_rooms`. */
const routesOf = (below: string, app: typeof managementApp): string[] =>
  app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => {
      const named = path.replace(/:(\w+)/g, "{$1}").replace(/\/$/, "");
      return `${method} ${below}${named}`;
    });

test("[OPENAPI-2] it has every call that is routed, and no other", async () => {
  const { paths } = await fetched();
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = [
    ...routesOf("/client/v4", managementApp),
    ...routesOf("/api/keys", keysApp),
    ...routesOf("/api/lock-rules", lockRulesApp),
    ...routesOf("/api/tokens", tokensApp),
    ...routesOf("/api/audit", auditApp),
    ...routesOf("/api/webhooks", webhooksApp),
    ...routesOf("/api/rooms", deletedRoomsApp),
    ...routesOf("/api", openApiApp),
    ...routesOf("/api", apiRoutes),
    ...routesOf("/metrics", metricsApp),
  ];
  expect(described.toSorted()).toEqual([...new Set(routed)].toSorted());
});

test("[API-22] every path of the document answers other methods with 405, and says which it takes", async () => {
  const { paths } = await fetched();
  const token = "a-token-of-some-length";
  const world = new World({ env: { ADMIN_TOKEN: token } });
  const headers = { Authorization: `Bearer ${token}` };
  for (const [path, operations] of Object.entries(paths)) {
    const takes = Object.keys(operations).map((method) => method.toUpperCase());
    const [other = ""] = ["PUT", "POST", "DELETE"].filter((method) => !takes.includes(method));
    const at = `/.seiriken${path.replaceAll(/\{\w+\}/g, "one")}`;
    const answer = await world.fetch(at, { method: other, headers });
    const allowed = answer.headers.get("Allow")?.split(", ") ?? [];
    const said = [other, at, answer.status, takes.every((method) => allowed.includes(method))];
    expect(said).toEqual([other, at, 405, true]);
  }
});
