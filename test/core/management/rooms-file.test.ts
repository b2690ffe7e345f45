import { expect, test } from "vitest";
import { firstJsonError } from "../../../src/core/json/read.ts";
import { parseRooms, parseRoomsText } from "../../../src/api/rooms-file/file.ts";

const room = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  host: "*",
  path: `/${name}`,
  total_active_users: 1,
  new_users_per_minute: 1,
  ...more,
});

const problemsOf = (json: unknown) => {
  const parsed = parseRooms(json);
  return parsed.ok ? [] : parsed.problems;
};

test("[ROOM-16] a file is an array of rooms, given back as they stand in it", () => {
  const rooms = [room("a"), room("b")];
  expect(parseRooms(rooms)).toEqual({ ok: true, rooms });
  expect(problemsOf({ rooms })).toMatchObject([{ path: "" }]);
  expect(problemsOf(Array.from({ length: 1_001 }, (_, n) => room(`r${n}`)))).toHaveLength(1);
});

test("[ROOM-16] the problems of all rooms are reported at once", () => {
  const rooms = [room("a", { total_active_users: 0 }), room("b"), "c", room("d", { typo: 1 })];
  expect(problemsOf(rooms).map(({ path }) => path)).toEqual([
    "[0].total_active_users",
    "[2]",
    "[3].typo",
  ]);
});

test("[ROOM-17] two rooms of a file share neither a name nor a route", () => {
  const rooms = [
    room("a"),
    room("A", { path: "/other" }),
    room("b", { path: "/a/", additional_routes: [{ path: "/other" }] }),
  ];
  expect(problemsOf(rooms)).toEqual([
    { path: "[1].name", message: "is the name of [0] too" },
    { path: "[2].path", message: "*/a is a route of [0] too" },
    { path: "[2].additional_routes[0]", message: "*/other is a route of [1] too" },
  ]);
});

test.each([
  ['[\n  {"name": shop}\n]', "line 2, column 12"],
  ["", "line 1, column 1"],
  ["[1, 2", "line 1, column 6"],
  ["[1,]", "line 1, column 4"],
  ['{"a":1,}', "line 1, column 8"],
  ['{"a" 1}', "line 1, column 6"],
  ["[] []", "line 1, column 4"],
  ["[01]", "line 1, column 2"],
  ['["a\nb"]', "line 1, column 2"],
  ["[1}", "line 1, column 3"],
  ["'a'", "line 1, column 1"],
])("[ROOM-18] %j is no JSON at %s", (text, path) => {
  const parsed = parseRoomsText(text);
  expect(!parsed.ok && parsed.problems[0]).toMatchObject({
    path,
    message: expect.stringMatching(/^is not JSON: [^\n]+$/),
  });
});

test("[ROOM-18] a byte order mark is forgiven", () => {
  expect(parseRoomsText("\uFEFF[]")).toEqual({ ok: true, rooms: [] });
});

test("[ROOM-18] what JSON.parse takes has no error, and the other way round", () => {
  const texts = [
    '{"a":[1,-0.5e+3,true,false,null,"\\u00e9\\n"],"b":{}}',
    " [ ] ",
    "1",
    '"x"',
    "[".repeat(50_000) + "]".repeat(50_000),
    "[1 2]",
    '{"a"}',
    '{"a":}',
    "{,}",
    "[,1]",
    "tru",
    "-",
    "1.",
    '"\\x"',
    '{"a":1 "b":2}',
    "nulll",
    "[1]]",
  ];
  for (const text of texts) {
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    expect([text.slice(0, 20), firstJsonError(text) === null]).toEqual([text.slice(0, 20), isJson]);
  }
});

test.each([
  ['"__proto__":{"suspended":true}', "[0].__proto__"],
  ['"seiriken":{"constructor":1}', "[0].seiriken.constructor"],
  ['"id":[{"prototype":1}]', "[0].id[0].prototype"],
  [`"id":${"[".repeat(32)}1${"]".repeat(32)}`, `[0].id${"[0]".repeat(31)}`],
])("[ROOM-20] a room of a file with %s has its problem there", (field, path) => {
  const text = `[{"name":"a","host":"*","total_active_users":1,"new_users_per_minute":1,${field}}]`;
  const parsed = parseRoomsText(text);
  expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.path)).toEqual([path]);
});

test("[ROOM-20] what is nested without end is told briefly, and breaks nothing", () => {
  const deep = `{"id":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const wide = `{"id":[${'{"__proto__":1},'.repeat(10_000)}1]}`;
  for (const room of [deep, wide]) {
    const parsed = parseRoomsText(`[${room}]`);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.problems.length).toBeLessThan(100);
  }
});

test("[CLI-17] a room's events and rules are read with it, and every problem has its path", () => {
  const sale = {
    name: "sale",
    event_start_time: "2026-11-28T20:00:00Z",
    event_end_time: "2026-11-28T22:00:00Z",
  };
  const ssl = { action: "bypass_waiting_room", expression: "ssl" };
  const rooms = [room("a", { events: [sale], rules: [ssl] })];
  expect(parseRooms(rooms)).toEqual({ ok: true, rooms });
  const wrong = room("a", {
    path: "no path",
    events: [sale, { ...sale, typo: 1, event_end_time: "soon" }, { ...sale, name: "other" }],
    rules: [
      { ...ssl, expression: "ssl and" },
      { ...ssl, place: 1 },
    ],
  });
  expect(problemsOf([wrong]).map(({ path }) => path)).toEqual([
    "[0].path",
    "[0].events[1].event_end_time",
    "[0].events[1].typo",
    "[0].events[1].name",
    "[0].events[2].event_start_time",
    "[0].rules[0].expression",
    "[0].rules[1].place",
  ]);
  expect(problemsOf([room("a", { events: {}, rules: 7 })]).map(({ path }) => path)).toEqual([
    "[0].events",
    "[0].rules",
  ]);
});
