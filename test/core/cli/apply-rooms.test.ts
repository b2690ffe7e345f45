import { expect, test } from "vitest";
import { ManagementClient } from "../../../cli/api-client.ts";
import { applyRooms } from "../../../cli/apply-rooms.ts";
import { Failure } from "../../../cli/launch/failure.ts";
import type { RoomResource } from "../../../src/worker/management/resource.ts";
import type { RoomJson } from "../../../src/worker/management/rooms-file.ts";

/** A deployment with unique paths, whose `modified_on` moves only when something changed. */
class Deployment {
  readonly rooms = new Map<string, RoomResource>();
  changes = 0;

  async listRooms() {
    return [...this.rooms.values()];
  }
  async createRoom(room: unknown) {
    return this.#put(`id-${(room as RoomJson).name}`, room);
  }
  async putRoom(id: string, room: unknown) {
    return this.#put(id, room);
  }
  async deleteRoom(id: string) {
    this.rooms.delete(id);
  }

  #put(id: string, json: unknown): RoomResource {
    const given = json as Partial<RoomResource>;
    for (const [other, room] of this.rooms) {
      if (other !== id && room.path === given.path) throw new Failure("conflict", "taken");
    }
    const before = this.rooms.get(id);
    const own = { message: null, closed: null, ...given.seiriken };
    const room = { queue_all: false, suspended: false, ...given, id, seiriken: own };
    const { modified_on: _, ...same } = before ?? ({} as RoomResource);
    const isSame = JSON.stringify(same) === JSON.stringify({ ...room, modified_on: undefined });
    if (!isSame) this.changes += 1;
    const stamped = { ...room, modified_on: isSame ? before!.modified_on : `${this.changes}` };
    this.rooms.set(id, stamped as RoomResource);
    return stamped as RoomResource;
  }
}

const room = (name: string, path: string, more: object = {}): RoomJson => ({ name, path, ...more });

const apply = async (to: Deployment, rooms: RoomJson[], prune = false): Promise<string[]> => {
  const done: string[] = [];
  await applyRooms(to, rooms, {
    prune,
    onApplied: ({ name, action }) => done.push(`${action} ${name}`),
  });
  return done;
};

test("[CLI-5] apply creates, updates, and leaves alone what is the same", async () => {
  const to = new Deployment();
  expect(await apply(to, [room("a", "/a"), room("b", "/b")])).toEqual(["created a", "created b"]);
  await apply(to, [room("a", "/a"), room("b", "/b")]);
  expect(await apply(to, [room("a", "/a"), room("b", "/b", { total_active_users: 2 })])).toEqual([
    "unchanged a",
    "updated b",
  ]);
});

test("[CLI-5] only --prune deletes, and it frees routes before they are taken", async () => {
  const to = new Deployment();
  await apply(to, [room("old", "/sale")]);
  await expect(apply(to, [room("new", "/sale")])).rejects.toThrow("taken");
  expect(to.rooms.size).toBe(1);
  expect(await apply(to, [room("new", "/sale")], true)).toEqual(["deleted old", "created new"]);
});

test("[CLI-5] a route may move from one room to another in one apply", async () => {
  const to = new Deployment();
  await apply(to, [room("a", "/1"), room("b", "/2")]);
  expect(await apply(to, [room("b", "/1"), room("a", "/3")])).toEqual(["updated a", "updated b"]);
});

test("[CLI-5] two rooms that want each other's route are a failure, not a loop", async () => {
  const to = new Deployment();
  await apply(to, [room("a", "/1"), room("b", "/2")]);
  const swap = apply(to, [room("a", "/2"), room("b", "/1")]);
  await expect(swap).rejects.toMatchObject({ code: "conflict", details: ["in the room a"] });
});

test("[CLI-6] applying new limits does not let a held crowd in", async () => {
  const to = new Deployment();
  await apply(to, [room("a", "/a")]);
  const own = { message: "Wait", closed: "Sold out" };
  await to.putRoom("id-a", { ...room("a", "/a"), queue_all: true, suspended: true, seiriken: own });
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
