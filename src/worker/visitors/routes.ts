import { Hono } from "hono";
import type { Context } from "hono";
import { isSafe } from "../arrival/caller.ts";
import { fromOurPages, inRoom, refuse, answerUnreachable } from "./our-room.ts";
import type { RoomContext } from "./our-room.ts";
import { getDraw } from "./draw.ts";
import { getLanguages } from "./languages.ts";
import { getRoomState } from "./room-state.ts";
import { getSocket } from "./socket.ts";
import { deleteTicket, getTicket, postTicket } from "./tickets.ts";
import { deleteVisit, getVisit, patchVisit, postVisit } from "./visits.ts";
import { getWait } from "./wait.ts";

type Handler = (c: Context<RoomContext>) => Response | Promise<Response>;
type Methods = Readonly<Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", Handler>>>;

/** The visitor API: every path, and what it takes. */
const resources: Readonly<Record<string, Methods>> = {
  "/:room": { GET: getRoomState },
  "/:room/tickets": { POST: postTicket },
  "/:room/tickets/mine": { GET: getTicket, DELETE: deleteTicket },
  "/:room/visits": { POST: postVisit },
  "/:room/visits/mine": { GET: getVisit, PATCH: patchVisit, DELETE: deleteVisit },
  "/:room/socket": { GET: getSocket },
  "/:room/draws/:event": { GET: getDraw },
  "/:room/wait": { GET: getWait },
  "/:room/languages": { GET: getLanguages },
};

export const visitorRoutes = new Hono<RoomContext>();

for (const [path, methods] of Object.entries(resources)) {
  visitorRoutes.all(path, inRoom, fromOurPages, (c) => {
    const method = isSafe(c.req.method) ? "GET" : c.req.method;
    const handler = methods[method as keyof Methods];
    if (handler !== undefined) return answerUnreachable(c, async () => handler(c));
    const answer = refuse(c, "method-not-allowed");
    answer.headers.set("Allow", Object.keys(methods).join(", "));
    return answer;
  });
}
