/** The signing keys by name: list, rotate, revoke. Mounted at `/.seiriken/api/keys`. */
import { Hono, type Context } from "hono";
import type { KeysReply, RegistryRpc } from "../../durable/contract.ts";
import type { AppContext } from "../isolate/app-context.ts";
import type { OperatorChange } from "../isolate/operator-log.ts";
import { needs, signedIn } from "../sign-in/needs.ts";
import { authorOf, tellChange } from "./audit.ts";
import { failsAs, notAllowed, OperatorRefusal, REGISTRY_FAILURE } from "./refusal.ts";

type C = Context<AppContext>;

const app = new Hono<AppContext>();

app.use(signedIn("management-off"));

/** The first of `keys` signs; every one of them verifies. Secrets never leave. */
app.get("/", needs("read"), async (c) => {
  const given = c.env.SIGNING_KEYS;
  if (given) return c.json({ source: "secret", keys: kidsOf(given) });
  const known = await registryOf(c).definitions(null);
  return c.json({ source: "registry", keys: (known?.keys ?? []).map(({ kid }) => kid) });
});

app.post("/rotate", needs("admin"), (c) =>
  change(
    c,
    (registry) => registry.rotateKeys(authorOf(c)),
    ([made = ""]) => ({ action: "key-rotated", target: made }),
  ),
);
app.delete("/:kid", needs("admin"), (c) => {
  const kid = c.req.param("kid");
  const told = () => ({ action: "key-revoked", target: kid }) as const;
  return change(c, (registry) => registry.revokeKey(kid, authorOf(c)), told);
});

app.all("/", (c) => notAllowed(c, "GET"));
app.all("/rotate", (c) => notAllowed(c, "POST"));
app.all("/:kid", (c) => notAllowed(c, "DELETE"));
app.all("*", () => {
  throw new OperatorRefusal("not-found");
});

app.onError(failsAs({ ...REGISTRY_FAILURE, event: "keys-error" }));

export const keysApp = app;

const registryOf = (c: C): RegistryRpc => c.env.REGISTRY.getByName("registry");

const change = async (
  c: C,
  act: (registry: RegistryRpc) => Promise<KeysReply>,
  told: (kids: readonly string[]) => OperatorChange,
) => {
  if (c.env.SIGNING_KEYS) throw new OperatorRefusal("keys-from-secret");
  const reply = await act(registryOf(c));
  if (reply.ok) {
    tellChange(c, told(reply.kids));
    return c.json({ source: "registry", keys: reply.kids });
  }
  if (reply.problem === "no-such-key") throw new OperatorRefusal("key-not-found");
  const detail = `There are as many keys as there may be, and each signed what is still good. Revoke one: ${reply.oldest} is the oldest.`;
  throw new OperatorRefusal("too-many-keys", { detail });
};

const kidsOf = (pairs: string): string[] =>
  pairs
    .split(",")
    .map((pair) => pair.split(":")[0]?.trim() ?? "")
    .filter((kid) => kid !== "");
