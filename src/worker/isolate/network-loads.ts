import { widerNetwork } from "../../core/address/ip-address.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { loadAt, withOneMore } from "../../core/strangers/network-load.ts";
import type { NetworkLoad } from "../../core/strangers/network-load.ts";
import { instant } from "../../core/time.ts";
import type { Ports } from "../platform/ports.ts";

/** Networks that an isolate remembers: at most about 1 MB. */
const NETWORKS_MAX = 8_192;

/** How many puzzles this isolate gave to each network in the last minute, by room. */
export class NetworkLoads {
  readonly #ports: Ports;
  readonly #loads = new BoundedMap<string, NetworkLoad>(NETWORKS_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  of(room: RoomDefinition, address: string | null): number {
    return loadAt(this.#loads.get(keyOf(room, address)), instant(this.#ports.now()));
  }

  /** Counts one more; the load before it. */
  add(room: RoomDefinition, address: string | null): number {
    const key = keyOf(room, address);
    const now = instant(this.#ports.now());
    const load = this.#loads.get(key);
    this.#loads.set(key, withOneMore(load, now));
    return loadAt(load, now);
  }
}

/** Clients whose address nobody knows are one network. */
const keyOf = (room: RoomDefinition, address: string | null): string =>
  `${room.id}/${address === null ? "" : widerNetwork(address)}`;
