import { describe, expect, test } from "vitest";
import { cookieFor, DOCUMENT, roomOf, World } from "./fakes.ts";
import type { RoomChange, WorldOptions } from "./fakes.ts";

const TOKEN = "an-admin-token";
const API = "/.seiriken/client/v4/zones/z/waiting_rooms";

/** Spellings that somebody could read as a path of ours, and that we can't, or not at once. */
const STRANGE = [
  `${API}/..%2f..`,
  `${API}/x%00`,
  `${API}/x%`,
  `${API}/%c0%af`,
  "/.seiriken;x/client/v4",
  "/.seiriken%3bx/client/v4",
  "/.seiriken./client/v4",
  "/.seiriken%20/client/v4",
  "/.seiriken%20%00/client/v4",
  "/.seiriken%3fx",
  "/x/..%2f.seiriken/client/v4",
  "/x/..;/.seiriken/client/v4",
  "/x/..%20/.seiriken/client/v4",
  "/%252eseiriken/client/v4",
  "/%25252eseiriken/client/v4",
  "/%2525252525252eseiriken/client/v4",
  "/%c0%aeseiriken/client/v4",
  "/.%c1%b3eiriken/client/v4",
  "/.%e0%81%b3eiriken/client/v4",
  "/%u002eseiriken/client/v4",
  "/.%u0073eiriken/client/v4",
  "/.se%00iriken/client/v4",
  "/.%ef%bd%93%ef%bd%85iriken/client/v4",
  "/%ef%bc%8eseiriken/client/v4",
  "/%ef%bc%8f.seiriken/client/v4",
  "/.seir%c4%b1ken/client/v4",
  "/.%c5%bfeiriken/client/v4",
  "/.seiri%c2%adken/client/v4",
  "/.%ef%bc%8573eiriken",
  "/.seiriken/locks%00",
  "/.Seiriken/locks/a/..%2f..",
];
/** These we find: they are answered by whoever has the path. */
const FOUND = [
  "/.seiriken",
  "/.Seiriken/client/v4",
  "/%2eseiriken/client/v4",
  "/.seiri%e2%84%aaen/client/v4",
  "//.seiriken/client/v4",
  "/x/../.seiriken/client/v4",
  "/x/%2e%2e/.seiriken/client/v4",
  "/\\.seiriken/client/v4",
  "/.seiriken%2fclient%2fv4",
  "/.seiriken//client/v4",
  "/.seiriken/locks/ns/..%2f..",
  "/.seiriken/locks/ns/x%00",
  "/.seiriken/locks/%2e%2e%2f/x;y",
  "/.seiriken/locks/ns/%",
];

const EVERYTHING = [{ host: "*", path: "/" }];
const exempt = [{ path: "/", methods: ["GET", "POST", "HEAD", "OPTIONS", "DELETE"] }];

/** Ways in which everything else would be let through. */
const OPEN: readonly [string, RoomChange | null, WorldOptions["env"]][] = [
  ["an open room", { routes: EVERYTHING }, {}],
  ["a suspended room", { routes: EVERYTHING, limits: { suspended: true } }, {}],
  ["passthrough", { routes: EVERYTHING, queueingMethod: "passthrough" }, {}],
  ["an exemption", { routes: EVERYTHING, exempt }, {}],
  ["a room that fails open", { routes: EVERYTHING, onFailure: "open" }, {}],
  ["a host without a room", { routes: [{ host: "other.example", path: "/" }] }, {}],
  ["PASS_HOSTS", null, { ORIGIN: "http://origin.test", PASS_HOSTS: "*" }],
  ["no room at all", null, {}],
];

const worldOf = (change: RoomChange | null, env: WorldOptions["env"]): World => {
  const rooms = change === null ? [] : [roomOf(change)];
  const world = new World({ rooms, env: { ADMIN_TOKEN: TOKEN, LOCK_TOKEN: TOKEN, ...env } });
  if (change?.limits?.suspended === true) world.say({ mode: "suspended" });
  if (change?.onFailure === "open") world.breakObjects();
  return world;
};

describe.each(OPEN)("with %s", (_what, change, env) => {
  const headersFor = async (world: World) => ({
    ...DOCUMENT,
    Authorization: `Bearer ${TOKEN}`,
    ...(change === null ? {} : { Cookie: cookieFor("pass", await world.passToken()) }),
  });

  test.each(STRANGE)("[OWN-1] [OWN-2] %s is refused, and reaches no origin", async (path) => {
    const world = worldOf(change, env);
    const headers = await headersFor(world);
    for (const method of ["GET", "POST", "HEAD", "OPTIONS", "DELETE"]) {
      const answer = await world.fetch(path, { method, headers });
      expect([method, answer.status]).toEqual([method, 400]);
      expect(answer.headers.get("Seiriken-Status")).toBe("error");
    }
    const app = await world.fetch(path, { headers: { Accept: "application/json" } });
    expect(await app.json()).toMatchObject({ code: "ambiguous-url" });
    expect(world.seen).toEqual([]);
    expect(world.asked).toEqual([]);
  });

  test.each(FOUND)("[OWN-1] %s is answered by us", async (path) => {
    const world = worldOf(change, env);
    const headers = await headersFor(world);
    for (const method of ["GET", "POST", "HEAD", "OPTIONS", "DELETE"]) {
      const answer = await world.fetch(path, { method, headers });
      expect([method, [200, 204, 400, 401, 404].includes(answer.status)]).toEqual([method, true]);
    }
    expect(world.seen).toEqual([]);
  });
});

test.each(["/seiriken", "/x/.seiriken", "/.seirikenx", "/a%20b/.seiriken", "/100%", "/x%00"])(
  "[OWN-3] %s is the site's",
  async (path) => {
    const world = worldOf(null, {});
    expect((await world.fetch(path, { headers: DOCUMENT })).status).toBe(200);
    expect(world.seen).toHaveLength(1);
  },
);
