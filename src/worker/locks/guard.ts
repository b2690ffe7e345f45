/** Lock rules at the edge: around the origin, inside the gate. */
import { lockName, type Namespace } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import type { Arrival } from "../arrival.ts";
import type { OriginAnswer } from "../origin/forward.ts";
import type { Ports } from "../ports.ts";
import { RULE_NAMESPACE } from "./asked.ts";
import { readBounded } from "./body.ts";
import { ours, runLocked, type Forward } from "./locked-run.ts";
import { lockProblem } from "./problems.ts";
import { keyFrom, readsBody } from "./rule-key.ts";
import type { LockRuleMemory } from "./rule-memory.ts";

export type { Forward } from "./locked-run.ts";

/** Of a body in which a key is looked for, or on which a run depends. */
export const LOCKED_BODY_BYTES_MAX = 1_048_576;

const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "TRACE", "CONNECT"];

/** Safe methods never do, nor does a deployment without locks. */
export const mayNeedLock = ({ request, env }: Arrival): boolean =>
  env.LOCKS !== undefined && !SAFE_METHODS.includes(request.method);

/**
 * Asks the origin by `forward` under the lock that a rule wants for this request, or says why not.
 * Null: no rule is for it, and nothing of it was read.
 */
export const guardWithLock = async (
  rules: LockRuleMemory,
  ports: Ports,
  arrival: Arrival,
  forward: Forward,
): Promise<OriginAnswer | null> => {
  const { request, host, readings } = arrival;
  if (!mayNeedLock(arrival)) return null;
  const table = await rules.current(arrival);
  if (table === null)
    return ours(lockProblem(arrival, "locks-unavailable", { retryAfterMs: 5_000 }));
  if (readings === null)
    return table.guards(request.method, host) ? ours(lockProblem(arrival, "ambiguous-url")) : null;
  const match = table.match(request.method, host, readings);
  switch (match.kind) {
    case "none":
      return null;
    case "several":
      return ours(lockProblem(arrival, "ambiguous-url"));
    case "one":
      return lockFor(match.rule, match.path, { ports, arrival }, forward);
    default:
      return match satisfies never;
  }
};

const lockFor = async (
  rule: LockRule,
  path: string,
  { ports, arrival }: { readonly ports: Ports; readonly arrival: Arrival },
  forward: Forward,
): Promise<OriginAnswer> => {
  const { request, url } = arrival;
  const needsBody = rule.idempotency || readsBody(rule);
  const body = needsBody ? await readBounded(request, LOCKED_BODY_BYTES_MAX) : null;
  if (body === "too-large") return ours(lockProblem(arrival, "body-too-large"));
  const read = await keyFrom(rule, request, url, path, body);
  if (read.kind === "problem") return ours(lockProblem(arrival, read.code));
  const again = remade(request, body, rule.idempotency);
  if (read.kind === "missing")
    return rule.key.required
      ? ours(lockProblem(arrival, "lock-key-missing"))
      : forward(again, null);
  const name = lockName(`${RULE_NAMESPACE}${rule.name}` as Namespace, read.key);
  const fingerprint = rule.idempotency ? await fingerprintOf(request, url, body) : null;
  return runLocked({ ports, arrival, rule, name, fingerprint, request: again }, forward);
};

/**
 * The same request with the bytes that were read, and without the client's signal: what began is
 * brought to its end. An answer that is kept is asked for uncompressed, so that its bytes stay its own.
 */
const remade = (request: Request, body: Uint8Array | null, isKept: boolean): Request => {
  const headers = new Headers(request.headers);
  if (isKept) headers.set("Accept-Encoding", "identity");
  const content = body === null ? request.body : body.byteLength === 0 ? null : body;
  return new Request(request.url, { method: request.method, headers, body: content });
};

/** Of method, path and query, type, authorization and every byte of the body. */
const fingerprintOf = async (
  request: Request,
  url: URL,
  body: Uint8Array | null,
): Promise<string> => {
  const { headers, method } = request;
  const head = JSON.stringify([
    method,
    url.pathname + url.search,
    headers.get("Content-Type"),
    headers.get("Authorization"),
  ]);
  const headBytes = new TextEncoder().encode(`${head}\n`);
  const bytes = new Uint8Array(headBytes.length + (body?.length ?? 0));
  bytes.set(headBytes);
  bytes.set(body ?? [], headBytes.length);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
