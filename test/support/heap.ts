/** What the process holds in memory, for benchmarks and simulations. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of JavaScript's heap and its buffers that survive a collection. */
export const bytesHeld = (): number => {
  // What the first one finalizes, the second one frees.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
