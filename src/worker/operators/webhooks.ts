/** Webhooks: mounted at `/.seiriken/api/webhooks`. */
import { Hono, type Context } from "hono";
import { includes } from "../../core/access/scopes.ts";
import type { Webhook, WebhookInput } from "../../core/alerts/webhook.ts";
import { differencesOf, fullDifferencesOf } from "../../core/differences.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import {
  attemptResource,
  deliveryResource,
  receiverOf,
  webhookResource,
} from "../../api/webhooks/resource.ts";
import { parseWebhook, parseWebhookChange, type ReadWebhook } from "../../api/webhooks/schema.ts";
import { PREFIX, type ReadAt } from "../../durable/contract.ts";
import type {
  WebhookCommand,
  WebhookCommands,
  WebhookProblem,
} from "../../durable/webhooks-contract.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { fieldErrorsOf } from "../answers/own-problem.ts";
import { needs, signedIn } from "../sign-in/needs.ts";
import { audit, tellChange } from "./audit.ts";
import { jsonBody } from "./bodies.ts";
import { etagAt, ifMatchOf, isKnown } from "./entity-tags.ts";
import { failsAs, notAllowed, OperatorRefusal, REGISTRY_FAILURE } from "./refusal.ts";

const BODY_BYTES_MAX = 32_768;
const DELIVERIES_SHOWN = 50;
const DELIVERIES_SHOWN_MAX = 1_000;

type C = Context<AppContext>;

const app = new Hono<AppContext>();

app.use(signedIn("management-off"));

app.get("/", needs("read"), async (c) => {
  const webhooks = await ask(c, "list", {});
  return c.json({ webhooks: webhooks.map((webhook) => shown(c, webhook)) });
});

app.post("/", needs("admin"), async (c) => {
  const input = validOf(parseWebhook(await jsonBody(c, BODY_BYTES_MAX)));
  const differences = fullDifferencesOf({}, setBy(input));
  await audit(c, { action: "webhook-created", target: input.name, differences });
  const { webhook, secret } = await ask(c, "create", { input });
  tell(c, "webhook-created", null, webhook);
  c.header("ETag", etagAt(webhook.modifiedAt));
  return c.json({ ...shown(c, webhook), secret }, 201, {
    Location: `${PREFIX}/api/webhooks/${webhook.id}`,
  });
});

app.get("/:id", needs("read"), async (c) => {
  const webhook = await standing(c);
  const etag = etagAt(webhook.modifiedAt);
  c.header("ETag", etag);
  return isKnown(c, etag) ? c.body(null, 304) : c.json(shown(c, webhook));
});

/** What the body names is changed; null in `types` and `rooms` is all of them. */
app.patch("/:id", needs("admin"), async (c) => {
  const input = validOf(parseWebhookChange(await jsonBody(c, BODY_BYTES_MAX)));
  const before = await standingAsRead(c);
  const differences = fullDifferencesOf(setBy(before, setBy(input)), setBy(input));
  await audit(c, { action: "webhook-changed", target: before.name, differences });
  const webhook = await ask(c, "change", { id: before.id, input, ...conditionOf(c) });
  tell(c, "webhook-changed", before, webhook);
  c.header("ETag", etagAt(webhook.modifiedAt));
  return c.json(shown(c, webhook));
});

app.delete("/:id", needs("admin"), async (c) => {
  const before = await standingAsRead(c);
  const differences = fullDifferencesOf(setBy(before), {});
  await audit(c, { action: "webhook-deleted", target: before.name, differences });
  await ask(c, "remove", { id: before.id, ...conditionOf(c) });
  tell(c, "webhook-deleted", before, null);
  return c.body(null, 204);
});

/** Sent now, once; the answer says what the receiver said. */
app.post("/:id/test", needs("admin"), async (c) =>
  c.json(attemptResource(await ask(c, "test", { id: c.req.param("id") }))),
);

/** The secret that was signs too, for a day. */
app.post("/:id/secret", needs("admin"), async (c) => {
  const before = await standing(c);
  await audit(c, { action: "webhook-secret-rotated", target: before.name });
  const { webhook, secret } = await ask(c, "rotate", { id: before.id });
  tellChange(c, { action: "webhook-secret-rotated", target: webhook.name });
  return c.json({ ...shown(c, webhook), secret });
});

app.get("/:id/deliveries", needs("read"), async (c) => {
  const limit = limitOf(c);
  const deliveries = await ask(c, "deliveries", { id: c.req.param("id"), limit });
  return c.json({ deliveries: deliveries.map(deliveryResource) });
});

app.all("/", (c) => notAllowed(c, "GET, POST"));
app.all("/:id", (c) => notAllowed(c, "GET, PATCH, DELETE"));
app.all("/:id/test", (c) => notAllowed(c, "POST"));
app.all("/:id/secret", (c) => notAllowed(c, "POST"));
app.all("/:id/deliveries", (c) => notAllowed(c, "GET"));
app.all("*", () => {
  throw new OperatorRefusal("not-found");
});

app.onError(failsAs({ ...REGISTRY_FAILURE, event: "webhooks-error" }));

export const webhooksApp = app;

const shown = (c: C, webhook: Webhook) =>
  webhookResource(webhook, includes(c.var.operator.scope, "admin"));

const ask = async <Do extends keyof WebhookCommands>(
  c: C,
  act: Do,
  asks: WebhookCommand<Do>,
): Promise<WebhookCommands[Do]["reply"]> => {
  const reply = await c.env.REGISTRY.getByName("registry").webhook(act, asks);
  if (reply.ok) return reply.value;
  throw refusalOf(reply.problem);
};

const refusalOf = (problem: WebhookProblem): OperatorRefusal => {
  switch (problem.code) {
    case "not-found":
      return new OperatorRefusal("webhook-not-found");
    case "too-many":
      return new OperatorRefusal("too-many-webhooks");
    case "modified-since":
      return new OperatorRefusal("webhook-changed");
    case "invalid":
      return refusedFields(problem.problems);
    default:
      return problem satisfies never;
  }
};

const refusedFields = (problems: readonly FieldProblem[]): OperatorRefusal =>
  new OperatorRefusal("webhook-invalid", { errors: fieldErrorsOf(problems) });

const standing = async (c: C): Promise<Webhook> => {
  const id = c.req.param("id");
  const found = (await ask(c, "list", {})).find((webhook) => webhook.id === id);
  if (found === undefined) throw new OperatorRefusal("webhook-not-found");
  return found;
};

/** What would be refused anyway is not entered in the audit log. */
const standingAsRead = async (c: C): Promise<Webhook> => {
  const webhook = await standing(c);
  const { readAt } = conditionOf(c);
  if (readAt === undefined || readAt.includes(webhook.modifiedAt)) return webhook;
  throw new OperatorRefusal("webhook-changed");
};

const conditionOf = (c: C): { readonly readAt?: ReadAt } => {
  const readAt = ifMatchOf(c);
  if (readAt === null) throw new OperatorRefusal("webhook-changed");
  return readAt === undefined ? {} : { readAt };
};

const limitOf = (c: C): number => {
  const given = c.req.query("limit") ?? String(DELIVERIES_SHOWN);
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= DELIVERIES_SHOWN_MAX) return limit;
  const detail = `must be a whole number from 1 to ${DELIVERIES_SHOWN_MAX}`;
  throw new OperatorRefusal("query-invalid", { errors: [{ parameter: "limit", detail }] });
};

/** Of a URL only whose it is: services put secrets into its path. */
const tell = (
  c: C,
  action: "webhook-created" | "webhook-changed" | "webhook-deleted",
  before: Webhook | null,
  after: Webhook | null,
): void => {
  const [old, now] = [before, after].map((webhook) =>
    webhook === null ? {} : webhookResource(webhook, false),
  );
  const { changes, more } = differencesOf(old ?? {}, now ?? {});
  if (Object.keys(changes).length === 0) return;
  const target = (after ?? before)?.name ?? "";
  tellChange(c, { action, target, changes, ...(more === 0 ? {} : { more }) });
};

const SETTINGS = ["name", "url", "types", "rooms", "enabled"] as const;

/** What of it is set, for the log; of a URL only whose it is. `like`: the same settings alone. */
const setBy = (webhook: Partial<WebhookInput>, like: object = webhook): object =>
  Object.fromEntries(
    SETTINGS.filter((name) => name in webhook && name in like).map((name) => [
      name,
      name === "url" ? receiverOf(webhook.url ?? "") : webhook[name],
    ]),
  );

const validOf = <T>(read: ReadWebhook<T>): T => {
  if (read.ok) return read.input;
  throw refusedFields(read.problems);
};
