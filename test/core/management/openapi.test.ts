import { expect, test } from "vitest";
import { eventResource } from "../../../src/api/events/resource.ts";
import { readFields } from "../../../src/api/events/schema.ts";
import { parseRule } from "../../../src/api/lock-rules/schema.ts";
import { definitionOf, resourceOf } from "../../../src/api/rooms/resource.ts";
import { parseRoom } from "../../../src/api/rooms/schema.ts";
import { ruleResource } from "../../../src/api/rules/resource.ts";
import { readNewRule } from "../../../src/api/rules/schema.ts";
import { parseRoomId } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";
import { OPENAPI } from "../../../src/worker/operators/openapi.gen.ts";
import { roomEvent } from "../../support/events.ts";
import { misfits } from "../../support/json-schema.ts";

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(OPENAPI) as { readonly components: { readonly schemas: Json } };
const misfitsOf = (name: string, value: unknown): string[] =>
  misfits(value, { $ref: `#/components/schemas/${name}` }, document as unknown as Json);
const propertiesOf = (schema: unknown): string[] =>
  Object.entries((schema as { readonly properties: Readonly<Record<string, Json>> }).properties)
    .filter(([, { readOnly }]) => readOnly !== true)
    .map(([name]) => name);

const ROOM = { name: "shop", host: "shop.example.com", total_active_users: 1 };
const LEAST = { ...ROOM, new_users_per_minute: 1 };
const RULE = { name: "pay", path: "/pay/:id", key: { from: "path", name: "id" } };
const VALUES: readonly unknown[] = [
  ...[null, true, false, -1, 0, 1, 5, 1.5, 33, 409, 503, 1e12, "", "a", "A b", "/a", "*", "none"],
  ...["revoke", "POST", "a".repeat(70_000), "example.com", "https://a.example", "#0b5fff"],
  ...[[], ["revoke"], ["POST"], [{ path: "/a" }], [{ host: 7 }], ["https://a.example"], [null]],
  ...[{}, { typo: 1 }, { from: "address" }, { from: "header", name: "X-Key" }, { secure: "never" }],
];

/** What one field is replaced by, in turn: whether it is read, and where its schema refuses it. */
const tried = (
  place: (value: unknown) => unknown,
  schema: string,
  reads: (of: unknown) => boolean,
) =>
  VALUES.map((value) => {
    const whole = place(value);
    return { value, isRead: reads(whole), refused: misfitsOf(schema, whole) };
  });

const readsRoom = (room: unknown): boolean => parseRoom(room).ok;
const fields = document.components.schemas["RoomFields"];
const seiriken = (fields as { readonly properties: Json }).properties["seiriken"];

test.each([
  ...propertiesOf(fields).map((name) => [name, (value: unknown) => ({ ...LEAST, [name]: value })]),
  ...propertiesOf(seiriken).map((name) => [
    `seiriken.${name}`,
    (value: unknown) => ({ ...LEAST, seiriken: { permit: "request", [name]: value } }),
  ]),
] as [string, (value: unknown) => unknown][])("[OPENAPI-3] %s: what is read fits", (_, place) => {
  const all = tried(place, "RoomInput", readsRoom);
  expect(all.filter(({ isRead, refused }) => isRead && refused.length > 0)).toEqual([]);
  expect(all.some(({ isRead }) => isRead)).toBe(true);
  expect(all.some(({ refused }) => refused.length > 0)).toBe(true);
});

const SALE = {
  name: "sale",
  event_start_time: "2026-11-28T20:00:00Z",
  event_end_time: "2026-11-28T22:00:00Z",
};
const BYPASS = { action: "bypass_waiting_room", expression: "ssl" };

test.each([
  ...propertiesOf(document.components.schemas["EventFields"]).map((name) => [
    `an event's ${name}`,
    "EventInput",
    (value: unknown) => ({ ...SALE, [name]: value }),
    (event: unknown) => readFields(event, false).problems.length === 0,
  ]),
  ...propertiesOf(document.components.schemas["RuleFields"]).map((name) => [
    `a rule's ${name}`,
    "RuleInput",
    (value: unknown) => ({ ...BYPASS, [name]: value }),
    (rule: unknown) => readNewRule(rule).ok,
  ]),
] as [string, string, (value: unknown) => unknown, (of: unknown) => boolean][])(
  "[OPENAPI-3] %s: what is read fits",
  (_, schema, place, reads) => {
    const all = tried(place, schema, reads);
    expect(all.filter(({ isRead, refused }) => isRead && refused.length > 0)).toEqual([]);
    expect(all.some(({ refused }) => refused.length > 0)).toBe(true);
  },
);

test("[OPENAPI-3] an event and a rule as the API answers them fit", () => {
  const event = { ...eventResource(roomEvent(Date.now())) };
  expect(misfitsOf("Event", event)).toEqual([]);
  const at = instant(1_800_000_000_000);
  const settings = { expression: "ssl", description: "", enabled: true };
  const rule = { ...ruleResource({ id: "a".repeat(32), version: 1, ...settings, updatedAt: at }) };
  expect(misfitsOf("Rule", rule)).toEqual([]);
  const { version: _left, ...less } = rule;
  expect(misfitsOf("Rule", less)).toEqual(["/version"]);
});

const ruleFields = document.components.schemas["LockRuleFields"];

test.each(propertiesOf(ruleFields))("[OPENAPI-3] a lock rule's %s: what is read fits", (name) => {
  const place = (value: unknown) => ({ ...RULE, [name]: value });
  const all = tried(place, "LockRuleInput", (rule) => parseRule(rule).ok);
  expect(all.filter(({ isRead, refused }) => isRead && refused.length > 0)).toEqual([]);
  expect(all.some(({ refused }) => refused.length > 0)).toBe(true);
});

test("[OPENAPI-3] what a room needs, and what it does not know, is refused", () => {
  for (const name of Object.keys(LEAST)) {
    const { [name as keyof typeof LEAST]: _left, ...rest } = LEAST;
    expect(misfitsOf("RoomInput", rest)).toEqual([`/${name}`]);
  }
  expect(misfitsOf("RoomInput", { ...LEAST, colour: 1, seiriken: { typo: 1 } })).toEqual([
    "/colour",
    "/seiriken/typo",
  ]);
  expect(misfitsOf("RoomFields", { seiriken: { message: null } })).toEqual([]);
});

test("[OPENAPI-3] a room as the API answers it fits", () => {
  const parsed = parseRoom({ ...LEAST, additional_routes: [{ host: null, path: "/b" }] });
  if (!parsed.ok) throw new Error("a room of the least is one");
  const id = parseRoomId("a".repeat(32));
  if (id === null) throw new Error("32 hex digits are an id");
  const at = instant(1_800_000_000_000);
  const identity = { id, createdAt: at, modifiedAt: at, cookieSuffix: "shop" };
  const room = JSON.parse(JSON.stringify(resourceOf(definitionOf(parsed.room, identity)))) as Json;
  expect(misfitsOf("Room", room)).toEqual([]);
  const { description: _left, ...less } = room;
  expect(misfitsOf("Room", less)).toEqual(["/description"]);
});
