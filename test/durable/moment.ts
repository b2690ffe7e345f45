import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

const BEATS = 5;

/** Milliseconds that the machine needs now for the least that an object can keep. */
const beat = async (): Promise<number> => {
  const { LOCKS } = env as unknown as { LOCKS: DurableObjectNamespace };
  const began = performance.now();
  await runInDurableObject(LOCKS.getByName("beat"), async (_, { storage }) => {
    await storage.put("beat", began);
    await storage.sync();
  });
  return performance.now() - began;
};

/**
 * So that what was just asked for is under way: at least `ms`, and as much longer as this machine is
 * slower. A call to an object, and what it keeps, take a quick one a millisecond and one whose disk
 * or processor is busy a hundred. Where a test can see what it waits for, `eventually` is better.
 */
export const moment = async (ms: number): Promise<void> => {
  await scheduler.wait(ms);
  for (let beats = 0; beats < BEATS; beats += 1) await beat();
};

/** Milliseconds by which something may exceed its rule's time on this machine, as of now. */
export const slackMs = async (): Promise<number> => {
  let slowest = 0;
  for (let beats = 0; beats < BEATS; beats += 1) slowest = Math.max(slowest, await beat());
  return 2 * BEATS * slowest;
};
