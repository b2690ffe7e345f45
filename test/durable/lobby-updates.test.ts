import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CurrentEvent, EventId } from "../../src/core/events/event.ts";
import { instant, rfc3339 } from "../../src/core/time.ts";
import type { LobbyRpc, RoomUpdate } from "../../src/durable/contract.ts";
import { OpBatcher } from "../../src/durable/lobby/op-batcher.ts";
import { eventually } from "../support/eventually.ts";
import { runAlarm } from "./alarms.ts";
import { Ear, take, visitOf } from "./ear.ts";
import { definition, newRoom } from "./objects.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One inside, and a lobby that has just heard where everybody stands. */
const stage = async () => {
  const { id, room, lobby } = await newRoom({ permitsMax: 1, claimWithinMs: 10_000 });
  const inside = await visitOf(lobby(0), await take(lobby(0)));
  const first = await take(lobby(0));
  const tick = async (ms: number): Promise<void> => {
    vi.setSystemTime(Date.now() + ms);
    await runAlarm(room);
  };
  return { id, room, lobby: lobby(0), inside, first, tick };
};

/** What the lobby is told from now on goes through this. */
const tamper = (
  lobby: LobbyRpc,
  change: (update: RoomUpdate) => RoomUpdate | null,
): Promise<void> =>
  runInDurableObject(lobby as never, (instance: LobbyRpc) => {
    // Only what the prototype has can be called from another object.
    const proto = Object.getPrototypeOf(instance) as LobbyRpc;
    const between = Object.create(proto) as LobbyRpc;
    between.deliver = (update) => {
      const changed = change(update);
      return changed === null ? Promise.resolve() : proto.deliver.call(instance, changed);
    };
    Object.setPrototypeOf(instance, between);
  });

test("[POLL-3] whoever joined after the last table was made is told where the Room puts it", async () => {
  const { lobby, tick } = await stage();
  await tick(1_000);
  const burst = await Promise.all(Array.from({ length: 21 }, () => take(lobby)));
  const last = burst.toSorted((a, b) => a.number - b.number).at(-1)!;
  expect(await lobby.where(last)).toMatchObject({ kind: "ticket", view: { ahead: 21 } });
  const ear = await Ear.open(lobby, last);
  expect(await ear.heard("position")).toMatchObject({ ahead: 21 });
});

test("[LOBBY-16] whoever stands behind forty sockets of its lobby is told to come back after them", async () => {
  const { lobby, first, tick } = await stage();
  const tickets = [first, ...(await Promise.all(Array.from({ length: 40 }, () => take(lobby))))];
  const ears = await Promise.all(tickets.map((ticket) => Ear.open(lobby, ticket)));
  await Promise.all(ears.map((ear) => ear.heard("position")));
  await tick(1_000);
  const ticket = await take(lobby);
  // The Room's word of where all stand may come to the lobby after the socket.
  const last = await eventually(async () => {
    const ear = await Ear.open(lobby, ticket);
    expect(await ear.heard("position")).toMatchObject({ ahead: 41, return_after_ms: 100 });
    return ear;
  });
  await tick(20_000);
  const positions = () => last.messages.filter(({ type }) => type === "position");
  await eventually(() => expect(positions()).toHaveLength(2));
  expect(positions()[1]).toMatchObject({ ahead: 41, return_after_ms: 100 });
  const [foremost] = ears;
  expect(foremost?.messages.every((message) => !("return_after_ms" in message))).toBe(true);
});

/** How many questions about its number the Room has been asked meanwhile. */
const questions = async (work: () => Promise<unknown>): Promise<number> => {
  let asked = 0;
  const ask = OpBatcher.prototype.ask;
  const spy = vi.spyOn(OpBatcher.prototype, "ask").mockImplementation(function (
    this: OpBatcher,
    op,
    isPatient,
  ) {
    if (op.op === "rejoin") asked += 1;
    return ask.call(this, op, isPatient);
  });
  await work();
  spy.mockRestore();
  return asked;
};

test("[POLL-4] whose socket opens within 3 s of the ticket stands where the Room has just put it, and the Room is not asked", async () => {
  const { lobby, tick } = await stage();
  await tick(1_000);
  const [soon, late] = [await take(lobby), await take(lobby)];
  const opens = (ticket: typeof soon) => async () => {
    const ear = await Ear.open(lobby, ticket);
    const ahead = ticket === soon ? 1 : 2;
    expect(await ear.heard("position")).toMatchObject({ number: ticket.number, ahead });
  };
  vi.setSystemTime(Date.now() + 2_999);
  expect(await questions(opens(soon))).toBe(0);
  vi.setSystemTime(Date.now() + 1);
  expect(await questions(opens(late))).toBe(1);
});

test("[PAGE-39] whose socket opens in a paused room is told so, and its message: the page was made before", async () => {
  const { id, room, lobby, first, tick } = await stage();
  const open = await Ear.open(lobby, first);
  await open.heard("position");
  expect(open.messages.filter(({ type }) => type === "paused" || type === "message")).toEqual([]);
  await room.configure(
    definition(id, { permitsMax: 1, claimWithinMs: 10_000, paused: true, message: "Soon" }),
  );
  await tick(1_000);
  expect(await open.heard("paused")).toMatchObject({ paused: true });
  const later = await Ear.open(lobby, first);
  expect(await later.heard("paused")).toMatchObject({ paused: true });
  expect(await later.heard("message")).toMatchObject({ text: "Soon" });
});

test("[PAGE-39] whose socket was closed while a pause ended and a message was taken away is told so when one opens", async () => {
  const { id, room, lobby, first, tick } = await stage();
  const limits = { permitsMax: 1, claimWithinMs: 10_000 };
  await room.configure(definition(id, { ...limits, paused: true, message: "Soon" }));
  await tick(1_000);
  const before = await Ear.open(lobby, first);
  expect(await before.heard("position")).toMatchObject({ paused: true, message: "Soon" });
  before.close();
  await room.configure(definition(id, limits));
  await tick(1_000);
  const later = await Ear.open(lobby, first);
  expect(await later.heard("position")).toMatchObject({ paused: false, message: null });
});

test("[LOBBY-13] an older answer that comes after a newer word is not believed", async () => {
  const { lobby, first, tick } = await stage();
  const ear = await Ear.open(lobby, first);
  await ear.heard("position");
  const heard: RoomUpdate[] = [];
  await tamper(lobby, (update) => {
    heard.push(update);
    return update;
  });
  await tick(1_000);
  const old = await eventually(() => {
    const [update] = heard;
    if (update === undefined) throw new Error("nothing was told");
    return update;
  });
  const { roomStatus, now, count } = old;
  const closed = { ...roomStatus, mode: "closed" as const, closed: "Sold out" };
  await lobby.deliver({ ...old, now: instant(now + 5), count: count + 5, roomStatus: closed });
  await ear.heard("closed");
  const claimBy = instant(now + 9_000);
  await lobby.deliver({ ...old, calls: [{ number: first.number, claimBy }] });
  await ear.heard("called");
  const told = { ...closed, message: "Thank you" };
  await lobby.deliver({ ...old, now: instant(now + 6), count: count + 6, roomStatus: told });
  await ear.heard("message");
  expect(ear.messages.filter(({ type }) => type === "reload")).toEqual([]);
});

test.each([
  ["by the tables that others hear", 2],
  ["by itself, where nobody is told anything", 1],
])(
  "[LOBBY-14] a call of which every telling was lost costs a miss and not the place: %s",
  async (_, others) => {
    const { lobby, room, inside, first, tick } = await stage();
    const ear = await Ear.open(lobby, first);
    await ear.heard("position");
    for (let other = 0; other < others; other += 1)
      await (await Ear.open(lobby, await take(lobby))).heard("position");
    await tamper(lobby, (update) => ({ ...update, calls: [] }));
    await room.end(inside.visit, 0);
    await tick(10_000);
    expect((await room.snapshot(null)).waiting).toBe(others - 1);
    for (let look = 0; look < 2; look += 1) {
      await tick(1_000);
      if (others === 1) await runAlarm(lobby);
    }
    await eventually(async () => expect((await room.snapshot(null)).waiting).toBe(others));
    expect(ear.messages.filter(({ type }) => type === "called")).toEqual([]);
  },
);

test("[DOORS-5] sockets hear of an event, of each change of it, and when they open", async () => {
  const { lobby, first, tick } = await stage();
  const ear = await Ear.open(lobby, first);
  await ear.heard("position");
  const heard: RoomUpdate[] = [];
  await tamper(lobby, (update) => {
    heard.push(update);
    return update;
  });
  await tick(1_000);
  const old = await eventually(() => {
    const [update] = heard;
    if (update === undefined) throw new Error("nothing was told");
    return update;
  });
  const startsAt = instant(old.now + 60_000);
  const event: CurrentEvent = {
    id: "e".repeat(32) as EventId,
    name: "sale",
    phase: "prequeue",
    startsAt,
    endsAt: instant(startsAt + 60_000),
    shuffle: true,
  };
  let count = old.count + 5;
  const tell = (change: Partial<CurrentEvent> | null) => {
    const { event: _, ...status } = old.roomStatus;
    count += 1;
    return lobby.deliver({
      ...old,
      now: instant(old.now + count - old.count),
      count,
      positionsTable: null,
      roomStatus: change === null ? status : { ...status, event: { ...event, ...change } },
    });
  };
  const events = () => ear.messages.filter(({ type }) => type === "event");
  await tell({});
  await ear.heard("reload");
  await tell({});
  await tell({ startsAt: instant(startsAt + 1) });
  await tell({ phase: "drawing" });
  await eventually(() => expect(events()).toHaveLength(3));
  expect(events()[0]).toEqual({
    type: "event",
    event: {
      id: event.id,
      name: "sale",
      phase: "prequeue",
      starts_at: rfc3339(startsAt),
      ends_at: rfc3339(event.endsAt),
      shuffle: true,
    },
    now: expect.stringMatching(/Z$/),
  });
  expect(ear.messages.filter(({ type }) => type === "reload")).toHaveLength(1);
  const late = await Ear.open(lobby, await take(lobby));
  expect(await late.heard("event")).toMatchObject({ event: { phase: "drawing" } });
  expect(await late.heard("position")).toMatchObject({ ahead: null, among: expect.any(Number) });
  await tell(null);
  await eventually(() => expect(events().at(-1)).toMatchObject({ event: null }));
});
