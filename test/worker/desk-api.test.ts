import { beforeEach, describe, expect, test } from "vitest";
import { instant } from "../../src/core/time.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import type { DeskReply } from "../../src/core/room/desk.ts";
import type { VisitorFound } from "../../src/core/room/desk-view.ts";
import { World } from "./fakes.ts";

const TOKEN = "an-admin-token-for-tests";
const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
const AT = instant(Date.UTC(2026, 10, 20, 9));

const visitor = (more: Partial<VisitorFound> = {}): VisitorFound => ({
  number: ticketNumber(17),
  state: "called",
  ahead: null,
  eta: null,
  claimBy: instant(AT + 60_000),
  visit: null,
  misses: 1,
  missesMax: 3,
  givenMs: 0,
  joinedAt: AT,
  end: null,
  happenings: [{ what: "joined", at: AT }],
  rememberedSince: instant(AT - 1_000),
  ...more,
});

let world: World;
let asked: unknown[][];
beforeEach(() => {
  world = new World({ env: { ADMIN_TOKEN: TOKEN } });
  asked = [];
});

const answering = (...replies: (VisitorFound | null)[]): void => {
  world.room.desk = async (...given) => {
    asked.push(given);
    const found = replies.length > 1 ? replies.shift() : replies[0];
    if (found == null) return { kind: "never-issued" };
    return { kind: "found", visitor: found, refused: null, isChanged: true } satisfies DeskReply;
  };
};
const call = (who: string, method = "GET", body?: unknown) =>
  world.fetch(`/.seiriken/api/rooms/shop/visitors/${who}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });

test("[DESK-1] a visitor is told in figures and in words", async () => {
  answering(visitor());
  const answer = await call("17");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Cache-Control")).toContain("no-store");
  expect(await answer.json()).toEqual({
    room: "shop",
    number: 17,
    state: "called",
    says: expect.stringMatching(/^It is the turn of number 17: it may enter within /),
    ahead: null,
    eta: null,
    claim_by: "2026-11-20T09:01:00.000Z",
    visit: null,
    misses: 1,
    misses_max: 3,
    more_minutes_given: 0,
    more_minutes_left: 600,
    joined_at: "2026-11-20T09:00:00.000Z",
    ended: null,
    happened: [{ at: "2026-11-20T09:00:00.000Z", what: "joined" }],
    remembered_since: "2026-11-20T08:59:59.000Z",
  });
  expect(asked).toEqual([[{ number: 17 }, { act: "look" }]]);
});

test.each([
  ["ABCD2345", [{ reference: "ABCD2345" }]],
  ["abcd-2345", [{ reference: "ABCD2345" }]],
  ["abcd%202345", [{ reference: "ABCD2345" }]],
  ["23456789", [{ number: 23_456_789 }, { reference: "23456789" }]],
  ["12345678", [{ number: 12_345_678 }]],
])("[DESK-4] %s is looked for as %j", async (who, whos) => {
  answering(null);
  const answer = await call(who);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: "visitor-not-found" });
  expect(asked.map(([one]) => one)).toEqual(whos);
});

test.each(["0", "x", "ABCD0145", "ABCDEFGHJ", "1.5", "-1-", "9".repeat(30), "203.0.113.7"])(
  "[DESK-4] %s names nobody, and no object is asked",
  async (who) => {
    answering(visitor());
    expect((await call(who)).status).toBe(404);
    expect(asked).toEqual([]);
  },
);

describe("what is done for it", () => {
  test.each([
    [{ more_minutes: 5 }, { act: "more-time", ms: 300_000 }, "visitor-given-time"],
    [{ call_again: true }, { act: "call-again" }, "visitor-called-again"],
  ])("[DESK-5] [DESK-6] %j is done, and logged", async (body, act, action) => {
    answering(visitor());
    const answer = await call("17", "PATCH", body);
    expect([answer.status, await answer.json()]).toMatchObject([200, { number: 17 }]);
    expect(asked).toEqual([
      [{ number: 17 }, { act: "look" }],
      [{ number: 17 }, act],
    ]);
    expect(world.log).toContainEqual(
      expect.objectContaining({ event: "operator-change", action, target: 17, room: "shop" }),
    );
  });

  test("[DESK-6] what changes nothing is entered nowhere", async () => {
    const entered: unknown[] = [];
    world.registry.enterAudit = async (...given) => void entered.push(given);
    answering(visitor({ misses: 0 }));
    expect((await call("17", "PATCH", { call_again: true })).status).toBe(200);
    expect(entered).toEqual([]);
    answering(visitor());
    expect((await call("17", "PATCH", { call_again: true })).status).toBe(200);
    expect(entered).toMatchObject([
      [
        {
          action: "visitor-called-again",
          target: "17",
          differences: { changes: { misses: [1, 0] } },
        },
        {},
      ],
    ]);
  });

  test("[DESK-5] what can't be entered in the audit log is not done", async () => {
    world.registry.enterAudit = () => Promise.reject(new Error("out of order"));
    answering(visitor());
    expect((await call("17", "PATCH", { more_minutes: 5 })).status).toBe(503);
    expect(asked).toHaveLength(1);
  });

  test("[DESK-7] it ends: 204, and here the pass is over at once", async () => {
    answering(visitor({ state: "visiting" }));
    expect((await call("17", "DELETE")).status).toBe(204);
    expect(asked.at(-1)).toEqual([{ number: 17 }, { act: "end" }]);
  });

  test("[DESK-7] what is over stays over: 204, and nothing is done", async () => {
    answering(visitor({ state: "ended" }));
    expect((await call("17", "DELETE")).status).toBe(204);
    expect(asked).toHaveLength(1);
  });

  test.each([
    [{ state: "ended" }, { more_minutes: 5 }, "visitor-ended"],
    [{ state: "waiting" }, { more_minutes: 5 }, "visitor-without-time"],
    [{ givenMs: 599 * 60_000 }, { more_minutes: 2 }, "more-time-given"],
    [{ state: "visiting" }, { call_again: true }, "visitor-inside"],
    [{ state: "ended" }, { call_again: true }, "visitor-ended"],
  ] as const)(
    "[DESK-5] [DESK-6] of %j %j is refused as %s, and not done",
    async (more, body, code) => {
      answering(visitor(more));
      const answer = await call("17", "PATCH", body);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        409,
        code,
      ]);
      expect(asked).toHaveLength(1);
    },
  );

  test.each([
    [{}, 400],
    [{ more_minutes: 0 }, 400],
    [{ more_minutes: 61 }, 400],
    [{ more_minutes: 1.5 }, 400],
    [{ more_minutes: "5" }, 400],
    [{ call_again: false }, 400],
    [{ more_minutes: 5, call_again: true }, 400],
    [{ minutes: 5 }, 400],
    [[], 400],
    ["{", 400],
    [" ".repeat(2_000), 413],
  ])("[DESK-5] %j says not what to do: %i", async (body, status) => {
    answering(visitor());
    const answer = await call("17", "PATCH", body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toContain("application/problem+json");
    expect(asked).toEqual([]);
  });
});

test.each(["GET", "PATCH", "DELETE"])(
  "[DESK-1] %s without a token, for no room, and other methods",
  async (method) => {
    answering(visitor());
    const path = "/.seiriken/api/rooms/shop/visitors/17";
    expect((await world.fetch(path, { method })).status).toBe(401);
    const nobody = path.replace("shop", "nobody");
    expect((await world.fetch(nobody, { method, headers })).status).toBe(404);
    const other = await world.fetch(path, { method: "POST", headers });
    expect([other.status, other.headers.get("Allow")]).toEqual([405, "GET, PATCH, DELETE"]);
    expect(asked).toEqual([]);
  },
);
