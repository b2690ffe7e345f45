import { describe, expect, test } from "vitest";
import type { AnalyticsRoom } from "../../../src/api/graphql/analytics-groups.ts";
import { answerGraphQL } from "../../../src/api/graphql/answer.ts";
import { LogHistogram } from "../../../src/core/collections/log-histogram.ts";
import { emptyRow, type HistoryRow } from "../../../src/core/room/history.ts";
import { instant } from "../../../src/core/time.ts";
import { DOCUMENTED, plotted } from "./cloudflare-queries.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-20T09:00:00Z");
const at = (minute: number): string =>
  new Date(START + minute * MINUTE).toISOString().replace(".000Z", "Z");

const room = (id: string): AnalyticsRoom => ({
  id,
  totalActiveUsers: 40,
  newUsersPerMinute: 90,
  sessionDuration: 5,
});

const row = (minute: number, change: Partial<HistoryRow> = {}): HistoryRow => ({
  ...emptyRow(instant(START + minute * MINUTE)),
  ...change,
});

/** Minute n of room `one`: n in line, 10 + n in, 3 entries; room `two` has ten times as many in line. */
const ROWS: Readonly<Record<string, readonly HistoryRow[]>> = {
  one: Array.from({ length: 120 }, (_, minute) =>
    row(minute, {
      waitingMax: minute,
      outMax: 10 + minute,
      entriesByUsher: 1,
      entriesByBaton: 1,
      entriesByDoor: 1,
    }),
  ),
  two: [row(0, { waitingMax: 500 }), row(1, { waitingMax: 700 })],
};

const asker = () => {
  const reads: string[] = [];
  const ask = async (query: string, variables: Record<string, never> | object = {}, rest = {}) =>
    answerGraphQL(
      { query, variables: variables as never, operationName: null, ...rest },
      {
        now: START + 120 * MINUTE,
        rooms: [room("one"), room("two")],
        minutes: async ({ id }, from, until) => {
          reads.push(id);
          return (ROWS[id] ?? []).filter(({ minute }) => minute >= from && minute < until);
        },
      },
    );
  return { ask, reads };
};

const groupsIn = (data: unknown, key = "waitingRoomAnalyticsAdaptiveGroups") =>
  (data as { viewer: { zones: Record<string, Record<string, Record<string, unknown>>[]>[] } })
    .viewer.zones[0]?.[key] ?? [];

/** The groups of a query for one list. */
const groups = async (args: string, fields: string) => {
  const { data, errors } = await asker().ask(
    `{ viewer { zones(filter: {zoneTag: "z"}) { waitingRoomAnalyticsAdaptiveGroups(${args}) { ${fields} } } } }`,
  );
  expect(errors).toBeNull();
  return groupsIn(data);
};

const messages = async (query: string, variables = {}): Promise<readonly string[]> => {
  const { data, errors } = await asker().ask(query, variables);
  expect(data).toBeNull();
  return (errors ?? []).map(({ message }) => message);
};

const of = (inside: string): string => `{ viewer { zones { ${inside} } } }`;
const list = (args: string, fields = "count"): string =>
  of(`waitingRoomAnalyticsAdaptiveGroups${args} { ${fields} }`);

describe("queries of others, word for word", () => {
  test("[GRAPHQL-1] the one that Cloudflare documents", async () => {
    const { ask, reads } = asker();
    const filter = { datetime_geq: at(3), datetime_leq: at(5), waitingRoomId: "one" };
    const { data, errors } = await ask(DOCUMENTED, { filter, zoneId: "zone" });
    expect(errors).toBeNull();
    const typed = (name: string) => `ZoneWaitingRoomAnalyticsAdaptiveGroups${name}`;
    expect(groupsIn(data, "timeseries")).toEqual(
      [3, 4, 5].map((minute) => ({
        avg: {
          totalActiveUsers: 10 + minute,
          totalActiveUsersConfig: 40,
          totalQueuedUsers: minute,
          __typename: typed("Avg"),
        },
        max: {
          totalQueuedUsers: minute,
          totalActiveUsers: 10 + minute,
          totalActiveUsersConfig: 40,
          __typename: typed("Max"),
        },
        min: { totalActiveUsersConfig: 40, __typename: typed("Min") },
        dimensions: { ts: at(minute), __typename: typed("Dimensions") },
        __typename: typed(""),
      })),
    );
    expect(groupsIn(data, "total")).toEqual([
      {
        max: { totalQueuedUsers: 5, totalActiveUsers: 15, __typename: typed("Max") },
        __typename: typed(""),
      },
    ]);
    expect(reads).toEqual(["one"]);
  });

  test.each([
    ["datetimeFifteenMinutes", 8, 7],
    ["datetimeHour", 2, 30],
  ] as const)(
    "[GRAPHQL-1] [GRAPHQL-2] one that plots a room by %s",
    async (dimension, count, first) => {
      const variables = { zone: "z", room: "one", from: at(0), to: at(119) };
      const { data, errors } = await asker().ask(plotted(dimension), variables);
      expect(errors).toBeNull();
      const plot = groupsIn(data);
      expect(plot).toHaveLength(count);
      expect(plot[0]).toEqual({
        avg: { totalActiveUsers: first + 10, totalQueuedUsers: first, newUsersPerMinute: 3 },
        avgWeighted: { timeOnOriginP50: -1, totalTimeWaitedP90: -1 },
        dimensions: { [dimension]: at(0) },
      });
    },
  );
});

describe("groups", () => {
  test("[GRAPHQL-2] by time, by room, by both, or all in one", async () => {
    const within = `filter: {datetime_lt: "${at(2)}", datetime_geq: "${at(0)}"}`;
    expect(await groups(within, "count")).toEqual([{ count: 4 }]);
    expect(await groups(within, "count dimensions { waitingRoomId }")).toEqual([
      { count: 2, dimensions: { waitingRoomId: "one" } },
      { count: 2, dimensions: { waitingRoomId: "two" } },
    ]);
    const both = await groups(
      within,
      "max { totalQueuedUsers } dimensions { datetimeMinute waitingRoomId }",
    );
    expect(both).toEqual(
      [
        [0, "one", 0],
        [0, "two", 500],
        [1, "one", 1],
        [1, "two", 700],
      ].map(([minute, id, queued]) => ({
        max: { totalQueuedUsers: queued },
        dimensions: { datetimeMinute: at(Number(minute)), waitingRoomId: id },
      })),
    );
    expect(await groups(within, "dimensions { date }")).toEqual([
      { dimensions: { date: "2026-11-20" } },
    ]);
  });

  test.each([
    [`datetime_geq: "${at(2)}", datetime_lt: "${at(4)}"`, [2, 3]],
    [`datetime_gt: "${at(2)}", datetime_leq: "${at(4)}"`, [3, 4]],
    [`datetimeMinute: "${at(7)}"`, [7]],
    [`datetimeFiveMinutes: "${at(5)}", datetime_neq: "${at(6)}"`, [5, 7, 8, 9]],
    [`AND: [{datetime_geq: "${at(0)}"}, {datetime_lt: "${at(1)}"}]`, [0]],
    [`datetime_geq: "2026-11-20T10:01:00+01:00", datetime_lt: "${at(2)}"`, [1]],
    [`datetime_geq: "${at(5)}", datetime_lt: "${at(5)}"`, []],
    [`datetimeMinute_in: ["${at(5)}", "${at(9)}"]`, [5, 9]],
  ])("[GRAPHQL-3] the filter %s", async (filter, minutes) => {
    const fields = "dimensions { datetimeMinute }";
    const told = await groups(`filter: {waitingRoomId: "one", ${filter}}`, fields);
    expect(told.map(({ dimensions }) => dimensions?.["datetimeMinute"])).toEqual(minutes.map(at));
  });

  test.each([
    ['waitingRoomId_in: ["one", "two"]', 122],
    ['waitingRoomId_neq: "one"', 2],
    ['waitingRoomId_notin: ["two"]', 120],
    ['waitingRoomId: "nowhere"', 0],
    ["waitingRoomId: null", 122],
  ])("[GRAPHQL-3] rooms by %s; without a time, the last day", async (filter, count) => {
    expect(await groups(`filter: {${filter}}`, "count")).toEqual(count === 0 ? [] : [{ count }]);
  });

  test("[GRAPHQL-2] sums, settings as they are now, waits of those who entered; -1 where there is no data", async () => {
    const waits = (...counts: (readonly [number, number])[]) => {
      const histogram = new LogHistogram();
      for (const [seconds, count] of counts) histogram.add(seconds * 1_000, count);
      return { counts: histogram.toJSON(), longestMs: 0 };
    };
    const rows = [
      row(0, { revoked: 2, entriesByDoor: 5, waits: waits([10, 50]) }),
      row(1, { revoked: 3, entriesByDoor: 6, waits: waits([10, 20], [100, 30]) }),
    ];
    const { data } = await answerGraphQL(
      {
        query: list(
          "",
          `sum { newUsersPerMinute sessionsRevoked turnstileIssued }
           max { sessionDuration newUsersPerMinuteConfig maxEstimatedTimeMinutes }
           avg { sampleInterval turnstileFailures }
           avgWeighted { timeInQueueP50 totalTimeWaitedP95 timeBetweenRefreshesP75 }
           dimensions { sampleInterval }`,
        ),
        variables: {},
        operationName: null,
      },
      { now: START + 120 * MINUTE, rooms: [room("one")], minutes: async () => rows },
    );
    const [group] = groupsIn(data);
    expect(group).toMatchObject({
      sum: { newUsersPerMinute: 11, sessionsRevoked: 5, turnstileIssued: -1 },
      max: { sessionDuration: 5, newUsersPerMinuteConfig: 90, maxEstimatedTimeMinutes: -1 },
      avg: { sampleInterval: 1, turnstileFailures: -1 },
      avgWeighted: { timeBetweenRefreshesP75: -1 },
      dimensions: { sampleInterval: 1 },
    });
    expect(Math.abs(Number(group?.["avgWeighted"]?.["timeInQueueP50"]) - 10)).toBeLessThan(1);
    expect(Math.abs(Number(group?.["avgWeighted"]?.["totalTimeWaitedP95"]) - 100)).toBeLessThan(5);
  });

  test("[GRAPHQL-3] in the order wanted, and as many as wanted", async () => {
    const fields = "max { totalQueuedUsers }";
    const args = 'filter: {waitingRoomId: "one"}, limit: 2, orderBy: [max_totalQueuedUsers_DESC]';
    const told = await groups(args, `${fields} dimensions { datetimeMinute }`);
    expect(told.map(({ max }) => max?.["totalQueuedUsers"])).toEqual([119, 118]);
    const late = await groups(
      'filter: {waitingRoomId: "one"}, limit: 1, orderBy: [datetimeHour_DESC]',
      "dimensions { datetimeHour }",
    );
    expect(late).toEqual([{ dimensions: { datetimeHour: at(60) } }]);
  });

  test("[GRAPHQL-1] aliases, also of the same list with other filters", async () => {
    const { data } = await asker().ask(
      of(`zoneTag
        a: waitingRoomAnalyticsAdaptiveGroups(filter: {waitingRoomId: "one"}) { n: count }
        b: waitingRoomAnalyticsAdaptiveGroups(filter: {waitingRoomId: "two"}) { n: count }`),
    );
    expect(groupsIn(data, "a")).toEqual([{ n: 120 }]);
    expect(groupsIn(data, "b")).toEqual([{ n: 2 }]);
  });
});

describe("what is not answered", () => {
  test.each([
    [
      of("httpRequests1mGroups(limit: 1) { count }"),
      'unknown field "httpRequests1mGroups" of zone',
    ],
    ["{ viewer { accounts { accountTag } } }", 'unknown field "accounts" of viewer'],
    ["{ __schema { types { name } } }", 'unknown field "__schema" of Query'],
    ["{ constructor { name } }", 'unknown field "constructor" of Query'],
    [list("", "avg { visitors }"), 'unknown field "visitors"'],
    [list("", "avg"), "avg needs a selection"],
    [list("", "count { x }"), "count has no fields"],
    [list("(zone: 1)"), 'unknown argument "zone"'],
    [list('(filter: {clientIP: "1"})'), "unknown filter clientIP"],
    [list('(filter: {datetime_like: "1"})'), "unknown filter datetime_like"],
    [list('(filter: {datetime_geq: "yesterday"})'), "datetime_geq takes a time"],
    [list("(filter: {waitingRoomId_in: 7})"), "waitingRoomId_in takes a list"],
    [list("(filter: 7)"), "a filter is an object"],
    [list("(limit: 0)"), "limit takes a whole number"],
    [list("(limit: 10001)"), "limit takes a whole number"],
    [list("(orderBy: [visitors_ASC])"), "unknown order"],
    [list('(filter: {datetime_geq: "2026-01-01T00:00:00Z"})'), "this reads too much at once"],
    ["mutation { viewer { zones { zoneTag } } }", "expected query, found mutation"],
    ["{ viewer { ...Figures } }", "fragments are not answered"],
    ["{ viewer @include(if: true) { zones { zoneTag } } }", "directives are not answered"],
    [
      "query Q($z: string!) { viewer { zones(filter: {zoneTag: $z}) { zoneTag } } }",
      "the variable $z",
    ],
    ["{ viewer { zones(filter: {zoneTag: $z}) { zoneTag } } }", "there is no variable $z"],
    ["{ viewer { zones { zoneTag } }", "expected a name, found the end"],
    ["", "there is no query"],
    [
      "{ viewer { a: zones { zoneTag } a: zones(limit: 1) { zoneTag } } }",
      "a stands for two things",
    ],
    [
      "query A { viewer { zones { zoneTag } } } query B { viewer { zones { zoneTag } } }",
      "operationName",
    ],
    [`{ viewer { zones(filter: ${"[".repeat(20)}) { zoneTag } } }`, "a value is deeper"],
    ["{a".repeat(13), "the query is deeper"],
    [`{${" a".repeat(401)} }`, "more than 400 fields"],
    [`{ ${" ".repeat(17_000)} }`, "at most 16384 characters"],
    ['{ viewer(a: "\\u00zz") { zones } }', "is no string"],
    ["{ viewer ~ }", "cannot read"],
  ])("[GRAPHQL-4] %s", async (query, message) => {
    expect((await messages(query)).join("\n")).toContain(message);
  });

  test("[GRAPHQL-4] every unknown field is named at once, with its path, and a fault with its place", async () => {
    const { errors } = await asker().ask(list("", "count nothing avg { nobody }"));
    const above = ["viewer", "zones", "waitingRoomAnalyticsAdaptiveGroups"];
    expect(errors?.map(({ path }) => path)).toEqual([
      [...above, "nothing"],
      [...above, "avg", "nobody"],
    ]);
    expect(errors?.[0]?.extensions.timestamp).toBe("2026-11-20T11:00:00.000Z");
    const { errors: places } = await asker().ask("{\n  viewer {\n    ~");
    expect(places?.[0]?.locations).toEqual([{ line: 3, column: 5 }]);
  });

  test("[GRAPHQL-4] at most eight lists in one query", async () => {
    const lists = Array.from(
      { length: 9 },
      (_, index) =>
        `l${index}: waitingRoomAnalyticsAdaptiveGroups(filter: {waitingRoomId: "two"}) { count }`,
    );
    expect(await messages(of(lists.join(" ")))).toEqual([
      "a query may have at most 8 lists of groups",
    ]);
    expect((await asker().ask(of(lists.slice(1).join(" ")))).errors).toBeNull();
  });

  test("[GRAPHQL-4] a room that cannot be reached fails the query", async () => {
    const asked = answerGraphQL(
      { query: list(""), variables: {}, operationName: null },
      { now: START, rooms: [room("one")], minutes: () => Promise.reject(new Error("gone")) },
    );
    await expect(asked).rejects.toThrow("gone");
  });
});
