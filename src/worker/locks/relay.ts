/**
 * Passes an answer on under a lock, so that the lock is free before its client has the last byte.
 * What is kept of the answer is outcome.ts.
 */
import { relayPieces } from "../origin/relay-body.ts";
import type { BodyPieces } from "../origin/relay-body.ts";
import type { Ports } from "../platform/ports.ts";
import { joined } from "./body.ts";

export interface AnswerRelayOptions {
  readonly ports: Ports;
  /** The client has gone: the rest is read to its end for nobody. */
  readonly gone: AbortSignal;
  /** As the origin says it, if it does. */
  readonly lengthBytes: number | null;
  /** What is kept in passing, at most. */
  readonly keepBytesMax: number;
  /**
   * The origin's answer has ended (null: it broke off). Awaited before the client can see that, so
   * that a client with the whole answer finds the lock free.
   */
  readonly onEnd: (end: WholeAnswer | null) => Promise<void>;
}

export interface WholeAnswer {
  /** Null when it was more than is kept. */
  readonly body: Uint8Array | null;
}

/** How much is read ahead of a slow client, so that the lock need not wait for it. */
const AHEAD_BYTES_MAX = 512 * 1_024;
/** A client that takes nothing for so long has gone. */
const STALL_MS = 60_000;
/** How long an origin may go on answering to nobody. */
const DRAIN_MS = 60_000;

/**
 * Works around the runtime, which reads one of its own pipes as empty when it is piped on into
 * another.
 */
const readByHand = (readable: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const reader = readable.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};

/** Passes an answer's body on, knows its end before the client does, and outlives the client. */
export class AnswerRelay {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #pieces: BodyPieces;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #options: AnswerRelayOptions;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #kept: Uint8Array[] | null = [];
  #keptBytes = 0;
  #state: "open" | "ended" | "broken" = "open";
  #isGone = false;
  readonly #cut = new AbortController();
  #telling: Promise<void> | null = null;
  #wake: () => void = () => undefined;
  #tellLeft: () => void = () => undefined;
  readonly #left = new Promise<void>((resolve) => (this.#tellLeft = resolve));

  constructor(pieces: BodyPieces, options: AnswerRelayOptions) {
    const { lengthBytes } = options;
    const pipe =
      lengthBytes === null ? new IdentityTransformStream() : new FixedLengthStream(lengthBytes);
    const readable = pipe.readable as ReadableStream<Uint8Array>;
    this.readable = lengthBytes === null ? readByHand(readable) : readable;
    this.#writer = pipe.writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>;
    this.#pieces = pieces;
    this.#options = options;
    if (options.gone.aborted) this.#leave();
    else options.gone.addEventListener("abort", () => this.#leave(), { once: true });
  }

  /** Settles when the origin's answer is over and the client has it all, or has gone. */
  async run(): Promise<void> {
    const writing = this.#write();
    await this.#read();
    // After a reset a write may never settle.
    await Promise.race([writing, this.#left]);
  }

  async #read(): Promise<void> {
    const { lengthBytes, onEnd } = this.#options;
    const sink = { write: (chunk: Uint8Array) => this.#push(chunk), close: () => this.#tellEnd() };
    const end = await relayPieces(this.#pieces, sink, {
      lengthBytes,
      // The piece that completes the announced length tells a client that this is all.
      passing: (piece, isLast) => {
        this.#keep(piece);
        return isLast ? this.#tellEnd() : undefined;
      },
      stop: this.#cut.signal,
    });
    if (end.kind !== "whole") await (this.#telling ?? onEnd(null));
    this.#state = end.kind === "whole" ? "ended" : "broken";
    // The end of a known length, by which the connection can be used again.
    if (lengthBytes !== null) this.#pieces.next().catch(() => null);
    this.#wake();
  }

  /** Once, and before the client can see it. */
  #tellEnd(): Promise<void> {
    return (this.#telling ??= this.#options.onEnd({ body: this.#keptBody() }));
  }

  async #write(): Promise<void> {
    try {
      while (!this.#isGone) {
        const chunk = this.#queue.shift();
        if (chunk !== undefined) {
          this.#queuedBytes -= chunk.byteLength;
          await this.#writer.write(chunk);
          this.#wake();
        } else if (this.#state === "ended") return await this.#writer.close();
        else if (this.#state === "broken") return await this.#writer.abort(new Error("broken off"));
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } catch {
      this.#leave();
    }
  }

  /** Settles when more of it may be read. */
  async #push(chunk: Uint8Array): Promise<void> {
    if (this.#isGone) return;
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.byteLength;
    this.#wake();
    if (this.#queuedBytes > AHEAD_BYTES_MAX) await this.#untilDrained();
  }

  #keep(chunk: Uint8Array): void {
    if (this.#kept === null) return;
    this.#keptBytes += chunk.byteLength;
    if (this.#keptBytes > this.#options.keepBytesMax) this.#kept = null;
    else this.#kept.push(chunk);
  }

  #keptBody(): Uint8Array | null {
    return this.#kept === null ? null : joined(this.#kept, this.#keptBytes);
  }

  async #untilDrained(): Promise<void> {
    const { ports } = this.#options;
    const stop = ports.timer(STALL_MS, () => this.#leave());
    while (!this.#isGone && this.#queuedBytes > AHEAD_BYTES_MAX / 2)
      await new Promise<void>((resolve) => {
        const wakeWriter = this.#wake;
        this.#wake = () => {
          wakeWriter();
          resolve();
        };
      });
    stop();
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#tellLeft();
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#writer.abort(new Error("gone")).catch(() => null);
    this.#wake();
    if (this.#state !== "open") return;
    this.#options.ports.timer(DRAIN_MS, () => {
      if (this.#state === "open") this.#cut.abort();
    });
  }
}
