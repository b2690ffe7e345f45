/**
 * The classes of our objects, each with what it is told by the Worker's side. On one machine they have an
 * isolate to themselves (docs/decisions/two-isolates.md): whatever stands here is all that it imports.
 */
import { Locks as LocksObject } from "../durable/locks/locks.ts";
import { Registry as RegistryObject, type RegistryEnv } from "../durable/registry/registry.ts";
import { settingsShown } from "../api/audit/shown.ts";
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
