import { bytesHeld } from "../../support/heap.ts";

/** Bytes that a process no longer holds, of so many things. */
export interface HeldBytes {
  readonly bytes: number;
  readonly of: number;
}

/** What was held only by what `drop` drops. */
export const heldBytes = (of: number, drop: () => void): HeldBytes => {
  const before = bytesHeld();
  drop();
  return { bytes: Math.max(0, before - bytesHeld()), of };
};
