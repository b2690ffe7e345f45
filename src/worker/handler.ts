/** What answers requests, without the classes of the objects that it asks. */
import { createApp } from "./app.ts";
import type { Env } from "./platform/env.ts";

const app = createApp();

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
