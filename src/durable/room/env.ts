import type { DurableObject } from "cloudflare:workers";
import type { LobbyRpc, RegistryRpc } from "../contract.ts";
import type { AlertsRpc } from "../webhooks-contract.ts";
import type { AnalyticsEnv } from "./analytics.ts";

/** What a Room is bound to. */
export interface RoomEnv extends AnalyticsEnv {
  readonly REGISTRY: { getByName(name: string): AlertsRpc & Pick<RegistryRpc, "livingTokens"> };
  readonly LOBBY: DurableObjectNamespace<DurableObject & LobbyRpc>;
  readonly DRAND_URL?: string;
}
