/**
 * A permit for one request: asks for it, renews it, gives it back. From which lobby is its user's
 * choice.
 */
import type { VisitId } from "../../core/ids.ts";
import type { VisitReply, VisitView } from "../../durable/contract.ts";
import { within } from "../isolate/deadline.ts";
import type { Ports } from "../platform/ports.ts";
import { Lifetime } from "./lifetime.ts";
import type { LivingRequest } from "./lifetime.ts";

/** A lease is renewed four times in its life while its request runs, or oftener. */
const RENEWALS_A_LEASE = 4;
const RENEW_EVERY_MAX_MS = 10_000;
/** A batch may wait for another one; beyond this the visit is ended by its name. */
const GIVE_BACK_WITHIN_MS = 5_000;

/** Nothing is waited for where the permit has gone on within the isolate. */
interface QuickEnd {
  end(): Promise<void> | undefined;
}

export interface GrantedPermit {
  readonly kind: "visit";
  readonly visit: VisitView;
  /** The quick way to give it back, where there is one. */
  readonly permit?: QuickEnd;
}

/** What a counter may say: a permit, or a "no" of its own kinds. */
export interface CounterReply {
  readonly kind: string;
}

/** How a permit is asked for, renewed and given back. */
export interface PermitOptions<Reply extends CounterReply> extends LivingRequest {
  readonly ports: Ports;
  readonly ask: () => Promise<Reply>;
  /** Nobody waits for the answer any more. */
  readonly abandon: () => Promise<unknown>;
  readonly renew: (visit: VisitId) => Promise<VisitReply>;
  /** Never rejects: a visit whose end does not arrive ends by its lease. */
  readonly end: (visit: VisitId) => Promise<void>;
}

/**
 * What became of a request. `reply` is null where the counter could not be reached. Spans are in
 * milliseconds.
 */
export interface RequestReport<Reply> {
  readonly reply: Reply | null;
  readonly waitedMs: number;
  readonly ranMs: number;
}

const isGranted = <Reply extends CounterReply>(reply: Reply): reply is Reply & GrantedPermit =>
  reply.kind === "visit";

/**
 * A permit for the time of one request: asked for once, renewed for as long as this life lasts, and
 * freed when the life is over in whatever way. The code that asked for it ends the life; a refusal
 * has ended it already. Where an end goes unnoticed, the lease runs out.
 */
export class RequestPermit<Reply extends CounterReply> extends Lifetime {
  readonly #options: PermitOptions<Reply>;
  readonly #askedAt: number;
  #answeredAt: number | null = null;
  #reply: Reply | null = null;
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(options: PermitOptions<Reply>) {
    super(options);
    this.#options = options;
    this.#askedAt = options.ports.now();
  }

  /** Settles when the permit has been given back. */
  override get afterwards(): Promise<unknown> {
    return this.#keeping;
  }

  ask(): Promise<Reply> {
    const answer = this.#options.ask();
    // Registered before anything is awaited: without it a reset drops this handler where it stands.
    const keeping = this.#keep(answer);
    this.#keeping = keeping.catch(() => null);
    this.waitUntil(keeping);
    return answer.then(
      (reply) => {
        this.#reply = reply;
        this.#answeredAt = this.ports.now();
        if (!isGranted(reply)) this.end("turned-away");
        return reply;
      },
      (error: unknown) => {
        this.end("unreachable");
        throw error;
      },
    );
  }

  /** What became of the request; only after its end. */
  report(): RequestReport<Reply> {
    const endedAt = this.ports.now();
    const answeredAt = this.#answeredAt ?? endedAt;
    const waitedMs = answeredAt - this.#askedAt;
    return { reply: this.#reply, waitedMs, ranMs: endedAt - answeredAt };
  }

  /** Runs beside the request to its end. */
  async #keep(answer: Promise<Reply>): Promise<void> {
    const { abandon, end } = this.#options;
    let isAnswered = false;
    const leaving = this.over.then(() => (isAnswered ? null : abandon().catch(() => null)));
    const reply = await answer.catch(() => null);
    // Without an answer nobody knows whether it stands in line: then it is let go as well.
    isAnswered = reply !== null;
    if (reply === null || !isGranted(reply)) {
      if (reply === null) await leaving;
      return;
    }
    const stop = this.#keepLease(reply.visit);
    await this.over;
    stop();
    await leaving;
    const isBack = await givenBack(this.#options.ports, reply.permit);
    if (!isBack) await end(reply.visit.visit);
  }

  /**
   * Renews until stopped. A permit that was taken back, or that may run out before the next try, is
   * not worked under any longer.
   */
  #keepLease({ visit, leaseUntil, now }: VisitView): () => void {
    const { ports, renew, waitUntil } = this.#options;
    const leaseMs = Math.max(1, leaseUntil - now);
    let everyMs = renewEveryMs(leaseMs);
    let endsAt = ports.now() + leaseMs;
    const renewOnce = async (): Promise<void> => {
      const askedAt = ports.now();
      const reply = await renew(visit).catch(() => null);
      if (reply?.kind === "ended") this.stop("revoked");
      if (reply?.kind !== "visit") return;
      const renewedMs = reply.visit.leaseUntil - reply.visit.now;
      endsAt = askedAt + renewedMs;
      everyMs = renewEveryMs(renewedMs);
    };
    const tick = (): void => {
      if (ports.now() + everyMs >= endsAt) return this.stop("revoked");
      waitUntil(renewOnce());
      stop = ports.timer(everyMs, tick);
    };
    let stop = ports.timer(everyMs, tick);
    return () => stop();
  }
}

/** False where the visit has to be ended by name, as after its lobby's death. */
const givenBack = async (ports: Ports, permit: QuickEnd | undefined): Promise<boolean> => {
  if (permit === undefined) return false;
  try {
    const ending = permit.end();
    if (ending !== undefined) await within(ports, ending, GIVE_BACK_WITHIN_MS);
    return true;
  } catch {
    return false;
  }
};

const renewEveryMs = (leaseMs: number): number =>
  Math.min(leaseMs / RENEWALS_A_LEASE, RENEW_EVERY_MAX_MS);
