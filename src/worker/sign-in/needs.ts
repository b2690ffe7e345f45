/**
 * What each route of the management asks of whoever calls it. Declared at the route, so that a test
 * can list the routes that declare nothing.
 */
import type { Context, MiddlewareHandler } from "hono";
import { ApiRefusal } from "../../api/envelope.ts";
import type { ProblemCode } from "../../api/problem.ts";
import { allows, coversRoom, includes, type Scope } from "../../core/access/scopes.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomId } from "../../core/ids.ts";
import { setCommonHeaders } from "../answers/our-headers.ts";
import { ownProblem } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { findRoom } from "../isolate/deployment.ts";
import { bearerProblem } from "./bearer.ts";
import {
  FOREIGN_PAGE,
  MANAGEMENT_OFF,
  NOT_SIGNED_IN,
  operatorOf,
  TOKEN_TOO_SHORT,
  TOKENS_UNHEARD,
  TOO_MANY_TRIES,
  type SignInRefusal,
} from "./sign-in.ts";

type C = Context<AppContext>;

/**
 * Over what a route acts. `its-room`: the room that its path names as `:room`. `deployment`: what
 * belongs to no room, or to all. `own-rooms`: its handler shows of each what the operator covers.
 */
export type Reach = "its-room" | "deployment" | "own-rooms";

export interface Need {
  readonly scope: Scope;
  readonly reach: Reach | null;
}

const declared = new WeakMap<object, Need>();

/** What a handler among an app's `routes` declares; null: it is no declaration. */
export const needOf = (handler: object): Need | null => declared.get(handler) ?? null;

/**
 * Lets those in who have the scope, and sets `operator`. Without `reach` it is the room of the path
 * where that names one, and else the whole deployment.
 */
export const needs = (scope: Scope, reach: Reach | null = null): MiddlewareHandler<AppContext> => {
  const handler: MiddlewareHandler<AppContext> = async (c, next) => {
    const isSignedIn = c.get("operator") !== undefined;
    const refusal = (await signIn(c)) ?? (await lackOf(c, { scope, reach }));
    if (refusal !== null) return refusal;
    await next();
    if (!isSignedIn && !isCloudflares(c)) setCommonHeaders(c.res.headers, c.var.arrival, null);
    return undefined;
  };
  declared.set(handler, { scope, reach });
  return handler;
};

/** Lets in whoever signed in, for whatever: what stands behind it says what it needs. */
export const signedIn =
  (whenOff: ProblemCode = "not-found"): MiddlewareHandler<AppContext> =>
  async (c, next) => {
    const refusal = await signIn(c, whenOff);
    if (refusal !== null) return refusal;
    await next();
    if (!isCloudflares(c)) setCommonHeaders(c.res.headers, c.var.arrival, null);
    return undefined;
  };

/** Of rooms, those that the operator covers. */
export const coveredOf = <T extends Pick<RoomDefinition, "id">>(
  c: C,
  rooms: readonly T[],
): readonly T[] => rooms.filter(({ id }) => coversRoom(c.var.operator, id));

/**
 * The room that the path names: by its id where the operator's rooms were compared with it, so that a
 * name that is given to another room in between leads nowhere else.
 */
export const askedRoom = (c: C): RoomId | string => c.var.coveredRoom ?? c.req.param("room") ?? "";

const isCloudflares = (c: C): boolean => c.get("envelope") === "cloudflare";

/** Null: it is signed in. */
const signIn = async (c: C, whenOff?: ProblemCode): Promise<Response | null> => {
  if (c.get("operator") !== undefined) return null;
  const found = await operatorOf(c.var);
  if (!("kind" in found)) {
    c.set("operator", found);
    return null;
  }
  if (isCloudflares(c)) throw cloudflareRefusal(c, found);
  const refusal = bearerProblem(found, c.var.arrival.reference, whenOff);
  if (refusal !== null) setCommonHeaders(refusal.headers, c.var.arrival, null);
  return refusal;
};

const cloudflareRefusal = (c: C, refusal: SignInRefusal): ApiRefusal => {
  switch (refusal.kind) {
    case "off":
      return new ApiRefusal("no-route", MANAGEMENT_OFF);
    case "too-short":
      return new ApiRefusal("no-route", TOKEN_TOO_SHORT);
    case "refused":
      return new ApiRefusal("authentication", NOT_SIGNED_IN);
    case "foreign":
      return new ApiRefusal("scope-missing", FOREIGN_PAGE);
    case "unheard":
      c.header("Retry-After", "1");
      return new ApiRefusal("unavailable", TOKENS_UNHEARD);
    case "slowed":
      c.header("Retry-After", String(Math.ceil(refusal.retryAfterMs / 1_000)));
      return new ApiRefusal("too-many-tries", TOO_MANY_TRIES);
    default:
      return refusal satisfies never;
  }
};

/** Null: the operator has what is needed. A room that it does not cover is not there for it. */
const lackOf = async (c: C, { scope, reach }: Need): Promise<Response | null> => {
  const { operator } = c.var;
  if (operator.rooms === null || reach === "own-rooms")
    return includes(operator.scope, scope) ? null : lacking(c, scope);
  const named = c.req.param("room");
  if (reach === "deployment" || named === undefined)
    return allows(operator, scope, null) ? null : lacking(c, scope);
  const deployment = await c.var.isolate.deployments.current(c.var.arrival);
  const room = deployment === null ? null : findRoom(deployment, named);
  if (room === null || !coversRoom(operator, room.id)) return unknownRoom(c, named);
  c.set("coveredRoom", room.id);
  return includes(operator.scope, scope) ? null : lacking(c, scope);
};

const unknownRoom = (c: C, room: string): Response => {
  if (isCloudflares(c)) throw new ApiRefusal("not-found", `There is no room ${room}.`);
  return ownProblem(c.var.arrival, "room-not-found");
};

const lacking = (c: C, scope: Scope): Response => {
  const { name, scope: has, rooms } = c.var.operator;
  const detail = includes(has, scope)
    ? `This takes a token for all rooms; ${name} is for ${rooms?.length ?? 0} of them.`
    : `This takes a token of scope ${scope}; ${name} has ${has}.`;
  if (isCloudflares(c)) throw new ApiRefusal("scope-missing", detail);
  return ownProblem(c.var.arrival, "scope-missing", { detail });
};
