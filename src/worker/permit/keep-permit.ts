import type { VisitId } from "../../core/ids.ts";
import type { PermitInHand, VisitReply, VisitView } from "../../durable/contract.ts";
import { within } from "../isolate/deadline.ts";
import type { Ports } from "../platform/ports.ts";
import type { Lifetime } from "./lifetime.ts";

/** A lease is renewed four times in its life while its request runs, or oftener. */
const RENEWALS_A_LEASE = 4;
const RENEW_EVERY_MAX_MS = 10_000;
/** A batch may wait for another one; beyond this the visit is ended by its name. */
const GIVE_BACK_WITHIN_MS = 5_000;

export interface GrantedPermit {
  readonly kind: "visit";
  readonly visit: VisitView;
  /** The quick way to give it back, where there is one. */
  readonly permit?: PermitInHand;
}

/** What a counter may say: a permit, or a "no" of its own kinds. */
export interface CounterReply {
  readonly kind: string;
}

/** Where permits come from, and go back to. */
export interface PermitSource<Reply extends CounterReply> {
  readonly ask: () => Promise<Reply>;
  /** Nobody waits for the answer any more. */
  readonly letGo: () => Promise<unknown>;
  readonly renew: (visit: VisitId) => Promise<VisitReply>;
  /** Never rejects: a visit whose end does not arrive ends by its lease. */
  readonly end: (visit: VisitId) => Promise<void>;
}

export const isGranted = <Reply extends CounterReply>(
  reply: Reply,
): reply is Reply & GrantedPermit => reply.kind === "visit";

/**
 * Asks for a permit and keeps it for as long as the life lasts: renews its lease, and frees it when
 * the life is over in whatever way. The caller ends the life; a "no" has ended it already.
 */
export const underPermit = async <Reply extends CounterReply>(
  ports: Ports,
  waitUntil: (work: Promise<unknown>) => void,
  source: PermitSource<Reply>,
  lifetime: Lifetime,
  answered: (reply: Reply) => void = () => undefined,
): Promise<Reply> => {
  const answer = source.ask();
  // Registered before anything is awaited: without it a reset drops this handler where it stands.
  const looking = lookAfter(ports, waitUntil, source, answer, lifetime);
  lifetime.afterwards = looking.catch(() => null);
  waitUntil(looking);
  try {
    const reply = await answer;
    answered(reply);
    if (!isGranted(reply)) lifetime.end("turned-away");
    return reply;
  } catch (error) {
    lifetime.end("unreachable");
    throw error;
  }
};

/** Runs beside the request to its end. */
const lookAfter = async <Reply extends CounterReply>(
  ports: Ports,
  waitUntil: (work: Promise<unknown>) => void,
  source: PermitSource<Reply>,
  answer: Promise<Reply>,
  lifetime: Lifetime,
): Promise<void> => {
  let isAnswered = false;
  const leaving = lifetime.over.then(() => (isAnswered ? null : source.letGo().catch(() => null)));
  const reply = await answer.catch(() => null);
  // Without an answer nobody knows whether it stands in line: then it is let go as well.
  isAnswered = reply !== null;
  if (reply === null || !isGranted(reply)) {
    if (reply === null) await leaving;
    return;
  }
  const stop = keepLease(ports, waitUntil, reply.visit, source.renew, lifetime);
  await lifetime.over;
  stop();
  await leaving;
  const isBack = await givenBack(ports, reply.permit);
  if (!isBack) await source.end(reply.visit.visit);
};

/** False where the visit has to be ended by name, as after its lobby's death. */
const givenBack = async (ports: Ports, permit: PermitInHand | undefined): Promise<boolean> => {
  if (permit === undefined) return false;
  try {
    await within(ports, permit.end(), GIVE_BACK_WITHIN_MS);
    return true;
  } catch {
    return false;
  }
};

const renewEveryMs = (leaseMs: number): number =>
  Math.min(leaseMs / RENEWALS_A_LEASE, RENEW_EVERY_MAX_MS);

/**
 * Renews until stopped. A permit that was taken back, or that may run out before the next try, is
 * not worked under any longer.
 */
const keepLease = (
  ports: Ports,
  waitUntil: (work: Promise<unknown>) => void,
  { visit, leaseUntil, now }: VisitView,
  renew: (visit: VisitId) => Promise<VisitReply>,
  lifetime: Lifetime,
): (() => void) => {
  const leaseMs = Math.max(1, leaseUntil - now);
  let everyMs = renewEveryMs(leaseMs);
  let endsAt = ports.now() + leaseMs;
  const renewOnce = async (): Promise<void> => {
    const askedAt = ports.now();
    const reply = await renew(visit).catch(() => null);
    if (reply?.kind === "ended") lifetime.stop("revoked");
    if (reply?.kind !== "visit") return;
    const renewedMs = reply.visit.leaseUntil - reply.visit.now;
    endsAt = askedAt + renewedMs;
    everyMs = renewEveryMs(renewedMs);
  };
  const tick = (): void => {
    if (ports.now() + everyMs >= endsAt) return lifetime.stop("revoked");
    waitUntil(renewOnce());
    stop = ports.timer(everyMs, tick);
  };
  let stop = ports.timer(everyMs, tick);
  return () => stop();
};
