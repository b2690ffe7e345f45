/** How who brings no good token is refused, as a problem (RFC 9457). */
import type { Admission } from "./sign-in.ts";
import { problem, type ProblemCode } from "../../api/problem.ts";

const CODES = {
  "too-short": "token-too-short",
  refused: "unauthorized",
  slowed: "too-many-tries",
  unheard: "not-ready",
  foreign: "foreign-page",
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
  if (kind === "unheard") answer.headers.set("Retry-After", "1");
  if (admission.kind === "slowed")
    answer.headers.set("Retry-After", String(Math.ceil(admission.retryAfterMs / 1_000)));
  return answer;
};
