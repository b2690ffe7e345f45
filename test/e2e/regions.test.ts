import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimVisit, takeNumber, untilCalled, whereIs } from "../support/journey.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const CF = "cf-blob";
const REGIONS = ["weur", "apac"];
const TOKYO = { latitude: "35.68", longitude: "139.76", continent: "AS" };
const PARIS = { latitude: "48.86", longitude: "2.35", continent: "EU" };

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken({ cfHeader: CF });
});
afterAll(() => seiriken.stop());

const room = (name: string, settings: object) =>
  roomOver(name, { total_active_users: 1, seiriken: settings });

const from = (place: object): Visitor =>
  seiriken.visitor({ room: "world", headers: { [CF]: JSON.stringify(place) } });

/** The region of the lobby that its ticket names. */
const regionOf = (visitor: Visitor): string | undefined => {
  const { l: lobby } = decodeJwt(visitor.token("ticket") ?? "");
  return REGIONS[Number(lobby) % REGIONS.length];
};

test("[REGION-7] [REGION-8] tickets from two regions of one room, over a crash as well: in in the order of their numbers", async () => {
  const made = await seiriken.manage("POST", "/waiting_rooms", room("world", { regions: REGIONS }));
  expect(made.status).toBe(200);
  const visitors = [from(TOKYO), from(PARIS), from(TOKYO), from(PARIS)];
  const numbers: number[] = [];
  for (const visitor of visitors) numbers.push(await takeNumber(visitor));
  expect(numbers).toEqual([1, 2, 3, 4]);
  expect(visitors.map(regionOf)).toEqual(["apac", "weur", "apac", "weur"]);
  for (const [at, visitor] of visitors.entries()) {
    await untilCalled(visitor, { every: 20 });
    for (const next of visitors.slice(at + 1)) expect((await whereIs(next)).state).toBe("waiting");
    await claimVisit(visitor);
    if (at === 1) await seiriken.kill9();
    expect((await visitor.release()).status).toBe(204);
  }
});

test("[REGION-4] what cannot be a region is refused, each by its place, and so is a change", async () => {
  const problemsOf = async (method: string, path: string, body: object): Promise<string[]> => {
    const answer = await seiriken.manage(method, path, body);
    expect(answer.status).toBe(400);
    return answer
      .json()
      .errors.map(({ source, message }: { source: { pointer: string }; message: string }) =>
        [source.pointer.replace("/seiriken/", ""), message.split(":")[0]].join(": "),
      );
  };
  const refused = (settings: object) => problemsOf("POST", "/waiting_rooms", room("odd", settings));
  const [unknown, moon] = await refused({ regions: ["weur", "mars"], jurisdiction: "moon" });
  expect(unknown).toMatch(/^regions\/1: .* must be one of "wnam"/);
  expect(moon).toMatch(/^jurisdiction: .* must be one of "eu"/);
  expect(await refused({ regions: ["weur", "weur", "apac"], jurisdiction: "eu" })).toEqual([
    "regions/1: seiriken.regions.1 is named twice",
    "regions/2: seiriken.regions.2 is not in the jurisdiction eu",
  ]);
  const change = { seiriken: { regions: ["weur"], room_region: "eeur", jurisdiction: "eu" } };
  const changed = await problemsOf("PATCH", "/waiting_rooms/world", change);
  expect(changed.map((problem) => problem.replace(/, it is .*/, ""))).toEqual(
    ["regions", "room_region", "jurisdiction"].map(
      (name) => `${name}: seiriken.${name} can't be changed`,
    ),
  );
});
