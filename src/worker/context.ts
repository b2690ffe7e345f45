import type { Arrival } from "./arrival.ts";
import type { Env } from "./env.ts";
import type { Deployment } from "./isolate/deployment.ts";
import type { Isolate } from "./isolate/isolate.ts";

/** What Hono carries from one middleware to the next. */
export interface AppContext {
  Bindings: Env;
  Variables: { isolate: Isolate; arrival: Arrival; deployment: Deployment };
}
