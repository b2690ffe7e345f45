import { createMiddleware } from "hono/factory";
import { dressOurs } from "../answers/our-headers.ts";
import type { AppContext } from "../context.ts";
import { admissionOf } from "../management/auth.ts";
import { problem } from "../problem.ts";

/** Lets the deployment's administrator in. Without `ADMIN_TOKEN` there is nothing to get into. */
export const adminOnly = createMiddleware<AppContext>(async function adminOnly(c, next) {
  const { arrival } = c.var;
  const admission = await admissionOf(c.req.raw, c.env);
  if (admission !== "admin") {
    const answer = problem(admission === "off" ? "not-found" : "unauthorized", arrival.reference);
    if (admission === "refused") answer.headers.set("WWW-Authenticate", 'Bearer realm="seiriken"');
    dressOurs(answer.headers, arrival, null);
    return answer;
  }
  await next();
  dressOurs(c.res.headers, arrival, null);
  return undefined;
});
