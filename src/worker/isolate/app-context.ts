import type { Operator } from "../../core/access/scopes.ts";
import type { RoomId } from "../../core/ids.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Env } from "../platform/env.ts";
import type { Deployment } from "./deployment.ts";
import type { Isolate } from "./isolate.ts";

/** What Hono carries from one middleware to the next. */
export interface AppContext {
  Bindings: Env;
  Variables: {
    isolate: Isolate;
    arrival: Arrival;
    deployment: Deployment;
    /** Who signed the request; there is one behind `needs` and `signedIn`. */
    operator: Operator;
    /** Set where refusals come in Cloudflare's envelope; elsewhere they are problems. */
    envelope?: "cloudflare";
    /** The id of the room that the path names, where `needs` looked it up. */
    coveredRoom?: RoomId;
  };
}
