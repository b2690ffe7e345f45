/** The audit log, at `/.seiriken/api/audit`. */
import { Hono, type Context } from "hono";
import { auditQuery, type AskedAudit } from "../../api/audit/query.ts";
import { auditEntryResource } from "../../api/audit/resource.ts";
import { coversRoom } from "../../core/access/scopes.ts";
import type { AuditPage } from "../../core/audit/entry.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { findRoom } from "../isolate/deployment.ts";
import { needs, signedIn } from "../sign-in/needs.ts";
import { failsAs, notAllowed, OperatorRefusal, REGISTRY_FAILURE } from "./refusal.ts";

type C = Context<AppContext>;

const app = new Hono<AppContext>();

app.use(signedIn("management-off"));

app.get("/", needs("read", "own-rooms"), async (c) => {
  const asked = auditQuery((name) => c.req.query(name));
  if (!("limit" in asked)) throw new OperatorRefusal("query-invalid", { errors: asked });
  const page = await pageOf(c, asked);
  const entries = page.entries.map(auditEntryResource);
  const next = page.nextBefore;
  if (next !== null) c.header("Link", `<${nextPage(c, next)}>; rel="next"`);
  if (asked.format === "json") return c.json({ entries, next_before: next });
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  return c.body(lines, 200, { "Content-Type": "application/x-ndjson; charset=utf-8" });
});

app.all("/", (c) => notAllowed(c, "GET"));
app.all("*", () => {
  throw new OperatorRefusal("not-found");
});

app.onError(failsAs({ ...REGISTRY_FAILURE, event: "audit-error" }));

export const auditApp = app;

/** A room is asked for by what it is called now, or was called then; it is compared by its id too. */
const pageOf = async (c: C, asked: AskedAudit): Promise<AuditPage> => {
  const { operator, isolate, arrival } = c.var;
  const { format: _, ...query } = asked;
  const deployment = await isolate.deployments.current(arrival);
  const named =
    asked.room === null || deployment === null ? null : findRoom(deployment, asked.room);
  const isHidden = named !== null && !coversRoom(operator, named.id);
  if (isHidden) return { entries: [], nextBefore: null };
  const registry = c.env.REGISTRY.getByName("registry");
  return registry.auditLog({ ...query, room: named?.id ?? query.room, rooms: operator.rooms });
};

const nextPage = (c: C, before: number): string => {
  const { url } = c.var.arrival;
  const query = new URLSearchParams(url.search);
  query.set("before", String(before));
  return `${url.pathname}?${query.toString()}`;
};
