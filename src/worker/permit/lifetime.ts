/**
 * When and how one request ends: the first end that is noticed counts. The permit that it has meanwhile
 * is request-permit.ts's, and its answer relay-answer.ts's.
 */
import type { Ports } from "../platform/ports.ts";

/**
 * How a request came to its end. turned-away: it got no permit · answered: to the last byte ·
 * client-gone: noticed, or it took nothing for too long · origin-timeout: no answer, or silence
 * within one · origin-failed: not reached, or it broke off · idle: a socket on which nobody said
 * anything for too long · revoked: its permit was taken back, or could not be kept, or its visit has
 * ended · unreachable: the counter itself
 */
export type RequestOutcome =
  | "turned-away"
  | "answered"
  | "client-gone"
  | "origin-timeout"
  | "origin-failed"
  | "idle"
  | "revoked"
  | "unreachable";

/** The request whose life it is, as the runtime knows it. */
export interface LivingRequest {
  readonly ports: Pick<Ports, "now" | "timer">;
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Fires when the client's connection is reset; null where nobody can tell. */
  readonly client: AbortSignal | null;
}

/** The life of one request. It ends once, with the outcome that is noticed first. */
export class Lifetime {
  readonly ports: Pick<Ports, "now" | "timer">;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly over: Promise<RequestOutcome>;
  /** Made for who looks at its signal: a request that waits has nothing to stop. */
  #abort: AbortController | null = null;
  #isStopped = false;
  #outcome: RequestOutcome | null = null;
  #resolve: (outcome: RequestOutcome) => void = () => undefined;

  constructor({ ports, waitUntil, client }: LivingRequest) {
    this.ports = ports;
    this.waitUntil = waitUntil;
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (client !== null) this.endWith(client);
  }

  /** Null while it goes on. */
  get outcome(): RequestOutcome | null {
    return this.#outcome;
  }

  /** Fires when work for the request is to stop. */
  get signal(): AbortSignal {
    if (this.#abort === null) {
      this.#abort = new AbortController();
      if (this.#isStopped) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** It was ended in the middle of its work. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Settles when nothing is left to be done after the end. */
  get afterwards(): Promise<unknown> {
    return Promise.resolve();
  }

  /** Ends when the client's connection is reset. */
  endWith(client: AbortSignal): void {
    const leave = (): void => this.stop("client-gone");
    if (client.aborted) leave();
    else client.addEventListener("abort", leave, { once: true });
  }

  end(outcome: RequestOutcome): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    this.#resolve(outcome);
  }

  /**
   * Ends the life in the middle of its work: the request to the origin is aborted before the permit
   * is free.
   */
  stop(outcome: RequestOutcome): void {
    if (this.#outcome !== null) return;
    this.#isStopped = true;
    this.#abort?.abort();
    this.end(outcome);
  }
}
