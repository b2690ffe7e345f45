/** The tokens of operators: listed, made and revoked at `/.seiriken/api/tokens`. */
import { Hono, type Context } from "hono";
import { base64url } from "jose";
import { expiryOf, parseToken, tokenResource, type TokenInput } from "../../api/tokens/schema.ts";
import {
  beyondMaker,
  coversToken,
  TOKEN_PREFIX,
  type OperatorToken,
} from "../../core/access/token.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import { hex } from "../../core/hex.ts";
import type { RoomId } from "../../core/ids.ts";
import { instant } from "../../core/time.ts";
import type { Definitions, RegistryRpc } from "../../durable/contract.ts";
import { fieldErrorsOf } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { hashOfToken } from "../isolate/known-tokens.ts";
import { needs, signedIn } from "../sign-in/needs.ts";
import { authorOf, tellChange } from "./audit.ts";
import { jsonBody } from "./bodies.ts";
import { failsAs, notAllowed, OperatorRefusal, REGISTRY_FAILURE } from "./refusal.ts";

type C = Context<AppContext>;

const TOKEN_BYTES = 32;
const ID_BYTES = 16;

const app = new Hono<AppContext>();

app.use(signedIn("management-off"));

app.get("/", needs("read", "own-rooms"), async (c) => {
  const { tokens } = await known(c);
  return c.json({ tokens: tokens.filter((token) => isSeen(c, token)).map(tokenResource) });
});

app.get("/:token", needs("read", "own-rooms"), async (c) =>
  c.json(tokenResource(await tokenOf(c))),
);

app.post("/", needs("admin", "own-rooms"), async (c) => {
  const { ports } = c.var.isolate;
  const now = instant(ports.now());
  const read = parseToken(await jsonBody(c), now);
  if (!read.ok) throw refusedFields(read.problems);
  const text = TOKEN_PREFIX + base64url.encode(ports.randomBytes(TOKEN_BYTES));
  const { name, scope } = read.output;
  const token: OperatorToken = {
    ...{ id: hex(ports.randomBytes(ID_BYTES)), name, scope },
    rooms: await roomIdsOf(c, read.output),
    expiresAt: expiryOf(read.output),
    ...{ madeAt: now, madeBy: c.var.operator.name },
    hash: hex(await hashOfToken(text)),
  };
  const beyond = beyondMaker(c.var.operator, token);
  if (beyond.length > 0) throw refusedFields(beyond.map((what) => BEYOND[what]));
  const reply = await registryOf(c).makeToken(token, authorOf(c));
  if (!reply.ok) throw new OperatorRefusal(PROBLEMS[reply.problem]);
  c.var.isolate.deployments.expire();
  tellChange(c, { action: "token-created", target: name });
  const resource = tokenResource(reply.token);
  return c.json({ ...resource, token: text }, 201, { Location: `${c.req.path}/${resource.id}` });
});

app.delete("/:token", needs("admin", "own-rooms"), async (c) => {
  const { id, name } = await tokenOf(c);
  if (!(await registryOf(c).revokeToken(id, authorOf(c))))
    throw new OperatorRefusal("token-not-found");
  c.var.isolate.deployments.expire();
  tellChange(c, { action: "token-revoked", target: name });
  return new Response(null, { status: 204 });
});

app.all("/", (c) => notAllowed(c, "GET, POST"));
app.all("/:token", (c) => notAllowed(c, "GET, DELETE"));
app.all("*", () => {
  throw new OperatorRefusal("not-found");
});

app.onError(failsAs({ ...REGISTRY_FAILURE, event: "tokens-error" }));

export const tokensApp = app;

const PROBLEMS = {
  "name-taken": "token-name-taken",
  "too-many-tokens": "too-many-tokens",
  revoked: "unauthorized",
} as const;

const BEYOND = {
  scope: { keys: ["scope"], message: "is more than your own token has" },
  rooms: { keys: ["rooms"], message: "has rooms that your own token is not for" },
  expiresAt: { keys: ["expires_at"], message: "is later than the end of your own token" },
} as const satisfies Record<string, FieldProblem>;

const registryOf = (c: C): RegistryRpc => c.env.REGISTRY.getByName("registry");

const known = async (c: C): Promise<Required<Pick<Definitions, "rooms" | "tokens">>> => {
  const { rooms = [], tokens = [] } = (await registryOf(c).definitions(null)) ?? {};
  return { rooms, tokens };
};

/** Of a token for other rooms nothing is said, not even that there is one. */
const isSeen = (c: C, token: OperatorToken): boolean => coversToken(c.var.operator, token);

const tokenOf = async (c: C): Promise<OperatorToken> => {
  const id = c.req.param("token")?.toLowerCase();
  const { tokens } = await known(c);
  const found = tokens.find((token) => token.id === id && isSeen(c, token));
  if (found === undefined) throw new OperatorRefusal("token-not-found");
  return found;
};

const roomIdsOf = async (c: C, { rooms: named }: TokenInput): Promise<readonly RoomId[] | null> => {
  if (named === null) return null;
  const { rooms } = await known(c);
  const ids = named.map((given) => {
    const wanted = given.toLowerCase();
    return rooms.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted)?.id ?? null;
  });
  const missing = ids.flatMap((id, index) =>
    id === null ? [{ keys: ["rooms", index], message: "is no room of this deployment" }] : [],
  );
  if (missing.length > 0) throw refusedFields(missing);
  return [...new Set(ids.filter((id) => id !== null))];
};

const refusedFields = (problems: readonly FieldProblem[]): OperatorRefusal =>
  new OperatorRefusal("token-invalid", { errors: fieldErrorsOf(problems) });
