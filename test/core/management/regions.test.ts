import { expect, test } from "vitest";
import { parseRoomId } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";
import { definitionOf, resourceOf } from "../../../src/api/rooms/resource.ts";
import { parseRoom } from "../../../src/api/rooms/schema.ts";
import { roomChanged } from "../../../src/worker/operators/room-change.ts";

const room = (seiriken: object) => ({
  name: "shop",
  host: "shop.example",
  total_active_users: 10,
  new_users_per_minute: 60,
  seiriken,
});

const defined = (seiriken: object) => {
  const parsed = parseRoom(room(seiriken));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const identity = { createdAt: instant(1), modifiedAt: instant(1), cookieSuffix: "shop" };
  return definitionOf(parsed.room, { ...identity, id: parseRoomId("a".repeat(32))! });
};

const problemsOf = (seiriken: object) => {
  const parsed = parseRoom(room(seiriken));
  return parsed.ok
    ? []
    : parsed.problems.map(({ keys, message }) => `${keys.join(".")} ${message}`);
};

test("[REGION-4] a room that names none is stored as it was before there were any", () => {
  const plain = defined({ regions: [], room_region: null, jurisdiction: null });
  expect(plain).toEqual(defined({}));
  expect(JSON.stringify(plain)).not.toMatch(/region|jurisdiction|home/);
  expect(resourceOf(plain).seiriken).toMatchObject({
    regions: [],
    room_region: null,
    jurisdiction: null,
  });
});

test("[REGION-4] what a room names is given back as it came", () => {
  const seiriken = { regions: ["eeur", "weur"], room_region: "weur", jurisdiction: "eu" };
  expect(resourceOf(defined(seiriken)).seiriken).toMatchObject(seiriken);
  expect(resourceOf(defined({ room_region: "sam" })).seiriken).toMatchObject({
    regions: [],
    room_region: "sam",
    jurisdiction: null,
  });
});

test("[REGION-4] unknown regions, regions named twice and outside the jurisdiction are refused, all at once", () => {
  const problems = problemsOf({ regions: ["weur", "mars", 7], jurisdiction: "moon" });
  expect(problems).toHaveLength(3);
  expect(problems.join("\n")).toMatch(/regions\.1 .*regions\.2 .*jurisdiction /s);
  const inEurope = { regions: ["weur", "apac", "weur", "apac"], jurisdiction: "eu" };
  expect(problemsOf({ ...inEurope, room_region: "oc" })).toEqual([
    "seiriken.regions.1 is not in the jurisdiction eu: there are weur and eeur",
    "seiriken.regions.2 is named twice",
    "seiriken.regions.3 is named twice",
    "seiriken.regions.3 is not in the jurisdiction eu: there are weur and eeur",
    "seiriken.room_region is not in the jurisdiction eu: there are weur and eeur",
  ]);
  expect(problemsOf({ regions: ["wnam", "enam"], jurisdiction: "fedramp" })).toEqual([]);
});

const FIXED = ["regions", "room_region", "jurisdiction"].map((name) => `seiriken.${name}`);

test.each([
  ["put", room({ regions: ["enam"], room_region: "wnam", jurisdiction: "us" }), FIXED],
  ["put", room({}), FIXED],
  ["patch", { seiriken: { regions: ["eeur", "weur"] } }, FIXED.slice(0, 1)],
  ["patch", { seiriken: { jurisdiction: null } }, FIXED.slice(2)],
  [
    "patch",
    { seiriken: { room_region: "oc", lobbies: 0 } },
    ["seiriken.lobbies", "seiriken.room_region"],
  ],
] as const)("[REGION-4] a change by %s %j is refused for each field", (by, json, fields) => {
  const before = defined({ regions: ["weur", "eeur"], room_region: "weur", jurisdiction: "eu" });
  const changed = roomChanged(before, { by, json });
  const problems = changed.ok ? [] : changed.problems;
  expect(problems.map(({ keys }) => keys.join("."))).toEqual(fields);
});

test("[REGION-4] one that leaves them as they are is taken, and so is a room's first change", () => {
  const before = defined({ regions: ["weur", "apac"], room_region: "apac" });
  const patched = roomChanged(before, { by: "patch", json: { total_active_users: 20 } });
  expect(patched).toMatchObject({ ok: true, value: { limits: { regions: ["weur", "apac"] } } });
  const put = roomChanged(before, { by: "put", json: { ...room({}), seiriken: undefined } });
  expect(put).toMatchObject({ ok: false });
  const { seiriken: _, ...without } = room({});
  expect(roomChanged(before, { by: "put", json: without })).toMatchObject({ ok: true });
});

test("[REGION-4] a room that was made without regions gets none later", () => {
  const changed = roomChanged(defined({}), {
    by: "patch",
    json: { seiriken: { regions: ["oc"] } },
  });
  expect(changed).toMatchObject({
    ok: false,
    problems: [
      { keys: ["seiriken", "regions"], message: expect.stringMatching(/can't be changed/) },
    ],
  });
});
