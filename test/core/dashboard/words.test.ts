import { expect, test } from "vitest";
import { eventBody, eventState } from "../../../static/dashboard/changes/event-words.ts";
import { failureOf, sayFailure, successOf } from "../../../static/dashboard/client/answer.ts";
import { hrefOf, viewOf } from "../../../static/dashboard/route.ts";
import { axisTime, count, shortSpan, span, zoneOf } from "../../../static/dashboard/text/format.ts";

test.each([
  [0, "0 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [61, "1 min 1 s"],
  [600, "10 min"],
  [3_599, "60 min"],
  [3_600, "1 h"],
  [5_400, "1 h 30 min"],
  [null, "–"],
])("a span of %s s reads %s", (seconds, text) => {
  expect(span(seconds)).toBe(text);
});

test.each([
  [45, "45 s"],
  [90, "1:30"],
  [720, "12 min"],
  [9_000, "2.5 h"],
])("on an axis %i s is %s", (seconds, text) => {
  expect(shortSpan(seconds)).toBe(text);
});

test("figures have their thousands apart, and what is not known a dash", () => {
  expect([count(12_345), count(null), count(Number.NaN)]).toEqual(["12,345", "–", "–"]);
});

test.each([
  [1, "15:04:05"],
  [60, "15:04"],
  [3_600, "15:04"],
  [86_400, "2 Jan"],
])("a tick where ticks are %i s apart: %s", (step, text) => {
  expect(axisTime(new Date(2026, 0, 2, 15, 4, 5).getTime(), step)).toBe(text);
});

test("midnight between hours has its day", () => {
  expect(axisTime(new Date(2026, 0, 2).getTime(), 7_200)).toBe("2 Jan");
});

test("the zone is named with its distance, in summer and winter", () => {
  expect(zoneOf(Date.UTC(2026, 0, 1), "Europe/Berlin")).toBe("Europe/Berlin, UTC+1");
  expect(zoneOf(Date.UTC(2026, 6, 1), "Europe/Berlin")).toBe("Europe/Berlin, UTC+2");
  expect(zoneOf(0, "UTC")).toBe("UTC");
});

test("[DASH-4] the address names the view and nothing else, and what it cannot mean is the first view", () => {
  const view = { name: "room", room: "a b", tab: "events" } as const;
  expect(viewOf(hrefOf(view))).toEqual(view);
  expect(viewOf("#/rooms/x/nowhere")).toEqual({ name: "room", room: "x", tab: "now" });
  expect(viewOf("#/rooms/%E0%A4%A")).toEqual({ name: "room", room: "%E0%A4%A", tab: "now" });
  expect(viewOf("#/unheard-of")).toEqual({ name: "rooms" });
});

test("both envelopes are read as one: values, notes, and what went wrong where", () => {
  const result = {
    success: true,
    errors: [],
    messages: [{ code: 1, message: "Kept." }],
    result: 7,
  };
  expect(successOf(result, '"a"')).toEqual({ ok: true, value: 7, etag: '"a"', notes: ["Kept."] });
  const errors = [{ code: 48_001, message: "must be whole", source: { pointer: "/name" } }];
  expect(failureOf(400, { success: false, errors }, null).errors).toEqual([
    { where: "/name", detail: "must be whole" },
  ]);
  const problem = {
    title: "No.",
    detail: "Because.",
    code: "no",
    errors: [{ pointer: "/a", detail: "is b" }],
  };
  expect(sayFailure(failureOf(409, problem, null))).toBe("No. Because. /a: is b");
  expect(sayFailure(failureOf(500, null, null))).toBe("The server answered 500.");
});

const times = {
  suspended: false,
  prequeue_start_time: "2026-11-28T19:00:00Z",
  event_start_time: "2026-11-28T20:00:00Z",
  event_end_time: "2026-11-28T22:00:00Z",
};

test.each([
  ["18:59:59", "planned"],
  ["19:00:00", "prequeue"],
  ["20:00:00", "on"],
  ["21:59:59", "on"],
  ["22:00:00", "over"],
])("an event at %s is %s", (clock, state) => {
  expect(eventState(times, Date.parse(`2026-11-28T${clock}Z`))).toBe(state);
});

const draft = {
  name: "sale",
  startsAt: 3_600_000,
  endsAt: 7_200_000,
  prequeueAt: null,
  shuffle: false,
  permits: null,
  perMinute: null,
  suspended: false,
};

test("an event's draft is told what is wrong with it before it is sent", () => {
  expect(eventBody(draft)).toMatchObject({
    body: { event_start_time: "1970-01-01T01:00:00.000Z" },
  });
  expect(eventBody({ ...draft, endsAt: 3_600_000 })).toHaveProperty("problem");
  expect(eventBody({ ...draft, shuffle: true })).toHaveProperty("problem");
  expect(eventBody({ ...draft, permits: 5 })).toHaveProperty("problem");
  expect(eventBody({ ...draft, name: "Ende gut" })).toHaveProperty("problem");
});
