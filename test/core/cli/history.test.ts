import { expect, test } from "vitest";
import { Failure } from "../../../cli/launch/failure.ts";
import { parseRoomsCommand } from "../../../cli/rooms-command.ts";
import { visitorLines } from "../../../cli/rooms/desk.ts";
import { historyLines, spanOf } from "../../../cli/rooms/history.ts";
import { minuteResource, type MinuteResource } from "../../../src/api/rooms/history.ts";
import { emptyRow } from "../../../src/core/room/history.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;

test.each([
  [null, null, NOW - HOUR, NOW],
  ["90m", null, NOW - 1.5 * HOUR, NOW],
  ["6h", "5h", NOW - 6 * HOUR, NOW - 5 * HOUR],
  ["2d", null, NOW - 48 * HOUR, NOW],
  [null, "2h", NOW - 3 * HOUR, NOW - 2 * HOUR],
  ["2026-11-20T09:00Z", "2026-11-20T11:00+01:00", NOW - 3 * HOUR, NOW - 2 * HOUR],
  ["2026-11-20", null, NOW - 12 * HOUR, NOW],
] as const)("[CLI-15] --since %s --until %s", (since, until, from, to) => {
  expect(spanOf(since, until, NOW)).toEqual({ from, to, step: "minute" });
});

test.each([
  ["yesterday", null],
  ["6", null],
  ["-1h", null],
  ["2026-11-20T09:00", null],
  ["2026-13-45", null],
  ["1h", "2h"],
  ["1h", "1h"],
  ["2026-11-21", "2026-11-22"],
  ["8d", null],
] as const)("[CLI-15] --since %s --until %s is refused before anything is sent", (since, until) => {
  expect(() => spanOf(since, until, NOW)).toThrow(Failure);
});

test("[RECORD-5] by hours and days one call tells all that is kept", () => {
  expect(spanOf("40d", null, NOW, "hour")).toMatchObject({ step: "hour" });
  expect(spanOf("40d", null, NOW, "day")).toMatchObject({ step: "day" });
  expect(() => spanOf("46d", null, NOW, "day")).toThrow(Failure);
  expect(() => spanOf("1d", null, NOW, "week")).toThrow(Failure);
});

const minute = (at: string, more: Partial<MinuteResource>): MinuteResource => ({
  ...minuteResource(emptyRow(instant(0))),
  minute: `2026-11-20T${at}:00.000Z`,
  ...more,
});

test("[CLI-15] the table has a line a minute and their sum, of the most the most", () => {
  const minutes = [
    minute("09:00", { issued: 3, waiting_max: 7, out_max: 5, entries_by_door: 2 }),
    minute("09:05", {
      issued: 4,
      waiting_max: 6,
      out_max: 9,
      entries_by_usher: 1,
      entries_by_baton: 3,
      wait_p50_seconds: 2.345,
      wait_p90_seconds: 61.5,
    }),
  ];
  const lines = historyLines(minutes, { from: NOW - HOUR, to: NOW });
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    [
      ...["UTC", "most waiting", "most in", "arrived", "tickets", "left", "called", "missed"],
      ...["entered", "finished", "expired", "revoked", "refused", "median wait", "90 % waited"],
    ],
    "2026-11-20 09:00/7/5/0/3/0/0/0/2/0/0/0/0/-/-".split("/"),
    "2026-11-20 09:05/6/9/0/4/0/0/0/4/0/0/0/0/2.3 s/62 s".split("/"),
    "all of them/7/9/0/7/0/0/0/6/0/0/0/0/-/-".split("/"),
  ]);
});

test("[CLI-15] where nothing happened it says so", () => {
  expect(historyLines([], { from: NOW - HOUR, to: NOW })).toEqual([
    "nothing happened from 2026-11-20 11:00 to 2026-11-20 12:00 UTC",
  ]);
});

const parse = (...args: string[]) =>
  parseRoomsCommand([...args, "--token", "a-token-for-tests-17"], {}).command;

test("[CLI-15] [CLI-16] the commands, as they are typed", () => {
  expect(parse("history", "shop", "--csv")).toMatchObject({
    kind: "history",
    room: "shop",
    as: "csv",
  });
  expect(parse("visits", "end", "shop", "17")).toEqual({
    kind: "end-visit",
    room: "shop",
    visit: 17,
  });
  expect(parse("revoke-all", "shop")).toEqual({
    kind: "revoke-all",
    room: "shop",
    isAgreed: false,
  });
  expect(parse("revoke-all", "shop", "--yes")).toMatchObject({ isAgreed: true });
});

test("[DESK-9] the help desk's commands, as they are typed", () => {
  expect(parse("find", "shop", "abcd-2345")).toEqual({
    kind: "find",
    room: "shop",
    visitor: "abcd-2345",
    minutes: 1,
    json: false,
  });
  expect(parse("find", "shop", "17", "--json")).toMatchObject({ json: true });
  expect(parse("more", "shop", "17", "20")).toMatchObject({ kind: "more", minutes: 20 });
  expect(parse("call-again", "shop", "17")).toMatchObject({ kind: "call-again", visitor: "17" });
  expect(parse("end", "shop", "17")).toMatchObject({ kind: "end", room: "shop" });
});

test("[DESK-9] find shows what to read out, and what happened", () => {
  const found = {
    ...{
      room: "shop",
      number: ticketNumber(17),
      state: "ended" as const,
      says: "Number 17 is over.",
      ahead: null,
    },
    ...{ eta: null, claim_by: null, visit: null, misses: 0, misses_max: 3, more_minutes_given: 5 },
    ...{ more_minutes_left: 595, joined_at: null, ended: null },
    happened: [{ at: "2026-11-20T09:00:00.000Z", what: "joined" }],
    remembered_since: "2026-11-20T08:00:00.000Z",
  };
  expect(visitorLines(found)).toEqual([
    "Number 17 is over.",
    "more time given: 5 minutes",
    "2026-11-20 09:00:00  joined",
    "remembered since 2026-11-20 08:00:00 (all UTC)",
  ]);
});

test.each([
  ["find"],
  ["find", "shop"],
  ["find", "shop", "I0"],
  ["find", "shop", "17", "18"],
  ["more", "shop", "17"],
  ["more", "shop", "17", "0"],
  ["more", "shop", "17", "61"],
  ["more", "shop", "17", "1.5"],
  ["call-again", "shop", "17", "5"],
  ["end", "shop", "17", "--yes"],
  ["history"],
  ["history", "shop", "--csv", "--json"],
  ["history", "shop", "--watch"],
  ["status", "shop", "--since", "1h"],
  ["visits"],
  ["visits", "shop", "17"],
  ["visits", "end", "shop"],
  ["visits", "end", "shop", "seventeen"],
  ["visits", "end", "shop", "0"],
  ["visits", "end", "shop", "1.5"],
  ["visits", "end", "shop", "17", "18"],
  ["visits", "end", "shop", "17", "--yes"],
  ["revoke-all"],
  ["revoke-all", "shop", "other"],
])("[CLI-2] %s %s %s %s %s makes no sense", (...args) => {
  const words = args.filter((word) => word !== undefined);
  expect(() => parse(...words)).toThrow(expect.objectContaining({ exitCode: 2 }));
});
