import { expect, test } from "vitest";
import { differencesOf } from "../../../src/core/differences.ts";

const room = {
  id: "a".repeat(32),
  modified_on: "2026-11-20T09:00:00Z",
  total_active_users: 10,
  queue_all: false,
  additional_routes: [],
  seiriken: { message: null, exempt: [], appearance: { logo: null }, origin: null },
};

test("[OPLOG-2] what changed is told by its path, from what to what, and nothing else", () => {
  const after = {
    ...room,
    modified_on: "2026-11-20T09:05:00Z",
    total_active_users: 5_000,
    queue_all: true,
    additional_routes: [{ path: "/sale" }],
    seiriken: { ...room.seiriken, message: "Back soon" },
  };
  expect(differencesOf(room, after)).toEqual({
    changes: {
      total_active_users: [10, 5_000],
      queue_all: [false, true],
      additional_routes: ["[]", '[{"path":"/sale"}]'],
      "seiriken.message": [null, "Back soon"],
    },
    more: 0,
  });
  expect(differencesOf(after, after)).toEqual({ changes: {}, more: 0 });
});

test("[OPLOG-2] a setting that is new or gone is null on the other side", () => {
  expect(differencesOf({}, { host: "a.example" }).changes).toEqual({ host: [null, "a.example"] });
  expect(differencesOf({ host: "a.example" }, {}).changes).toEqual({ host: ["a.example", null] });
});

test("[OPLOG-3] a header's secret value is never told, nor a page or a picture", () => {
  const rule = { header: { name: "X-Key", value: "a-secret-between-servers" } };
  const after = {
    custom_page_html: "<p>".repeat(1_000),
    seiriken: { exempt: [rule], appearance: { logo: "data:image/png;base64,AAAA" } },
  };
  const { changes } = differencesOf({ ...room, custom_page_html: "" }, after);
  expect(JSON.stringify(changes)).not.toMatch(/secret|<p>|base64/);
  expect(changes).toMatchObject({
    "seiriken.exempt": ["0 not shown", "1 not shown"],
    custom_page_html: ["0 characters", "3000 characters"],
    "seiriken.appearance.logo": [null, "26 characters"],
  });
});

test("[OPLOG-3] texts are cut, and what cannot be seen stands there as its number", () => {
  const { changes } = differencesOf({ text: "" }, { text: `a\n\u001b[2J\u202e${"x".repeat(99)}` });
  expect(changes["text"]?.[1]).toBe(`a\\u{0a}\\u{1b}[2J\\u{202e}${"x".repeat(73)}…`);
});

test.each([
  [24, 24, 0],
  [25, 24, 1],
  [400, 24, 376],
])("[OPLOG-3] of %i settings %i are told, and %i counted", (count, told, more) => {
  const after = Object.fromEntries(Array.from({ length: count }, (_, n) => [`setting_${n}`, n]));
  const differences = differencesOf({}, after);
  expect(Object.keys(differences.changes)).toHaveLength(told);
  expect(differences.more).toBe(more);
});
