import { LOBBY_TICKET_HEADER, SOCKET_REFUSED } from "../../durable/contract.ts";
import { closingFor, type SocketClosing } from "../../core/lobby/close-codes.ts";
import type { GateContext } from "../admission/context.ts";
import { isAllowedOrigin } from "../arrival/own-hosts.ts";
import { isUpgrade } from "../arrival/caller.ts";
import { reasonOf } from "../platform/log.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import { TICKET_HEADER } from "../tokens/presented.ts";
import { refuse } from "./our-room.ts";

const TICKET_INVALID = closingFor("ticket-invalid");
const FOREIGN_ORIGIN = closingFor("origin");
const TRY_AGAIN = closingFor("try-again");

const RETRY_SECONDS = 10;

/** `GET …/socket`: checks who asks, and leaves the socket to the ticket's lobby. */
export const getSocket = async (context: GateContext): Promise<Response> => {
  const { arrival, isolate } = context;
  const { request } = arrival;
  if (!isUpgrade(request)) {
    const answer = refuse(context, "upgrade-required");
    answer.headers.set("Upgrade", "websocket");
    return answer;
  }
  if (!isWelcomeOrigin(context)) return refusedSocket(context, FOREIGN_ORIGIN);
  const { ticket } = context.presented;
  if (ticket === null) return refusedSocket(context, TICKET_INVALID);
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
    const answer = await lobbyOf(arrival, context.room, ticket.lobby).fetch(upgrade);
    return answer.status === SOCKET_REFUSED
      ? refusedSocket(context, await answer.json<SocketClosing>())
      : answer;
  } catch (error) {
    isolate.ports.log({
      level: "error",
      event: "socket-lost",
      reference: arrival.reference,
      room: context.room.name,
      reason: reasonOf(error),
    });
    return refusedSocket(context, TRY_AGAIN);
  }
};

/** Cookies travel with any page's sockets; a header only with those of a program. */
const isWelcomeOrigin = (context: GateContext): boolean => {
  const { arrival, room } = context;
  const { headers } = arrival.request;
  if (headers.get("Sec-Fetch-Site") === "same-origin") return true;
  const origin = headers.get("Origin");
  return origin === null ? headers.has(TICKET_HEADER) : isAllowedOrigin(arrival, room, origin);
};

const refusedSocket = (context: GateContext, refusal: SocketClosing): Response =>
  context.isolate.refusedSockets.refuse(refusal) ??
  refuse(context, "too-many-sockets", RETRY_SECONDS, { close: refusal });
