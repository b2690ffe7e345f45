import { mayTake } from "../../core/locks/share.ts";
import type { Ports } from "../platform/ports.ts";

/** How many bytes of bodies one isolate, which has 128 MB, keeps at once. */
export const BODY_BYTES_MAX = 32 * 1_048_576;
/** What each body counts at least, so that their number is bounded too. */
export const TAB_BYTES_MIN = 4_096;
/** A request that the runtime dropped where it stood never says that it is over. */
const LAPSE_MS = 600_000;

/** What one body takes. */
export interface BodyShare {
  /** False when its client has its share, or there is no room. */
  readonly take: (bytes: number) => boolean;
  /** Gives everything back; the second time nothing. */
  readonly close: () => void;
}

interface Entry {
  readonly client: string;
  readonly lapsesAt: number;
  bytes: number;
}

/** Bounds what bodies in this isolate take together, and each client's share of it. */
export class BodyBudget {
  readonly #ports: Ports;
  readonly #open = new Set<Entry>();
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  open(client: string): BodyShare {
    const entry: Entry = { client, lapsesAt: this.#ports.now() + LAPSE_MS, bytes: 0 };
    return {
      take: (bytes) => this.#take(entry, bytes),
      close: () => this.#close(entry),
    };
  }

  #take(entry: Entry, bytes: number): boolean {
    const more = entry.bytes === 0 ? Math.max(bytes, TAB_BYTES_MIN) : bytes;
    if (!this.#hasRoom(entry.client, more)) this.#closeLapsed();
    if (!this.#hasRoom(entry.client, more)) return false;
    this.#open.add(entry);
    entry.bytes += more;
    this.#add(entry.client, more);
    return true;
  }

  #hasRoom(client: string, more: number): boolean {
    const own = this.#byClient.get(client) ?? 0;
    return mayTake(own, more, { taken: this.#taken, most: BODY_BYTES_MAX });
  }

  #close(entry: Entry): void {
    if (this.#open.delete(entry)) this.#add(entry.client, -entry.bytes);
  }

  /** The oldest come first. */
  #closeLapsed(): void {
    const now = this.#ports.now();
    for (const entry of this.#open) {
      if (entry.lapsesAt > now) return;
      this.#close(entry);
    }
  }

  #add(client: string, bytes: number): void {
    this.#taken += bytes;
    const own = (this.#byClient.get(client) ?? 0) + bytes;
    if (own > 0) this.#byClient.set(client, own);
    else this.#byClient.delete(client);
  }
}
