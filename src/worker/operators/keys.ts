/** The signing keys by name: list, rotate, revoke. Mounted at `/.seiriken/api/keys`. */
import { Hono, type Context } from "hono";
import type { KeysReply, RegistryRpc } from "../../durable/contract.ts";
import { setCommonHeaders } from "../answers/our-headers.ts";
import type { AppContext } from "../isolate/app-context.ts";
import type { OperatorChange } from "../isolate/operator-log.ts";
import { reasonOf } from "../platform/log.ts";
import { bearerProblem } from "../sign-in/bearer.ts";
import { problem, type ProblemCode } from "../../api/problem.ts";
import { adminAdmission } from "../sign-in/sign-in.ts";

type C = Context<AppContext>;

const app = new Hono<AppContext>();

app.use(async (c, next) => {
  const { arrival } = c.var;
  const refusal = bearerProblem(adminAdmission(c.var), arrival.reference, "management-off");
  if (refusal === null) await next();
  const answer = refusal ?? c.res;
  setCommonHeaders(answer.headers, arrival, null);
  return refusal ?? undefined;
});

/** The first of `keys` signs; every one of them verifies. Secrets never leave. */
app.get("/", async (c) => {
  const given = c.env.SIGNING_KEYS;
  if (given) return c.json({ source: "secret", keys: kidsOf(given) });
  const known = await registryOf(c).definitions(null);
  return c.json({ source: "registry", keys: (known?.keys ?? []).map(({ kid }) => kid) });
});

app.post("/rotate", (c) =>
  change(
    c,
    (registry) => registry.rotateKeys(),
    ([made = ""]) => ({ action: "key-rotated", target: made }),
  ),
);
app.delete("/:kid", (c) => {
  const kid = c.req.param("kid");
  const told = () => ({ action: "key-revoked", target: kid }) as const;
  return change(c, (registry) => registry.revokeKey(kid), told);
});

app.all("*", (c) => refuse(c, "not-found"));

app.onError((error, c) => {
  const { arrival, isolate } = c.var;
  const { reference } = arrival;
  isolate.ports.log({ level: "error", event: "keys-error", reference, reason: reasonOf(error) });
  const answer = refuse(c, "registry-unavailable");
  answer.headers.set("Retry-After", "1");
  return answer;
});

export const keysApp = app;

const registryOf = (c: C): RegistryRpc => c.env.REGISTRY.getByName("registry");

const change = async (
  c: C,
  act: (registry: RegistryRpc) => Promise<KeysReply>,
  told: (kids: readonly string[]) => OperatorChange,
) => {
  if (c.env.SIGNING_KEYS) return refuse(c, "keys-from-secret");
  const reply = await act(registryOf(c));
  if (reply.ok) {
    c.var.isolate.operatorLog.tell(c.var.arrival, told(reply.kids));
    return c.json({ source: "registry", keys: reply.kids });
  }
  if (reply.problem === "no-such-key") return refuse(c, "key-not-found");
  const detail = `There are as many keys as there may be, and each signed what is still good. Revoke one: ${reply.oldest} is the oldest.`;
  return refuse(c, "too-many-keys", { detail });
};

/** RFC 9457. */
const refuse = (c: C, code: ProblemCode, members: { readonly detail?: string } = {}): Response => {
  const answer = problem(code, c.var.arrival.reference, members);
  setCommonHeaders(answer.headers, c.var.arrival, null);
  return answer;
};

const kidsOf = (pairs: string): string[] =>
  pairs
    .split(",")
    .map((pair) => pair.split(":")[0]?.trim() ?? "")
    .filter((kid) => kid !== "");
