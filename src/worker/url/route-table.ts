import type { RoomDefinition } from "../../core/definition.ts";
import { canonicalHost, canonicalPath, holdsPath } from "./canonical.ts";

const EVERY_HOST = "*";

interface Entry {
  readonly path: string;
  readonly room: RoomDefinition;
}

/**
 * none: no room owns the path · one: this room guards it · several: readings of the path belong to
 * different rooms, so it has no single meaning
 */
export type Owner =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly room: RoomDefinition }
  | { readonly kind: "several" };

/** Who owns which path. Built once for each version of the definitions. */
export class RouteTable {
  readonly #byHost = new Map<string, Entry[]>();
  readonly #hosts = new Set<string>();

  constructor(rooms: readonly RoomDefinition[]) {
    for (const room of rooms) {
      for (const route of room.routes) this.#add(route.host, route.path, room);
      for (const rule of room.exempt)
        if (rule.host !== undefined) this.#hosts.add(canonicalHost(rule.host));
    }
    for (const entries of this.#byHost.values())
      entries.sort((a, b) => b.path.length - a.path.length);
  }

  /** A path that any reading puts under a room is that room's; under two rooms, it is nobody's. */
  ownerOf(host: string, readings: readonly string[]): Owner {
    let owner: RoomDefinition | null = null;
    for (const path of readings) {
      const room = this.#match(host, path);
      if (room === null) continue;
      if (owner !== null && owner.id !== room.id) return { kind: "several" };
      owner = room;
    }
    return owner === null ? { kind: "none" } : { kind: "one", room: owner };
  }

  /** Does any room guard a path of this host? */
  guards(host: string): boolean {
    return this.#byHost.has(host) || this.#byHost.has(EVERY_HOST);
  }

  /** Does a room or one of its exemptions name this host? */
  names(host: string): boolean {
    return this.#hosts.has(host) || this.#hosts.has(EVERY_HOST);
  }

  #add(host: string, path: string, room: RoomDefinition): void {
    const key = host === EVERY_HOST ? EVERY_HOST : canonicalHost(host);
    // A path without a canonical spelling guards the whole host: better too much than nothing.
    const entry = { path: canonicalPath(path) ?? "/", room };
    this.#hosts.add(key);
    const entries = this.#byHost.get(key);
    if (entries === undefined) this.#byHost.set(key, [entry]);
    else entries.push(entry);
  }

  /** The longest path wins; of two that are as long, the exact host. */
  #match(host: string, path: string): RoomDefinition | null {
    const holds = (entry: Entry): boolean => holdsPath(entry.path, path);
    const exact = this.#byHost.get(host)?.find(holds);
    const every = this.#byHost.get(EVERY_HOST)?.find(holds);
    if (exact === undefined) return every?.room ?? null;
    return every !== undefined && every.path.length > exact.path.length ? every.room : exact.room;
  }
}
