import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes that a process no longer holds, of so many things. */
export interface HeldBytes {
  readonly bytes: number;
  readonly of: number;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What was held only by what `drop` drops. */
export const heldBytes = (of: number, drop: () => void): HeldBytes => {
  const before = heldNow();
  drop();
  return { bytes: Math.max(0, before - heldNow()), of };
};

const heldNow = (): number => {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
