import type { FieldProblem } from "../../core/field-problem.ts";
import { pointer } from "../../core/json/pointer.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { problem, type ProblemCode } from "../../api/problem.ts";
import { setCommonHeaders } from "./our-headers.ts";

export interface FieldError {
  /** RFC 6901, into the body. */
  readonly pointer: string;
  readonly detail: string;
}

export const fieldErrorsOf = (problems: readonly FieldProblem[]): readonly FieldError[] =>
  problems.map(({ keys, message }) => ({ pointer: pointer(keys), detail: message }));

export interface ProblemMore {
  /** Instead of the code's own. */
  readonly status?: number;
  /** Instead of the code's own. */
  readonly detail?: string;
  readonly retryAfterMs?: number;
  readonly errors?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem (RFC 9457) with the headers of every answer of ours. */
export const ownProblem = (
  arrival: Arrival,
  code: ProblemCode,
  { status, detail, retryAfterMs, errors, headers }: ProblemMore = {},
): Response => {
  const members = {
    ...(status === undefined ? {} : { status }),
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
  };
  const plain = problem(code, arrival.reference, members);
  const answer = new Response(plain.body, {
    status: status ?? plain.status,
    headers: plain.headers,
  });
  setCommonHeaders(answer.headers, arrival, null);
  if (retryAfterMs !== undefined)
    answer.headers.set("Retry-After", String(Math.max(1, Math.ceil(retryAfterMs / 1_000))));
  for (const [name, value] of Object.entries(headers ?? {})) answer.headers.set(name, value);
  return answer;
};
