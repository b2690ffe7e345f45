import { evictDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { lobbyIndex, parseRoomId } from "../../src/core/ids.ts";
import { addressOf } from "../../src/core/regions/address.ts";
import { lobbyAt, roomAt } from "../../src/core/regions/objects.ts";
import type { RegionList } from "../../src/core/regions/region.ts";
import { NEXT_VALID_MS } from "../../src/core/room/commands.ts";
import type { RoomLimits } from "../../src/core/definition.ts";
import type { LobbyRpc, TicketClaims, WaitAsk } from "../../src/durable/contract.ts";
import { runAlarm } from "./alarms.ts";
import { Ear, take, visitOf } from "./ear.ts";
import { moment, slackMs } from "./moment.ts";
import { definition, objects } from "./objects.ts";
import { definition as made, roomId, withRegistry } from "./registry-harness.ts";

afterEach(() => {
  vi.useRealTimers();
});

const REGIONS: RegionList = ["weur", "eeur"];

/** A room of two regions in the European Union, as the platform has it. */
const stage = async (digit: string, more: Partial<RoomLimits> = {}) => {
  const id = parseRoomId(digit.repeat(32))!;
  const home = { region: null, jurisdiction: "eu" } as const;
  const limits = { regions: REGIONS, permitsMax: 1, ...more };
  const defined = { ...definition(id, limits), home };
  const address = addressOf(defined);
  const room = roomAt(objects.ROOM, address);
  await room.configure(defined);
  const lobby = (index: number) => lobbyAt(objects.LOBBY, address, lobbyIndex(index), REGIONS);
  return { id, defined, room, lobby };
};

test("[REGION-6] Room and lobbies of a jurisdiction find each other, and no object outside it", async () => {
  const { id, room, lobby } = await stage("e");
  const first = await take(lobby(0));
  const second = await take(lobby(1));
  expect([first.number, second.number]).toEqual([1, 2]);
  expect(await room.snapshot(null)).toMatchObject({ issued: 2, lobbiesOpen: [0, 1] });
  expect(await objects.ROOM.getByName(id).snapshot(null)).toMatchObject({ issued: 0 });
});

test("[REGION-6] after a sleep, and by its alarm, a lobby still knows its Room", async () => {
  const { room, lobby } = await stage("f");
  await take(lobby(0));
  const ear = await Ear.open(lobby(1), await take(lobby(1)));
  await ear.heard("position");
  await evictDurableObject(lobby(1) as never, { webSockets: "hibernate" });
  await runAlarm(lobby(1));
  await evictDurableObject(room as never);
  await runAlarm(room);
  expect(await room.snapshot(null)).toMatchObject({ issued: 2 });
});

test("[REGION-11] the Room is told, retired and erased by the name that tells where it lives", async () => {
  await withRegistry("regions", async ({ registry, rooms, state }) => {
    const asked: string[] = [];
    const getByName = rooms.getByName.bind(rooms);
    rooms.getByName = (name: string, options?: { locationHint?: string }) => {
      asked.push(`${name} ${options?.locationHint}`);
      return getByName(name);
    };
    const id = roomId("d");
    await registry.create(made(id, "shop", { seiriken: { regions: ["oc", "weur"] } }));
    await registry.remove(id);
    expect(rooms.told.at(-1)).toEqual({ retired: `${id}@.oc` });
    state.storage.sql.exec("UPDATE deleted_rooms SET deleted_at = 0");
    await registry.alarm();
    expect(rooms.told.at(-1)).toEqual({ erased: `${id}@.oc` });
    expect(new Set(asked)).toEqual(new Set([`${id}@.oc oc`]));
    expect(state.storage.sql.exec("SELECT * FROM untold").toArray()).toEqual([]);
  });
});

test("[REGION-11] a room that could not be told of its end is told later, where it lives", async () => {
  await withRegistry("regions untold", async ({ registry, rooms, restart }) => {
    const id = roomId("c");
    rooms.reachable = false;
    await registry.create(made(id, "shop", { seiriken: { regions: ["oc"] } }));
    rooms.reachable = true;
    await restart().alarm();
    expect(rooms.told).toMatchObject([{ id, limits: { regions: ["oc"] } }]);
  });
});

/** The visitor asks where it stands, and has the new ticket of the answer. */
const asks = async (lobby: LobbyRpc, ticket: TicketClaims) => {
  // So that no two answers are of the same millisecond.
  await scheduler.wait(3);
  const reply = await lobby.where(ticket);
  if (reply.kind !== "ticket") throw new Error(reply.kind);
  const { heardAt, state, ahead } = reply.view;
  return { ticket: { ...ticket, heardAt }, state, ahead };
};

test("[REGION-10] a visitor is called where it came back last, and may claim anywhere", async () => {
  const { lobby } = await stage("a");
  const inside = await visitOf(lobby(0), await take(lobby(0)));
  const waiting = await take(lobby(0));
  const there = await asks(lobby(1), waiting);
  expect(there).toMatchObject({ state: "waiting", ahead: 0 });
  const ear = await Ear.open(lobby(1), there.ticket);
  await ear.heard("position");
  await lobby(0).end(inside.visit, 0);
  await ear.heard("called");
  const home = await asks(lobby(0), there.ticket);
  expect(home).toMatchObject({ state: "called" });
  expect(await lobby(0).claim(home.ticket)).toMatchObject({ kind: "visit", isNew: true });
  expect(await lobby(1).claim(there.ticket)).toMatchObject({ kind: "visit", isNew: false });
});

test("[REGION-12] the Room hears of who goes home, though its lobby had never missed it", async () => {
  const { lobby } = await stage("b");
  const inside = await visitOf(lobby(0), await take(lobby(0)));
  const there = await asks(lobby(1), await take(lobby(0)));
  const home = await asks(lobby(0), there.ticket);
  expect(home).toMatchObject({ state: "waiting", ahead: 0 });
  await lobby(0).end(inside.visit, 0);
  expect(await asks(lobby(0), home.ticket)).toMatchObject({ state: "called" });
});

test("[REGION-10] a request that comes back by another lobby has its turn there at once, and once", async () => {
  const { lobby } = await stage("7", { permit: "request" });
  const ask = (waitId: string, holdMs: number, ticket: WaitAsk["ticket"] = null): WaitAsk => ({
    ...{ waitId, ticket, holdMs, address: null },
  });
  const inside = await lobby(1).wait(ask("first", 5_000));
  if (inside.kind !== "visit") throw new Error(inside.kind);
  const away = await lobby(1).wait(ask("second", 20));
  if (away.kind !== "not-yet") throw new Error(away.kind);
  const { number, heardAt, joinedAt } = away.view;
  const ticket = { number, heardAt, joinedAt };
  // It still waits in the region that was cut off, and its client asks anew in the next one.
  vi.useFakeTimers({ toFake: ["Date"] });
  const former = lobby(1).wait(ask("third", 900, ticket));
  await moment(20);
  // Its own lobby may pass it a permit for so long.
  const busy = { kind: "refused", refusal: "busy" };
  expect(await lobby(0).wait(ask("fourth", 5_000, ticket))).toMatchObject(busy);
  vi.setSystemTime(Date.now() + NEXT_VALID_MS);
  const waiting = lobby(0).wait(ask("fifth", 5_000, ticket));
  await moment(20);
  const startedAt = performance.now();
  await lobby(0).end(inside.visit.visit, 0);
  expect(await waiting).toMatchObject({ kind: "visit", visit: { visit: 2 } });
  expect(performance.now() - startedAt).toBeLessThan(300 + (await slackMs()));
  expect((await former).kind).not.toBe("visit");
});

test("[REGION-16] [REGION-17] a lobby with numbers in line lets the Room hear of it every 10 s", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { room, lobby } = await stage("9");
  await visitOf(lobby(0), await take(lobby(0)));
  const ear = await Ear.open(lobby(1), await take(lobby(1)));
  const silences: number[] = [];
  for (let second = 0; second < 19; second += 1) {
    vi.setSystemTime(Date.now() + 1_000);
    await runAlarm(room);
    await ear.heard("position");
    const { regions = [] } = await room.meter();
    expect(regions.map(({ region, waiting }) => [region, waiting])).toEqual([
      ["weur", 0],
      ["eeur", 1],
    ]);
    silences.push(regions[1]?.silentMs ?? Infinity);
  }
  vi.useRealTimers();
  expect(Math.max(...silences)).toBeLessThanOrEqual(10_000);
  expect(Math.max(...silences)).toBeGreaterThan(5_000);
});
