/** Every route of the management that changes something enters it: those that the routers have. */
import { expect, test } from "vitest";
import type { Env } from "../../src/worker/platform/env.ts";
import { parseRule } from "../../src/api/lock-rules/schema.ts";
import { guardedRoutes, nameOf } from "./management-routes.ts";
import { roomOf, World } from "./fakes.ts";

const SECRET = "a-secret-of-some-length";

/** They keep nothing, or only look. */
const ENTER_NOTHING: ReadonlySet<string> = new Set([
  "POST /.seiriken/client/v4/zones/:zone/waiting_rooms/preview",
  "POST /.seiriken/client/v4/graphql",
  "POST /.seiriken/client/v4/graphql/",
  "POST /.seiriken/api/webhooks/:id/test",
]);
/** They are tested where they have what they act on. */
const ELSEWHERE = /\/webhooks|\/draws\/|\/visitors\/|\/pace$/;

const ROOM = {
  ...{ name: "shop", host: "shop.example", path: "/tickets" },
  ...{ total_active_users: 5, new_users_per_minute: 5 },
};
const EVENT = {
  name: "sale",
  event_start_time: "2030-11-20T09:00:00Z",
  event_end_time: "2030-11-20T10:00:00Z",
};
const RULE = { action: "bypass_waiting_room", expression: 'http.request.uri.path eq "/a"' };
const LOCK_RULE = { name: "7", path: "/pay", key: { from: "header", name: "Idempotency-Key" } };

const bodyOf = ({ method, path }: { readonly method: string; readonly path: string }): unknown => {
  if (path.endsWith("/settings")) return { search_engine_crawler_bypass: true };
  if (path.includes("/events")) return EVENT;
  if (path.endsWith("/rules")) return method === "PUT" ? [RULE] : RULE;
  if (path.includes("/rules/")) return RULE;
  if (path.includes("/lock-rules")) return { ...LOCK_RULE, lease_seconds: 7 };
  if (path.endsWith("/tokens")) return { name: "till", scope: "read" };
  return ROOM;
};

/** An argument that says who orders something. */
const isAuthor = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "reference" in value && "network" in value;

const enters = async (method: string, path: string): Promise<boolean> => {
  const parsed = parseRule(LOCK_RULE);
  if (!parsed.ok) throw new Error("the lock rule is none");
  const rules = { rules: async () => ({ version: 1, rules: [parsed.rule] }) };
  const LOCKS = { getByName: () => rules } as unknown as NonNullable<Env["LOCKS"]>;
  const world = new World({ rooms: [roomOf()], env: { ADMIN_TOKEN: SECRET, LOCKS } });
  const token = {
    ...{ id: "7", name: "till", scope: "read", rooms: null, expiresAt: null },
    ...{ madeAt: 0, madeBy: "", hash: "00" },
  };
  world.definitions = { ...world.definitions, tokens: [token as never] };
  let entered = false;
  const registry = new Proxy(world.registry, {
    get: (target, name) => {
      const real = Reflect.get(target, name) as ((...args: unknown[]) => unknown) | undefined;
      return async (...args: unknown[]) => {
        entered ||= args.some(isAuthor);
        return real?.(...args);
      };
    },
  });
  Object.assign(world.env, { REGISTRY: { getByName: () => registry } });
  await world.fetch(path.replace(":room", "shop").replace(/:\w+/g, "7"), {
    method,
    headers: { Authorization: `Bearer ${SECRET}` },
    body: JSON.stringify(bodyOf({ method, path })),
  });
  return entered;
};

test("[AUDIT-1] [AUDIT-2] every route that changes something says who ordered it, or enters it first", async () => {
  const changing = guardedRoutes.filter(
    (route) =>
      route.method !== "GET" && !ENTER_NOTHING.has(nameOf(route)) && !ELSEWHERE.test(route.path),
  );
  expect(changing.length).toBeGreaterThan(20);
  const silent: string[] = [];
  for (const route of changing)
    if (!(await enters(route.method, route.path))) silent.push(nameOf(route));
  expect(silent).toEqual([]);
});
