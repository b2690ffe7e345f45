import { runDurableObjectAlarm } from "cloudflare:test";
import { eventually } from "../support/eventually.ts";

/**
 * Runs the alarm that an object has set. The runtime may run it by itself just then, by the time before:
 * then there is none until the object has set the next, and that one is run.
 */
export const runAlarm = async (object: unknown): Promise<void> => {
  await eventually(() => runDurableObjectAlarm(object as never));
};
