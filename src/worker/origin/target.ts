/** Where a room's requests go, and under which host. How they are asked is ask.ts. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { AskedUrl } from "../arrival/asked-url.ts";
import type { Env } from "../platform/env.ts";
import { hostKeeperName } from "./host-keeper.ts";
import type { HostKeeper } from "./host-keeper.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";

/**
 * zone: the site's own servers, where the Worker sits on a route · url: another server, whose
 * `prefix` goes before every path · service: another Worker, by a binding
 */
export type Target =
  | { readonly kind: "zone" }
  | { readonly kind: "url"; readonly base: URL; readonly prefix: string }
  | { readonly kind: "service"; readonly service: { fetch(request: Request): Promise<Response> } };

const SERVICE = "service:";
/** Servers that were named so far: reading a URL anew for each request would cost more than the rest. */
const servers = new BoundedMap<string, Target>(1_000);

/** The operator named an origin that does not exist here. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}

/** The room's origin, or else the deployment's, or else the zone's own. */
export const targetOf = (env: Env, room: RoomDefinition | null): Target => {
  const origin = room?.origin ?? env.ORIGIN;
  if (origin === undefined || origin === "") return { kind: "zone" };
  if (origin.startsWith(SERVICE)) return serviceTarget(env, origin.slice(SERVICE.length).trim());
  return servers.getOrMake(origin, serverTarget);
};

const serverTarget = (origin: string): Target => {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin))
    throw new TargetError("the origin is neither an http(s) URL nor service:NAME");
  const base = new URL(origin);
  return { kind: "url", base, prefix: `${base.origin}${basePath(base)}` };
};

/** Should the origin hear the visitor's host? Without a room its host's rooms say so. */
export const keepsHost = ({
  room,
  keepsHost: keeps,
}: {
  readonly room: RoomDefinition | null;
  readonly keepsHost?: boolean;
}): boolean => (room === null ? keeps : room.keepHost) === true;

/** Null where a server can only be asked under its own host. */
export const hostKeeperOf = (
  env: Env,
  { base }: Extract<Target, { kind: "url" }>,
): HostKeeper | null => {
  const name = hostKeeperName(base.origin);
  return (env as unknown as Readonly<Record<string, HostKeeper | undefined>>)[name] ?? null;
};

/** Whether a room's `keep_host` does anything: a zone and a service hear the visitor's host anyway. */
export const canKeepHost = (env: Env, room: RoomDefinition | null): boolean => {
  try {
    const target = targetOf(env, room);
    return target.kind !== "url" || hostKeeperOf(env, target) !== null;
  } catch {
    return false;
  }
};

/** The same path and query at the target. A base path of the target goes in front. */
export const urlAt = (target: Target, asked: AskedUrl): string =>
  target.kind === "url" ? target.prefix + asked.pathname + asked.search : asked.whole.href;

/** `urlAt` under the visitor's own host. */
export const keptUrlAt = (target: Target, { whole: url }: AskedUrl): string =>
  target.kind === "url"
    ? `${target.base.protocol}//${url.host}${basePath(target.base)}${url.pathname}${url.search}`
    : url.href;

export const basePath = (base: URL): string => base.pathname.replace(/\/+$/, "");

const serviceTarget = (env: Env, name: string): Target => {
  const service = (env as unknown as Readonly<Record<string, unknown>>)[name] as
    | { fetch?: unknown }
    | undefined;
  if (typeof service?.fetch !== "function")
    throw new TargetError(`there is no service binding named ${name}`);
  return { kind: "service", service: service as { fetch(request: Request): Promise<Response> } };
};
