import { expect, test } from "vitest";
import { instant } from "../../../src/core/time.ts";
import {
  historyQuery,
  historyCsv,
  minuteResource,
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
    "minute,issued,calls,entries_by_usher,entries_by_baton,entries_by_door,missed,finished,expired," +
      "revoked,refused,waiting_max,out_max,waits_checked,waits_within_range,waits_error_percent_sum,bypassed",
    "2026-11-20T09:00:00.000Z,0,0,0,4,0,0,0,0,0,0,11,12,0,0,0,0",
    "",
  ]);
});
