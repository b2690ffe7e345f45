/**
 * How a request came to its end. turned-away: it got no permit · answered: to the last byte ·
 * client-gone: noticed, or it took nothing for too long · origin-timeout: no answer, or silence
 * within one · origin-failed: not reached, or it broke off · idle: a socket on which nobody said
 * anything for too long · revoked: its permit was taken back, or could not be kept, or its visit has
 * ended · unreachable: the counter itself
 */
export type RequestEnd =
  | "turned-away"
  | "answered"
  | "client-gone"
  | "origin-timeout"
  | "origin-failed"
  | "idle"
  | "revoked"
  | "unreachable";

/** The life of one request under a permit. It ends once; whatever notices first says how. */
export class Lifetime {
  readonly over: Promise<RequestEnd>;
  /** Settles when nothing is left to be done after the end: the permit has been given back. */
  afterwards: Promise<unknown> = Promise.resolve();
  readonly #abort = new AbortController();
  #ending: RequestEnd | null = null;
  #resolve: (ending: RequestEnd) => void = () => undefined;

  /** `client` fires when the client's connection is reset. */
  constructor(client: AbortSignal | null) {
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const leave = (): void => this.stop("client-gone");
    if (client?.aborted === true) leave();
    else client?.addEventListener("abort", leave, { once: true });
  }

  /** Null while it goes on. */
  get ending(): RequestEnd | null {
    return this.#ending;
  }

  /** Tells whoever works for the request to stop. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  end(ending: RequestEnd): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#resolve(ending);
  }

  /** Ends it in the middle of its work: the origin is left before the permit is free. */
  stop(ending: RequestEnd): void {
    if (this.#ending !== null) return;
    this.#abort.abort();
    this.end(ending);
  }
}
