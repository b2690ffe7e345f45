/** The lock service: leases over HTTP, locks that live with a socket, and a list for operators. */
import { base64url } from "jose";
import { Hono, type Context } from "hono";
import type { Owner } from "../../core/locks/lock.ts";
import {
  keyOf,
  namespaceOf,
  SHARDS,
  type LockName,
  type Namespace,
} from "../../core/locks/name.ts";
import { rfc3339 } from "../../core/time.ts";
import type { AcquireAsk, Grant, LockRow } from "../../durable/locks/contract.ts";
import { setCommonHeaders } from "../answers/our-headers.ts";
import { isUpgrade } from "../arrival/caller.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { lockAdmission } from "../sign-in/sign-in.ts";
import { bearerProblem } from "../sign-in/bearer.ts";
import { callObject, UnreachableError } from "../isolate/call-object.ts";
import { ownerOf, lockPathOf, RULE_NAMESPACE, timesOf } from "./lock-request.ts";
import { lateAnswer } from "./late-answer.ts";
import { LOCK_SEAT_HEADER } from "../../core/locks/seat.ts";
import { ownProblem } from "../answers/own-problem.ts";
import { REFUSAL_CODES } from "./problems.ts";
import { shardAt, shardFor } from "../isolate/lock-shards.ts";

const OWNER_BYTES = 16;
/** What the way there and back may take on top of a wait. */
const SLACK_MS = 5_000;
const ROWS_MAX = 1_000;
const UNREACHABLE_RETRY_MS = 2_000;
/** A call that took longer than this has waited, and its client may be gone. */
const WAITED_MS = 50;
const METHODS = "GET, POST, PATCH, DELETE";

type C = Context<AppContext>;

export const locksApp = new Hono<AppContext>();

locksApp.all("*", async (c) => {
  const { arrival } = c.var;
  if (c.env.LOCKS === undefined) return ownProblem(arrival, "not-found");
  const refusal = bearerProblem(lockAdmission(c.var), arrival.reference);
  if (refusal !== null) {
    setCommonHeaders(refusal.headers, arrival, null);
    return refusal;
  }
  try {
    return await answer(c);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const { ports } = c.var.isolate;
    const { reference } = arrival;
    ports.log({ level: "error", event: "locks-unreachable", reference, reason: error.message });
    return ownProblem(arrival, "locks-unavailable", { retryAfterMs: UNREACHABLE_RETRY_MS });
  }
});

const answer = (c: C): Promise<Response> | Response => {
  const { arrival } = c.var;
  const place = lockPathOf(arrival.url.pathname);
  if (place === null) return ownProblem(arrival, "lock-name-invalid");
  const { method } = c.req.raw;
  const { namespace, name } = place;
  const isRead = method === "GET" || method === "HEAD";
  if (name === null && isRead) return getList(c, namespace);
  if (name === null) return notAllowed(c, "GET");
  if (namespace.startsWith(RULE_NAMESPACE)) return ownProblem(arrival, "lock-reserved");
  const owner = ownerOf(c.req.raw);
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

const newOwner = (c: C): Owner =>
  base64url.encode(c.var.isolate.ports.randomBytes(OWNER_BYTES)) as Owner;

const notAllowed = (c: C, allow: string): Response =>
  ownProblem(c.var.arrival, "method-not-allowed", { headers: { Allow: allow } });

const jsonHeaders = (c: C): Headers => {
  const headers = new Headers({ "Content-Type": "application/json" });
  setCommonHeaders(headers, c.var.arrival, null);
  return headers;
};

const answerJson = (c: C, status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: jsonHeaders(c) });

const resourceOf = ({ name, owner, fence, leaseUntil }: Grant): object => ({
  namespace: namespaceOf(name),
  key: keyOf(name),
  owner,
  fence,
  lease_until: leaseUntil === null ? null : rfc3339(leaseUntil),
});

const postLock = async (c: C, name: LockName, given: Owner | null): Promise<Response> => {
  const { arrival, isolate } = c.var;
  const read = await timesOf(isolate.ports, c.req.raw);
  if (!read.ok) return ownProblem(arrival, "lock-body-invalid", { errors: read.errors });
  const { leaseMs, waitMs } = read.times;
  const owner = given ?? newOwner(c);
  const ask = base64url.encode(isolate.ports.randomBytes(OWNER_BYTES));
  const asked = { name, owner, leaseMs, waitMs, ask };
  const answered = callObject(
    isolate.ports,
    () => shardFor(c.env, name).acquire(asked),
    waitMs + SLACK_MS,
  );
  // Registered before anything is awaited: without it a reset drops this handler where it stands.
  const askedAt = isolate.ports.now();
  arrival.waitUntil(abandonIfGone(c, asked, answered));
  if (given === null) arrival.waitUntil(answered.catch(() => release(c, name, owner)));
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

/**
 * Releases a lock that may have been granted although its call failed: its owner was never told.
 */
const release = (c: C, name: LockName, owner: Owner): Promise<unknown> =>
  callObject(c.var.isolate.ports, () => shardFor(c.env, name).release({ name, owner })).catch(
    () => null,
  );

type LockAsk = Pick<AcquireAsk, "name" | "owner" | "ask">;

/** Frees what the call got, unless the same owner has asked anew. */
const abandonAcquire = async (c: C, { name, owner, ask }: LockAsk): Promise<void> => {
  const leaving = callObject(c.var.isolate.ports, () =>
    shardFor(c.env, name).abandonAcquire({ name, owner, ask }),
  );
  await leaving.catch(() => null);
};

/**
 * Watches the client while its call waits: when it goes away it leaves the line, and what it got is
 * free.
 */
const abandonIfGone = async (c: C, asked: LockAsk, answered: Promise<unknown>): Promise<void> => {
  const { signal } = c.req.raw;
  const leave = (): void => c.var.arrival.waitUntil(abandonAcquire(c, asked));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  await answered.catch(() => null);
  signal.removeEventListener("abort", leave);
};

/** A client that left without a reset while it waited is noticed now. */
const grantLate = (c: C, asked: LockAsk, grant: Grant, waitedMs: number): Response => {
  const { ports } = c.var.isolate;
  const init = { status: 201, headers: jsonHeaders(c) };
  return lateAnswer(JSON.stringify(resourceOf(grant)), init, waitedMs, {
    waitUntil: c.var.arrival.waitUntil,
    pause: (ms) => new Promise((resolve) => void ports.timer(ms, resolve)),
    isGone: () => abandonAcquire(c, asked),
  });
};

const patchLock = async (c: C, name: LockName, owner: Owner): Promise<Response> => {
  const { arrival, isolate } = c.var;
  const read = await timesOf(isolate.ports, c.req.raw);
  if (!read.ok) return ownProblem(arrival, "lock-body-invalid", { errors: read.errors });
  const { leaseMs } = read.times;
  const reply = await callObject(isolate.ports, () =>
    shardFor(c.env, name).renew({ name, owner, leaseMs }),
  );
  if (reply.kind === "not-yours") return ownProblem(arrival, "lock-lost");
  return answerJson(c, 200, resourceOf(reply.grant));
};

const deleteLock = async (c: C, name: LockName, owner: Owner): Promise<Response> => {
  const { arrival, isolate } = c.var;
  const wasTheirs = await callObject(isolate.ports, () =>
    shardFor(c.env, name).release({ name, owner }),
  );
  if (!wasTheirs) return ownProblem(arrival, "lock-lost");
  const headers = new Headers();
  setCommonHeaders(headers, arrival, null);
  return new Response(null, { status: 204, headers });
};

/** Passes the upgrade on to the key's shard, where the socket is the lock. */
const getSocket = async (c: C, name: LockName, owner: Owner): Promise<Response> => {
  const { arrival } = c.var;
  const { request } = arrival;
  if (!isUpgrade(request))
    return ownProblem(arrival, "upgrade-required", { headers: { Upgrade: "websocket" } });
  const seat = encodeURIComponent(JSON.stringify({ name, owner }));
  const headers = new Headers({ Upgrade: "websocket", [LOCK_SEAT_HEADER]: seat });
  for (const header of ["Sec-WebSocket-Key", "Sec-WebSocket-Version"]) {
    const value = request.headers.get(header);
    if (value !== null) headers.set(header, value);
  }
  return callObject(c.var.isolate.ports, () =>
    shardFor(c.env, name).fetch(new Request("https://locks/", { headers })),
  );
};

const getList = async (c: C, namespace: Namespace): Promise<Response> => {
  const { isolate } = c.var;
  const all = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) =>
      callObject(isolate.ports, () => shardAt(c.env, shard).list(namespace, ROWS_MAX)),
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
