import type { Arrival } from "../arrival/arrival.ts";
import type { Env } from "../platform/env.ts";
import type { Deployment } from "./deployment.ts";
import type { Isolate } from "./isolate.ts";

/** What Hono carries from one middleware to the next. */
export interface AppContext {
  Bindings: Env;
  Variables: { isolate: Isolate; arrival: Arrival; deployment: Deployment };
}
