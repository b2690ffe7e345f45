import { Locks as LocksObject } from "../durable/locks/locks.ts";
import { Registry as RegistryObject, type RegistryEnv } from "../durable/registry/registry.ts";
import { settingsShown } from "../api/audit/shown.ts";
import { createApp } from "./app.ts";
import type { Env } from "./platform/env.ts";
import { ruleChanged } from "./operators/lock-rule-change.ts";
import { roomChanged } from "./operators/room-change.ts";

export { Lobby } from "../durable/lobby/lobby.ts";
export { Room } from "../durable/room/room.ts";

/** It owns the rooms' settings; their names and bounds are ours. */
export class Registry extends RegistryObject {
  constructor(ctx: DurableObjectState, env: RegistryEnv) {
    super(ctx, env, roomChanged, settingsShown);
  }
}

/** One of them owns the lock rules. */
export class Locks extends LocksObject {
  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env, ruleChanged);
  }
}

const app = createApp();

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
