import { expect, test } from "vitest";
import { roomTable, statusTable, watchHeader, watchRow } from "../../../cli/rooms-view.ts";
import type { RoomResource } from "../../../src/api/rooms/resource.ts";
import type { RoomStatusResource } from "../../../src/api/rooms/status.ts";

const status = {
  event_id: "",
  status: "queueing",
  estimated_queued_users: 1_200,
  estimated_total_active_users: 49,
  max_estimated_time_minutes: 40,
  seiriken: {
    name: "shop",
    at: "2026-11-20T09:55:34.123Z",
    mode: "queues",
    waiting: 1_200,
    called: 1,
    visiting: 49,
    permits: 50,
    issued: 3_051,
    entries_per_minute: 30.5,
    calls_per_second: 2,
    message: null,
    closed: null,
  },
} as const satisfies RoomStatusResource;

test("[CLI-9] a watch line stands under its header", () => {
  const [header, row] = [watchHeader(), watchRow(status)];
  expect(row).toMatch(/^09:55:34 {2}queues .* 1200 .* 1 .* 49 of 50 .* 3051 .* 30\.5 .* 40 min$/);
  expect(row.indexOf("1200")).toBe(header.indexOf("waiting"));
  expect(row.indexOf("40 min")).toBe(header.indexOf("longest wait"));
});

test.each([
  [200, "UTC,mode,waiting,called,visiting,issued,per minute,longest wait"],
  [91, "UTC,mode,waiting,called,visiting,issued,per minute,longest wait"],
  [90, "UTC,mode,waiting,called,visiting,per minute,longest wait"],
  [80, "UTC,mode,waiting,called,visiting,per minute,longest wait"],
  [60, "UTC,mode,waiting,visiting,longest wait"],
  [40, "mode,waiting,visiting"],
  [20, "waiting,visiting"],
  [1, "waiting,visiting"],
])("[CLI-9] a terminal of %i columns gets as many as fit", (width, titles) => {
  const [header, row] = [watchHeader(width), watchRow(status, width)];
  expect(header.split(/ {2,}/).join(",")).toBe(titles);
  expect(Math.max(header.length, row.length)).toBeLessThanOrEqual(Math.max(width, 24));
  expect(row.indexOf("1200")).toBe(header.indexOf("waiting"));
});

test("[CLI-9] what is not known is not invented", () => {
  const now = { ...status.seiriken, entries_per_minute: 0 };
  const [, row] = statusTable([{ ...status, max_estimated_time_minutes: 0, seiriken: now }]);
  expect(row).toMatch(/unknown {2,}-$/);
});

const OWN = { closed: null, permit: "visit", starts_per_second: null };

const room = (more: object = {}) =>
  ({
    name: "shop",
    host: "a.example.com",
    path: "/sale",
    additional_routes: [{ path: "/b" }, { host: "c.example.com" }],
    total_active_users: 50,
    new_users_per_minute: 90,
    queue_all: false,
    suspended: false,
    seiriken: OWN,
    ...more,
  }) as unknown as RoomResource;

test.each([
  [{}, "on"],
  [{ queue_all: true }, "paused"],
  [{ queue_all: true, seiriken: { ...OWN, closed: "Sold out" } }, "closed"],
  [{ queue_all: true, suspended: true, seiriken: { ...OWN, closed: "Sold out" } }, "suspended"],
])("[CLI-9] list shows routes, limits and the strongest switch: %j", (more, state) => {
  const [, row] = roomTable([room(more)]);
  expect(row).toBe(
    `shop  a.example.com/sale a.example.com/b c.example.com/  50       90          3 by default  ${state}`,
  );
});

test.each([
  [{ ...OWN, starts_per_second: 20 }, "20"],
  [{ ...OWN, permit: "request" }, "-"],
])("[CLI-9] list shows how many a second may call: %j", (seiriken, shown) => {
  const [header = "", row = ""] = roomTable([room({ seiriken })]);
  expect(row.slice(header.indexOf("per second")).split(/ {2,}/)[0]).toBe(shown);
});
