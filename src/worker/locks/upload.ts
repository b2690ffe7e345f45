import type { Ports } from "../platform/ports.ts";
import { DeadlineError } from "../isolate/deadline.ts";
import { PacedReader } from "./body.ts";
import { lengthOf } from "../origin/content-length.ts";

/**
 * The body of a request that holds a lock, passed on as it comes and broken off when its client is too
 * slow: else a lock would be held for as long as somebody likes.
 */
export class Upload {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #pieces: PacedReader;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #broken = new AbortController();
  #isLate = false;

  constructor(ports: Ports, request: Request, maxMs: number) {
    const body = request.body as ReadableStream<Uint8Array>;
    const length = lengthOf(request.headers);
    const pipe = length === null ? new IdentityTransformStream() : new FixedLengthStream(length);
    this.readable = pipe.readable as ReadableStream<Uint8Array>;
    this.#writer = pipe.writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>;
    this.#reader = body.getReader();
    this.#pieces = new PacedReader(ports, this.#reader, maxMs);
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
    try {
      for (let piece = await this.#pieces.next(); piece !== null; piece = await this.#pieces.next())
        await this.#writer.write(piece);
      await this.#writer.close();
    } catch (error) {
      this.#isLate = error instanceof DeadlineError;
      this.stop();
    }
  }

  /** Nobody reads the rest, if there is any. */
  stop(): void {
    this.#broken.abort();
    this.#reader.cancel().catch(() => null);
  }
}
