import { Hono } from "hono";
import type { Context } from "hono";
import type { RoomDefinition } from "../../core/definition.ts";
import { parseTicketNumber } from "../../core/ids.ts";
import { rfc3339 } from "../../core/time.ts";
import type { HistoryRow, RoomRpc } from "../../durable/contract.ts";
import type { AppContext } from "../context.ts";
import { callObject, UnreachableError } from "../isolate/call-object.ts";
import { findRoom } from "../isolate/deployment.ts";
import { adminOnly } from "../middleware/bearer.ts";
import { problem } from "../problem.ts";
import type { ProblemCode } from "../problem.ts";

/** What servers and operators may do to a room beside its definition. */
export const apiRoutes = new Hono<AppContext>();

const HISTORY_MINUTES_DEFAULT = 60;
const HISTORY_MINUTES_MAX = 7 * 24 * 60;
const RETRY_SECONDS = "2";

apiRoutes.use(adminOnly);

/** A server ends a visit of its own site. Ending it again changes nothing. */
apiRoutes.delete("/rooms/:room/visits/:visit", (c) =>
  withRoom(c, async (room, definition) => {
    const visit = parseTicketNumber(Number(c.req.param("visit")));
    if (visit === null) return fail(c, "not-found");
    await room((rpc) => rpc.end(visit, 0));
    c.get("isolate").views.sawEnd(definition, visit);
    return new Response(null, { status: 204 });
  }),
);

/** Ends every visit; tickets stay. */
apiRoutes.post("/rooms/:room/revoke", (c) =>
  withRoom(c, async (room, definition) => {
    const revoked = await room((rpc) => rpc.revokeAll());
    return c.json({ room: definition.name, revoked });
  }),
);

apiRoutes.get("/rooms/:room/history", (c) =>
  withRoom(c, async (room, definition) => {
    const asked = Number(c.req.query("minutes") ?? HISTORY_MINUTES_DEFAULT);
    const minutes = Number.isInteger(asked) && asked >= 1 ? asked : HISTORY_MINUTES_DEFAULT;
    const rows = await room((rpc) => rpc.history(Math.min(minutes, HISTORY_MINUTES_MAX)));
    return c.json({ room: definition.name, minutes: rows.map(minuteResource) });
  }),
);

apiRoutes.all("*", (c) => fail(c, "not-found"));

type AskRoom = <T>(call: (rpc: RoomRpc) => Promise<T>) => Promise<T>;

const withRoom = async (
  c: Context<AppContext>,
  answer: (room: AskRoom, definition: RoomDefinition) => Promise<Response>,
): Promise<Response> => {
  const deployment = c.get("deployment");
  const isolate = c.get("isolate");
  const definition = findRoom(deployment, c.req.param("room") ?? "");
  if (definition === null) return fail(c, "room-not-found");
  try {
    return await answer(
      (call) => callObject(isolate.ports, () => call(c.env.ROOM.getByName(definition.id))),
      definition,
    );
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const failure = fail(c, "room-unavailable");
    failure.headers.set("Retry-After", RETRY_SECONDS);
    return failure;
  }
};

const fail = (c: Context<AppContext>, code: ProblemCode): Response =>
  problem(code, c.get("arrival").reference);

const minuteResource = (row: HistoryRow) => ({
  minute: rfc3339(row.minute),
  issued: row.issued,
  calls: row.calls,
  entries_by_usher: row.entriesByUsher,
  entries_by_baton: row.entriesByBaton,
  entries_by_door: row.entriesByDoor,
  missed: row.missed,
  finished: row.finished,
  expired: row.expired,
  revoked: row.revoked,
  refused: row.refused,
  waiting_max: row.waitingMax,
  out_max: row.outMax,
});
