import { describe, expect, test } from "vitest";
import { emptyRow } from "../../src/core/room/history.ts";
import { after } from "../../src/core/time.ts";
import { DOCUMENTED } from "../core/graphql/cloudflare-queries.ts";
import { ROOM_START, World } from "./fakes.ts";
import { tokenForRooms } from "./room-token.ts";

const ADMIN_TOKEN = "an-admin-token-for-tests";
const PATH = "/.seiriken/client/v4/graphql";
const HOUR_MS = 3_600_000;

const worldWithHistory = () => {
  const world = new World({ env: { ADMIN_TOKEN } });
  const asked: (readonly [number, number | null])[] = [];
  world.room.history = async (minutes, until = null) => {
    asked.push([minutes, until]);
    return [{ ...emptyRow(ROOM_START), waitingMax: 7, outMax: 9 }];
  };
  return { world, asked };
};

const post = (world: World, body: unknown, init: RequestInit = {}, path = PATH) =>
  world.fetch(path, {
    method: "POST",
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });

const COUNT = { query: "{ viewer { zones { waitingRoomAnalyticsAdaptiveGroups { count } } } }" };

describe("the path of Cloudflare's GraphQL API", () => {
  test.each([PATH, `${PATH}/`])("[GRAPHQL-1] answers the documented query at %s", async (path) => {
    const { world, asked } = worldWithHistory();
    const variables = {
      zoneId: "any",
      filter: {
        datetime_geq: "2026-11-20T09:00:00Z",
        datetime_leq: "2026-11-20T09:06:00Z",
        waitingRoomId: "a".repeat(32),
      },
    };
    const body = { operationName: "UsersQueuedOverTimeQuery", variables, query: DOCUMENTED };
    const answer = await post(world, body, {}, path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toContain("application/json");
    expect(await answer.json()).toMatchObject({
      errors: null,
      data: {
        viewer: {
          zones: [
            {
              timeseries: [
                {
                  avg: { totalActiveUsers: 9, totalActiveUsersConfig: 10, totalQueuedUsers: 7 },
                  dimensions: { ts: "2026-11-20T09:00:00Z" },
                },
              ],
              total: [{ max: { totalQueuedUsers: 7, totalActiveUsers: 9 } }],
            },
          ],
        },
      },
    });
    expect(asked).toEqual([[7, after(ROOM_START, 7 * 60_000)]]);
  });

  test("[GRAPHQL-5] it takes a token, and refuses in Cloudflare's envelope", async () => {
    const { world, asked } = worldWithHistory();
    const refused = await post(world, COUNT, {
      headers: { Authorization: "Bearer another-token-1234" },
    });
    expect([refused.status, await refused.json()]).toMatchObject([401, { success: false }]);
    const got = await world.fetch(PATH, { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
    expect([got.status, got.headers.get("Allow")]).toEqual([405, "POST"]);
    expect(asked).toEqual([]);
  });

  test("[GRAPHQL-5] a token for some rooms is told of those, whatever it asks for", async () => {
    const { world, asked } = worldWithHistory();
    const token = await tokenForRooms(world, []);
    const answer = await post(world, COUNT, { headers: { Authorization: `Bearer ${token}` } });
    expect(await answer.json()).toEqual({
      data: { viewer: { zones: [{ waitingRoomAnalyticsAdaptiveGroups: [] }] } },
      errors: null,
    });
    expect(asked).toEqual([]);
  });

  test.each(["", "no JSON", "7", "[]", "{}", '{"query": 7}', '{"query": "{a}", "variables": 7}'])(
    "[GRAPHQL-5] the body %s is refused",
    async (body) => {
      const { world } = worldWithHistory();
      const answer = await post(world, body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { success: false }]);
    },
  );

  test("[GRAPHQL-4] a query with faults is answered with them, and asks no room", async () => {
    const { world, asked } = worldWithHistory();
    const answer = await post(world, {
      query: "{ viewer { zones { httpRequests1mGroups { count } } } }",
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      data: null,
      errors: [{ message: 'unknown field "httpRequests1mGroups" of zone' }],
    });
    expect(asked).toEqual([]);
  });

  test("[GRAPHQL-3] more than a week is read in several calls", async () => {
    const { world, asked } = worldWithHistory();
    const from = new Date(ROOM_START - 10 * 24 * HOUR_MS).toISOString();
    const query = `query Q($from: Time!) { viewer { zones { waitingRoomAnalyticsAdaptiveGroups(filter: {datetime_geq: $from}) { count } } } }`;
    expect((await post(world, { query, variables: { from } })).status).toBe(200);
    expect(asked.map(([minutes]) => minutes)[0]).toBe(10_080);
    expect(asked).toHaveLength(2);
  });

  test("[GRAPHQL-4] a room that cannot be reached is said so", async () => {
    const { world } = worldWithHistory();
    world.breakObjects();
    const answer = await post(world, COUNT);
    expect([answer.status, await answer.json()]).toMatchObject([503, { success: false }]);
  });
});
