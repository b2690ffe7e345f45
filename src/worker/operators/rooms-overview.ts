import type { Context } from "hono";
import { OVERVIEW_ROOMS_MAX, overviewOf } from "../../api/rooms/overview.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { coveredOf } from "../sign-in/needs.ts";

/**
 * The operator's rooms with what this isolate's snapshots tell of them: at most 2 s old, and asked of
 * the rooms' lobbies at most once a second, however many operators look.
 */
export const answerOverview = async (c: Context<AppContext>): Promise<Response> => {
  const { arrival, deployment, isolate, operator } = c.var;
  const covered = coveredOf(c, deployment.rooms);
  const rooms = await Promise.all(
    covered.slice(0, OVERVIEW_ROOMS_MAX).map(async (room) => {
      const { state, snapshot } = await isolate.views.view(arrival, room);
      return overviewOf(room, state === "fresh" ? snapshot : null);
    }),
  );
  const { name, scope } = operator;
  return c.json({ rooms, total: covered.length, operator: { name, scope, rooms: operator.rooms } });
};
