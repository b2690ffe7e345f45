import { clientNetwork } from "../../core/address/ip-address.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { hex } from "../../core/hex.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Keyring } from "./keyring.ts";

const KEY_BYTES = 8;

/**
 * A keyed hash of what the room knows its clients by (`client_key`), for one request that comes
 * without its ticket. Null where the room has no such setting, or the request has no such header.
 */
export const clientKey = async (
  keys: Keyring,
  arrival: Arrival,
  room: RoomDefinition,
): Promise<string | null> => {
  const { id, clientKey: known = null } = room;
  if (known === null) return null;
  const text =
    known.from === "address"
      ? clientNetwork(arrival.clientOf(room).address ?? "")
      : arrival.request.headers.get(known.name);
  if (!text) return null;
  const mac = await keys.mac(`client\n${id}\n${known.from}\n${text}`);
  return hex(mac.slice(0, KEY_BYTES));
};

/**
 * A keyed hash of the client's address, so that joins per address can be counted without keeping
 * addresses. Null where the room does not count, or the address is not known.
 */
export const addressKey = (
  keys: Keyring,
  arrival: Arrival,
  room: RoomDefinition,
): MaybePromise<string | null> => {
  if (room.limits.joinsPerAddressPerMinuteMax === null) return null;
  const { address } = arrival.clientOf(room);
  if (address === null) return null;
  const mac = keys.mac(`address\n${room.id}\n${clientNetwork(address)}`);
  return mac.then((bytes) => hex(bytes.slice(0, KEY_BYTES)));
};
