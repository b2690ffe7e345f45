import type { ClaimReply, VisitAsk } from "../contract.ts";
import type { LobbyTickets } from "./tickets.ts";

/** What several visitors ask at once goes to the Room in one batch. */
export const visitsFor = (
  tickets: Pick<LobbyTickets, "claim" | "end">,
  asks: readonly VisitAsk[],
): Promise<readonly (ClaimReply | null)[]> =>
  Promise.all(
    asks.map(async (ask) => {
      if ("claim" in ask) return tickets.claim(ask.claim);
      await tickets.end(ask.end, ask.afterMs);
      return null;
    }),
  );
