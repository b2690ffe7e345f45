import type { RoomDefinition } from "../core/definition.ts";
import type { Arrival } from "./arrival.ts";
import { hex } from "./origin/signature.ts";
import type { Keyring } from "./tokens/keyring.ts";

const KEY_BYTES = 8;

/**
 * A keyed hash of the client's address, so that joins per address can be counted without keeping
 * addresses. Null where the room does not count, or the address is not known. A network of 64 bits
 * is one IPv6 client: it has all of those addresses to itself.
 */
export const addressKey = async (
  keys: Keyring,
  arrival: Arrival,
  room: RoomDefinition,
): Promise<string | null> => {
  if (room.limits.joinsPerAddressPerMinuteMax === null || arrival.address === null) return null;
  const mac = await keys.mac(`address\n${room.id}\n${networkOf(arrival.address)}`);
  return hex(mac.slice(0, KEY_BYTES));
};

const networkOf = (address: string): string => {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().replace(/%.*$/, "").split("::");
  const before = head.split(":").filter((group) => group !== "");
  if (tail === undefined) return before.slice(0, 4).join(":");
  const after = tail.split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after].slice(0, 4).join(":");
};
