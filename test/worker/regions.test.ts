import { expect, test } from "vitest";
import { lobbyIndex } from "../../src/core/ids.ts";
import type { ObjectsOf } from "../../src/core/regions/objects.ts";
import type { RegionList, RoomHome } from "../../src/core/regions/region.ts";
import { roomOf, VISITOR, World } from "./fakes.ts";

const REGIONS: RegionList = ["weur", "apac", "wnam"];
const TOKYO = { latitude: "35.68", longitude: "139.76", continent: "AS" };
const PARIS = { latitude: "48.86", longitude: "2.35", continent: "EU" };

const recorded = <T>(objects: ObjectsOf<T>, asked: string[], where = ""): ObjectsOf<T> => ({
  getByName(name, options) {
    asked.push([where, name, options?.locationHint].filter(Boolean).join(" "));
    return objects.getByName(name);
  },
  jurisdiction: (jurisdiction) => recorded(objects, asked, jurisdiction),
});

/** A room of regions, and which objects were asked for: `jurisdiction name hint`. */
const stage = (home?: RoomHome, regions: RegionList | null = REGIONS) => {
  const room = roomOf({
    ...(home === undefined ? {} : { home }),
    ...(regions === null ? {} : { limits: { regions } }),
  });
  const world = new World({ rooms: [room] });
  world.say({ mode: "queues", lobbiesOpen: [0, 3, 1, 4, 2].map(lobbyIndex), waiting: 9 });
  const asked: string[] = [];
  const env = world.env as { -readonly [K in keyof World["env"]]: World["env"][K] };
  env.LOBBY = recorded(env.LOBBY, asked);
  env.ROOM = recorded(env.ROOM, asked);
  const lobbies = () => asked.map((name) => name.replace(/^.*\//, ""));
  return { world, room, asked, lobbies };
};

const tickets = "/.seiriken/rooms/shop/tickets";
const from = (cf: object, headers: Record<string, string> = {}): RequestInit =>
  ({ headers, cf }) as unknown as RequestInit;

test("[REGION-8] a newcomer gets a lobby of the near region, and its snapshot comes from there", async () => {
  const near = new Set<string>();
  for (let visitor = 0; visitor < 12; visitor += 1) {
    const { world, lobbies } = stage();
    await world.fetch(tickets, { method: "POST", ...from(TOKYO) });
    expect(lobbies()).toHaveLength(2);
    for (const lobby of lobbies()) near.add(lobby);
  }
  expect([...near].every((lobby) => /^[14] apac$/.test(lobby))).toBe(true);
});

test("[REGION-8] without a word of the platform it is the first region", async () => {
  const { world, lobbies } = stage();
  await world.fetch(tickets, { method: "POST" });
  expect(lobbies()[0]).toBe("0 weur");
  expect(lobbies().every((lobby) => lobby.endsWith(" weur"))).toBe(true);
});

test("[REGION-8] where no lobby of the near region is open, any", async () => {
  const { world, lobbies } = stage();
  world.say({ lobbiesOpen: [lobbyIndex(2)] });
  await world.fetch(tickets, { method: "POST", ...from(TOKYO) });
  expect(lobbies().at(-1)).toBe("2 wnam");
});

test("[REGION-8] a ticket's lobby is asked, wherever its visitor is by now", async () => {
  const { world, lobbies } = stage();
  const ticket = await world.ticketToken({ lobby: lobbyIndex(4), visitor: VISITOR });
  await world.fetch(`${tickets}/mine`, from(PARIS, { "Seiriken-Ticket": ticket }));
  expect(lobbies()).toEqual(["0 weur", "4 apac"]);
});

test("[REGION-5] a strict room's Room is asked for where it lives", async () => {
  const room = roomOf({ strict: true, limits: { regions: REGIONS } });
  const { world, asked } = stage();
  world.definitions = { ...world.definitions, version: 2, rooms: [room] };
  const pass = await world.passToken();
  await world.fetch("/tickets", { headers: { "Seiriken-Pass": pass } });
  expect(asked).toContain(`${room.id}@.weur weur`);
});

test("[REGION-5] [REGION-6] a room in a jurisdiction is nowhere else", async () => {
  const { world, room, asked } = stage({ region: "eeur", jurisdiction: "eu" }, ["weur", "eeur"]);
  await world.fetch(tickets, { method: "POST", ...from(TOKYO) });
  expect(asked.length).toBeGreaterThan(0);
  for (const name of asked)
    expect(name).toMatch(new RegExp(`^eu ${room.id}@eu\\.eeur/\\d+ (weur|eeur)$`));
});

test("[REGION-5] a room that names no regions asks as ever, from anywhere", async () => {
  const { world, room, asked } = stage(undefined, null);
  await world.fetch(tickets, { method: "POST", ...from(TOKYO) });
  for (const name of asked) expect(name).toMatch(new RegExp(`^${room.id}/[0-4]$`));
});

/** Lobbies of this region never answer. */
const cutOff = (world: World, region: number): { heal(): void } => {
  const env = world.env as { -readonly [K in keyof World["env"]]: World["env"][K] };
  const objects = env.LOBBY;
  const never = new Proxy({} as ReturnType<typeof objects.getByName>, {
    get: () => () => new Promise(() => undefined),
  });
  env.LOBBY = {
    getByName(name, options) {
      const reached = objects.getByName(name, options);
      return Number(name.split("/")[1]) % REGIONS.length === region ? never : reached;
    },
  };
  return { heal: () => void (env.LOBBY = objects) };
};

/** As a request of that visitor's page, which asks again and again. */
const asks = async (world: World, ticket: string): Promise<number> => {
  const answer = world.fetch(`${tickets}/mine`, from(TOKYO, { "Seiriken-Ticket": ticket }));
  await world.advance(10_000);
  return (await answer).status;
};

test("[REGION-9] while its region is silent a ticket is answered in the next region, and then at home again", async () => {
  const { world, lobbies } = stage();
  const ticket = await world.ticketToken({ lobby: lobbyIndex(4), visitor: VISITOR });
  expect(await asks(world, ticket)).toBe(200);
  const { heal } = cutOff(world, 1);
  // From Tokyo its snapshot is cut off as well.
  expect(await asks(world, ticket)).not.toBe(200);
  expect(await asks(world, ticket)).toBe(200);
  expect(lobbies().at(-1)).toBe("5 wnam");
  heal();
  await asks(world, ticket);
  expect(await asks(world, ticket)).toBe(200);
  expect(lobbies().at(-1)).toBe("4 apac");
});

test("[REGION-15] [LOGLINE-1] a region that falls silent is a line of the log, and that it answers again is one", async () => {
  const { world, room } = stage();
  const ticket = await world.ticketToken({ lobby: lobbyIndex(4), visitor: VISITOR });
  const { heal } = cutOff(world, 1);
  for (let time = 0; time < 3; time += 1) await asks(world, ticket);
  const lines = () => world.log.filter(({ event }) => event.startsWith("region-"));
  const silent = { level: "error", event: "region-silent", room: room.name, region: "apac" };
  expect(lines()).toEqual([silent]);
  heal();
  for (let time = 0; time < 2; time += 1) await asks(world, ticket);
  expect(lines()).toEqual([
    silent,
    { level: "info", event: "region-answers", room: room.name, region: "apac", silent_ms: 30_000 },
  ]);
});

test("[REGION-9] a newcomer gets a place all the same", async () => {
  const { world, lobbies } = stage();
  cutOff(world, 1);
  const visitor = async () => {
    const answer = world.fetch(tickets, { method: "POST", ...from(TOKYO) });
    await world.advance(10_000);
    return (await answer).status;
  };
  expect(await visitor()).not.toBe(201);
  expect(await visitor()).toBe(201);
  expect(lobbies().at(-1)).toMatch(/^[25] wnam$/);
});

test("[REGION-9] the visit of somebody inside goes on by another lobby", async () => {
  const { world } = stage();
  const pass = await world.passToken({ until: world.now }, undefined, 4);
  const enter = async () => {
    const answer = world.fetch("/tickets", from(TOKYO, { "Seiriken-Pass": pass }));
    await world.advance(10_000);
    return (await answer).status;
  };
  expect(await enter()).toBe(200);
  cutOff(world, 1);
  await enter();
  expect(await enter()).toBe(200);
});

test("[REGION-9] a lobby that is too busy is not gone: nobody else is asked", async () => {
  const { world, lobbies } = stage();
  const ticket = await world.ticketToken({ lobby: lobbyIndex(4), visitor: VISITOR });
  world.lobby.where = () => Promise.reject(Object.assign(new Error("busy"), { overloaded: true }));
  for (let time = 0; time < 4; time += 1) await asks(world, ticket);
  expect(lobbies()).toContain("4 apac");
  expect(lobbies()).not.toContain("5 wnam");
});
