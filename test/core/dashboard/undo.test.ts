import { expect, test } from "vitest";
import type { AuditEntryResource } from "../../../src/api/audit/resource.ts";
import { rulesBefore, undoOf } from "../../../static/dashboard/changes/undo.ts";
import type { Asked } from "../../../static/dashboard/client/client.ts";

const entry = (
  action: string,
  changes: AuditEntryResource["changes"],
  more: Partial<AuditEntryResource> = {},
): AuditEntryResource => ({
  id: 7,
  at: "2026-11-22T20:00:00.000Z",
  by: { id: "1", name: "till" },
  network: null,
  reference: "ABCDEFGH",
  action,
  room: { id: "r1", name: "shop" },
  target: null,
  changes,
  left_out: [],
  ...more,
});

/** What taking back asks of the API. */
const sent = async (of: AuditEntryResource, standing: unknown = null) => {
  const calls: (readonly [string, Asked])[] = [];
  const client = {
    ask: async (path: string, asked: Asked = {}) => {
      calls.push([path.replace(/^.*waiting_rooms/, "…"), asked]);
      return { ok: true, value: standing, etag: '"v1"', notes: [] } as never;
    },
  };
  await undoOf(of)?.send(client);
  return calls;
};

const EVENT = { target: "e1" };

test("[DASH-7] changes of rooms and events are taken back by the call that does it", async () => {
  const changed = { "seiriken.message": [null, "Soon"] as const };
  const patch = { method: "PATCH", body: { seiriken: { message: null } } };
  expect(await sent(entry("room-changed", changed))).toEqual([["…/r1", patch]]);
  expect(await sent(entry("event-changed", changed, EVENT))).toEqual([["…/r1/events/e1", patch]]);
  expect(await sent(entry("zone-settings-changed", changed, { room: null }))).toEqual([
    ["…/settings", patch],
  ]);
  expect(await sent(entry("event-created", { name: [null, "night"] }, EVENT))).toEqual([
    ["…/r1/events/e1", { method: "DELETE" }],
  ]);
  expect(await sent(entry("event-deleted", { name: ["night", null] }, EVENT))).toEqual([
    ["…/r1/events", { method: "POST", body: { name: "night" } }],
  ]);
  const deleted = entry("room-deleted", {}, { left_out: ["custom_page_html"] });
  expect(await sent(deleted)).toEqual([["/.seiriken/api/rooms/r1/restore", { method: "POST" }]]);
  expect(undoOf(deleted)?.needs).toBe("admin");
});

test("[DASH-7] rules are set back as a list, at the version that was read", async () => {
  const rule = (id: string, expression: string) => ({
    ...{ id, expression, description: "", enabled: true },
    ...{ action: "bypass_waiting_room", version: "1", last_updated: "2026-11-22T20:00:00Z" },
  });
  const standing = [rule("new", "a"), rule("kept", "now")];
  const changes = {
    order: [
      ["kept", "gone"],
      ["new", "kept"],
    ] as const,
    "new.expression": [null, "a"] as const,
    "new.enabled": [null, true] as const,
    "kept.expression": ["was", "now"] as const,
    "gone.expression": ["b", null] as const,
    "gone.description": ["old", null] as const,
    "gone.enabled": [false, null] as const,
  };
  const [read, put] = await sent(entry("rules-changed", changes), standing);
  expect(read).toEqual(["…/r1/rules", {}]);
  const shown = { action: "bypass_waiting_room" };
  expect(put).toEqual([
    "…/r1/rules",
    {
      method: "PUT",
      ifMatch: '"v1"',
      body: [
        { ...shown, id: "kept", expression: "was", description: "", enabled: true },
        { ...shown, expression: "b", description: "old", enabled: false },
      ],
    },
  ]);
  // Where nothing moved, the order is as it stands.
  expect(rulesBefore(standing, { "kept.expression": ["was", "now"] })).toMatchObject([
    { id: "new", expression: "a" },
    { id: "kept", expression: "was" },
  ]);
});

test("[DASH-7] what nobody can take back, or was too long to be kept, has no button", () => {
  expect(undoOf(entry("visits-ended", {}))).toBeNull();
  expect(undoOf(entry("key-revoked", { kid: ["a", null] }, { room: null }))).toBeNull();
  expect(undoOf(entry("event-changed", { name: ["a", "b"] }))).toBeNull();
  expect(undoOf(entry("room-changed", { path: ["/a", "/b"] }, { left_out: ["x"] }))).toBeNull();
});
