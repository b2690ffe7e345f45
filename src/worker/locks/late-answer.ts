/** How long the end of an answer may wait for word that nobody is there any more. */
const WORD_WITHIN_MS = 10;
/** Who has waited so long does not mind. */
const LONG_WAIT_MS = 1_000;

/**
 * The answer to somebody who has waited. A connection that its client has closed looks open until
 * something is written to it: so all but the last byte goes first, and if the last one finds nobody,
 * `isGone` is told. A client has the whole answer only with that byte.
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
