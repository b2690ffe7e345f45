import { expect, test } from "vitest";
import { lobbyIndex, parseRoomId } from "../../../src/core/ids.ts";
import { addressOf, lobbyPlace, roomIdIn, roomPlace } from "../../../src/core/regions/address.ts";
import { regionOfLobby, standInOf } from "../../../src/core/regions/lobbies.ts";
import { lobbyAt, roomAt, type ObjectsOf } from "../../../src/core/regions/objects.ts";
import type { RegionList, RoomHome } from "../../../src/core/regions/region.ts";

const ID = parseRoomId("a".repeat(32))!;
const EUROPE: RegionList = ["weur", "eeur"];

const of = (home?: RoomHome, regions?: RegionList) => ({
  id: ID,
  ...(home === undefined ? {} : { home }),
  limits: regions === undefined ? {} : { regions },
});

test("[REGION-2] the regions take turns by the lobbies' indexes", () => {
  const regions: RegionList = ["weur", "apac", "wnam"];
  const of = [0, 1, 2, 3, 4, 65_534].map((index) => regionOfLobby(lobbyIndex(index), regions));
  expect(of).toEqual(["weur", "apac", "wnam", "weur", "apac", "wnam"]);
  expect(regionOfLobby(lobbyIndex(3), undefined)).toBeNull();
});

test("[REGION-9] a stand-in is in another region, and no lobby of one region has none", () => {
  const regions: RegionList = ["weur", "apac", "wnam"];
  const standIns = [0, 1, 2, 3, 4, 5].map((index) => standInOf(lobbyIndex(index), regions));
  expect(standIns).toEqual([1, 2, 0, 4, 5, 3]);
  expect(standInOf(lobbyIndex(7), ["weur"])).toBe(7);
});

test.each([
  ["nothing said", of(), ID, null, null],
  ["regions", of(undefined, EUROPE), `${ID}@.weur`, null, "weur"],
  [
    "a region of its own",
    of({ region: "oc", jurisdiction: null }, EUROPE),
    `${ID}@.oc`,
    null,
    "oc",
  ],
  ["a jurisdiction", of({ region: null, jurisdiction: "eu" }), `${ID}@eu.`, "eu", null],
  ["all", of({ region: "eeur", jurisdiction: "eu" }, EUROPE), `${ID}@eu.eeur`, "eu", "eeur"],
] as const)("[REGION-5] the name of a Room, with %s", (_, room, name, jurisdiction, region) => {
  const address = addressOf(room);
  expect(roomPlace(address)).toEqual({ name, jurisdiction, region });
  expect(roomIdIn(address)).toBe(ID);
  expect(lobbyPlace(address, lobbyIndex(3), room.limits.regions)).toEqual({
    name: `${name}/3`,
    jurisdiction,
    region: room.limits.regions === undefined ? null : "eeur",
  });
});

/** A namespace that says what it was asked for. */
const recording = (prefix = ""): ObjectsOf<unknown> => ({
  getByName: (...asked) => [prefix, ...asked],
  jurisdiction: (jurisdiction) => recording(jurisdiction),
});

test("[REGION-5] a room that says nothing is asked for as ever: by its name alone", () => {
  expect(roomAt(recording(), addressOf(of()))).toEqual(["", ID]);
  expect(lobbyAt(recording(), addressOf(of()), lobbyIndex(4), undefined)).toEqual(["", `${ID}/4`]);
});

test("[REGION-5] [REGION-6] objects are asked for in their jurisdiction, with the hint of their region", () => {
  const address = addressOf(of({ region: null, jurisdiction: "eu" }, EUROPE));
  expect(roomAt(recording(), address)).toEqual(["eu", `${ID}@eu.weur`, { locationHint: "weur" }]);
  expect(lobbyAt(recording(), address, lobbyIndex(1), EUROPE)).toEqual([
    "eu",
    `${ID}@eu.weur/1`,
    { locationHint: "eeur" },
  ]);
});

const refusing = (message: string): ObjectsOf<unknown> => ({
  ...recording(),
  jurisdiction: () => {
    throw new Error(message);
  },
});

test("[REGION-6] where a jurisdiction cannot be had no other object is taken for its", () => {
  const address = addressOf(of({ region: null, jurisdiction: "eu" }));
  expect(() => roomAt({ getByName: () => "another" }, address)).toThrow("no jurisdiction eu");
  expect(() => roomAt(refusing("Unsupported jurisdiction"), address)).toThrow("Unsupported");
});

test("[REGION-6] on one machine, where there are none, the name is enough", () => {
  const address = addressOf(of({ region: null, jurisdiction: "eu" }));
  const one = refusing("Jurisdiction restrictions are not implemented in workerd.");
  expect(roomAt(one, address)).toEqual(["", `${ID}@eu.`]);
});
