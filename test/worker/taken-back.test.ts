/** Changes are taken back by the calls that made them, with what the audit log kept. */
import { expect, test } from "vitest";
import { auditEntryResource, type AuditEntryResource } from "../../src/api/audit/resource.ts";
import { takenBack } from "../../src/api/audit/take-back.ts";
import { ROOMS, withApi, type ManagementBench } from "../durable/management-bench.ts";

const SHOP = `${ROOMS}/shop`;

const lastEntry = async ({ registry }: ManagementBench): Promise<AuditEntryResource> => {
  const all = { rooms: null, room: null, from: null, to: null, by: null, action: null };
  const { entries } = await registry.auditLog({ ...all, before: null, limit: 1 });
  const [entry] = entries;
  if (entry === undefined) throw new Error("nothing was entered");
  return auditEntryResource(entry);
};

/** Without the times that every change moves. */
const settingsIn = (resource: unknown): object => {
  const {
    modified_on: _m,
    created_on: _c,
    id: _i,
    ...settings
  } = resource as Record<string, unknown>;
  return settings;
};

const EVENT = {
  name: "sale",
  event_start_time: "2030-11-20T09:00:00Z",
  event_end_time: "2030-11-20T10:00:00Z",
};

test("[AUDIT-3] a room's change, by PUT or PATCH, is taken back by a PATCH", () =>
  withApi("back-room", async (bench) => {
    const { call } = bench;
    const before = (await call("GET", SHOP)).result;
    for (const change of [
      { total_active_users: 99, seiriken: { message: "Soon", exempt: [{ path: "/health" }] } },
      { queue_all: true, additional_routes: [{ path: "/sale" }], custom_page_html: "{{waitTime}}" },
      { name: "store", seiriken: { appearance: { name: "Shop", accent: "#0b5fff" } } },
    ]) {
      expect((await call("PATCH", SHOP, change)).status).toBe(200);
      const { room, changes, left_out } = await lastEntry(bench);
      expect([Object.keys(changes).length > 0, left_out]).toEqual([true, []]);
      const back = await call("PATCH", `${ROOMS}/${room?.id}`, takenBack(changes));
      expect([back.status, settingsIn(back.result)]).toEqual([200, settingsIn(before)]);
    }
  }));

test("[AUDIT-3] an event's change is taken back by a PATCH, and a deleted one is made again", () =>
  withApi("back-event", async (bench) => {
    const { call } = bench;
    const made = (await call("POST", `${SHOP}/events`, EVENT)).result as { readonly id: string };
    const created = await lastEntry(bench);
    expect(created).toMatchObject({ action: "event-created", target: made.id });
    const change = {
      ...{ total_active_users: 7, new_users_per_minute: 7, session_duration: 3 },
      ...{ description: "big", prequeue_start_time: "2030-11-20T08:30:00Z" },
      ...{ shuffle_at_event_start: true, event_end_time: "2030-11-20T11:00:00Z" },
    };
    expect((await call("PATCH", `${SHOP}/events/${made.id}`, change)).status).toBe(200);
    const { target, changes } = await lastEntry(bench);
    const back = await call("PATCH", `${SHOP}/events/${target}`, takenBack(changes));
    expect([back.status, settingsIn(back.result)]).toEqual([200, settingsIn(made)]);

    await call("DELETE", `${SHOP}/events/${made.id}`);
    const deleted = await lastEntry(bench);
    expect(deleted.action).toBe("event-deleted");
    const again = await call("POST", `${SHOP}/events`, takenBack(deleted.changes));
    expect([again.status, settingsIn(again.result)]).toEqual([200, settingsIn(made)]);
  }));

test("[AUDIT-3] rules are taken back one by one, by their ids", () =>
  withApi("back-rules", async (bench) => {
    const { call } = bench;
    const rules = `${SHOP}/rules`;
    const rule = (expression: string) => ({ action: "bypass_waiting_room", expression });
    await call("POST", rules, rule('http.request.uri.path eq "/a"'));
    const before = (await call("POST", rules, rule('http.request.uri.path eq "/b"'))).result as {
      readonly id: string;
    }[];
    const outline = (list: unknown) =>
      (list as Record<string, unknown>[]).map(({ id, expression, enabled, description }) => {
        return { id, expression, enabled, description };
      });
    const id = before[0]?.id ?? "";
    const change = { expression: 'http.request.uri.path eq "/c"', enabled: false };
    expect((await call("PATCH", `${rules}/${id}`, change)).status).toBe(200);
    const { changes } = await lastEntry(bench);
    const patches = Object.entries(takenBack(changes));
    expect(patches.map(([name]) => name)).toEqual([id]);
    for (const [name, patch] of patches) await call("PATCH", `${rules}/${name}`, patch);
    expect(outline((await call("GET", rules)).result)).toEqual(outline(before));
  }));
