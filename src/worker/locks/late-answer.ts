/** How long the end of an answer waits for the news that its client is gone. */
const WORD_WITHIN_MS = 10;
/** A client that has waited so long does not mind that wait. */
const LONG_WAIT_MS = 1_000;

/**
 * The answer to a client that has waited. A connection that the client has closed looks open until
 * something is written to it: so all but the last byte goes first. If the client proves to be gone,
 * `isGone` is called; a client has the whole answer only with the last byte.
 */
export const lateAnswer = (
  text: string,
  init: ResponseInit,
  waitedMs: number,
  { waitUntil, pause, isGone }: LateOptions,
): Response => {
  const bytes = new TextEncoder().encode(text);
  const { readable, writable } = new FixedLengthStream(bytes.byteLength);
  const writer = writable.getWriter();
  const write = async (): Promise<void> => {
    try {
      await writer.write(bytes.subarray(0, -1));
      if (waitedMs >= LONG_WAIT_MS) await pause(WORD_WITHIN_MS);
      await writer.write(bytes.subarray(-1));
    } catch {
      return isGone();
    }
    // From here on it may have the lock, and leave as soon as it likes.
    await writer.close().catch(() => null);
  };
  waitUntil(write());
  return new Response(readable, init);
};

export interface LateOptions {
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly pause: (ms: number) => Promise<void>;
  readonly isGone: () => Promise<void>;
}
