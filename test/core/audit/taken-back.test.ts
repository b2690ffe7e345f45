import fc from "fast-check";
import { expect, test } from "vitest";
import { takenBack } from "../../../src/api/audit/take-back.ts";
import { auditQuery } from "../../../src/api/audit/query.ts";
import { merged } from "../../../src/api/merge-patch.ts";
import { definitionOf, resourceOf } from "../../../src/api/rooms/resource.ts";
import { parseRoom } from "../../../src/api/rooms/schema.ts";
import { fullDifferencesOf } from "../../../src/core/differences.ts";
import { parseRoomId, type RoomId } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";

const id = parseRoomId("a".repeat(32)) as RoomId;

const room = (settings: object): Record<string, unknown> => {
  const parsed = parseRoom({ name: "shop", host: "a.example", path: "/", ...settings });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const at = instant(0);
  return {
    ...resourceOf(
      definitionOf(parsed.room, { id, createdAt: at, modifiedAt: at, cookieSuffix: "shop" }),
    ),
  };
};

const LIMITS = { total_active_users: 200, new_users_per_minute: 200 };

const settings = fc.record(
  {
    total_active_users: fc.integer({ min: 1, max: 900 }),
    queue_all: fc.boolean(),
    custom_page_html: fc.constantFrom("", "{{waitTime}}"),
    additional_routes: fc.constantFrom([], [{ path: "/sale" }], [{ host: "b.example", path: "/" }]),
    seiriken: fc.record(
      {
        message: fc.constantFrom(null, "Back soon"),
        closed: fc.constantFrom(null, "Sold out"),
        max_visit_seconds: fc.constantFrom(null, 600),
        cors_origins: fc.constantFrom([], ["https://app.example"]),
        appearance: fc.constantFrom(null, { name: "Shop" }, { accent: "#0b5fff", name: "Shop" }),
        exempt: fc.constantFrom([], [{ path: "/health" }]),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

test("[AUDIT-3] a patch of a room's changes turned round brings back what stood", () => {
  fc.assert(
    fc.property(settings, settings, (one, other) => {
      const [before, after] = [room({ ...LIMITS, ...one }), room({ ...LIMITS, ...other })];
      const { changes, leftOut } = fullDifferencesOf(before, after);
      expect(leftOut).toEqual([]);
      expect(room(merged(after, takenBack(changes)))).toEqual(before);
    }),
  );
});

test("[AUDIT-3] values are whole, also lists, pages and exemptions, and what is the same is left out", () => {
  const long = "x".repeat(2_000);
  const before = { a: 1, page: "", list: [], same: { b: 1 }, gone: null };
  const after = { a: 1, page: long, list: [{ path: "/x" }], same: { b: 1 } };
  expect(fullDifferencesOf(before, after).changes).toEqual({
    page: ["", long],
    list: [[], [{ path: "/x" }]],
  });
});

test("[AUDIT-3] of a path and one below it, that there was nothing counts", () => {
  const changes = { look: [null, null], "look.accent": [null, "red"] } as const;
  expect(takenBack(changes)).toEqual({ look: null });
  expect(takenBack({ "look.accent": ["red", null], look: [null, "none"] })).toEqual({ look: null });
});

test("[AUDIT-5] of values that are too long the path alone is kept, and so of too many", () => {
  const long = "x".repeat(8_192);
  expect(fullDifferencesOf({ page: "", n: 1 }, { page: long, n: 2 })).toEqual({
    changes: { n: [1, 2] },
    leftOut: ["page"],
  });
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`setting-${at}`, "y".repeat(4_000)]),
  );
  const { changes, leftOut } = fullDifferencesOf({}, many);
  expect(JSON.stringify(changes).length).toBeLessThan(33_000);
  expect([Object.keys(changes).length, leftOut.length]).toEqual([8, 200]);
});

test("[AUDIT-6] a query is read whole, and every problem with it told at once", () => {
  const asked = (text: string) => {
    const query = new URLSearchParams(text);
    return auditQuery((name) => query.get(name) ?? undefined);
  };
  expect(asked("")).toEqual({
    ...{ room: null, by: null, action: null, from: null, to: null, before: null },
    ...{ limit: 100, format: "json" },
  });
  const whole = "room=shop&by=till&action=room-changed&from=2026-11-20T09:00Z&before=7&limit=5";
  expect(asked(`${whole}&format=jsonl`)).toMatchObject({
    ...{ room: "shop", by: "till", action: "room-changed", before: 7, limit: 5, format: "jsonl" },
    from: Date.UTC(2026, 10, 20, 9),
  });
  const wrong = asked("room=&from=yesterday&to=1&before=0&limit=1001&format=csv");
  const named = "limit" in wrong ? [] : wrong.map(({ parameter }) => parameter);
  expect(named.toSorted()).toEqual(["before", "format", "from", "limit", "room", "to"]);
  const turned = asked("from=2026-11-20T09:00Z&to=2026-11-20T09:00Z");
  expect(turned).toEqual([{ parameter: "from", detail: "must be earlier than to" }]);
});
