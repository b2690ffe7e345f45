/** A room's objects by their names: in their jurisdiction, and hinted at their region. */
import type { LobbyIndex } from "../ids.ts";
import { lobbyPlace, roomPlace } from "./address.ts";
import type { ObjectPlace, RoomAddress } from "./address.ts";
import type { Jurisdiction, Region, RegionList } from "./region.ts";

/** The part of a Durable Object namespace that we use, so that tests can give a plain object. */
export interface ObjectsOf<Rpc> {
  getByName(name: string, options?: { readonly locationHint?: Region }): Rpc;
  jurisdiction?(jurisdiction: Jurisdiction): ObjectsOf<Rpc>;
}

/** What workerd says where it runs by itself: on one machine, which is one place. */
const ONE_PLACE = /^Jurisdiction restrictions .* in workerd/;

/** Names tell their jurisdiction, so in one place no other object answers to them. */
const within = <Rpc>(objects: ObjectsOf<Rpc>, jurisdiction: Jurisdiction): ObjectsOf<Rpc> => {
  try {
    const there = objects.jurisdiction?.(jurisdiction);
    if (there !== undefined) return there;
  } catch (error) {
    if (error instanceof Error && ONE_PLACE.test(error.message)) return objects;
    throw error;
  }
  throw new Error(`there is no jurisdiction ${jurisdiction} here`);
};

const objectAt = <Rpc>(objects: ObjectsOf<Rpc>, place: ObjectPlace): Rpc => {
  const { name, jurisdiction, region } = place;
  const there = jurisdiction === null ? objects : within(objects, jurisdiction);
  return region === null ? there.getByName(name) : there.getByName(name, { locationHint: region });
};

export const roomAt = <Rpc>(rooms: ObjectsOf<Rpc>, address: RoomAddress): Rpc =>
  objectAt(rooms, roomPlace(address));

export const lobbyAt = <Rpc>(
  lobbies: ObjectsOf<Rpc>,
  room: RoomAddress,
  index: LobbyIndex,
  regions: RegionList | undefined,
): Rpc => objectAt(lobbies, lobbyPlace(room, index, regions));
