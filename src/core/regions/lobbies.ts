/** Which region a lobby is in follows from its index: tokens and rows that name a lobby name it too. */
import { LOBBY_INDEX_MAX, lobbyIndex, type LobbyIndex } from "../ids.ts";
import type { Region, RegionList } from "./region.ts";

/** Null in a room without regions. */
export const regionOfLobby = (index: LobbyIndex, regions: RegionList | undefined): Region | null =>
  regions === undefined ? null : (regions[index % regions.length] ?? null);

/** The indexes of one region, from the lowest. `at` is the region's place among so many. */
export function* lobbiesIn(at: number, regions: number): Generator<LobbyIndex, void> {
  for (let index = at; index <= LOBBY_INDEX_MAX; index += regions) yield lobbyIndex(index);
}
/**
 * Who speaks for the visitors of a lobby that cannot be reached: the lobby beside it, in the next region
 * of the room.
 */
export const standInOf = (index: LobbyIndex, regions: RegionList): LobbyIndex => {
  const at = index % regions.length;
  return lobbyIndex(index - at + ((at + 1) % regions.length));
};
