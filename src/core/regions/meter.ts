/** What monitoring reads of the regions of a room. */
import type { LobbyIndex } from "../ids.ts";
import type { InstantMs } from "../time.ts";
import { regionOfLobby } from "./lobbies.ts";
import type { Region, RegionList } from "./region.ts";

export interface RegionMeter {
  readonly region: Region;
  /** Present, at lobbies of that region. */
  readonly waiting: number;
  /** How long the Room has not heard of one of those lobbies; null where nobody waits. */
  readonly silentMs: number | null;
}

/** A lobby as the Room sees it. */
export interface MeteredLobby {
  readonly index: LobbyIndex;
  readonly waiting: number;
  /** Null: not in this life of the Room, or not for so long that its visitors count as away. */
  readonly heardAt: InstantMs | null;
}

export const regionMeters = (
  regions: RegionList,
  lobbies: readonly MeteredLobby[],
  now: InstantMs,
): readonly RegionMeter[] =>
  regions.map((region) => {
    const here = lobbies.filter(
      ({ index, waiting }) => waiting > 0 && regionOfLobby(index, regions) === region,
    );
    const waiting = here.reduce((sum, lobby) => sum + lobby.waiting, 0);
    const silences = here.flatMap(({ heardAt }) => (heardAt === null ? [] : now - heardAt));
    return { region, waiting, silentMs: silences.length === 0 ? null : Math.max(...silences) };
  });
