import { DeadlineError } from "../isolate/deadline.ts";
import { lengthOf } from "../origin/content-length.ts";
import { BodyRelay } from "../origin/relay-body.ts";
import type { Ports } from "../platform/ports.ts";
import { PacedReader } from "./body.ts";

/**
 * The body of a request under a lock, passed on as it comes and broken off when its client is too
 * slow: else a client could keep the lock for as long as it likes.
 */
export class Upload {
  readonly #relay: BodyRelay;
  readonly #broken = new AbortController();
  #isLate = false;

  constructor(ports: Ports, request: Request, maxMs: number) {
    const body = request.body as ReadableStream<Uint8Array>;
    this.#relay = new BodyRelay(new PacedReader(ports, body.getReader(), maxMs), {
      lengthBytes: lengthOf(request.headers),
      stop: this.#broken.signal,
    });
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.#relay.readable;
  }

  /**
   * Ends the request to the origin when not all of the body came. Only so does the origin see that: the
   * runtime ends a chunked body whose stream fails as if it were whole (workerd 1.20260918.1).
   */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Was the client too slow? */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Settles when everything is passed on, or nothing more will be. */
  async run(): Promise<void> {
    const end = await this.#relay.run();
    // An origin that takes no more of it may have answered, and goes on with that.
    if (end.kind !== "broken") return;
    this.#isLate = end.reason instanceof DeadlineError;
    this.stop();
  }

  /** Nobody reads the rest, if there is any. */
  stop(): void {
    this.#broken.abort();
  }
}
