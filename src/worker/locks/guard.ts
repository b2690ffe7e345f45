/** Lock rules at the edge: around the origin, inside the gate. */
import type { RoomDefinition } from "../../core/definition.ts";
import { lockName, type Namespace } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { OriginAnswer } from "../origin/forward.ts";
import { clientNetwork } from "../../core/address/ip-address.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { overridingMethods } from "../origin/header-fate.ts";
import { serverOf } from "../../core/gate/route-table.ts";
import { lengthOf } from "../origin/content-length.ts";
import { RULE_NAMESPACE } from "./lock-request.ts";
import { readBounded, type BodyRefusal } from "./body.ts";
import type { BodyShare } from "../isolate/body-budget.ts";
import { answerClientOf, fingerprintOf } from "./fingerprint.ts";
import { ours, runLocked, type ForwardLocked, type LockedRequest } from "./locked-run.ts";
import { ownProblem } from "../answers/own-problem.ts";
import { keyFrom, readsBody } from "./rule-key.ts";
import type { Hosts, RuleTable } from "../../core/locks/rule-table.ts";
import { Upload } from "./upload.ts";

export type { ForwardLocked as Forward } from "./locked-run.ts";

/** Of a body in which a key is looked for, or on which a run depends. */
export const LOCKED_BODY_BYTES_MAX = 1_048_576;

/** The parts of an isolate that the guard needs. */
export type Guarding = Pick<
  Isolate,
  "ports" | "lockRules" | "lockShards" | "bodies" | "deployments"
>;

const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "TRACE", "CONNECT"];

/** Safe methods never do, nor does a deployment without locks. */
export const mayNeedLock = ({ method, env }: Arrival): boolean =>
  env.LOCKS !== undefined && !SAFE_METHODS.includes(method);

/**
 * Asks the origin by `forward` under the lock that a rule wants for this request, or says why not.
 * Null: no rule is for it, and nothing of it was read.
 */
export const guardWithLock = async (
  guarding: Guarding,
  arrival: Arrival,
  forward: ForwardLocked,
  room: RoomDefinition | null = null,
): Promise<OriginAnswer | null> => {
  const { readings } = arrival;
  if (!mayNeedLock(arrival)) return null;
  const table = await guarding.lockRules.current(arrival);
  if (table === null)
    return ours(ownProblem(arrival, "locks-unavailable", { retryAfterMs: 5_000 }));
  const hosts = await hostsOf(guarding, arrival, table, room);
  const methods = methodsOf(arrival);
  const found = new Map<string, LockRule>();
  for (const method of methods) {
    const match = readings === null ? null : table.match(method, hosts, readings);
    if (match?.kind === "one") found.set(match.rule.name, match.rule);
    if (match?.kind === "several-hosts") return ours(ownProblem(arrival, "ambiguous-host"));
    const isUnclear = match === null ? table.guards(method, hosts) : match.kind === "several";
    if (isUnclear) return ours(ownProblem(arrival, "ambiguous-url"));
  }
  const [rule] = found.values();
  if (found.size > 1) return ours(ownProblem(arrival, "ambiguous-method"));
  return rule === undefined ? null : lockFor(rule, guarding, arrival, forward);
};

/**
 * The hosts whose rules are for a request. A server that hears its own name gives the same answer
 * under each host, so a host that no route and no rule names is under the rules of all hosts of
 * that server.
 */
const hostsOf = async (
  { deployments }: Guarding,
  arrival: Arrival,
  table: RuleTable,
  room: RoomDefinition | null,
): Promise<Hosts> => {
  const { host, readings, env } = arrival;
  const server = serverOf(room?.origin ?? env.ORIGIN);
  if (server === null || !table.namesHosts || table.names(host)) return (named) => named === host;
  const routes = (await deployments.current(arrival))?.routes;
  if (routes?.hasRoutesOn(host)) return (named) => named === host;
  return (named) => routes?.mayReach(server, named, readings) !== false;
};

/** What the origin may take the method for: many frameworks let a POST say that it means another. */
const methodsOf = ({ request, url }: Arrival): ReadonlySet<string> => {
  const method = request.method.toUpperCase();
  if (method !== "POST") return new Set([method]);
  const meant = overridingMethods(request.headers).join();
  const all = `${meant},${url.searchParams.getAll("_method").join()}`.toUpperCase().split(",", 64);
  return new Set([method, ...all.map((one) => one.trim()).filter((one) => one !== "")]);
};

const lockFor = async (
  rule: LockRule,
  guarding: Guarding,
  arrival: Arrival,
  forward: ForwardLocked,
): Promise<OriginAnswer> => {
  if (!rule.idempotency && !readsBody(rule))
    return lockWith(rule, null, guarding, arrival, forward);
  const tab = guarding.bodies.open(clientNetwork(arrival.address ?? ""));
  try {
    const body = await bodyOf(rule, tab, guarding, arrival);
    if (typeof body !== "string") return await lockWith(rule, body, guarding, arrival, forward);
    const retryAfterMs = body === "no-room" ? NO_ROOM_RETRY_MS : undefined;
    const more = retryAfterMs === undefined ? {} : { retryAfterMs };
    return ours(ownProblem(arrival, BODY_CODES[body], more));
  } finally {
    tab.close();
  }
};

const NO_ROOM_RETRY_MS = 2_000;
const BODY_CODES = {
  "too-large": "body-too-large",
  "too-slow": "body-too-slow",
  "no-room": "too-many-bodies",
} as const;

const bodyOf = (
  rule: LockRule,
  tab: BodyShare,
  { ports }: Guarding,
  { request, waitUntil }: Arrival,
): Promise<Uint8Array | BodyRefusal> => {
  const { take } = tab;
  const options = { ports, bytesMax: LOCKED_BODY_BYTES_MAX, maxMs: rule.bodyMs, take };
  const reading = readBounded(request, options);
  // Without a waitUntil the runtime would drop this work when the client resets the connection.
  waitUntil(reading.catch(() => null));
  return reading;
};

const lockWith = async (
  rule: LockRule,
  body: Uint8Array | null,
  { ports, lockShards, deployments }: Guarding,
  arrival: Arrival,
  forward: ForwardLocked,
): Promise<OriginAnswer> => {
  const { request } = arrival;
  const read = await keyFrom(rule, arrival, body);
  if (read.kind === "problem") return ours(ownProblem(arrival, read.code));
  if (read.kind === "missing")
    return rule.key.required
      ? ours(ownProblem(arrival, "lock-key-missing"))
      : forward(remade(request, body ?? request.body, rule.idempotency), null);
  const name = lockName(`${RULE_NAMESPACE}${rule.name}` as Namespace, read.key);
  const kept = rule.idempotency ? await keptFor(rule, arrival, body, deployments) : null;
  // The runtime gives a stream to an empty body as well.
  const isStreamed = body === null && lengthOf(request.headers) !== 0 && request.body !== null;
  const upload = isStreamed ? new Upload(ports, request, rule.bodyMs) : null;
  const again = remade(request, upload?.readable ?? body, rule.idempotency, upload?.broken);
  const locked = { ports, lockShards, arrival, rule, name, kept, request: again, upload };
  return runLocked(locked, forward);
};

const keptFor = async (
  rule: LockRule,
  arrival: Arrival,
  body: Uint8Array | null,
  deployments: Guarding["deployments"],
): Promise<LockedRequest["kept"]> => {
  const deployment = await deployments.current(arrival);
  const fingerprint = await fingerprintOf(rule, arrival, body);
  return { fingerprint, client: await answerClientOf(rule, arrival, deployment?.keys ?? null) };
};

/**
 * The same request with the bytes that were read, and without the client's signal: what began is
 * brought to its end. An answer that is kept is asked for uncompressed, so that its bytes stay its own.
 */
const remade = (
  request: Request,
  body: Uint8Array | ReadableStream | null,
  isKept: boolean,
  signal: AbortSignal | null = null,
): Request => {
  const headers = new Headers(request.headers);
  if (isKept) headers.set("Accept-Encoding", "identity");
  const content = body instanceof Uint8Array && body.byteLength === 0 ? null : body;
  if (content instanceof Uint8Array) headers.set("Content-Length", String(content.byteLength));
  return new Request(request.url, { method: request.method, headers, body: content, signal });
};
