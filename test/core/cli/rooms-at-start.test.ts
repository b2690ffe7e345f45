import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoRoom } from "../../../cli/demo/room.ts";
import { readFlags } from "../../../cli/launch/flags.ts";
import type { Report } from "../../../cli/launch/report.ts";
import { makeRoomsAtStart } from "../../../cli/launch/rooms-at-start.ts";
import { readSettings, settingSpecs } from "../../../cli/launch/settings.ts";
import type { RoomJson } from "../../../src/api/rooms-file/file.ts";
import { FakeRooms, fileRoom } from "../../support/fake-rooms.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "seiriken-record-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** One start with this file, null for none: its steps, and its warnings line by line. */
const start = async (
  to: FakeRooms,
  rooms: readonly RoomJson[] | null,
  { appliesAll = false, defaults = [] as readonly RoomJson[] } = {},
) => {
  const steps: string[] = [];
  const warnings: string[] = [];
  const report: Report = {
    tell: (event) => {
      if (event.event === "step") steps.push(event.message);
      if (event.event === "warning") warnings.push(...event.message.split("\n"));
    },
    fail: () => undefined,
  };
  const file = rooms === null ? null : { path: "rooms.json", text: "", rooms };
  await makeRoomsAtStart(to, { file, defaults, appliesAll, dataDir }, report);
  return { steps, warnings };
};

const users = (to: FakeRooms, name = "a") => to.rooms.get(`id-${name}`)?.total_active_users;

test("[FILE-1] a room that only the file has made follows the file from start to start", async () => {
  const to = new FakeRooms();
  expect((await start(to, [fileRoom("a", "/a")])).steps).toEqual(["room a created"]);
  expect(await start(to, [fileRoom("a", "/a")])).toEqual({
    steps: ["room a unchanged"],
    warnings: [],
  });
  const edited = [fileRoom("a", "/a", { total_active_users: 3 }), fileRoom("b", "/b")];
  expect(await start(to, edited)).toEqual({
    steps: ["room a updated", "room b created"],
    warnings: [],
  });
  expect(users(to)).toBe(3);
});

test("[FILE-2] what somebody changed since stays, and each difference is told with the way on", async () => {
  const to = new FakeRooms();
  const rooms = [fileRoom("a", "/a", { description: "x" })];
  await start(to, rooms);
  to.patch("id-a", { total_active_users: 9, seiriken: { strict: true } });
  for (let again = 0; again < 2; again += 1) {
    const { steps, warnings } = await start(to, rooms);
    expect(steps).toEqual(["room a unchanged"]);
    expect(warnings).toEqual([
      expect.stringContaining("rooms.json"),
      "room a: total_active_users  9 → 1",
      "room a: seiriken.strict     true → false",
      expect.stringMatching(/--apply-rooms.*npm run rooms -- apply rooms\.json/),
    ]);
  }
  expect(users(to)).toBe(9);
});

test("[FILE-2] put back as the file has it, a room follows the file again", async () => {
  const to = new FakeRooms();
  await start(to, [fileRoom("a", "/a")]);
  to.patch("id-a", { total_active_users: 9 });
  await start(to, [fileRoom("a", "/a")]);
  to.patch("id-a", { total_active_users: 1 });
  await start(to, [fileRoom("a", "/a", { total_active_users: 3 })]);
  expect(users(to)).toBe(3);
});

test("[FILE-3] a deleted room is not made again, and that is told", async () => {
  const to = new FakeRooms();
  await start(to, [fileRoom("a", "/a")]);
  await to.deleteRoom("id-a");
  for (let again = 0; again < 2; again += 1) {
    const { warnings } = await start(to, [fileRoom("a", "/a"), fileRoom("b", "/b")]);
    expect(warnings[1]).toBe("room a: deleted since, and not made again");
  }
  expect([...to.rooms.keys()]).toEqual(["id-b"]);
  await start(to, [fileRoom("a", "/a")], { appliesAll: true });
  expect(users(to)).toBe(1);
});

test("[FILE-4] no start switches back what was switched, nor stops the room from following", async () => {
  const to = new FakeRooms();
  const named = { queue_all: true, seiriken: { message: "Soon" } };
  await start(to, [fileRoom("a", "/a", named)]);
  expect(to.rooms.get("id-a")).toMatchObject(named);
  const live = { queue_all: false, seiriken: { message: "Open", closed: "Sold out" } };
  to.patch("id-a", live);
  const { warnings } = await start(to, [fileRoom("a", "/a", { ...named, total_active_users: 3 })]);
  expect(to.rooms.get("id-a")).toMatchObject({ ...live, total_active_users: 3 });
  expect(warnings.slice(1, -1)).toEqual([
    "room a: queue_all         false → true",
    'room a: seiriken.message  "Open" → "Soon"',
  ]);
});

test("[FILE-5] --apply-rooms applies the file over what stands, and needs a file", async () => {
  const to = new FakeRooms();
  await start(to, [fileRoom("a", "/a")]);
  to.patch("id-a", { total_active_users: 9, queue_all: true });
  const applied = await start(to, [fileRoom("a", "/a")], { appliesAll: true });
  expect(applied).toEqual({ steps: ["room a updated"], warnings: [] });
  expect(to.rooms.get("id-a")).toMatchObject({ total_active_users: 1, queue_all: true });
  expect(() => readSettings(readFlags(["--apply-rooms"], settingSpecs), {})).toThrow("--rooms");
});

test("[FILE-6] the demo's room goes when somebody brings rooms of their own", async () => {
  const to = new FakeRooms();
  const defaults = [demoRoom];
  expect((await start(to, null, { defaults })).steps).toEqual(["room shop created"]);
  expect((await start(to, null, { defaults })).steps).toEqual(["room shop unchanged"]);
  const own = await start(to, [fileRoom("a", "/tickets")], { defaults });
  expect(own.steps).toEqual(["room shop deleted: it was the demo's", "room a created"]);
});

test("[FILE-6] one of the demo's name takes its place, and a changed demo stays", async () => {
  const to = new FakeRooms();
  await start(to, null, { defaults: [demoRoom] });
  expect((await start(to, [fileRoom("shop", "/a")])).steps).toEqual(["room shop updated"]);

  const other = new FakeRooms();
  rmSync(join(dataDir, "rooms-made.json"));
  await start(other, null, { defaults: [demoRoom] });
  other.patch("id-shop", { total_active_users: 21 });
  const { steps, warnings } = await start(other, [fileRoom("shop", "/a")]);
  expect(steps).toEqual(["room shop unchanged"]);
  expect(warnings.join("\n")).toMatch(/path +"\/tickets" → "\/a"/);
});

test("[FILE-2] where no start has noted anything, what stands is somebody's", async () => {
  const to = new FakeRooms();
  await to.createRoom(fileRoom("a", "/a", { total_active_users: 9 }));
  const { warnings } = await start(to, [fileRoom("a", "/a")]);
  expect(warnings[1]).toBe("room a: total_active_users  9 → 1");
  expect(users(to)).toBe(9);
});

test("[FILE-2] a note that can't be written is told, and the rooms are made all the same", async () => {
  const to = new FakeRooms();
  mkdirSync(join(dataDir, "rooms-made.json"));
  const { steps, warnings } = await start(to, [fileRoom("a", "/a")]);
  expect(steps).toEqual(["room a created"]);
  expect(warnings).toEqual([expect.stringContaining("rooms-made.json can't be written")]);
});

test("[FILE-7] a start makes events and rules with their room, and then leaves them alone", async () => {
  const to = new FakeRooms();
  const times = {
    event_start_time: "2126-11-28T20:00:00Z",
    event_end_time: "2126-11-28T22:00:00Z",
  };
  const rules = [{ action: "bypass_waiting_room", expression: "ssl" }];
  const made = fileRoom("a", "/a", { events: [{ name: "sale", ...times }], rules });
  await start(to, [made]);
  expect([to.events.get("id-a"), to.rules.get("id-a")]).toMatchObject([[times], rules]);
  const edited = fileRoom("a", "/a", { events: [{ name: "sale", ...times, suspended: true }] });
  await start(to, [edited]);
  expect(to.events.get("id-a")).toMatchObject([{ suspended: false }]);
  await start(to, [edited], { appliesAll: true });
  expect(to.events.get("id-a")).toMatchObject([{ suspended: true }]);
});
