import type { Arrival } from "../arrival/arrival.ts";
import { breakOff } from "../origin/break-off.ts";
import { relaySocket } from "../origin/relay-socket.ts";
import { IdleTimer } from "../platform/idle-timer.ts";
import type { Lifetime } from "./lifetime.ts";

/** What of a body is held at once, and passed on as it comes. */
const CHUNK_BYTES = 65_536;

/** Many programs say something every 25 to 30 s, so that nobody between them closes the socket. */
const SOCKET_IDLE_MS = 60_000;

/** Which end of an answer is waited for. */
type End = "origin" | "client";

export interface AnswerOptions {
  /** What ends the request, so that its client sees that the answer is not whole. */
  readonly arrival: Pick<Arrival, "abort">;
  /** The longest silence of the origin within an answer; null: it may pause for as long as it likes. */
  readonly silenceMaxMs: number | null;
  /** The longest that a client may take nothing; null where that is nobody else's loss. */
  readonly stallMaxMs: number | null;
  /** The body's bytes are encoded as its headers say; else the runtime sees to that. */
  readonly isEncoded: boolean;
  /** A piece of the body is passed on. */
  readonly moved?: () => void;
}

/** Streams that say nothing for as long as nothing happens. */
export const maySayNothing = (headers: Headers): boolean =>
  headers.get("Content-Type")?.startsWith("text/event-stream") === true;

/**
 * The answer, byte for byte, with an eye on its end: its last byte, the origin's breaking off or
 * falling silent, the client's leaving or taking no more.
 */
export const relayAnswer = async (
  response: Response,
  lifetime: Lifetime,
  options: AnswerOptions,
): Promise<Response> => {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    lifetime.end("answered");
    return response;
  }
  const length = lengthOf(headers);
  const encodeBody = options.isEncoded ? "manual" : "automatic";
  const init = { status, statusText, headers, encodeBody } as const;
  const reader = readerOf(body, length);
  const limits = { origin: options.silenceMaxMs, client: options.stallMaxMs };
  const idle = new IdleTimer<End>(lifetime.ports, limits, "origin", (end) =>
    lifetime.stop(end === "origin" ? "origin-timeout" : "client-gone"),
  );
  const first = isShort(length, headers) ? await nextOf(reader).catch(() => null) : null;
  if (first?.byteLength === length) {
    // All of it is here: nothing is left to watch.
    idle.stop();
    lifetime.end("answered");
    return new Response(first, init);
  }
  const through = length === null ? new IdentityTransformStream() : new FixedLengthStream(length);
  const writer = through.writable.getWriter();
  const pumping = pump({ reader, first, writer, length }, lifetime, options, idle);
  // After a reset a write may never settle; the life is over all the same.
  lifetime.waitUntil(Promise.race([pumping, lifetime.over]));
  return new Response(through.readable, init);
};

/**
 * A socket that is its own visit: the permit lasts as long as it does, and it ends when neither end
 * says anything for a minute, or for `idleMs` where that is longer. The runtime answers a socket's
 * own pings, so that only messages count.
 */
export const relayUntilIdle = (
  response: Response,
  lifetime: Lifetime,
  idleMs = SOCKET_IDLE_MS,
): Response => {
  const limits = { message: Math.max(SOCKET_IDLE_MS, idleMs) };
  const idle = new IdleTimer(lifetime.ports, limits, "message", () => lifetime.stop("idle"));
  void lifetime.over.then(() => idle.stop());
  return relaySocket(response, {
    moved: () => idle.waitFor("message"),
    over: () => lifetime.end("answered"),
    stop: lifetime.signal,
  });
};

/** Most likely it is in one piece, and here: whoever knows a body's length has the body. */
const isShort = (length: number | null, headers: Headers): boolean =>
  length !== null && length > 0 && length <= CHUNK_BYTES && !maySayNothing(headers);

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
const readerOf = (body: ReadableStream<Uint8Array>, length: number | null): Reader => {
  const bytes = Math.max(1, Math.min(length ?? CHUNK_BYTES, CHUNK_BYTES));
  try {
    const reader = body.getReader({ mode: "byob" });
    const read = (): Promise<Chunk> => reader.read(new Uint8Array(bytes));
    return { read, cancel: (reason) => reader.cancel(reason) };
  } catch {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
};

interface Pipe {
  readonly reader: Reader;
  /** What was read before; null when nothing was, or when it failed: the next read says why. */
  readonly first: Uint8Array | null;
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly length: number | null;
}

const pump = async (
  { reader, first, writer, length }: Pipe,
  lifetime: Lifetime,
  { moved, arrival }: AnswerOptions,
  idle: IdleTimer<End>,
): Promise<void> => {
  let left = length ?? Infinity;
  let ready = first;
  const broken = async (reason: unknown): Promise<void> => {
    const isClientGone = (await lifetime.over) === "client-gone";
    // With a length, what is missing tells the client. Without one the request ends with its answer,
    // and whatever has to be done after it comes first.
    const ending =
      isClientGone || length !== null
        ? writer.abort(reason)
        : lifetime.afterwards.then(() => breakOff(lifetime.ports, arrival, writer));
    await Promise.allSettled([ending, reader.cancel(reason)]);
  };
  // Whoever waits for the origin or the client hears that the answer was stopped.
  const stopped = (): void => {
    idle.stop();
    void broken(new Error("the answer was stopped"));
  };
  lifetime.signal.addEventListener("abort", stopped, { once: true });
  try {
    // At the end of a known length there is nothing to ask for.
    while (left > 0) {
      idle.waitFor("origin");
      const value = ready ?? (await nextOf(reader));
      ready = null;
      if (value === null || lifetime.signal.aborted) break;
      moved?.();
      left -= value.byteLength;
      // The origin is done; what is in hand here takes no permit to pass on.
      if (left === 0) lifetime.end("answered");
      idle.waitFor("client");
      await writer.write(value);
    }
    if (lifetime.signal.aborted) return;
    if (length !== null && left > 0) throw new Error("the answer is shorter than it said");
    idle.waitFor("client");
    await writer.close();
    lifetime.end("answered");
  } catch (error) {
    if (lifetime.signal.aborted) return;
    lifetime.signal.removeEventListener("abort", stopped);
    idle.stop();
    lifetime.stop(idle.end === "origin" ? "origin-failed" : "client-gone");
    await broken(error);
  } finally {
    idle.stop();
  }
};

/** Null at the end. */
const nextOf = async (reader: Reader): Promise<Uint8Array | null> => {
  const { done, value } = await reader.read();
  return done ? null : (value ?? null);
};
