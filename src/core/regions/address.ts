/**
 * The names of a room's objects, and what they tell: the objects that must reach each other know
 * nothing but their own names when they wake.
 */
import type { Brand } from "../brand.ts";
import type { RoomDefinition } from "../definition.ts";
import type { LobbyIndex, RoomId } from "../ids.ts";
import { regionOfLobby } from "./lobbies.ts";
import type { Jurisdiction, Region, RegionList } from "./region.ts";

/**
 * The name of a Room object: its id, and for a room that says where it lives `{id}@{jurisdiction}.{region}`,
 * of which either may be empty.
 */
export type RoomAddress = Brand<string, "RoomAddress">;

/** An object's name, and where it has to be asked for. */
export interface ObjectPlace {
  readonly name: string;
  readonly jurisdiction: Jurisdiction | null;
  /** Counts for the first call of all only, so every caller says it. */
  readonly region: Region | null;
}

type Addressed = Pick<RoomDefinition, "id" | "home"> & {
  readonly limits: Pick<RoomDefinition["limits"], "regions">;
};

export const addressOf = ({ id, home, limits }: Addressed): RoomAddress => {
  const region = home?.region ?? limits.regions?.[0] ?? "";
  const jurisdiction = home?.jurisdiction ?? "";
  const isPlain = region === "" && jurisdiction === "";
  return (isPlain ? id : `${id}@${jurisdiction}.${region}`) as string as RoomAddress;
};

export const roomIdIn = (address: RoomAddress): RoomId => (address.split("@")[0] ?? "") as RoomId;

export const roomPlace = (address: RoomAddress): ObjectPlace => {
  const [jurisdiction = "", region = ""] = (address.split("@")[1] ?? "").split(".");
  return {
    name: address,
    jurisdiction: jurisdiction === "" ? null : (jurisdiction as Jurisdiction),
    region: region === "" ? null : (region as Region),
  };
};

/** A lobby is named `{address of its room}/{index}`. */
export const lobbyPlace = (
  address: RoomAddress,
  index: LobbyIndex,
  regions: RegionList | undefined,
): ObjectPlace => ({
  name: `${address}/${index}`,
  jurisdiction: roomPlace(address).jurisdiction,
  region: regionOfLobby(index, regions),
});
