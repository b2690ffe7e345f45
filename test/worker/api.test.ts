import { beforeEach, describe, expect, test } from "vitest";
import { instant } from "../../src/core/time.ts";
import { cookieFor, DOCUMENT, World } from "./fakes.ts";

const TOKEN = "an-admin-token-for-tests";
const ADMIN = { Authorization: `Bearer ${TOKEN}` };
const API = "/.seiriken/api/rooms";

let world: World;
beforeEach(() => {
  world = new World({ env: { ADMIN_TOKEN: TOKEN } });
  world.say({ mode: "queues" });
});

const EVERY = [
  ["DELETE", `${API}/shop/visits/7`],
  ["POST", `${API}/shop/revoke`],
  ["GET", `${API}/shop/history`],
] as const;

describe.each(EVERY)("%s %s", (method, path) => {
  test.each(["", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN])(
    "[VISITOR-39] Authorization: %s is refused with 401",
    async (Authorization) => {
      const answer = await world.fetch(path, { method, headers: { Authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="seiriken"');
      expect(await answer.json()).toMatchObject({ code: "unauthorized" });
      expect(world.asked).toEqual([]);
    },
  );

  test("[VISITOR-39] without ADMIN_TOKEN there is nothing here", async () => {
    world = new World();
    expect((await world.fetch(path, { method, headers: ADMIN })).status).toBe(404);
  });

  test("[VISITOR-40] an unknown room is a 404, a silent one a 503", async () => {
    const nobody = await world.fetch(path.replace("shop", "nobody"), { method, headers: ADMIN });
    expect(nobody.status).toBe(404);
    expect(await nobody.json()).toMatchObject({ code: "room-not-found" });
    world.breakObjects();
    const silent = await world.fetch(path, { method, headers: ADMIN });
    expect(silent.status).toBe(503);
    expect(silent.headers.get("Retry-After")).toBe("2");
  });
});

test("[VISITOR-41] a server ends a visit: 204, at once here, again and again", async () => {
  const ends: [number, number][] = [];
  world.room.end = async (visit, afterMs) => ends.push([visit, afterMs]) === 1;
  for (let time = 0; time < 2; time++) {
    const answer = await world.fetch(`${API}/shop/visits/7`, { method: "DELETE", headers: ADMIN });
    expect(answer.status).toBe(204);
  }
  expect(ends).toEqual([
    [7, 0],
    [7, 0],
  ]);
  const headers = { ...DOCUMENT, Cookie: cookieFor("pass", await world.passToken()) };
  expect((await world.fetch("/tickets", { headers })).status).toBe(503);
});

test.each(["0", "-1", "1.5", "x", "999999999999999999"])(
  "[VISITOR-41] %s names no visit",
  async (visit) => {
    const answer = await world.fetch(`${API}/shop/visits/${visit}`, {
      method: "DELETE",
      headers: ADMIN,
    });
    expect(answer.status).toBe(404);
    expect(world.asked).toEqual([]);
  },
);

test("[VISITOR-42] revoke ends every visit, and tells how many", async () => {
  const answer = await world.fetch(`${API}/shop/revoke`, { method: "POST", headers: ADMIN });
  expect(await answer.json()).toEqual({ room: "shop", revoked: 3 });
});

test("[VISITOR-43] history tells the room's minutes", async () => {
  const asked: number[] = [];
  world.room.history = async (minutes) => {
    asked.push(minutes);
    return [
      {
        minute: instant(Date.UTC(2026, 10, 20, 9)),
        issued: 1,
        calls: 2,
        entriesByUsher: 3,
        entriesByBaton: 4,
        entriesByDoor: 5,
        missed: 6,
        finished: 7,
        expired: 8,
        revoked: 9,
        refused: 10,
        waitingMax: 11,
        outMax: 12,
      },
    ];
  };
  for (const query of ["", "?minutes=5", "?minutes=99999999", "?minutes=x"])
    await world.fetch(`${API}/shop/history${query}`, { headers: ADMIN });
  // A week is asked for by days: what lies before the first midnight, and seven days.
  expect([asked[0], asked[1], asked.at(-1)]).toEqual([60, 5, 60]);
  expect(asked.slice(2, -1)).toHaveLength(8);
  const answer = await world.fetch(`${API}/shop/history`, { headers: ADMIN });
  expect(await answer.json()).toEqual({
    room: "shop",
    step: "minute",
    minutes: [
      {
        minute: "2026-11-20T09:00:00.000Z",
        arrivals: 0,
        joined: 0,
        issued: 1,
        calls: 2,
        entries_by_usher: 3,
        entries_by_baton: 4,
        entries_by_door: 5,
        left: 0,
        removed: 0,
        missed: 6,
        finished: 7,
        expired: 8,
        revoked: 9,
        refused: 10,
        refused_line_full: 0,
        refused_lobby_full: 0,
        refused_room_closed: 0,
        refused_room_suspended: 0,
        refused_too_many_joins: 0,
        waiting_max: 11,
        out_max: 12,
        waits: 0,
        wait_p50_seconds: null,
        wait_p90_seconds: null,
        wait_p99_seconds: null,
        wait_max_seconds: null,
        waits_checked: 0,
        waits_within_range: 0,
        waits_error_percent_sum: 0,
        waits_within_range_percent: null,
        waits_error_percent_mean: null,
        bypassed: 0,
        origin_answers: 0,
        origin_errors: 0,
      },
    ],
  });
});

test("[VISITOR-43] history between two instants, as CSV, and what makes no sense", async () => {
  const asked: unknown[][] = [];
  world.room.history = async (...given) => {
    asked.push(given);
    return [];
  };
  const span = "from=2026-11-20T09:00:00Z&to=2026-11-20T10:00:00Z";
  const csv = await world.fetch(`${API}/shop/history?${span}&format=csv`, { headers: ADMIN });
  expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(await csv.text()).toMatch(/^minute,arrivals,joined,issued,.*\r\n$/);
  expect(asked).toEqual([[60, Date.UTC(2026, 10, 20, 10), "minute"]]);
  const answer = await world.fetch(`${API}/shop/history?from=x&format=y`, { headers: ADMIN });
  expect(answer.status).toBe(400);
  const { code, errors } = (await answer.json()) as { code: string; errors: object[] };
  expect([code, errors.length]).toEqual(["query-invalid", 2]);
  expect(asked).toHaveLength(1);
});
