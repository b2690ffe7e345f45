/** The signing keys by name, and a new first one. Mounted at `/.seiriken/api/keys`. */
import { Hono } from "hono";
import type { Env } from "../env.ts";
import { reasonOf } from "../log.ts";
import { admissionOf, MANAGEMENT_OFF, NOT_SIGNED_IN } from "./auth.ts";

interface Problem {
  readonly status: 401 | 404 | 409 | 503;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

const OFF: Problem = {
  status: 404,
  code: "management-off",
  title: "Management is off",
  detail: MANAGEMENT_OFF,
};
const REFUSED: Problem = {
  status: 401,
  code: "unauthorized",
  title: "The bearer token is missing or wrong",
  detail: NOT_SIGNED_IN,
};
const FROM_SECRET: Problem = {
  status: 409,
  code: "keys-from-secret",
  title: "The keys come from a secret",
  detail:
    "This deployment signs with the secret SIGNING_KEYS. To rotate, put a new kid:secret pair in " +
    "front of it and keep the old ones behind it.",
};
const UNAVAILABLE: Problem = {
  status: 503,
  code: "registry-unavailable",
  title: "The Registry could not be reached",
  detail: "Nothing is known to have changed. Try again.",
};

const app = new Hono<{ Bindings: Env }>();

app.use(async (c, next) => {
  c.header("Cache-Control", "no-store");
  const admission = await admissionOf(c.req.raw, c.env);
  if (admission === "off") return problemAnswer(OFF);
  if (admission === "refused") return problemAnswer(REFUSED);
  return next();
});

/** The first of `keys` signs; every one of them verifies. Secrets never leave. */
app.get("/", async (c) => {
  const given = c.env.SIGNING_KEYS;
  if (given) return c.json({ source: "secret", keys: kidsOf(given) });
  const known = await c.env.REGISTRY.getByName("registry").definitions(null);
  return c.json({ source: "registry", keys: (known?.keys ?? []).map(({ kid }) => kid) });
});

app.post("/rotate", async (c) => {
  if (c.env.SIGNING_KEYS) return problemAnswer(FROM_SECRET);
  const keys = await c.env.REGISTRY.getByName("registry").rotateKeys();
  return c.json({ source: "registry", keys });
});

app.all("*", (c) =>
  problemAnswer({
    status: 404,
    code: "not-found",
    title: "Nothing here",
    detail: `There is nothing at ${c.req.method} ${c.req.path}.`,
  }),
);

app.onError((error) => {
  console.error(JSON.stringify({ level: "error", event: "keys-error", reason: reasonOf(error) }));
  return problemAnswer(UNAVAILABLE);
});

export const keysApp = app;

const kidsOf = (pairs: string): string[] =>
  pairs
    .split(",")
    .map((pair) => pair.split(":")[0]?.trim() ?? "")
    .filter((kid) => kid !== "");

/** RFC 9457. */
function problemAnswer({ status, code, title, detail }: Problem): Response {
  const headers = new Headers({
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
  });
  if (status === 401) headers.set("WWW-Authenticate", 'Bearer realm="seiriken"');
  if (status === 503) headers.set("Retry-After", "1");
  const body = JSON.stringify({ type: `urn:seiriken:${code}`, status, code, title, detail });
  return new Response(body, { status, headers });
}
