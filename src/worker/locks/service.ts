/** The lock service: leases over HTTP, locks that live with a socket, and a list for operators. */
import { base64url } from "jose";
import type { Owner } from "../../core/locks/lock.ts";
import { keyOf, namespaceOf, type LockName, type Namespace } from "../../core/locks/name.ts";
import { LastMade } from "../../core/last-made.ts";
import { rfc3339 } from "../../core/time.ts";
import type { AcquireAsk, Grant, LockRow } from "../../durable/locks/contract.ts";
import { commonHeaders, setCommonHeaders } from "../answers/our-headers.ts";
import { isUpgrade } from "../arrival/caller.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { lockAdmission } from "../sign-in/sign-in.ts";
import { bearerProblem } from "../sign-in/bearer.ts";
import { callObject, UnreachableError } from "../isolate/call-object.ts";
import { ownerOf, lockPathOf, RULE_NAMESPACE, timesOf } from "./lock-request.ts";
import { lateAnswer } from "./late-answer.ts";
import { LOCK_SEAT_HEADER } from "../../core/locks/seat.ts";
import { ownProblem } from "../answers/own-problem.ts";
import { REFUSAL_CODES } from "./problems.ts";
import { shardFor, shardsOf } from "../isolate/lock-shards.ts";

const OWNER_BYTES = 16;
const ROWS_MAX = 1_000;
const UNREACHABLE_RETRY_MS = 2_000;
/** A call that took longer than this has waited, and its client may be gone. */
const WAITED_MS = 50;
const METHODS = "GET, POST, PATCH, DELETE";

/** A question to the service. It has no router: all of it is one path, and is asked often. */
interface ServiceCall {
  readonly arrival: Arrival;
  readonly isolate: Isolate;
}

export const answerLocks = async (isolate: Isolate, arrival: Arrival): Promise<Response> => {
  const asked = { isolate, arrival };
  if (arrival.env.LOCKS === undefined) return ownProblem(arrival, "not-found");
  const refusal = bearerProblem(lockAdmission(asked), arrival.reference);
  if (refusal !== null) {
    setCommonHeaders(refusal.headers, arrival, null);
    return refusal;
  }
  try {
    return await answer(asked);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const { reference } = arrival;
    const { ports } = isolate;
    ports.log({ level: "error", event: "locks-unreachable", reference, reason: error.message });
    return ownProblem(arrival, "locks-unavailable", { retryAfterMs: UNREACHABLE_RETRY_MS });
  }
};

const answer = (c: ServiceCall): Promise<Response> | Response => {
  const { arrival } = c;
  const { request } = arrival;
  const place = lockPathOf(arrival.asked.pathname);
  if (place === null) return ownProblem(arrival, "lock-name-invalid");
  const { method } = request;
  const { namespace, name } = place;
  const isRead = method === "GET" || method === "HEAD";
  if (name === null && isRead) return getList(c, namespace);
  if (name === null) return notAllowed(c, "GET");
  if (namespace.startsWith(RULE_NAMESPACE)) return ownProblem(arrival, "lock-reserved");
  const owner = ownerOf(arrival.headers);
  if (owner === "invalid") return ownProblem(arrival, "owner-invalid");
  const given = owner === "absent" ? null : owner;
  switch (method) {
    case "GET":
      return getSocket(c, name, given ?? newOwner(c));
    case "POST":
      return postLock(c, name, given);
    case "PATCH":
      return given === null ? ownProblem(arrival, "owner-invalid") : patchLock(c, name, given);
    case "DELETE":
      return given === null ? ownProblem(arrival, "owner-invalid") : deleteLock(c, name, given);
    default:
      return notAllowed(c, METHODS);
  }
};

const newOwner = (c: ServiceCall): Owner =>
  base64url.encode(c.isolate.ports.randomBytes(OWNER_BYTES)) as Owner;

const notAllowed = (c: ServiceCall, allow: string): Response =>
  ownProblem(c.arrival, "method-not-allowed", { headers: { Allow: allow } });

/** As a plain object: a `Headers` of our own would be copied, and cost as much again. */
const jsonHeaders = (c: ServiceCall): Record<string, string> =>
  lastJson.keep({ "Content-Type": "application/json", ...commonHeaders(c.arrival) });

const lastJson = new LastMade<Record<string, string>>();

const answerJson = (c: ServiceCall, status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: jsonHeaders(c) });

const resourceOf = ({ name, owner, fence, leaseUntil }: Grant): object => ({
  namespace: namespaceOf(name),
  key: keyOf(name),
  owner,
  fence,
  lease_until: leaseUntil === null ? null : rfc3339(leaseUntil),
});

const postLock = async (c: ServiceCall, name: LockName, given: Owner | null): Promise<Response> => {
  const { arrival, isolate } = c;
  const read = await timesOf(isolate.ports, c.arrival.request);
  if (!read.ok) return ownProblem(arrival, "lock-body-invalid", { errors: read.errors });
  const { leaseMs, waitMs } = read.times;
  const owner = given ?? newOwner(c);
  // An owner that was made up here asks this once.
  const ask = given === null ? owner : base64url.encode(isolate.ports.randomBytes(OWNER_BYTES));
  const asked = { name, owner, leaseMs, waitMs, ask };
  const askedAt = isolate.ports.now();
  const answered = isolate.lockShards.acquire(arrival, asked, () => abandonIfGone(c, asked));
  // Registered before anything is awaited: without it a reset drops this handler where it stands.
  arrival.waitUntil(giveBackUnheard(c, asked, answered, given === null));
  const reply = await answered;
  switch (reply.kind) {
    case "granted": {
      const waitedMs = isolate.ports.now() - askedAt;
      if (waitedMs >= WAITED_MS && reply.isNew) return grantLate(c, asked, reply.grant, waitedMs);
      return answerJson(c, reply.isNew ? 201 : 200, resourceOf(reply.grant));
    }
    case "held":
      return ownProblem(arrival, "lock-held", { retryAfterMs: reply.retryAfterMs });
    case "taken-over":
      return ownProblem(arrival, "lock-taken-over");
    case "refused": {
      const { refusal, retryAfterMs } = reply;
      return ownProblem(arrival, REFUSAL_CODES[refusal], { retryAfterMs });
    }
    default:
      return reply satisfies never;
  }
};

type NamedCall = Pick<AcquireAsk, "name" | "owner" | "ask">;

/** Frees what the call got, unless the same owner has asked anew. */
const abandonAcquire = ({ isolate, arrival }: ServiceCall, asked: NamedCall): Promise<unknown> =>
  isolate.lockShards.abandonAcquire(arrival, asked).catch(() => null);

/** Watches the client while it waits in line: when it goes away it leaves the line. */
const abandonIfGone = (c: ServiceCall, asked: NamedCall): void => {
  const { signal } = c.arrival.request;
  const leave = (): void => c.arrival.waitUntil(abandonAcquire(c, asked));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
};

/**
 * What the call got is free when its client has gone meanwhile; and when the call failed but may have
 * been granted, and nobody was told of an owner that was made up here.
 */
const giveBackUnheard = async (
  c: ServiceCall,
  asked: NamedCall,
  answered: Promise<unknown>,
  isOwnerOurs: boolean,
): Promise<void> => {
  try {
    await answered;
    if (c.arrival.request.signal.aborted) await abandonAcquire(c, asked);
  } catch {
    const { name, owner } = asked;
    if (isOwnerOurs)
      await c.isolate.lockShards.release(c.arrival, { name, owner }).catch(() => null);
  }
};

/** A client that left without a reset while it waited is noticed now. */
const grantLate = (c: ServiceCall, asked: NamedCall, grant: Grant, waitedMs: number): Response => {
  const { ports } = c.isolate;
  const init = { status: 201, headers: jsonHeaders(c) };
  return lateAnswer(JSON.stringify(resourceOf(grant)), init, waitedMs, {
    waitUntil: c.arrival.waitUntil,
    pause: (ms) => new Promise((resolve) => void ports.timer(ms, resolve)),
    isGone: async () => void (await abandonAcquire(c, asked)),
  });
};

const patchLock = async (c: ServiceCall, name: LockName, owner: Owner): Promise<Response> => {
  const { arrival, isolate } = c;
  const read = await timesOf(isolate.ports, c.arrival.request);
  if (!read.ok) return ownProblem(arrival, "lock-body-invalid", { errors: read.errors });
  const { leaseMs } = read.times;
  const reply = await isolate.lockShards.renew(arrival, { name, owner, leaseMs });
  if (reply.kind === "not-yours") return ownProblem(arrival, "lock-lost");
  return answerJson(c, 200, resourceOf(reply.grant));
};

const deleteLock = async (c: ServiceCall, name: LockName, owner: Owner): Promise<Response> => {
  const { arrival, isolate } = c;
  const wasTheirs = await isolate.lockShards.release(arrival, { name, owner });
  if (!wasTheirs) return ownProblem(arrival, "lock-lost");
  return new Response(null, { status: 204, headers: commonHeaders(arrival) });
};

/** Passes the upgrade on to the key's shard, where the socket is the lock. */
const getSocket = async (c: ServiceCall, name: LockName, owner: Owner): Promise<Response> => {
  const { arrival } = c;
  const { request } = arrival;
  if (!isUpgrade(request))
    return ownProblem(arrival, "upgrade-required", { headers: { Upgrade: "websocket" } });
  const seat = encodeURIComponent(JSON.stringify({ name, owner }));
  const headers = new Headers({ Upgrade: "websocket", [LOCK_SEAT_HEADER]: seat });
  for (const header of ["Sec-WebSocket-Key", "Sec-WebSocket-Version"]) {
    const value = request.headers.get(header);
    if (value !== null) headers.set(header, value);
  }
  return callObject(c.isolate.ports, () =>
    shardFor(c.arrival.env, name).fetch(new Request("https://locks/", { headers })),
  );
};

const getList = async (c: ServiceCall, namespace: Namespace): Promise<Response> => {
  const { isolate } = c;
  const all = await Promise.all(
    shardsOf(c.arrival.env).map((shard) =>
      callObject(isolate.ports, () => shard.list(namespace, ROWS_MAX)),
    ),
  );
  const rows = all.flatMap((part) => part.rows.map((row) => rowResource(row, part.now)));
  const shown = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, ROWS_MAX);
  return answerJson(c, 200, {
    namespace,
    locks: shown,
    total: all.reduce((sum, part) => sum + part.locks, 0),
    waiting: all.reduce((sum, part) => sum + part.waiting, 0),
  });
};

const rowResource = (row: LockRow, now: number) => ({
  key: row.key,
  state: row.state,
  by: row.by,
  fence: row.fence,
  held_since: row.heldSince === null ? null : rfc3339(row.heldSince),
  held_seconds: secondsSince(row.heldSince, now),
  lease_until: row.leaseUntil === null ? null : rfc3339(row.leaseUntil),
  waiting: row.waiting,
  waiting_seconds: secondsSince(row.waitingSince, now),
});

const secondsSince = (at: number | null, now: number): number | null =>
  at === null ? null : Math.max(0, Math.floor((now - at) / 1_000));
