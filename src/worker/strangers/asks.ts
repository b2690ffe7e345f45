/** What a room asks of those who have no ticket, as far as this deployment can ask it. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomAsks } from "../../core/strangers/entitle.ts";
import type { ProofOfWork } from "../../core/strangers/network-load.ts";
import type { Env } from "../platform/env.ts";
import { turnstileKeys } from "./turnstile.ts";
import type { TurnstileKeys } from "./turnstile.ts";

export interface Asks extends RoomAsks {
  readonly keys: TurnstileKeys | null;
  /** How the widget shows itself. */
  readonly mode: string;
  readonly puzzles: ProofOfWork | null;
}

/** Tickets of a page are what strangers pay for; other rooms have none. */
export const hasTickets = ({ queueingMethod, limits }: RoomDefinition): boolean =>
  limits.permit === "visit" && (queueingMethod === "fifo" || queueingMethod === "random");

/** Is there a ticket only for a proof, or is what strangers bring only logged? */
export const holdsBack = ({ turnstile, work }: RoomAsks): boolean =>
  turnstile === "infinite_queue" || work;

/** Null, nearly always: nothing is asked. */
export const asksOf = (room: RoomDefinition, env: Env): Asks | null => {
  const { turnstile_mode: mode = "off", turnstile_action: action } = room.kept;
  const puzzles = room.proofOfWork ?? null;
  if ((mode === "off" && puzzles === null) || !hasTickets(room)) return null;
  const keys = mode === "off" ? null : turnstileKeys(env);
  if (keys === null && puzzles === null) return null;
  const held = action === "infinite_queue" ? "infinite_queue" : "log";
  return { turnstile: keys === null ? null : held, work: puzzles !== null, keys, mode, puzzles };
};
