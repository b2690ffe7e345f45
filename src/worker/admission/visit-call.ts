/** Claims and ends of visits, which requests of one isolate ask their lobby for together. */
import type { LobbyIndex } from "../../core/ids.ts";
import type { ClaimReply, LobbyRpc, VisitAsk } from "../../durable/contract.ts";
import { orEachAlone } from "../isolate/or-each-alone.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { GateContext } from "./context.ts";

/** Rejects with an `UnreachableError`. */
export const askAboutVisit = (
  { isolate, arrival, room }: Pick<GateContext, "isolate" | "arrival" | "room">,
  lobby: LobbyIndex,
  ask: VisitAsk,
): Promise<ClaimReply | null> =>
  isolate.visitAsks.ask(
    `${room.id}/${lobby}`,
    ask,
    (asks) => askAll(() => lobbyOf(arrival, room, lobby), asks),
    arrival.waitUntil,
  );

type VisitsLobby = Pick<LobbyRpc, "visits" | "claim" | "end">;

const askAll = (
  lobby: () => VisitsLobby,
  asks: readonly VisitAsk[],
): Promise<readonly (ClaimReply | null)[]> =>
  orEachAlone(
    () => lobby().visits(asks),
    () => asks.map((ask) => askAlone(lobby(), ask)),
  );

const askAlone = async (lobby: VisitsLobby, ask: VisitAsk): Promise<ClaimReply | null> => {
  if ("claim" in ask) return lobby.claim(ask.claim);
  await lobby.end(ask.end, ask.afterMs);
  return null;
};
