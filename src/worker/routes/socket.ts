import type { Context } from "hono";
import { LOBBY_TICKET_HEADER } from "../../durable/contract.ts";
import { isAllowedOrigin } from "../answers/own-hosts.ts";
import { isUpgrade } from "../caller.ts";
import { reasonOf } from "../log.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import { TICKET_HEADER } from "../tokens/in-hand.ts";
import { refuse } from "./our-room.ts";
import type { RoomContext } from "./our-room.ts";

/** A socket that is refused is accepted first: a browser shows its page nothing else. */
const TICKET_INVALID = { code: 4401, reason: "ticket-invalid" };
const FOREIGN_ORIGIN = { code: 4403, reason: "origin" };
const TRY_AGAIN = { code: 1013, reason: "try-again" };

/** `GET …/socket`: checks who asks, and leaves the socket to the ticket's lobby. */
export const getSocket = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const { arrival, isolate } = guarded;
  const { request } = arrival;
  if (!isUpgrade(request)) {
    const answer = refuse(c, "upgrade-required");
    answer.headers.set("Upgrade", "websocket");
    return answer;
  }
  if (!isWelcomeOrigin(c)) return refusedSocket(FOREIGN_ORIGIN);
  const { ticket } = guarded.inHand;
  if (ticket === null) return refusedSocket(TICKET_INVALID);
  const headers = new Headers({
    Upgrade: "websocket",
    [LOBBY_TICKET_HEADER]: JSON.stringify(ticket),
  });
  for (const name of ["Sec-WebSocket-Key", "Sec-WebSocket-Version"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  try {
    const upgrade = new Request(request.url, { headers });
    return await lobbyOf(arrival, guarded.room, ticket.lobby).fetch(upgrade);
  } catch (error) {
    isolate.ports.log({
      level: "error",
      event: "socket-lost",
      reference: arrival.reference,
      room: guarded.room.name,
      reason: reasonOf(error),
    });
    return refusedSocket(TRY_AGAIN);
  }
};

/** Cookies travel with any page's sockets; a header only with those of a program. */
const isWelcomeOrigin = (c: Context<RoomContext>): boolean => {
  const origin = c.req.header("Origin");
  if (origin === undefined) return c.req.header(TICKET_HEADER) !== undefined;
  return isAllowedOrigin(c.get("arrival"), c.get("guarded").room, origin);
};

const refusedSocket = ({ code, reason }: { code: number; reason: string }): Response => {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.close(code, reason);
  return new Response(null, { status: 101, webSocket: client });
};
