import { expect, test } from "vitest";
import type { AuditEntry, AuditQuery, Author } from "../../src/core/audit/entry.ts";
import { NO_DIFFERENCES } from "../../src/core/differences.ts";
import type { EventId } from "../../src/core/events/event.ts";
import { readFields, wholeOf } from "../../src/api/events/schema.ts";
import { QUICKNET } from "../../src/core/draw/drand-chain.ts";
import { instant } from "../../src/core/time.ts";
import { AuditLog } from "../../src/durable/registry/audit-log.ts";
import { definition, roomId, withRegistry, type Registry } from "./registry-harness.ts";

const BY: Author = {
  id: "1".repeat(32),
  name: "till",
  rooms: null,
  network: "203.0.113.7",
  reference: "ABCD2345",
};

const ALL: AuditQuery = {
  ...{ rooms: null, room: null, from: null, to: null, by: null, action: null, before: null },
  limit: 1_000,
};

const entriesOf = async (registry: Registry, query: Partial<AuditQuery> = {}) =>
  (await registry.auditLog({ ...ALL, ...query })).entries;
const actionsOf = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action);

const event = (name: string) => {
  const { fields } = readFields(
    {
      name,
      event_start_time: "2030-11-20T09:00:00Z",
      event_end_time: "2030-11-20T10:00:00Z",
      shuffle_at_event_start: true,
      prequeue_start_time: "2030-11-20T08:00:00Z",
      seiriken: { draw: "witnesses" },
    },
    false,
  );
  return wholeOf(fields);
};
const EVENT = "e".repeat(32) as EventId;
const RULE = "d".repeat(32);

test("[AUDIT-1] a change of a room says who, from where, which room, and from what to what", () =>
  withRegistry("audit-room", async ({ registry }) => {
    await registry.create(definition(roomId("a"), "shop"), BY);
    const patch = { by: "patch", json: { total_active_users: 20, name: "store" } } as const;
    await registry.change("shop", patch, undefined, { ...BY, name: "night" });
    const [changed, created] = await entriesOf(registry);
    expect(changed).toMatchObject({
      action: "room-changed",
      by: { id: BY.id, name: "night" },
      network: "203.0.113.7",
      reference: "ABCD2345",
      room: { id: roomId("a"), name: "store" },
      target: null,
      differences: { changes: { name: ["shop", "store"], total_active_users: [10, 20] } },
    });
    expect(Object.keys(changed?.by ?? {})).toEqual(["id", "name"]);
    expect(created).toMatchObject({ action: "room-created", room: { name: "shop" } });
    expect(created?.differences.changes["total_active_users"]).toEqual([null, 10]);
    expect(changed!.id).toBeGreaterThan(created!.id);
  }));

test("[AUDIT-1] events, rules, settings, keys, tokens, deleting and restoring are entries too", () =>
  withRegistry("audit-kinds", async ({ registry }) => {
    await registry.create(definition(roomId("a"), "shop"), BY);
    const added = { do: "add", id: EVENT, settings: event("sale") } as const;
    await registry.changeEvents("shop", added, QUICKNET, undefined, BY);
    const rule = { expression: 'http.request.uri.path eq "/x"', description: "", enabled: true };
    const add = { do: "add", id: RULE, settings: rule, position: null } as never;
    await registry.changeRules("shop", add, undefined, BY);
    await registry.changeSettings({ crawlersPass: true }, BY);
    const rotated = await registry.rotateKeys(BY);
    const kids = rotated.ok ? rotated.kids : [];
    await registry.revokeKey(kids[0] ?? "", BY);
    await registry.remove(roomId("a"), undefined, BY);
    await registry.restore("shop", BY);
    const entries = await entriesOf(registry);
    expect(actionsOf(entries)).toEqual([
      ...["room-restored", "room-deleted", "key-revoked", "key-rotated", "zone-settings-changed"],
      ...["rules-changed", "event-created", "room-created"],
    ]);
    const of = (action: string) => entries.find((entry) => entry.action === action);
    expect(of("event-created")).toMatchObject({ target: EVENT, room: { name: "shop" } });
    expect(of("rules-changed")?.differences.changes).toMatchObject({
      order: [[], [RULE]],
      [`${RULE}.expression`]: [null, rule.expression],
    });
    expect(of("zone-settings-changed")?.differences.changes).toEqual({
      search_engine_crawler_bypass: [false, true],
    });
    expect(of("key-rotated")).toMatchObject({ target: kids[0], room: null });
    const last = of("room-deleted")?.differences.changes;
    expect(last?.["total_active_users"]).toEqual([10, null]);
  }));

test("[AUDIT-1] what is refused, changes nothing, or nobody ordered is no entry", () =>
  withRegistry("audit-nothing", async ({ registry }) => {
    await registry.create(definition(roomId("a"), "shop"));
    const by = BY;
    await registry.change("shop", { by: "patch", json: { total_active_users: 10 } }, undefined, by);
    await registry.change("shop", { by: "patch", json: { total_active_users: 0 } }, undefined, by);
    await registry.change("shop", { by: "patch", json: { queue_all: true } }, [instant(1)], by);
    await registry.create(definition(roomId("b"), "shop"), by);
    await registry.changeSettings({ crawlersPass: false }, by);
    await registry.revokeKey("none", by);
    await registry.remove(roomId("f"), undefined, by);
    await registry.restore("none", by);
    expect(await entriesOf(registry)).toEqual([]);
  }));

test("[AUDIT-1] neither the change without its entry nor the entry without its change", () =>
  withRegistry("audit-atomic", async ({ registry, state }) => {
    await registry.create(definition(roomId("a"), "shop"), BY);
    state.storage.sql.exec(
      "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    const patch = { by: "patch", json: { total_active_users: 20 } } as const;
    await expect(registry.change("shop", patch, undefined, BY)).rejects.toThrow("no room");
    await expect(registry.rotateKeys(BY)).rejects.toThrow("no room");
    await expect(registry.remove(roomId("a"), undefined, BY)).rejects.toThrow("no room");
    const known = await registry.definitions(null);
    expect(known?.rooms[0]?.limits.permitsMax).toBe(10);
    expect(known?.keys).toHaveLength(1);
  }));

test("[AUDIT-4] no key, no secret of a draw, no hash of a token is in any row", () =>
  withRegistry("audit-secrets", async ({ registry, state }) => {
    await registry.create(definition(roomId("a"), "shop"), BY);
    const added = { do: "add", id: EVENT, settings: event("sale") } as const;
    const reply = await registry.changeEvents("shop", added, QUICKNET, undefined, BY);
    await registry.rotateKeys(BY);
    const hash = "ab".repeat(32);
    await registry.makeToken(
      {
        ...{ id: "2".repeat(32), name: "a", scope: "read", rooms: null, expiresAt: null },
        ...{ madeAt: instant(0), madeBy: "", hash },
      },
      BY,
    );
    const rows = JSON.stringify(state.storage.sql.exec("SELECT * FROM audit").toArray());
    const draw = reply.ok ? reply.value.events?.list[0]?.draw : undefined;
    const keys = (await registry.definitions(null))?.keys ?? [];
    const secrets = [hash, ...keys.map(({ secret }) => secret), String(draw?.secret)];
    expect(secrets.map((secret) => secret.length > 20)).toEqual(secrets.map(() => true));
    expect(secrets.filter((secret) => rows.includes(secret))).toEqual([]);
  }));

test("[AUDIT-5] the oldest entry goes with one too many, and numbers go on rising", () =>
  withRegistry("audit-bounded", async ({ state }) => {
    const log = new AuditLog(state.storage, 3);
    const act = { room: null, target: null, differences: NO_DIFFERENCES };
    for (const action of ["a", "b", "c", "d", "e"])
      log.enter({ action, ...act }, BY, instant(1_000));
    const { entries } = log.page(ALL);
    expect(actionsOf(entries)).toEqual(["e", "d", "c"]);
    expect(entries.map(({ id }) => id)).toEqual([5, 4, 3]);
  }));

test("[AUDIT-6] pages follow one another without gap or double, and stop", () =>
  withRegistry("audit-pages", async ({ registry }) => {
    for (let n = 0; n < 7; n += 1)
      await registry.enterAudit(
        { action: "visit-ended", room: null, target: String(n), differences: NO_DIFFERENCES },
        BY,
      );
    const seen: (string | null)[] = [];
    let before: number | null = null;
    do {
      const page = await registry.auditLog({ ...ALL, limit: 3, before });
      seen.push(...page.entries.map(({ target }) => target));
      before = page.nextBefore;
    } while (before !== null);
    expect(seen).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
  }));

test("[AUDIT-6] entries that are long make a page that is short, and none is left out", () =>
  withRegistry("audit-long", async ({ registry }) => {
    const changes = { page: ["", "x".repeat(30_000)] } as const;
    for (let n = 0; n < 80; n += 1)
      await registry.enterAudit(
        { action: "a", room: null, target: String(n), differences: { changes, leftOut: [] } },
        BY,
      );
    const first = await registry.auditLog(ALL);
    expect(first.entries.length).toBeLessThan(70);
    const rest = await registry.auditLog({ ...ALL, before: first.nextBefore });
    expect(first.entries.length + rest.entries.length).toBe(80);
  }));

test("[AUDIT-6] room, time, author and action narrow; [AUDIT-7] rooms are never left", () =>
  withRegistry("audit-query", async ({ state }) => {
    const log = new AuditLog(state.storage);
    const enter = (action: string, digit: string | null, at: number, name = "till") =>
      log.enter(
        {
          ...{ action, target: null, differences: NO_DIFFERENCES },
          room: digit === null ? null : { id: roomId(digit), name: `Room-${digit}` },
        },
        { ...BY, name },
        instant(at),
      );
    enter("visits-ended", "a", 1_000);
    enter("room-changed", "b", 2_000, "night");
    enter("key-rotated", null, 3_000);
    const asked = (query: Partial<AuditQuery>) => actionsOf(log.page({ ...ALL, ...query }).entries);
    expect(asked({ room: "room-A" })).toEqual(["visits-ended"]);
    expect(asked({ room: roomId("b") })).toEqual(["room-changed"]);
    expect(asked({ by: "NIGHT" })).toEqual(["room-changed"]);
    expect(asked({ by: BY.id })).toHaveLength(3);
    expect(asked({ action: "key-rotated" })).toEqual(["key-rotated"]);
    expect(asked({ from: instant(2_000), to: instant(3_000) })).toEqual(["room-changed"]);
    expect(asked({ rooms: [roomId("a")] })).toEqual(["visits-ended"]);
    expect(asked({ rooms: [roomId("a")], room: roomId("b") })).toEqual([]);
  }));
