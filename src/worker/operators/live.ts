/** `GET …/rooms/{room}/live`: signs a watcher in, and leaves the socket to the Room. */
import type { Context, MiddlewareHandler } from "hono";
import { closingForStatus, liveClosing } from "../../core/live/closing.ts";
import { LIVE_PROTOCOL } from "../../core/live/message.ts";
import type { Operator } from "../../core/access/scopes.ts";
import type { SocketClosing } from "../../core/lobby/close-codes.ts";
import { SOCKET_REFUSED, WATCHER_HEADER, type WatcherClaims } from "../../durable/contract.ts";
import { ownProblem } from "../answers/own-problem.ts";
import { isUpgrade } from "../arrival/caller.ts";
import { isOwnOrigin } from "../arrival/own-hosts.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { unreachable } from "../isolate/call-object.ts";
import { findRoom } from "../isolate/deployment.ts";
import { askedRoom } from "../sign-in/needs.ts";
import { notAllowed, OperatorRefusal } from "./refusal.ts";
import { roomObject } from "../platform/room-object.ts";

type C = Context<AppContext>;

/** A browser reads no answer that refuses a socket: such a one is accepted, and closed with a code. */
const readsNoAnswer = (c: C): boolean =>
  isUpgrade(c.req.raw) && !c.req.raw.headers.has("Authorization") && offersLive(c);

const offersLive = (c: C): boolean =>
  (c.req.header("Sec-WebSocket-Protocol") ?? "")
    .split(",")
    .some((offered) => offered.trim() === LIVE_PROTOCOL);

/** Goes before everything that may refuse. Pages of other sites are not even asked for a token. */
export const liveSocket: MiddlewareHandler<AppContext> = async (c, next) => {
  if (c.req.method !== "GET") return notAllowed(c, "GET");
  if (!isUpgrade(c.req.raw)) {
    const answer = ownProblem(c.var.arrival, "upgrade-required");
    answer.headers.set("Upgrade", "websocket");
    return answer;
  }
  const origin = c.req.header("Origin");
  if (origin !== undefined && !isOwnOrigin(c.var.arrival, origin)) {
    const refused = ownProblem(c.var.arrival, "foreign-origin");
    return closedSocket(c, refused) ?? refused;
  }
  await next();
  const closed = c.res.status === 101 ? null : closedSocket(c, c.res);
  if (closed === null) return undefined;
  // Otherwise what was there is copied into it, which no socket survives.
  c.res = undefined;
  c.res = closed;
  return undefined;
};

const closedSocket = (c: C, refused: Response): Response | null => {
  if (!readsNoAnswer(c)) return null;
  const closed = c.var.isolate.refusedSockets.refuse(closingForStatus(refused.status));
  closed?.headers.set("Sec-WebSocket-Protocol", LIVE_PROTOCOL);
  return closed;
};

export const getLive = async (c: C): Promise<Response> => {
  const room = findRoom(c.var.deployment, askedRoom(c));
  if (room === null) throw new OperatorRefusal("room-not-found");
  const headers = new Headers({
    Upgrade: "websocket",
    [WATCHER_HEADER]: JSON.stringify(claimsOf(c.var.operator)),
  });
  for (const name of ["Sec-WebSocket-Key", "Sec-WebSocket-Version"]) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const upgrade = new Request(c.req.url, { headers });
  const answer = await roomObject(c.env, room)
    .fetch(upgrade)
    .catch((error: unknown) => {
      throw unreachable(error);
    });
  if (answer.status === SOCKET_REFUSED) return refusedByRoom(c, await answer.json<SocketClosing>());
  return new Response(null, {
    status: 101,
    webSocket: answer.webSocket,
    headers: offersLive(c) ? { "Sec-WebSocket-Protocol": LIVE_PROTOCOL } : {},
  });
};

/** Only a token that was made can be revoked; the deployment's own changes with a deploy. */
const claimsOf = ({ id, isToken, expiresAt }: Operator): WatcherClaims => ({
  token: isToken === true ? id : null,
  until: expiresAt ?? null,
});

const refusedByRoom = (c: C, { code }: SocketClosing): Response =>
  ownProblem(
    c.var.arrival,
    code === liveClosing("too-many").code ? "too-many-watchers" : "room-not-found",
  );
