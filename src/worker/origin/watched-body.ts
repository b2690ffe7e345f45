import { BodyRelay } from "./relay-body.ts";

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
  lengthBytes: number | null,
  moved: (() => void) | null,
): WatchedBody => {
  const relay = new BodyRelay(body, { lengthBytes, passing: moved });
  const abort = new AbortController();
  // Not in a waitUntil: the request itself keeps it alive while the origin reads the body.
  void relay.run().then((end) => {
    // An origin that has answered may take no more.
    if (end.kind !== "broken") return;
    // First the request, for the runtime may end a body whose stream fails as if it were whole.
    abort.abort(new BrokenBodyError("its client broke the upload off"));
    relay.writer.abort(abort.signal.reason).catch(() => null);
  });
  return { readable: relay.readable, broken: abort.signal };
};
