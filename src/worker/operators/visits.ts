/** Operators' and app servers' calls about a room's visits: end one, end all, and the history. */
import { Hono } from "hono";
import type { EventId } from "../../core/events/event.ts";
import { parseTicketNumber } from "../../core/ids.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { needs, signedIn } from "../sign-in/needs.ts";
import { audit, tellChange } from "./audit.ts";
import { getLive, liveSocket } from "./live.ts";
import { visitorRoutes } from "./visitors.ts";
import { failsAs, isUnreachable, notAllowed, OperatorRefusal } from "./refusal.ts";
import { drawResource } from "../../api/draws/record.ts";
import { enteredText, mustBeDrawn } from "./draws.ts";
import { deletePace, getPace, putPace } from "./pace.ts";
import { withRoom } from "./with-room.ts";
import { answerOverview } from "./rooms-overview.ts";
import {
  historyCsv,
  historyQuery,
  minuteResource,
  spansOf,
  type MinuteResource,
} from "../../api/rooms/history.ts";

/** What servers and operators may do to a room beside its definition. */
export const apiRoutes = new Hono<AppContext>();

const UNREACHABLE_RETRY_MS = 2_000;

apiRoutes.use("/rooms/:room/live", liveSocket);
apiRoutes.use(signedIn());

/** Deleted ones are told by deleted-rooms.ts. */
apiRoutes.get("/rooms", needs("read", "own-rooms"), answerOverview);

/** A server ends a visit of its own site. Ending it again changes nothing. */
apiRoutes.delete("/rooms/:room/visits/:visit", needs("operate"), (c) =>
  withRoom(c, async (room, definition) => {
    const visit = parseTicketNumber(Number(c.req.param("visit")));
    if (visit === null) throw new OperatorRefusal("not-found");
    await audit(c, { action: "visit-ended", room: definition, target: visit });
    const hasEnded = await room((rpc) => rpc.end(visit, 0));
    c.var.isolate.views.sawEnd(definition, visit);
    if (hasEnded)
      tellChange(c, {
        action: "visit-ended",
        room: definition.name,
        target: visit,
      });
    return new Response(null, { status: 204 });
  }),
);

/** Ends every visit; tickets stay. */
apiRoutes.post("/rooms/:room/revoke", needs("operate"), (c) =>
  withRoom(c, async (room, definition) => {
    await audit(c, { action: "visits-ended", room: definition });
    const revoked = await room((rpc) => rpc.revokeAll());
    const told = { action: "visits-ended", room: definition.name, count: revoked } as const;
    tellChange(c, told);
    return c.json({ room: definition.name, revoked });
  }),
);

apiRoutes.get("/rooms/:room/history", needs("read"), (c) =>
  withRoom(c, async (room, definition) => {
    const now = c.var.isolate.ports.now();
    const asked = historyQuery((name) => c.req.query(name), now);
    if (!("minutes" in asked)) throw new OperatorRefusal("query-invalid", { errors: asked });
    const { step } = asked;
    const rows: MinuteResource[] = [];
    for (const { minutes, until } of spansOf(asked, now))
      for (const row of await room((rpc) => rpc.history(minutes, until, step)))
        rows.push(minuteResource(row));
    if (asked.format === "json") return c.json({ room: definition.name, step, minutes: rows });
    return c.body(historyCsv(rows), 200, { "Content-Type": "text/csv; charset=utf-8" });
  }),
);

apiRoutes.get("/rooms/:room/live", needs("read"), getLive);

apiRoutes.get("/rooms/:room/pace", needs("read"), getPace);
apiRoutes.put("/rooms/:room/pace", needs("operate"), putPace);
apiRoutes.delete("/rooms/:room/pace", needs("operate"), deletePace);

/** What witnesses saw: the draw is made by it. */
apiRoutes.put("/rooms/:room/draws/:event", needs("operate"), (c) =>
  withRoom(c, async (room, definition) => {
    const { isolate, arrival } = c.var;
    const text = await enteredText(c);
    const record = await isolate.draws.find(arrival, definition, c.req.param("event"));
    if (record === null) throw new OperatorRefusal("draw-not-found");
    const target = record.event;
    await audit(c, { action: "draw-value-entered", room: definition, target });
    mustBeDrawn(await room((rpc) => rpc.enterDrawValue(record.event as EventId, text)));
    isolate.draws.expire(definition);
    tellChange(c, {
      action: "draw-value-entered",
      room: definition.name,
      target,
    });
    const drawn = await isolate.draws.find(arrival, definition, record.event);
    return c.json(drawResource({ ...(drawn ?? record), room: definition.id }));
  }),
);

apiRoutes.route("/", visitorRoutes);

for (const [path, methods] of [
  ["/openapi.json", "GET"],
  ["/rooms", "GET"],
  ["/rooms/:room/restore", "POST"],
  ["/rooms/:room/revoke", "POST"],
  ["/rooms/:room/history", "GET"],
  ["/rooms/:room/pace", "GET, PUT, DELETE"],
  ["/rooms/:room/visits/:visit", "DELETE"],
  ["/rooms/:room/visitors/:visitor", "GET, PATCH, DELETE"],
  ["/rooms/:room/draws/:event", "PUT"],
] as const)
  apiRoutes.all(path, (c, next) =>
    methods.split(", ").includes(c.req.method) ? next() : notAllowed(c, methods),
  );

apiRoutes.all("*", () => {
  throw new OperatorRefusal("not-found");
});

apiRoutes.onError(
  failsAs({
    code: "room-unavailable",
    event: "management-error",
    retryAfterMs: UNREACHABLE_RETRY_MS,
    isIt: isUnreachable,
  }),
);
