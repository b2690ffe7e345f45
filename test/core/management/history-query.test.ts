import { expect, test } from "vitest";
import { instant } from "../../../src/core/time.ts";
import {
  historyQuery,
  historyCsv,
  minuteResource,
  spansOf,
  type HistoryQuery,
  type QueryError,
} from "../../../src/api/rooms/history.ts";

const NOW = Date.UTC(2026, 10, 20, 12, 0, 30);
const asked = (query: Record<string, string>) => historyQuery((name) => query[name], NOW);
const at = (hour: number, minute: number) => instant(Date.UTC(2026, 10, 20, hour, minute));

test.each([
  [{}, { minutes: 60, until: null, format: "json" }],
  [
    { minutes: "5", format: "csv" },
    { minutes: 5, until: null, format: "csv" },
  ],
  [{ minutes: "99999999" }, { minutes: 10_080, until: null }],
  [{ from: "2026-11-20T11:59:59Z" }, { minutes: 2, until: null }],
  [{ from: "2026-11-20T12:00:00Z" }, { minutes: 1, until: null }],
  [
    { from: "2026-11-20T09:00:00Z", to: "2026-11-20T10:00:00Z" },
    { minutes: 60, until: at(10, 0) },
  ],
  [
    { from: "2026-11-20T09:00:59Z", to: "2026-11-20T10:00:01Z" },
    { minutes: 61, until: at(10, 1) },
  ],
  [
    { from: "2026-11-20T10:00:00+01:00", to: "2026-11-20T09:01Z" },
    { minutes: 1, until: at(9, 1) },
  ],
  [{ from: "2026-11-13T12:01:00Z" }, { minutes: 10_080 }],
])("[VISITOR-43] %j asks for %j", (query, wanted) => {
  expect(asked(query as Record<string, string>)).toMatchObject(wanted);
});

test.each([
  [{ from: "yesterday" }, ["from"]],
  [{ from: "2026-11-20" }, ["from"]],
  [{ to: "2026-11-20T09:00:00Z" }, ["to"]],
  [{ from: "2026-11-20T12:01:00Z" }, ["from"]],
  [{ from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:00:00Z" }, ["from"]],
  [{ from: "2026-11-13T12:00:59Z" }, ["from"]],
  [{ from: "x", to: "y", format: "xml" }, ["format", "from", "to"]],
])("[VISITOR-43] %j makes no sense, all of it told: %j", (query, parameters) => {
  const errors = asked(query as Record<string, string>) as readonly QueryError[];
  expect(errors.map(({ parameter }) => parameter)).toEqual(parameters);
});

test("[VISITOR-43] CSV has a header, and a line for each minute", () => {
  const zeros = { issued: 0, calls: 0, missed: 0, finished: 0, expired: 0, revoked: 0, refused: 0 };
  const entries = { entriesByUsher: 0, entriesByBaton: 4, entriesByDoor: 0 };
  const row = { minute: at(9, 0), ...zeros, ...entries, waitingMax: 11, outMax: 12 };
  expect(historyCsv([minuteResource(row)]).split("\r\n")).toEqual([
    "minute,arrivals,joined,issued,calls,entries_by_usher,entries_by_baton,entries_by_door,left,removed," +
      "missed,finished,expired,revoked,refused,refused_line_full,refused_lobby_full,refused_room_closed," +
      "refused_room_suspended,refused_too_many_joins,waiting_max,out_max,waits,wait_p50_seconds," +
      "wait_p90_seconds,wait_p99_seconds,wait_max_seconds,waits_checked,waits_within_range," +
      "waits_error_percent_sum,waits_within_range_percent,waits_error_percent_mean,bypassed,origin_answers,origin_errors",
    "2026-11-20T09:00:00.000Z,0,0,0,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,11,12,0,,,,,0,0,0,,,0,0,0",
    "",
  ]);
});

const spans = (query: Record<string, string>) =>
  spansOf(asked(query) as HistoryQuery, NOW).map(({ minutes, until }) => [
    until === null ? null : new Date(until).toISOString().slice(0, 16),
    minutes,
  ]);

test.each([
  [{}, [[null, 60]]],
  [{ minutes: "1440" }, [[null, 1_440]]],
  [
    { from: "2026-11-18T23:00:00Z", to: "2026-11-20T01:00:30Z" },
    [
      ["2026-11-19T00:00", 60],
      ["2026-11-20T00:00", 1_440],
      ["2026-11-20T01:01", 61],
    ],
  ],
  [
    { from: "2026-11-19T22:59:00Z", to: "2026-11-20T01:00:30Z", step: "hour" },
    [
      ["2026-11-20T00:00", 120],
      ["2026-11-20T02:00", 120],
    ],
  ],
  [{ step: "day" }, [["2026-11-21T00:00", 1_440]]],
  [
    { from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z", step: "hour" },
    [["2026-11-20T11:00", 60]],
  ],
] as [Record<string, string>, unknown[][]][])(
  "[RECORD-6] %j asks the Room for a day at a time, in whole steps",
  (query, wanted) => {
    expect(spans(query)).toEqual(wanted);
  },
);

test("[RECORD-5] by hours and days one answer goes over 45 days, and no further", () => {
  const from = "2026-10-06T12:01:00Z";
  expect(asked({ from, step: "hour" })).toMatchObject({ minutes: 45 * 1_440, step: "hour" });
  expect(spans({ from, step: "day" })).toHaveLength(46);
  const errors = asked({ from: "2026-10-06T12:00:00Z", step: "day" }) as readonly QueryError[];
  expect(errors).toEqual([{ parameter: "from", detail: "must lie at most 45 days before to" }]);
  expect(asked({ step: "week" })).toEqual([
    { parameter: "step", detail: "must be one of minute, hour, day" },
  ]);
});
