import { createMiddleware } from "hono/factory";
import { setCommonHeaders } from "../answers/our-headers.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { adminAdmission, type Admission } from "./sign-in.ts";
import { problem, type ProblemCode } from "../../api/problem.ts";

const CODES = {
  "too-short": "token-too-short",
  refused: "unauthorized",
  slowed: "too-many-tries",
} as const satisfies Record<Exclude<Admission["kind"], "admitted" | "off">, ProblemCode>;

/** The problem with which a caller is refused; null: the caller is admitted. */
export const bearerProblem = (
  admission: Admission,
  reference: string,
  whenOff: ProblemCode = "not-found",
): Response | null => {
  const { kind } = admission;
  if (kind === "admitted") return null;
  const answer = problem(kind === "off" ? whenOff : CODES[kind], reference);
  if (kind === "refused") answer.headers.set("WWW-Authenticate", 'Bearer realm="seiriken"');
  if (admission.kind === "slowed")
    answer.headers.set("Retry-After", String(Math.ceil(admission.retryAfterMs / 1_000)));
  return answer;
};

/** Lets the deployment's administrator in. `whenOff`: what is said where there is no `ADMIN_TOKEN`. */
export const adminOnlyOr = (whenOff: ProblemCode) =>
  createMiddleware<AppContext>(async function adminOnly(c, next) {
    const { arrival } = c.var;
    const refusal = bearerProblem(adminAdmission(c.var), arrival.reference, whenOff);
    if (refusal !== null) {
      setCommonHeaders(refusal.headers, arrival, null);
      return refusal;
    }
    await next();
    setCommonHeaders(c.res.headers, arrival, null);
    return undefined;
  });

/** Without `ADMIN_TOKEN` there is nothing to get into. */
export const adminOnly = adminOnlyOr("not-found");
