import type { Arrival } from "../arrival/arrival.ts";
import { reasonOf } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";
import { lengthOf } from "./content-length.ts";
import { BodyRelay, CHUNK_BYTES } from "./relay-body.ts";

/**
 * What runs beside a request (a lease that is given back, a call that others share) ends with it, so
 * it gets this long to be done.
 */
const BREAK_AFTER_MS = 500;
/** Errors, and redirects, after which nobody goes on sending either. */
const REFUSALS_FROM = 300;

/**
 * Ends an answer of unknown length so that its client sees that it is not whole. An error of the
 * stream alone would not do: the runtime ends such an answer in good order. What it can't end well is
 * a write that is under way when the request's context ends; of that write nothing is sent. With
 * another timer of the request pending the context ends too late for that.
 */
export const breakOff = (
  ports: Pick<Ports, "timer">,
  arrival: Pick<Arrival, "abort">,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  ports.timer(BREAK_AFTER_MS, () => {
    writer.write(new Uint8Array(1)).catch(() => null);
    arrival.abort(BROKEN_OFF);
    // Reached only where a context can't be ended.
    writer.abort(new Error(BROKEN_OFF)).catch(() => null);
    resolve();
  });
  return promise;
};

/** The runtime's log shows it, as an exception that nobody caught. */
const BROKEN_OFF = "seiriken: answer broken off";

/** What a refusal is told by. */
export type RequestWithBody = Pick<Request, "body" | "headers">;

/**
 * Is it like an origin that refuses a body and takes no more of it? While a request's body is on its way
 * the runtime keeps the end of the answer back, and an origin that is done and closes looks to us like one
 * that broke off in the middle (docs/limits-of-the-runtime.md). A short body has been sent by then.
 */
export const isRefusal = ({ body, headers }: RequestWithBody, status: number): boolean =>
  status >= REFUSALS_FROM && body !== null && (lengthOf(headers) ?? Infinity) > CHUNK_BYTES;

/**
 * The same answer, which breaks off at the client where the origin's does. With a length the client
 * counts for itself.
 */
export const breakingAlike = (
  ports: Pick<Ports, "timer" | "log">,
  arrival: Arrival,
  response: Response,
): Response => {
  const { body, headers, status } = response;
  const mayBreakUnseen = body !== null && status !== 101 && !headers.has("Content-Length");
  return mayBreakUnseen
    ? new Response(passBreaksOn(ports, arrival, { body, status }), response)
    : response;
};

const passBreaksOn = (
  ports: Pick<Ports, "timer" | "log">,
  arrival: Arrival,
  { body, status }: { readonly body: ReadableStream<Uint8Array>; readonly status: number },
): ReadableStream => {
  const relay = new BodyRelay(body, { lengthBytes: null });
  // Not in a waitUntil: the answer itself keeps it alive while a client reads it.
  void relay.run().then((end) => {
    // A client that went away has broken it off itself.
    if (end.kind !== "broken") return undefined;
    if (isRefusal(arrival.request, status)) return relay.writer.close().catch(() => undefined);
    const { reference } = arrival;
    const reason = reasonOf(end.reason);
    ports.log({ level: "warn", event: "answer-broken-off", reference, reason });
    return breakOff(ports, arrival, relay.writer);
  });
  return relay.readable;
};
