import type { RoomDefinition } from "../../core/definition.ts";
import type { Env } from "../env.ts";

/**
 * zone: the site's own servers, where the Worker sits on a route · url: another server ·
 * service: another Worker, by a binding
 */
export type Target =
  | { readonly kind: "zone" }
  | { readonly kind: "url"; readonly base: URL }
  | { readonly kind: "service"; readonly service: { fetch(request: Request): Promise<Response> } };

const SERVICE = "service:";

/** The operator named an origin that does not exist here. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}

/** The room's origin, or else the deployment's, or else the zone's own. */
export const targetOf = (env: Env, room: RoomDefinition | null): Target => {
  const origin = room?.origin ?? env.ORIGIN;
  if (origin === undefined || origin === "") return { kind: "zone" };
  if (origin.startsWith(SERVICE)) return serviceTarget(env, origin.slice(SERVICE.length).trim());
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin))
    throw new TargetError("the origin is neither an http(s) URL nor service:NAME");
  return { kind: "url", base: new URL(origin) };
};

/** The same path and query at the target. A base path of the target goes in front. */
export const urlAt = (target: Target, url: URL): URL => {
  if (target.kind !== "url") return url;
  const at = new URL(target.base);
  at.pathname = `${basePath(target.base)}${url.pathname}`;
  at.search = url.search;
  return at;
};

export const basePath = (base: URL): string => base.pathname.replace(/\/+$/, "");

const serviceTarget = (env: Env, name: string): Target => {
  const service = (env as unknown as Readonly<Record<string, unknown>>)[name] as
    { fetch?: unknown } | undefined;
  if (typeof service?.fetch !== "function")
    throw new TargetError(`there is no service binding named ${name}`);
  return { kind: "service", service: service as { fetch(request: Request): Promise<Response> } };
};
