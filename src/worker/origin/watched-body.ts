/** What of a body is held at once, and passed on as it comes. */
const CHUNK_BYTES = 65_536;

/** A request's body on its way to the origin. */
export interface WatchedBody {
  readonly readable: ReadableStream;
  /** Ends the request to the origin when not all of the body came. */
  readonly broken: AbortSignal;
}

class BrokenBodyError extends Error {
  override readonly name = "BrokenBodyError";
}

/** Did a request end because not all of its body came? By name, as the runtime throws a copy. */
export const isBrokenBody = (error: unknown): boolean =>
  error instanceof Error && error.name === "BrokenBodyError";

/**
 * The same body, which breaks off at the origin where the client's does. A stream that fails does not
 * do that by itself: on its way through another server of the configuration (`keep_host`), or from
 * another Worker, the runtime ends a chunked body in good order.
 */
export const watchedBody = (
  body: ReadableStream<Uint8Array>,
  length: number | null,
  moved: (() => void) | null,
): WatchedBody => {
  const { readable, writable } =
    length === null ? new IdentityTransformStream() : new FixedLengthStream(length);
  const abort = new AbortController();
  // Not in a waitUntil: the request itself keeps it alive for as long as somebody takes the body.
  const passing = moved === null ? pipe(body, writable) : pump(body, writable, moved);
  void passing.then((end) => {
    if (end !== "broken") return;
    // First the request, for the runtime may end a body whose stream fails as if it were whole.
    abort.abort(new BrokenBodyError("its client broke the upload off"));
    writable.abort(abort.signal.reason).catch(() => null);
  });
  return { readable, broken: abort.signal };
};

type End = "whole" | "unwanted" | "broken";

/** By the runtime's own pipe, which does not say at which end it failed. */
const pipe = async (body: ReadableStream<Uint8Array>, writable: WritableStream): Promise<End> => {
  try {
    await body.pipeTo(writable, { preventAbort: true, preventCancel: true });
    return "whole";
  } catch {
    return hasFailed(body);
  }
};

/** A body that has failed says so to whoever reads on. */
const hasFailed = async (body: ReadableStream<Uint8Array>): Promise<End> => {
  const reader = body.getReader();
  try {
    await reader.read();
  } catch {
    return "broken";
  }
  reader.cancel().catch(() => null);
  return "unwanted";
};

/** Piece by piece, so that somebody hears of each. */
const pump = async (
  body: ReadableStream<Uint8Array>,
  writable: WritableStream,
  moved: () => void,
): Promise<End> => {
  const next = readerOf(body);
  const writer = writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>;
  for (;;) {
    const piece = await next.read().catch(() => null);
    if (piece === null) {
      writer.releaseLock();
      return "broken";
    }
    try {
      if (piece.done) {
        await writer.close();
        return "whole";
      }
      moved();
      if (piece.value !== undefined) await writer.write(piece.value);
    } catch {
      // An origin that has answered may take no more.
      next.cancel().catch(() => null);
      return "unwanted";
    }
  }
};

interface Piece {
  readonly done: boolean;
  readonly value?: Uint8Array | undefined;
}

interface Pieces {
  readonly read: () => Promise<Piece>;
  readonly cancel: () => Promise<void>;
}

/** With a buffer of our own a network's stream comes in large pieces; other streams as they like. */
const readerOf = (body: ReadableStream<Uint8Array>): Pieces => {
  try {
    const reader = body.getReader({ mode: "byob" });
    const read = () => reader.read(new Uint8Array(CHUNK_BYTES));
    return { read, cancel: () => reader.cancel() };
  } catch {
    return body.getReader();
  }
};
