import type { GateContext } from "../admission/context.ts";
import { AskedRequest } from "./rule-request.ts";

/** Does a rule of the room let this request pass the room by? */
export const isBypassed = (context: GateContext): boolean => {
  const { isolate, arrival, room } = context;
  const bypass = isolate.bypasses.of(room);
  // A path without a single meaning never gets here; if it did, nothing could be said of it.
  if (bypass === null || arrival.readings === null) return false;
  const rule = bypass.ruleFor(new AskedRequest(context), arrival.readings);
  if (rule === null) return false;
  if (rule !== "out-of-steps") {
    isolate.views.tallyOf(room).bypassed();
    return true;
  }
  const { reference } = arrival;
  isolate.ports.log({ level: "warn", event: "rules-out-of-steps", reference, room: room.name });
  return false;
};
