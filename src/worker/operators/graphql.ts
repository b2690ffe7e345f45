/** Cloudflare's GraphQL Analytics API, as far as it is about waiting rooms. */
import { Hono } from "hono";
import type { Context } from "hono";
import * as v from "valibot";
import { ApiRefusal } from "../../api/envelope.ts";
import type { AnalyticsRoom } from "../../api/graphql/analytics-groups.ts";
import { answerGraphQL, type AnalyticsSource, type GraphQLAsk } from "../../api/graphql/answer.ts";
import type { ArgumentValue } from "../../api/graphql/read.ts";
import { HISTORY_MINUTES_MAX } from "../../api/rooms/history.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { HistoryRow } from "../../core/room/history.ts";
import { earliest, instant, MINUTE_MS, type InstantMs } from "../../core/time.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { callObject } from "../isolate/call-object.ts";
import { coveredOf, needs } from "../sign-in/needs.ts";
import { roomObject } from "../platform/room-object.ts";

const WEEK_MS = HISTORY_MINUTES_MAX.minute * MINUTE_MS;

const QUERY_PATHS = ["/graphql", "/graphql/"] as const;

const askSchema = v.object({
  query: v.string(),
  variables: v.nullish(v.record(v.string(), v.unknown()), {}),
  operationName: v.nullish(v.string(), null),
});

/** `jsonBody` reads the body, or refuses it. Exporters write the path with and without its last slash. */
export const graphqlApp = (
  jsonBody: (c: Context<AppContext>) => Promise<unknown>,
): Hono<AppContext> => {
  const app = new Hono<AppContext>();
  for (const path of QUERY_PATHS)
    app.post(path, needs("read", "own-rooms"), async (c) => {
      const ask = v.safeParse(askSchema, await jsonBody(c));
      if (!ask.success)
        throw new ApiRefusal("invalid", 'The body is {"query": "…", "variables": {…}}.');
      const { query, variables, operationName } = ask.output;
      const asked: GraphQLAsk = {
        query,
        variables: variables as Readonly<Record<string, ArgumentValue>>,
        operationName,
      };
      return c.json(await answerGraphQL(asked, await sourceOf(c)));
    });
  return app;
};

const sourceOf = async (c: Context<AppContext>): Promise<AnalyticsSource> => {
  const { isolate, arrival } = c.var;
  const deployment = await isolate.deployments.current(arrival);
  if (deployment === null)
    throw new ApiRefusal("unavailable", "This deployment does not know its rooms yet. Try again.");
  const rooms = coveredOf(c, deployment.rooms);
  return {
    now: isolate.ports.now(),
    rooms: rooms.map(analyticsRoom),
    minutes: async ({ id }, from, until) => {
      const room = rooms.find((one) => one.id === id);
      return room === undefined ? [] : minutesOf(c, room, from, until);
    },
  };
};

const analyticsRoom = ({ id, limits }: RoomDefinition): AnalyticsRoom => ({
  id,
  totalActiveUsers: limits.permitsMax,
  newUsersPerMinute: limits.startsPerMinuteMax,
  sessionDuration: Math.round(limits.leaseMs / MINUTE_MS),
});

/** A room tells a week at most in one call. */
const minutesOf = async (
  c: Context<AppContext>,
  room: RoomDefinition,
  from: InstantMs,
  until: InstantMs,
): Promise<readonly HistoryRow[]> => {
  const { ports } = c.var.isolate;
  const rows: HistoryRow[] = [];
  for (let start: number = from; start < until; start += WEEK_MS) {
    const end = earliest(until, instant(start + WEEK_MS)) ?? until;
    const minutes = Math.ceil((end - start) / MINUTE_MS);
    rows.push(...(await callObject(ports, () => roomObject(c.env, room).history(minutes, end))));
  }
  return rows;
};
