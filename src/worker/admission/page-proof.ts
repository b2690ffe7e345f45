import type { RoomDefinition } from "../../core/definition.ts";
import type { PageProof } from "../../page/state.ts";
import type { Env } from "../platform/env.ts";
import { PROOF_PATH } from "../page/proof-path.ts";
import { proofVersion } from "../page/assets.gen.ts";
import { asksOf } from "../strangers/asks.ts";

/** A widget that needs nothing of its visitor has answered long before. */
const PATIENCE_MS = { log: 5_000, infinite_queue: 20_000 } as const;

/** How the page gets what a ticket of this room costs; null where it costs nothing. */
export const pageProof = (room: RoomDefinition, env: Env): Omit<PageProof, "text"> | null => {
  const asks = asksOf(room, env);
  if (asks === null) return null;
  const { turnstile, keys, mode } = asks;
  return {
    script: `${PROOF_PATH}?${proofVersion}`,
    turnstile:
      turnstile === null || keys === null
        ? null
        : {
            siteKey: keys.siteKey,
            script: keys.scriptUrl,
            appearance: mode === "invisible" ? "interaction-only" : "always",
            room: room.id,
            patienceMs: PATIENCE_MS[turnstile],
          },
  };
};
