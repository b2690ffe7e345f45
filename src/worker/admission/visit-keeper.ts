/**
 * Renews a visit while something long goes on in it, and looks whether it has ended. It knows only
 * the calls it is given.
 */
import type { VisitReply } from "../../durable/contract.ts";
import { andThen } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Lifetime } from "../permit/lifetime.ts";

/** Bytes that flow renew the lease four times in its life. */
const RENEWALS_A_LEASE = 4;
/** How long after a renewal that did not arrive the next bytes try again. */
const RETRY_MS = 1_000;
/**
 * How often an answer that ends with its visit looks whether that has ended; snapshots are as old
 * at most.
 */
const LOOK_EVERY_MS = 2_000;

/** A visit, as the edge can ask about it and renew it. */
export interface KeptVisit {
  readonly leaseMs: number;
  /** Null in rooms where nothing renews a lease. Rejects when nobody can be asked. */
  readonly renew: (() => Promise<VisitReply>) | null;
  readonly peek: () => Promise<VisitReply>;
  /** What this isolate has heard, without asking for this visit alone. */
  readonly mayHaveEnded: () => MaybePromise<boolean>;
  /** `close_sockets`: it ends with its visit. */
  readonly closes: boolean;
  /** Called once when the visit has ended before the answer. */
  readonly ended: () => void;
}

/**
 * A streamed answer, an upload or a socket in the name of a visit. Bytes that flow renew the visit,
 * without a timer; where `closes` is set, a timer looks whether the visit has ended.
 */
export class VisitKeeper {
  readonly #visiting: KeptVisit;
  readonly #lifetime: Lifetime;
  #renewAt: number;
  #leaseEndsAt: number;
  #isVisitOver = false;
  #stop: () => void = () => undefined;

  constructor(visiting: KeptVisit, lifetime: Lifetime) {
    const now = lifetime.ports.now();
    this.#visiting = visiting;
    this.#lifetime = lifetime;
    this.#renewAt = now + this.#renewEveryMs;
    this.#leaseEndsAt = now;
    if (!visiting.closes) return;
    // Nobody here knows yet when the lease or the longest visit is over.
    lifetime.waitUntil(this.#lookOnce());
    lifetime.waitUntil(lifetime.over.then(() => this.#stop()));
  }

  /** Bytes have passed. */
  moved(): void {
    const { renew } = this.#visiting;
    const { ports, waitUntil } = this.#lifetime;
    if (renew === null || this.#isVisitOver || ports.now() < this.#renewAt) return;
    this.#renewAt = ports.now() + this.#renewEveryMs;
    waitUntil(this.#ask(renew));
  }

  get #renewEveryMs(): number {
    return this.#visiting.leaseMs / RENEWALS_A_LEASE;
  }

  async #ask(ask: () => Promise<VisitReply>): Promise<void> {
    const { ports } = this.#lifetime;
    const askedAt = ports.now();
    const reply = await ask().catch(() => null);
    if (reply === null) this.#renewAt = Math.min(this.#renewAt, ports.now() + RETRY_MS);
    else if (reply.kind === "ended") this.#visitIsOver();
    else this.#leaseEndsAt = askedAt + leftOf(reply);
  }

  #visitIsOver(): void {
    if (this.#isVisitOver || this.#lifetime.outcome !== null) return;
    this.#isVisitOver = true;
    this.#visiting.ended();
    if (this.#visiting.closes) this.#lifetime.stop("revoked");
  }

  #lookAgain(): void {
    const { ports, waitUntil } = this.#lifetime;
    const leftMs = this.#leaseEndsAt - ports.now();
    const ms = leftMs > 0 ? Math.min(leftMs, LOOK_EVERY_MS) : RETRY_MS;
    this.#stop = ports.timer(ms, () => waitUntil(this.#lookOnce()));
  }

  async #lookOnce(): Promise<void> {
    const { peek, mayHaveEnded } = this.#visiting;
    const isDue = this.#lifetime.ports.now() >= this.#leaseEndsAt;
    if (isDue || (await andThen(mayHaveEnded(), (may) => may))) await this.#ask(peek);
    if (this.#lifetime.outcome === null) this.#lookAgain();
  }
}

/** Until the visit ends by itself: its lease, or its last moment. */
const leftOf = ({ visit }: Extract<VisitReply, { kind: "visit" }>): number =>
  Math.min(visit.leaseUntil, visit.endsAt ?? Infinity) - visit.now;
