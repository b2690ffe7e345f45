/** What of a body is held at once, and passed on as it comes. */
export const CHUNK_BYTES = 65_536;

/** A body's pieces, one after the other: null at the end, rejected where it breaks off. */
export interface BodyPieces {
  readonly next: () => Promise<Uint8Array | null>;
  readonly cancel: (reason?: unknown) => Promise<unknown>;
}

/** Where the pieces go. A write settles when the next one is wanted. */
interface BodySink {
  readonly write: (piece: Uint8Array) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** broken: it did not come whole · unwanted: nobody takes more of it · stopped: by the signal */
export type BodyEnd =
  | { readonly kind: "whole" | "stopped" }
  | { readonly kind: "broken" | "unwanted"; readonly reason: unknown };

interface BodyRelayOptions {
  /** As announced; null where nobody knows. */
  readonly lengthBytes: number | null;
  /** Told before each piece which end is waited for. */
  readonly waiting?: (end: "source" | "sink") => void;
  /** Told of each piece before it is passed on, and whether it completes the announced length. */
  readonly passing?: ((piece: Uint8Array, isLast: boolean) => Promise<void> | void) | null;
  /** Leaves the body where it comes from; what becomes of the other end is its owner's. */
  readonly stop?: AbortSignal;
}

/**
 * A body on its way through, byte for byte. Both ends may fail: where it is not wanted it is left; a
 * body that breaks off does not break off the other end by itself, for that is done in different ways.
 */
export class BodyRelay {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #body: ReadableStream<Uint8Array> | BodyPieces;
  readonly #writable: WritableStream<Uint8Array>;
  readonly #options: BodyRelayOptions;
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;

  constructor(body: ReadableStream<Uint8Array> | BodyPieces, options: BodyRelayOptions) {
    const { lengthBytes } = options;
    const { readable, writable } =
      lengthBytes === null ? new IdentityTransformStream() : new FixedLengthStream(lengthBytes);
    this.#body = body;
    this.readable = readable as ReadableStream<Uint8Array>;
    this.#writable = writable as WritableStream<Uint8Array>;
    this.#options = options;
  }

  /** To break the other end off. While the runtime's pipe runs there is none. */
  get writer(): WritableStreamDefaultWriter<Uint8Array> {
    return (this.#writer ??= this.#writable.getWriter());
  }

  /** Never rejects. */
  run(): Promise<BodyEnd> {
    const body = this.#body;
    if (!(body instanceof ReadableStream)) return relayPieces(body, this.writer, this.#options);
    const { lengthBytes, waiting, passing, stop } = this.#options;
    const isWatched = waiting ?? passing ?? stop;
    if (isWatched == null) return this.#pipe(body);
    return relayPieces(piecesOf(body, lengthBytes), this.writer, this.#options);
  }

  /** Where nobody looks at the pieces, by the runtime's own pipe. */
  async #pipe(body: ReadableStream<Uint8Array>): Promise<BodyEnd> {
    try {
      await body.pipeTo(this.#writable, { preventAbort: true });
      return { kind: "whole" };
    } catch (reason) {
      // It does not say at which end it failed: one that failed itself takes nothing any more.
      return { kind: this.writer.desiredSize === null ? "unwanted" : "broken", reason };
    }
  }
}

/** Piece by piece to the end, which is not asked for where the length says that it is there. */
export const relayPieces = (
  pieces: BodyPieces,
  sink: BodySink,
  options: BodyRelayOptions,
): Promise<BodyEnd> => {
  const { stop } = options;
  if (stop === undefined) return passAll(pieces, sink, options);
  const { promise, resolve } = Promise.withResolvers<BodyEnd>();
  // Whatever it waits for just then may never come.
  const leave = (): void => {
    pieces.cancel(new Error("stopped")).catch(() => null);
    resolve({ kind: "stopped" });
  };
  if (stop.aborted) leave();
  else {
    stop.addEventListener("abort", leave, { once: true });
    void passAll(pieces, sink, options).then(resolve);
  }
  return promise;
};

const passAll = async (
  pieces: BodyPieces,
  sink: BodySink,
  { lengthBytes, waiting, passing, stop }: BodyRelayOptions,
): Promise<BodyEnd> => {
  let end: "broken" | "unwanted" = "broken";
  try {
    for (let left = lengthBytes ?? Infinity; left > 0;) {
      waiting?.("source");
      end = "broken";
      const piece = await pieces.next();
      if (stop?.aborted === true) return { kind: "stopped" };
      if (piece === null) {
        if (lengthBytes !== null) throw new Error("the body is shorter than it said");
        break;
      }
      left -= piece.byteLength;
      const told = passing?.(piece, left === 0);
      if (told !== undefined) await told;
      waiting?.("sink");
      end = "unwanted";
      await sink.write(piece);
    }
    waiting?.("sink");
    end = "unwanted";
    await sink.close();
    return { kind: "whole" };
  } catch (reason) {
    if (end === "unwanted") pieces.cancel(reason).catch(() => null);
    return { kind: end, reason };
  }
};

/** With a buffer of our own a network's stream comes in large pieces; other streams as they like. */
export const piecesOf = (
  body: ReadableStream<Uint8Array>,
  lengthBytes: number | null,
): BodyPieces => {
  const bytes = Math.max(1, Math.min(lengthBytes ?? CHUNK_BYTES, CHUNK_BYTES));
  try {
    const reader = body.getReader({ mode: "byob" });
    return piecesFrom(reader, () => reader.read(new Uint8Array(bytes)));
  } catch {
    return piecesAsTheyCome(body);
  }
};

/** Each in as much memory as it needs, so that it can be kept. */
export const piecesAsTheyCome = (body: ReadableStream<Uint8Array>): BodyPieces => {
  const reader = body.getReader();
  return piecesFrom(reader, () => reader.read());
};

const piecesFrom = (
  reader: Pick<BodyPieces, "cancel">,
  read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>,
): BodyPieces => ({
  async next() {
    const { done, value } = await read();
    return done ? null : (value ?? null);
  },
  cancel: (reason) => reader.cancel(reason),
});

/** The same pieces, of which somebody has asked for the first one already. */
export const startingWith = (
  first: Promise<Uint8Array | null>,
  { next, cancel }: BodyPieces,
): BodyPieces => {
  let ready: Promise<Uint8Array | null> | null = first;
  return {
    next() {
      const piece = ready ?? next();
      ready = null;
      return piece;
    },
    cancel,
  };
};
