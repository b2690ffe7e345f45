import { expect, test } from "vitest";
import { ManagementClient } from "../../../cli/api-client.ts";
import { applyRooms } from "../../../cli/apply-rooms.ts";
import { Failure } from "../../../cli/launch/failure.ts";
import { harmLines, planLines, planRooms, type RoomPlan } from "../../../cli/rooms/plan.ts";
import { setRoom } from "../../../cli/rooms/set.ts";
import type { RoomJson } from "../../../src/api/rooms-file/file.ts";
import { FakeRooms, fileRoom as room } from "../../support/fake-rooms.ts";

const apply = async (to: FakeRooms, rooms: RoomJson[], prune = false): Promise<string[]> => {
  const done: string[] = [];
  await applyRooms(to, rooms, {
    prune,
    onApplied: ({ name, action }) => done.push(`${action} ${name}`),
  });
  return done;
};

test("[CLI-10] a switch that is thrown while apply runs stays thrown", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a")]);
  to.meanwhile = () => to.patch("id-a", { queue_all: true });
  expect(await apply(to, [room("a", "/a", { total_active_users: 2 })])).toEqual(["updated a"]);
  expect(to.rooms.get("id-a")).toMatchObject({ queue_all: true, total_active_users: 2 });
});

test("[CLI-5] apply creates, updates, and leaves alone what is the same", async () => {
  const to = new FakeRooms();
  expect(await apply(to, [room("a", "/a"), room("b", "/b")])).toEqual(["created a", "created b"]);
  await apply(to, [room("a", "/a"), room("b", "/b")]);
  expect(await apply(to, [room("a", "/a"), room("b", "/b", { total_active_users: 2 })])).toEqual([
    "unchanged a",
    "updated b",
  ]);
});

test("[CLI-5] only --prune deletes, and it frees routes before they are taken", async () => {
  const to = new FakeRooms();
  await apply(to, [room("old", "/sale")]);
  await expect(apply(to, [room("new", "/sale")])).rejects.toThrow("taken");
  expect(to.rooms.size).toBe(1);
  expect(await apply(to, [room("new", "/sale")], true)).toEqual(["deleted old", "created new"]);
});

test("[CLI-5] a route may move from one room to another in one apply", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/1"), room("b", "/2")]);
  expect(await apply(to, [room("b", "/1"), room("a", "/3")])).toEqual(["updated a", "updated b"]);
});

test("[CLI-5] two rooms that want each other's route are a failure, not a loop", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/1"), room("b", "/2")]);
  const swap = apply(to, [room("a", "/2"), room("b", "/1")]);
  await expect(swap).rejects.toMatchObject({ code: "conflict", details: ["in the room a"] });
});

test("[CLI-6] applying new limits does not let a held crowd in", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a")]);
  const own = { message: "Wait", closed: "Sold out" };
  to.patch("id-a", { queue_all: true, suspended: true, seiriken: own });
  await apply(to, [room("a", "/a", { total_active_users: 9, seiriken: { strict: true } })]);
  expect(to.rooms.get("id-a")).toMatchObject({
    total_active_users: 9,
    queue_all: true,
    suspended: true,
    seiriken: { ...own, strict: true },
  });
  await apply(to, [room("a", "/a", { queue_all: false, seiriken: { message: null } })]);
  expect(to.rooms.get("id-a")).toMatchObject({ queue_all: false, seiriken: { message: null } });
});

const planOf = async (to: FakeRooms, rooms: RoomJson[], prune = false) => {
  const lines: string[] = [];
  const stopped = new Failure("declined", "no");
  const options = { prune, mayHurt: false, onApplied: () => lines.push("applied") };
  const onPlan = async (plans: readonly RoomPlan[]) => {
    lines.push(...planLines(plans), ...harmLines(plans));
    throw stopped;
  };
  await expect(applyRooms(to, rooms, { ...options, onPlan })).rejects.toBe(stopped);
  return lines;
};

test("[ASK-1] [ASK-2] the plan comes before anything is done, with what hurts", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a"), room("b", "/b"), room("c", "/c")]);
  to.crowd = { waiting: 2, called: 0, visiting: 1 };
  const wanted = [room("a", "/a", { total_active_users: 5 }), room("b", "/b"), room("d", "/d")];
  expect(await planOf(to, wanted, true)).toEqual([
    "- c",
    "~ a",
    "    total_active_users  1 → 5",
    "+ d",
    '    host                  "*"',
    '    path                  "/d"',
    "    total_active_users    1",
    "    new_users_per_minute  60",
    "c: deleted, nothing guards */c any more, and every visit ends (2 wait, 0 are called, 1 are in)",
    "a: total_active_users rises from 1 to 5: so many more on the site at once",
  ]);
  expect([...to.rooms.values()].map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

test("[ASK-2] [CLI-6] a live control is asked about only where the file names it otherwise", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a")]);
  to.patch("id-a", { queue_all: true, seiriken: { message: "Wait" } });
  expect(await planOf(to, [room("a", "/a")])).toEqual([]);
  expect(await planOf(to, [room("a", "/a", { queue_all: true })])).toEqual([]);
  expect(await planOf(to, [room("a", "/a", { queue_all: false })])).toEqual([
    "~ a",
    "    queue_all  true → false",
    "a: the file sets queue_all to false; the running room has true (nobody is there)",
  ]);
});

test("[ASK-6] harm that came up after the plan was shown is not done", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a", { total_active_users: 10 })]);
  to.meanwhile = () => to.patch("id-a", { total_active_users: 1 });
  const options = { prune: false, mayHurt: false, onApplied: () => undefined };
  const wanted = [room("a", "/a", { total_active_users: 20 })];
  await expect(applyRooms(to, wanted, options)).rejects.toMatchObject({ code: "changed-since" });
  expect(to.rooms.get("id-a")?.total_active_users).toBe(1);
});

test("[ASK-6] [CLI-10] a change meanwhile that hurts nobody is applied over", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a", { total_active_users: 10 })]);
  to.meanwhile = () => to.patch("id-a", { total_active_users: 9, queue_all: true });
  const options = { prune: false, mayHurt: false, onApplied: () => undefined };
  await applyRooms(to, [room("a", "/a", { total_active_users: 20 })], options);
  expect(to.rooms.get("id-a")).toMatchObject({ total_active_users: 20, queue_all: true });
});

test("[SETTING-3] set patches the room as it was read, and reads again what changed", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a")]);
  to.meanwhile = () => to.patch("id-a", { queue_all: true });
  const asked: number[] = [];
  const { changes } = await setRoom(to, "id-a", { total_active_users: 2 }, async (harm) => {
    asked.push(harm.length);
  });
  expect(changes).toEqual([{ path: "total_active_users", from: 1, to: 2 }]);
  expect(to.rooms.get("id-a")).toMatchObject({ total_active_users: 2, queue_all: true });
  expect(asked).toEqual([0, 0]);
});

test("[ASK-5] set asks by the same rule, and a no changes nothing", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a")]);
  const declined = new Failure("declined", "no");
  const asked: string[] = [];
  const setting = setRoom(to, "id-a", { total_active_users: 5 }, async (harm) => {
    asked.push(...harm.map(({ of }) => of));
    throw declined;
  });
  await expect(setting).rejects.toBe(declined);
  expect(asked).toEqual(["total_active_users"]);
  expect(to.rooms.get("id-a")?.total_active_users).toBe(1);
});

const answering = (status: number, body: unknown): typeof fetch =>
  (async () => new Response(JSON.stringify(body), { status })) as typeof fetch;

test.each([
  [401, { errors: [{ code: 10000, message: "no" }] }, "not-signed-in"],
  [404, { errors: [{ code: 48001, message: "There is no room x." }] }, "not-found"],
  [404, { errors: [{ code: 7003, message: "Management is off." }] }, "off"],
  [409, { errors: [{ code: 48006, message: "taken" }] }, "conflict"],
  [400, { errors: [{ code: 48003, message: "name is wrong" }] }, "refused"],
  [503, { errors: [{ code: 48009, message: "later" }] }, "unavailable"],
  [401, { code: "not-signed-in", detail: "no" }, "not-signed-in"],
  [502, "<html>", "no-seiriken"],
  [404, { hello: "world" }, "no-seiriken"],
])("[CLI-8] the answer %i %j is the failure %s", async (status, body, code) => {
  const client = new ManagementClient({ server: "http://h", token: "t" }, answering(status, body));
  await expect(client.statusOf("x")).rejects.toMatchObject({ code, exitCode: 1 });
});

test("[CLI-8] nobody there: it says what to do", async () => {
  const nobody = (async () => {
    throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
  }) as typeof fetch;
  const client = new ManagementClient({ server: "http://h", token: "t" }, nobody);
  await expect(client.listRooms()).rejects.toMatchObject({
    code: "unreachable",
    details: [expect.stringContaining("npm start")],
  });
});

test("[CLI-8] a name cannot leave its place in the path", async () => {
  const asked: string[] = [];
  const spy = (async (url: URL | string) => {
    asked.push(String(url));
    return new Response(JSON.stringify({ success: true, result: {} }));
  }) as typeof fetch;
  await new ManagementClient({ server: "http://h", token: "t" }, spy).deleteRoom("../x?y");
  expect(asked[0]).toMatch(/\/waiting_rooms\/\.\.%2Fx%3Fy$/);
});

test("[CLI-13] what a deployment took and does nothing with is told, with its room", async () => {
  const notes: string[] = [];
  const room = { name: "feeds", id: "id", modified_on: "now" };
  const messages = [{ code: 48_101, message: "keep_host changes nothing" }];
  const answer = { success: true, errors: [], messages, result: room };
  const answers = () => Promise.resolve(Response.json(answer));
  const deployment = { server: "http://127.0.0.1:1", token: "t" };
  const client = new ManagementClient(deployment, answers, (note) => notes.push(note));
  await client.createRoom(room);
  await client.putRoom("id", room, "now");
  expect(notes).toEqual(Array(2).fill("feeds: keep_host changes nothing"));
});

const SALE = {
  name: "sale",
  event_start_time: "2126-11-28T20:00:00Z",
  event_end_time: "2126-11-28T22:00:00Z",
};
const SSL = { action: "bypass_waiting_room", expression: "ssl" };

const linesFor = async (to: FakeRooms, rooms: RoomJson[], prune = false): Promise<string[]> =>
  planLines(await planRooms(to, rooms, { prune }));

test("[CLI-17] apply makes a room's events and rules, shows what changes of them, and matches by name", async () => {
  const to = new FakeRooms();
  const first = room("a", "/a", { events: [SALE], rules: [SSL] });
  expect((await linesFor(to, [first])).map((line) => line.trim().replace(/ +/g, " "))).toEqual(
    expect.arrayContaining([
      `events.sale ${JSON.stringify(SALE)}`,
      `rules + {"action":"bypass_waiting_room","expression":"ssl","description":"","enabled":true}`,
    ]),
  );
  expect(await apply(to, [first])).toEqual(["created a"]);
  expect(to.events.get("id-a")).toMatchObject([SALE]);
  expect(await linesFor(to, [first])).toEqual([]);
  expect(await apply(to, [first])).toEqual(["unchanged a"]);
  const longer = { ...SALE, event_end_time: "2126-11-28T23:00:00Z" };
  const second = room("a", "/a", { events: [longer] });
  expect(await linesFor(to, [second])).toEqual([
    "~ a",
    `    events.sale.event_end_time  "2126-11-28T22:00:00Z" → "2126-11-28T23:00:00Z"`,
  ]);
  expect(await apply(to, [second])).toEqual(["updated a"]);
  expect(to.events.get("id-a")).toMatchObject([longer]);
  expect(to.rules.get("id-a")).toMatchObject([SSL]);
});

test("[CLI-17] an event that is suspended stays so, and only --prune takes events away", async () => {
  const to = new FakeRooms();
  await apply(to, [room("a", "/a", { events: [SALE] })]);
  to.events.set("id-a", [{ ...to.events.get("id-a")![0]!, suspended: true }]);
  expect(await apply(to, [room("a", "/a", { events: [SALE] })])).toEqual(["unchanged a"]);
  expect(await apply(to, [room("a", "/a", { events: [] })])).toEqual(["unchanged a"]);
  expect(await apply(to, [room("a", "/a", { events: [] })], true)).toEqual(["updated a"]);
  expect(to.events.get("id-a")).toEqual([]);
});

test("[CLI-17] an event may take the time that another leaves in the same apply", async () => {
  const to = new FakeRooms();
  const later = {
    name: "later",
    event_start_time: "2126-12-01T20:00:00Z",
    event_end_time: "2126-12-01T22:00:00Z",
  };
  await apply(to, [room("a", "/a", { events: [SALE, later] })]);
  const times = { event_start_time: later.event_start_time, event_end_time: later.event_end_time };
  const free = { event_start_time: "2126-12-24T20:00:00Z", event_end_time: "2126-12-24T22:00:00Z" };
  const moved = [
    { ...SALE, ...times },
    { ...later, ...free },
  ];
  expect(await apply(to, [room("a", "/a", { events: moved })])).toEqual(["updated a"]);
  const both = [
    { ...SALE, ...free },
    { ...later, ...free },
  ];
  await expect(apply(to, [room("a", "/a", { events: both })])).rejects.toMatchObject({
    code: "refused",
    details: ["in the room a", "in the event sale"],
  });
});
