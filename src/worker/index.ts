import type { Env } from "./env.ts";
import { createApp } from "./app.ts";

export { Lobby } from "../durable/lobby.ts";
export { Locks } from "../durable/locks.ts";
export { Registry } from "../durable/registry.ts";
export { Room } from "../durable/room.ts";

const app = createApp();

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
