/** Every route of the management, against every scope: those that the routers have, not a list. */
import { expect, test } from "vitest";
import type { OperatorToken } from "../../src/core/access/token.ts";
import { includes, type Scope } from "../../src/core/access/scopes.ts";
import { hex } from "../../src/core/hex.ts";
import { parseRoomId, type RoomId } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import { hashOfToken } from "../../src/worker/isolate/known-tokens.ts";
import type { Need } from "../../src/worker/sign-in/needs.ts";
import {
  guardedRoutes,
  managementRoutes,
  nameOf,
  OPEN,
  type ManagementRoute,
} from "./management-routes.ts";
import { roomOf, World } from "./fakes.ts";

const SECRET = "a-secret-of-some-length";
const idOf = (digit: string): RoomId => parseRoomId(digit.repeat(32)) as RoomId;
const OWN = roomOf({ name: "own", routes: [{ host: "own.example", path: "/" }] }, "a".repeat(32));
const OTHER = roomOf({ name: "other", routes: [{ host: "b.example", path: "/" }] }, "b".repeat(32));

const needOfRoute = ({ needs: [need] }: ManagementRoute): Need =>
  need ?? { scope: "admin", reach: null };
const isOfRoom = (route: ManagementRoute): boolean =>
  route.path.includes("/:room") && needOfRoute(route).reach === null;

test("[ACCESS-2] every route declares one scope; none is open but those that are meant to be", () => {
  expect(managementRoutes.length).toBeGreaterThan(40);
  expect(
    guardedRoutes
      .filter(({ needs }) => new Set(needs.map((need) => JSON.stringify(need))).size !== 1)
      .map(nameOf),
  ).toEqual([]);
  expect(
    managementRoutes
      .filter((route) => OPEN.has(nameOf(route)))
      .map(nameOf)
      .toSorted(),
  ).toEqual([...OPEN].toSorted());
});

/** GraphQL asks by POST. */
const looks = ({ method, path }: ManagementRoute): boolean =>
  method === "GET" || /\/graphql\/?$/.test(path);

test("[ACCESS-2] what only looks needs read; what changes anything needs more", () => {
  const odd = guardedRoutes.filter(
    (route) => looks(route) !== (needOfRoute(route).scope === "read"),
  );
  expect(odd.map(nameOf)).toEqual([]);
});

const textOf = (letter: string): string => `srk_${letter.repeat(43)}`;

const made = async (letter: string, more: Partial<OperatorToken>): Promise<OperatorToken> => ({
  id: letter.repeat(32),
  name: `token-${letter}`,
  scope: "read",
  rooms: null,
  expiresAt: null,
  madeAt: instant(0),
  madeBy: "ADMIN_TOKEN",
  hash: hex(await hashOfToken(textOf(letter))),
  ...more,
});

const TOKENS: readonly OperatorToken[] = [
  await made("a", { scope: "read" }),
  await made("b", { scope: "operate" }),
  await made("c", { scope: "admin" }),
  await made("d", { scope: "admin", expiresAt: instant(1) }),
  await made("e", { scope: "read", rooms: [idOf("a")] }),
  await made("f", { scope: "operate", rooms: [idOf("a")] }),
  await made("0", { scope: "admin", rooms: [idOf("a")] }),
];

/** What became of the sign-in: the rest of the call is none of this test's business. */
const outcome = async (
  route: ManagementRoute,
  token: string | null,
  room = OWN,
): Promise<string> => {
  const world = new World({ rooms: [OWN, OTHER], env: { ADMIN_TOKEN: SECRET } });
  world.definitions = { ...world.definitions, tokens: TOKENS };
  const at = route.path.replace(":room", room.name).replace(/:\w+/g, "7");
  const body = ["GET", "HEAD"].includes(route.method) ? {} : { body: "{}" };
  const upgrade = route.path.endsWith("/live") ? { Upgrade: "websocket" } : {};
  const headers = token === null ? upgrade : { Authorization: `Bearer ${token}`, ...upgrade };
  const answer = await world.fetch(at, { method: route.method, headers, ...body });
  const text = await answer.text();
  if (/scope-missing|"code":9109/.test(text)) return answer.status === 403 ? "lacks" : "odd";
  if (answer.status === 401) return "unknown";
  if (answer.status === 404 && /room-not-found|no room other/.test(text)) return "no room";
  return "in";
};

const everyRoute = async (
  expected: (route: ManagementRoute) => string,
  token: string | null,
  room = OWN,
) => {
  const came = await Promise.all(
    guardedRoutes.map(async (route) => [nameOf(route), await outcome(route, token, room)]),
  );
  expect(came).toEqual(guardedRoutes.map((route) => [nameOf(route), expected(route)]));
};

test.each([
  ["no token", null],
  ["a wrong one", "not-the-secret-of-anybody"],
  ["one that was never made, or revoked", textOf("z")],
  ["one that has expired", textOf("d")],
  ["the hash of one", TOKENS[2]?.hash ?? ""],
])("[ACCESS-3] %s: 401 at every route", async (_, token) => {
  await everyRoute(() => "unknown", token);
});

test.each([
  ["read", textOf("a")],
  ["operate", textOf("b")],
  ["admin", textOf("c")],
  ["admin", SECRET],
] as const)("[ACCESS-3] %s: in where that is enough, 403 elsewhere", async (scope, token) => {
  await everyRoute(({ needs: [need] }) => {
    return includes(scope, need?.scope ?? "admin") ? "in" : "lacks";
  }, token);
});

const LIMITED: readonly (readonly [Scope, string])[] = [
  ["read", textOf("e")],
  ["operate", textOf("f")],
  ["admin", textOf("0")],
];

/** `ofRoom`: what a route of a room says, before its scope is looked at. */
const limitedTo = (scope: Scope, ofRoom: string | null) => (route: ManagementRoute) => {
  const need = needOfRoute(route);
  const isEnough = includes(scope, need.scope);
  if (isOfRoom(route)) return ofRoom ?? (isEnough ? "in" : "lacks");
  return isEnough && need.reach === "own-rooms" ? "in" : "lacks";
};

test.each(LIMITED)(
  "[ACCESS-4] %s for one room: within it by scope, 403 beyond",
  async (scope, token) => {
    await everyRoute(limitedTo(scope, null), token);
  },
);

test.each(LIMITED)("[ACCESS-4] %s for one room: another is not there", async (scope, token) => {
  await everyRoute(limitedTo(scope, "no room"), token, OTHER);
});
