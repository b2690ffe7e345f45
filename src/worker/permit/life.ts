/**
 * How a request came to its end. turned-away: it got no permit · answered: to the last byte ·
 * client-gone: noticed, or it took nothing for too long · origin-timeout: no answer, or silence
 * within one · origin-failed: not reached, or it broke off · revoked: its permit was taken back, or
 * could not be kept · unreachable: the counter itself
 */
export type Ending =
  | "turned-away"
  | "answered"
  | "client-gone"
  | "origin-timeout"
  | "origin-failed"
  | "revoked"
  | "unreachable";

/** The life of one request under a permit. It ends once; whatever notices first says how. */
export class Life {
  readonly over: Promise<Ending>;
  readonly #abort = new AbortController();
  #ending: Ending | null = null;
  #resolve: (ending: Ending) => void = () => undefined;

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
  get ending(): Ending | null {
    return this.#ending;
  }

  /** Tells whoever works for the request to stop. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#resolve(ending);
  }

  /** Ends it in the middle of its work: the origin is left before the permit is free. */
  stop(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#abort.abort();
    this.end(ending);
  }
}
