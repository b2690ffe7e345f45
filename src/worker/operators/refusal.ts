/** How the operators' own routes refuse and fail: in one shape (RFC 9457). Cloudflare's have its envelope. */
import type { LogEvent } from "../../core/log-events.ts";
import type { Context, ErrorHandler } from "hono";
import { SECOND_MS } from "../../core/time.ts";
import type { ProblemCode } from "../../api/problem.ts";
import { ownProblem, type ProblemMore } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import { reasonOf } from "../platform/log.ts";

/** A "no", thrown inside these routes. */
export class OperatorRefusal extends Error {
  readonly code: ProblemCode;
  readonly more: ProblemMore;

  constructor(code: ProblemCode, more: ProblemMore = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

/** What is answered, and logged, when an object can't be reached. */
interface Outage {
  readonly code: ProblemCode;
  readonly event: LogEvent;
  readonly retryAfterMs: number;
  /** Which errors mean that; the others are ours. */
  readonly isIt: (error: Error) => boolean;
}

export const REGISTRY_FAILURE = {
  code: "registry-unavailable",
  retryAfterMs: SECOND_MS,
  isIt: () => true,
} as const;

export const isUnreachable = (error: Error): boolean => error instanceof UnreachableError;

export const failsAs =
  ({ code, event, retryAfterMs, isIt }: Outage): ErrorHandler<AppContext> =>
  (error, c) => {
    const { arrival, isolate } = c.var;
    if (error instanceof OperatorRefusal) return ownProblem(arrival, error.code, error.more);
    if (!isIt(error)) throw error;
    const { reference } = arrival;
    const reason = error instanceof UnreachableError ? error.message : reasonOf(error);
    isolate.ports.log({ level: "error", event, reference, reason });
    return ownProblem(arrival, code, { retryAfterMs });
  };

export const notAllowed = (c: Context<AppContext>, allow: string): Response =>
  ownProblem(c.var.arrival, "method-not-allowed", { headers: { Allow: allow } });
