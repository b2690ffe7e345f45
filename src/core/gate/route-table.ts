/**
 * Finds the room that owns a path of a host. What becomes of the request is decided in decide.ts.
 */
import type { RoomDefinition } from "../definition.ts";
import { canonicalHost, spellingsOf } from "../url/canonical.ts";

const EVERY_HOST = "*";

interface Entry {
  readonly path: string;
  readonly room: RoomDefinition;
  readonly server: string | null;
}

/** The routes of one host. A path is looked up as often as it has segments, however many there are. */
class HostRoutes {
  /** Of routes with one path the first is asked first. */
  readonly #byPath = new Map<string, Entry[]>();
  #longest = 0;

  add(entry: Entry): void {
    const entries = this.#byPath.get(entry.path);
    if (entries === undefined) this.#byPath.set(entry.path, [entry]);
    else entries.push(entry);
    this.#longest = Math.max(this.#longest, entry.path.length);
  }

  /** The route with the longest path that holds this one; to one server, if that is given. */
  find(path: string, server?: string | null): Entry | undefined {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (end > this.#longest) continue;
      const found = this.#first(path.slice(0, end), server);
      if (found !== undefined) return found;
    }
    return this.#first("/", server);
  }

  #first(path: string, server: string | null | undefined): Entry | undefined {
    const entries = this.#byPath.get(path);
    return server === undefined ? entries?.[0] : entries?.find((entry) => entry.server === server);
  }
}

/**
 * none: no room owns the path · one: this room guards it · elsewhere: no route names the host, but
 * this room guards the path of the same origin under another host · several: readings of the path
 * belong to different rooms, so it has no single meaning · several-hosts: no route names the host,
 * and different rooms guard the path of its origin under others
 */
export type PathOwner =
  | { readonly kind: "none" | "several" | "several-hosts" }
  | { readonly kind: "one" | "elsewhere"; readonly room: RoomDefinition };

/** Who owns which path. Built once for each version of the definitions. */
export class RouteTable {
  readonly #byHost = new Map<string, HostRoutes>();
  readonly #hosts = new Set<string>();
  /** Hosts of rooms that keep the visitor's, and whose origin is the deployment's. */
  readonly #keptHosts = new Set<string>();
  readonly #server: string | null;
  /** Where requests of hosts that a route names go, but for the zone's own origin. */
  readonly #namedServers = new Set<string>();

  /** `origin` is the deployment's: where rooms that name none, and unprotected requests, go. */
  constructor(rooms: readonly RoomDefinition[], origin?: string) {
    this.#server = serverOf(origin);
    for (const room of rooms) {
      for (const route of room.routes) this.#add(route.host, route.path, room);
      if (room.keepHost === true && room.origin === null)
        for (const { host } of room.routes)
          this.#keptHosts.add(host === EVERY_HOST ? EVERY_HOST : canonicalHost(host));
      for (const rule of room.exempt)
        if (rule.host !== undefined) this.#hosts.add(canonicalHost(rule.host));
    }
  }

  /** A path that any reading puts under a room is that room's; under two rooms, it is nobody's. */
  ownerOf(host: string, readings: readonly string[]): PathOwner {
    if (this.#namedServers.size > 0 && !this.#byHost.has(host))
      return this.#ownerElsewhere(readings);
    let owner: RoomDefinition | null = null;
    for (const path of readings) {
      const room = this.#match(host, path);
      if (room === null) continue;
      if (owner !== null && owner.id !== room.id) return { kind: "several" };
      owner = room;
    }
    return owner === null ? { kind: "none" } : { kind: "one", room: owner };
  }

  /** Does any room guard a path of this host, or of where its requests go? */
  guards(host: string): boolean {
    if (this.#byHost.has(host) || this.#byHost.has(EVERY_HOST)) return true;
    return this.#server !== null && this.#namedServers.has(this.#server);
  }

  /** Does a route name this host, so that it keeps to its own rooms? */
  hasRoutesOn(host: string): boolean {
    return this.#byHost.has(host);
  }

  /** May requests for this path of a host go to this server? Without a path: may any? */
  mayReach(server: string, host: string, readings: readonly string[] | null): boolean {
    const owner: PathOwner = readings === null ? { kind: "several" } : this.ownerOf(host, readings);
    switch (owner.kind) {
      case "none":
        return this.#server === server;
      case "one":
      case "elsewhere":
        return this.#serverOf(owner.room) === server;
      case "several":
      case "several-hosts":
        return true;
      default:
        return owner satisfies never;
    }
  }

  /** Does a room or one of its exemptions name this host? */
  names(host: string): boolean {
    return this.#hosts.has(host) || this.#hosts.has(EVERY_HOST);
  }

  /** Unprotected paths of a host are asked under the host that its rooms ask under. */
  keepsHost(host: string): boolean {
    return this.#keptHosts.has(host) || this.#keptHosts.has(EVERY_HOST);
  }

  /** Does a room name any host, rather than all of them? */
  get namesHosts(): boolean {
    return this.#byHost.size > (this.#byHost.has(EVERY_HOST) ? 1 : 0);
  }

  /**
   * An origin that is named by URL or binding hears its own name, whatever the visitor's was: what
   * a room guards there under one host must not be open under another.
   */
  #ownerElsewhere(readings: readonly string[]): PathOwner {
    let owner: RoomDefinition | null = null;
    let isByEvery = true;
    for (const path of readings) {
      const every = this.#byHost.get(EVERY_HOST)?.find(path);
      const guardians = this.#guardiansOf(path, every);
      if (guardians.size > 1) return { kind: "several-hosts" };
      for (const room of guardians) {
        if (owner !== null && owner.id !== room.id) return { kind: "several" };
        owner = room;
        isByEvery &&= room.id === every?.room.id;
      }
    }
    if (owner === null) return { kind: "none" };
    return { kind: isByEvery ? "one" : "elsewhere", room: owner };
  }

  /** Whose the path would be on each host that is named, and that has its requests go the same way. */
  #guardiansOf(path: string, every: Entry | undefined): ReadonlySet<RoomDefinition> {
    const guardians = new Set<RoomDefinition>();
    const server = every === undefined ? this.#server : every.server;
    for (const [host, routes] of server === null ? [] : this.#byHost) {
      const exact = host === EVERY_HOST ? undefined : routes.find(path, server);
      if (exact !== undefined) guardians.add(moreSpecific(exact, every).room);
    }
    if (guardians.size === 0 && every !== undefined) guardians.add(every.room);
    return guardians;
  }

  #add(host: string, path: string, room: RoomDefinition): void {
    const key = host === EVERY_HOST ? EVERY_HOST : canonicalHost(host);
    const server = this.#serverOf(room);
    // A path without a canonical spelling guards the whole host: better too much than nothing.
    const spellings = spellingsOf(path);
    this.#hosts.add(key);
    if (key !== EVERY_HOST && server !== null) this.#namedServers.add(server);
    const routes = this.#byHost.get(key) ?? new HostRoutes();
    this.#byHost.set(key, routes);
    for (const spelled of spellings.length === 0 ? ["/"] : spellings)
      routes.add({ path: spelled, room, server });
  }

  #serverOf({ origin }: RoomDefinition): string | null {
    return origin === null ? this.#server : serverOf(origin);
  }

  /** The longest path wins; of two that are as long, the exact host. */
  #match(host: string, path: string): RoomDefinition | null {
    const exact = this.#byHost.get(host)?.find(path);
    const every = this.#byHost.get(EVERY_HOST)?.find(path);
    return exact === undefined ? (every?.room ?? null) : moreSpecific(exact, every).room;
  }
}

const moreSpecific = (exact: Entry, every: Entry | undefined): Entry =>
  every !== undefined && every.path.length > exact.path.length ? every : exact;

/**
 * What two settings must share to mean one server. Null: the zone's own origin, which tells hosts
 * apart.
 */
export const serverOf = (origin: string | undefined): string | null => {
  const named = origin?.trim() ?? "";
  if (named === "") return null;
  return /^https?:/i.test(named) && URL.canParse(named) ? new URL(named).origin : named;
};
