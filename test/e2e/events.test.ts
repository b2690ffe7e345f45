import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { claimVisit, PROGRAM, takeNumber, untilCalled, whereIs } from "../support/journey.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const METHODS = ["fifo", "random", "passthrough", "reject"] as const;
type Method = (typeof METHODS)[number];
const EACH = 4;

let seiriken: Seiriken;
beforeAll(async () => {
  const rooms = METHODS.map((name) => roomOver(name, { total_active_users: 1 }));
  seiriken = await startSeiriken({ rooms });
});
afterAll(() => seiriken.stop());

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const forEach = <T>(work: (method: Method) => Promise<T>): Promise<T[]> =>
  Promise.all(METHODS.map(work));

const made = async (method: string, path: string, body?: object) => {
  const answer = await seiriken.manage(method, `/waiting_rooms${path}`, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.json().result;
};
const statusOf = (room: string) => made("GET", `/${room}/status`);
const program = (visitor: Visitor) => visitor.ask(`/${visitor.room}`, { headers: PROGRAM });

/** The crowd of one room stands as it stood, each with its number. */
const expectStanding = async (crowd: readonly Visitor[], numbers: readonly number[]) => {
  for (const [index, visitor] of crowd.entries())
    expect(await eventually(() => whereIs(visitor))).toMatchObject({ number: numbers[index] });
};

test("[EVENT-12] a sale in each way of queueing: prequeue, start, end, and kill -9 in each of them", async () => {
  const events = await forEach((queueing_method) =>
    made("POST", `/${queueing_method}/events`, {
      name: "sale",
      queueing_method,
      prequeue_start_time: inSeconds(-400),
      event_start_time: inSeconds(3_600),
      event_end_time: inSeconds(7_200),
      total_active_users: 2,
      new_users_per_minute: 100_000,
    }),
  );
  const ids = new Map(METHODS.map((method, index) => [method, String(events[index].id)]));
  const change = (times: object) =>
    forEach((method) => made("PATCH", `/${method}/events/${ids.get(method)}`, times));

  // Everybody waits, whatever follows; nobody reaches the origin.
  const crowds = new Map<Method, readonly Visitor[]>();
  const numbers = new Map<Method, readonly number[]>();
  await forEach(async (room) => {
    await eventually(async () => (await statusOf(room)).status === "event_prequeueing");
    const crowd = Array.from({ length: EACH }, () => seiriken.visitor({ room }));
    const taken: number[] = [];
    for (const visitor of crowd) taken.push(await eventually(() => takeNumber(visitor)));
    crowds.set(room, crowd);
    numbers.set(room, taken);
    await eventually(async () => {
      const answer = await program(seiriken.visitor({ room }));
      expect(answer.status).toBe(503);
      expect(answer.json()).toMatchObject({
        cfWaitingRoom: { isEventActive: true, isEventPrequeueing: true, waitTimeKnown: false },
        seiriken: { event: { id: ids.get(room), phase: "prequeue" } },
      });
    });
  });
  const reached = () => seiriken.origin.requests.length;
  expect(reached()).toBe(0);

  await seiriken.kill9();
  await forEach(async (room) => {
    await expectStanding(crowds.get(room)!, numbers.get(room)!);
    expect(await statusOf(room)).toMatchObject({
      status: "event_prequeueing",
      event_id: ids.get(room),
      estimated_total_active_users: 0,
      seiriken: { called: 0 },
    });
  });
  expect(reached()).toBe(0);

  // The start comes by the clock, two permits with it.
  await change({ event_start_time: inSeconds(2) });
  await forEach(async (room) => {
    const crowd = crowds.get(room)!;
    if (room === "passthrough") {
      await eventually(async () => (await program(seiriken.visitor({ room }))).status === 200);
      return;
    }
    await eventually(async () => (await statusOf(room)).seiriken.called === 2);
    const states = await Promise.all(crowd.map(async (visitor) => (await whereIs(visitor)).state));
    const called = states.filter((state) => state === "called");
    expect(called).toHaveLength(2);
    if (room !== "random") expect(states.slice(0, 2)).toEqual(["called", "called"]);
  });

  await seiriken.kill9();
  await forEach(async (room) => {
    if (room === "passthrough") {
      await eventually(async () => (await program(seiriken.visitor({ room }))).status === 200);
      return;
    }
    const crowd = crowds.get(room)!;
    await expectStanding(crowd, numbers.get(room)!);
    for (const visitor of crowd) {
      if ((await whereIs(visitor)).state !== "called") continue;
      expect(numbers.get(room)).toContain(await claimVisit(visitor));
    }
    const newcomer = (await program(seiriken.visitor({ room }))).json();
    expect(newcomer.cfWaitingRoom).toMatchObject({
      queueingMethod: room,
      isEventPrequeueing: false,
    });
    expect(await statusOf(room)).toMatchObject({
      event_id: ids.get(room),
      estimated_total_active_users: 2,
      seiriken: { permits: 2, waiting: EACH - 2, event: { phase: "running" } },
    });
  });

  // The end takes nothing from those inside. The first permit that falls free is one too many.
  await change({ event_start_time: inSeconds(-61), event_end_time: inSeconds(2) });
  await forEach((room) => eventually(async () => (await statusOf(room)).event_id === ""));
  await seiriken.kill9();
  await forEach(async (room) => {
    const { seiriken: after } = await statusOf(room);
    expect(after.permits).toBe(1);
    expect(after).not.toHaveProperty("event");
    if (room === "passthrough") return;
    expect(after.visiting).toBe(2);
    const crowd = crowds.get(room)!;
    const inside = crowd.filter((visitor) => visitor.token("pass") !== null);
    const waiting = crowd.filter((visitor) => visitor.token("pass") === null);
    for (const visitor of waiting) expect((await whereIs(visitor)).state).toBe("waiting");
    for (const visitor of inside)
      await visitor.ask(`/.seiriken/rooms/${room}/visits/mine`, {
        method: "DELETE",
        headers: PROGRAM,
      });
    await untilCalled(waiting[0]!);
    expect((await whereIs(waiting[1]!)).state).toBe("waiting");
  });
});
