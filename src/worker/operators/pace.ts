/** What lowers a room's limits: seen, signalled and taken back by operators and by their machines. */
import type { Context } from "hono";
import { paceResource, parsePace } from "../../api/rooms/pace.ts";
import { fullDifferencesOf } from "../../core/differences.ts";
import type { PaceAsk } from "../../core/pace/signal.ts";
import type { PaceView } from "../../core/room/pace.ts";
import { fieldErrorsOf } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { audit, tellChange } from "./audit.ts";
import { jsonBody } from "./bodies.ts";
import { OperatorRefusal } from "./refusal.ts";
import { withRoom } from "./with-room.ts";

type C = Context<AppContext>;

export const getPace = (c: C): Promise<Response> =>
  withRoom(c, async (room, { name }) =>
    c.json(paceResource(name, await room((rpc) => rpc.pace(null)))),
  );

/** A machine that says the same again, or how much is left, changes nothing that its operator set. */
export const putPace = (c: C): Promise<Response> =>
  withRoom(c, async (room, definition) => {
    const parsed = parsePace(await jsonBody(c));
    if (!parsed.ok)
      throw new OperatorRefusal("pace-invalid", { errors: fieldErrorsOf(parsed.problems) });
    const before = signalledIn(await room((rpc) => rpc.pace(null)));
    const after = shown(parsed.ask);
    const isNews = Object.keys(after).some((key) => after[key] !== before[key]);
    const differences = fullDifferencesOf(before, after);
    const { name } = definition;
    if (isNews) await audit(c, { action: "pace-signalled", room: definition, differences });
    const view = await room((rpc) => rpc.pace(parsed.ask));
    if (isNews) tellChange(c, { action: "pace-signalled", room: name });
    return c.json(paceResource(name, view));
  });

/** Takes back what was signalled, by the API and by the origin, and opens what that has closed. */
export const deletePace = (c: C): Promise<Response> =>
  withRoom(c, async (room, definition) => {
    const before = await room((rpc) => rpc.pace(null));
    if (!isSignalled(before)) return c.json(paceResource(definition.name, before));
    await audit(c, { action: "pace-taken-back", room: definition });
    const view = await room((rpc) => rpc.pace("taken-back"));
    tellChange(c, { action: "pace-taken-back", room: definition.name });
    return c.json(paceResource(definition.name, view));
  });

const isSignalled = ({ signals: { api, origin }, closedBy }: PaceView): boolean =>
  api !== null || origin !== null || closedBy !== null;

type NamedPace = Readonly<Record<string, number | boolean | null>>;

const shown = (said: Omit<PaceAsk, "ttlSeconds" | "reason">): NamedPace => ({
  permits: said.permits,
  starts_per_second: said.startsPerSecond,
  new_users_per_minute: said.startsPerMinute,
  counts_stock: said.stockLeft !== null,
  sold_out: said.stockLeft === 0,
});

const NOTHING = { permits: null, startsPerSecond: null, startsPerMinute: null, stockLeft: null };

const signalledIn = ({ signals: { api } }: PaceView): NamedPace => shown(api ?? NOTHING);
