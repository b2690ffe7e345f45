import type { Ports } from "../ports.ts";
import type { Life } from "./life.ts";

/** What of a body is held at once, and passed on as it comes. */
const CHUNK_BYTES = 65_536;

export interface Watch {
  readonly ports: Pick<Ports, "timer">;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly life: Life;
  /** The longest silence of the origin within an answer; null for streams that may be silent. */
  readonly silenceMaxMs: number | null;
  /** The longest that a client may take nothing. */
  readonly stallMaxMs: number;
  /** The body's bytes are encoded as its headers say; else the runtime sees to that. */
  readonly isEncoded: boolean;
}

/** Streams that say nothing for as long as nothing happens. */
export const maySayNothing = (headers: Headers): boolean =>
  headers.get("Content-Type")?.startsWith("text/event-stream") === true;

/**
 * The answer, byte for byte, with an eye on its end: its last byte, the origin's breaking off or
 * falling silent, the client's leaving or taking no more.
 */
export const watchAnswer = (response: Response, watch: Watch): Response => {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    watch.life.end("answered");
    return response;
  }
  const length = lengthOf(headers);
  const through = length === null ? new IdentityTransformStream() : new FixedLengthStream(length);
  const pumping = pump(readerOf(body), through.writable.getWriter(), watch);
  // After a reset a write may never settle; the life is over all the same.
  watch.waitUntil(Promise.race([pumping, watch.life.over]));
  const encodeBody = watch.isEncoded ? "manual" : "automatic";
  return new Response(through.readable, { status, statusText, headers, encodeBody });
};

const lengthOf = (headers: Headers): number | null => {
  const length = Number(headers.get("Content-Length") ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
};

interface Chunk {
  readonly done: boolean;
  readonly value?: Uint8Array | undefined;
}

interface Reader {
  readonly read: () => Promise<Chunk>;
  readonly cancel: (reason: unknown) => Promise<void>;
}

/** With a buffer of our own a network's stream comes in large pieces; other streams as they like. */
const readerOf = (body: ReadableStream<Uint8Array>): Reader => {
  try {
    const reader = body.getReader({ mode: "byob" });
    const read = (): Promise<Chunk> => reader.read(new Uint8Array(CHUNK_BYTES));
    return { read, cancel: (reason) => reader.cancel(reason) };
  } catch {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
};

const pump = async (
  reader: Reader,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  { ports, life, silenceMaxMs, stallMaxMs }: Watch,
): Promise<void> => {
  let waitsFor: "origin-failed" | "client-gone" = "origin-failed";
  try {
    for (;;) {
      waitsFor = "origin-failed";
      const stopSilence =
        silenceMaxMs === null ? null : ports.timer(silenceMaxMs, () => life.stop("origin-timeout"));
      const { done, value } = await reader.read().finally(() => stopSilence?.());
      waitsFor = "client-gone";
      const stopStall = ports.timer(stallMaxMs, () => life.stop("client-gone"));
      const writing = done || value === undefined ? writer.close() : writer.write(value);
      await writing.finally(stopStall);
      if (done) break;
    }
    life.end("answered");
  } catch (error) {
    life.stop(waitsFor);
    await Promise.allSettled([writer.abort(error), reader.cancel(error)]);
  }
};
