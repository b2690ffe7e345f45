/**
 * Reads request bodies within bounds of size, time and memory. What a body means is for its reader.
 */
import { patienceMs } from "../../core/locks/body-pace.ts";
import { SECOND_MS } from "../../core/time.ts";
import { DeadlineError, within } from "../isolate/deadline.ts";
import type { Ports } from "../platform/ports.ts";
import { lengthOf } from "../origin/content-length.ts";
import type { BodyPieces } from "../origin/relay-body.ts";

/** How long a body may take, unless its reader says otherwise. */
export const BODY_MAX_MS = 300 * SECOND_MS;
/** Up to this announced length a body is read in one go. */
const SMALL_BYTES_MAX = 16_384;
/** What is set aside first for a body of unknown length. */
const FIRST_BYTES = 4_096;
const GROWTH = 4;

export interface ReadingOptions {
  readonly ports: Ports;
  /** Larger ones are not read to their end. */
  readonly bytesMax: number;
  readonly maxMs?: number;
  /** Called before so many more bytes are reserved; false: there is no room. */
  readonly take?: (bytes: number) => boolean;
}

/** too-slow: the client stalls or trickles · no-room: too much is being read already */
export type BodyRefusal = "too-large" | "too-slow" | "no-room";

export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** The whole body of a request, within bounds of size, time and memory. */
export const readBounded = async (
  request: Request,
  { ports, bytesMax, maxMs = BODY_MAX_MS, take = () => true }: ReadingOptions,
): Promise<Uint8Array | BodyRefusal> => {
  const length = lengthOf(request.headers);
  if ((length ?? 0) > bytesMax) return "too-large";
  if (length === 0 || (length === null && request.body === null)) return new Uint8Array(0);
  if (!take(Math.min(length ?? FIRST_BYTES, SMALL_BYTES_MAX))) return "no-room";
  try {
    // More than was announced does not arrive, so a small one can be read in one go.
    if (length !== null && length <= SMALL_BYTES_MAX)
      return new Uint8Array(await within(ports, request.arrayBuffer(), patienceMs(0, 0, maxMs)));
    const reader = (request.body as ReadableStream<Uint8Array>).getReader();
    try {
      return await readAll(new PacedReader(ports, reader, maxMs), bytesMax, take);
    } finally {
      // Of a body that was read whole there is nothing left.
      reader.cancel().catch(() => null);
    }
  } catch (error) {
    if (error instanceof DeadlineError) return "too-slow";
    throw error;
  }
};

const utf8 = new TextDecoder();

export type BodyText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly refusal: BodyRefusal };

/**
 * The same as a text, read wrongly as UTF-8 if it is none. Of one that says it is short the runtime makes
 * the text: bytes that are only decoded take 6 % of a lock's time (docs/decisions/locks.md).
 */
export const readBoundedText = async (
  request: Request,
  options: Omit<ReadingOptions, "take">,
): Promise<BodyText> => {
  const { ports, bytesMax, maxMs = BODY_MAX_MS } = options;
  const length = lengthOf(request.headers) ?? Infinity;
  if (length === 0 || length > Math.min(bytesMax, SMALL_BYTES_MAX)) {
    const body = await readBounded(request, options);
    if (typeof body === "string") return { ok: false, refusal: body };
    return { ok: true, text: utf8.decode(body) };
  }
  try {
    return { ok: true, text: await within(ports, request.text(), patienceMs(0, 0, maxMs)) };
  } catch (error) {
    if (error instanceof DeadlineError) return { ok: false, refusal: "too-slow" };
    throw error;
  }
};

/** Gives a body's pieces, and gives up with a `DeadlineError` on a client that is too slow. */
export class PacedReader implements BodyPieces {
  readonly #ports: Ports;
  readonly #reader: BodyReader;
  readonly #maxMs: number;
  #waitedMs = 0;
  #bytes = 0;

  constructor(ports: Ports, reader: BodyReader, maxMs: number) {
    this.#ports = ports;
    this.#reader = reader;
    this.#maxMs = maxMs;
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }

  async next(): Promise<Uint8Array | null> {
    const leftMs = patienceMs(this.#waitedMs, this.#bytes, this.#maxMs);
    const askedAt = this.#ports.now();
    try {
      const { done, value } = await within(this.#ports, this.#reader.read(), Math.max(0, leftMs));
      if (done) return null;
      this.#bytes += value.byteLength;
      return value;
    } finally {
      this.#waitedMs += Math.max(0, this.#ports.now() - askedAt);
    }
  }
}

/** Into one buffer that grows: a piece may be a byte in a block of its own. */
const readAll = async (
  pieces: PacedReader,
  bytesMax: number,
  take: (bytes: number) => boolean,
): Promise<Uint8Array | "too-large" | "no-room"> => {
  let buffer = new Uint8Array(FIRST_BYTES);
  let size = 0;
  for (let piece = await pieces.next(); piece !== null; piece = await pieces.next()) {
    const needed = size + piece.byteLength;
    if (needed > bytesMax) return "too-large";
    if (needed > buffer.length) {
      const grown = Math.min(bytesMax, Math.max(needed, buffer.length * GROWTH));
      if (!take(grown - buffer.length)) return "no-room";
      const larger = new Uint8Array(grown);
      larger.set(buffer.subarray(0, size));
      buffer = larger;
    }
    buffer.set(piece, size);
    size = needed;
  }
  return buffer.subarray(0, size);
};

export const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
};
