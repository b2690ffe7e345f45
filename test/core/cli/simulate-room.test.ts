import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { queueing, roomInFile, roomOfResource } from "../../../cli/simulate/room-limits.ts";
import { definitionOf, resourceOf } from "../../../src/api/rooms/resource.ts";
import { parseRoom } from "../../../src/api/rooms/schema.ts";
import type { RoomId } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";

const folder = mkdtempSync(join(tmpdir(), "simulate-room-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-28T18:00:00Z");

const room = (name: string, more: object = {}) => ({
  ...{ name, host: `${name}.example.com`, path: "/" },
  ...{ total_active_users: 300, new_users_per_minute: 200 },
  ...more,
});

const event = (name: string, hour: number, more: object = {}) => ({
  name,
  prequeue_start_time: `2026-11-28T${hour - 1}:00:00Z`,
  event_start_time: `2026-11-28T${hour}:00:00Z`,
  event_end_time: `2026-11-28T${hour + 1}:30:00Z`,
  ...more,
});

const inFile = (rooms: readonly object[], asked: object = {}) => {
  const file = join(folder, "rooms.json");
  writeFileSync(file, JSON.stringify(rooms));
  return roomInFile(file, { room: null, event: undefined, ...asked }, NOW);
};

describe("a room of rooms.json", () => {
  const sale = room("shop", {
    events: [
      event("early", 12),
      event("later", 22),
      event("drop", 19, {
        ...{ shuffle_at_event_start: true, total_active_users: 900, new_users_per_minute: 700 },
      }),
      event("off", 15, { suspended: true, queueing_method: "passthrough" }),
    ],
  });

  test("[SIMULATE-9] its next event is taken: the prequeue, the draw, its limits, and the room's own after it", async () => {
    const known = await inFile([sale]);
    expect(known.event).toBe("drop");
    expect(known.limits).toMatchObject({ permitsMax: 900, startsPerMinuteMax: 700 });
    expect(known.opening).toMatchObject({ prequeueMs: HOUR, isDrawn: true });
    expect(known.opening?.ends).toMatchObject({ afterMs: 1.5 * HOUR, limits: { permitsMax: 300 } });
  });

  test("[SIMULATE-9] where witnesses give the draw's value they are taken to need a minute", async () => {
    const drop = event("drop", 19, { shuffle_at_event_start: true });
    const byWitnesses = room("shop", { events: [{ ...drop, seiriken: { draw: "witnesses" } }] });
    expect((await inFile([sale])).opening?.valueAfterMs).toBeUndefined();
    expect((await inFile([byWitnesses])).opening?.valueAfterMs).toBe(60_000);
  });

  test("[SIMULATE-9] another event can be named, also one that is over, or none", async () => {
    expect(await inFile([sale], { event: "early" })).toMatchObject({
      event: "early",
      limits: { permitsMax: 300 },
      opening: { isDrawn: false },
    });
    const without = await inFile([sale], { event: null });
    expect([without.event, without.opening]).toEqual([undefined, undefined]);
    expect(await inFile([room("shop")])).toMatchObject({ limits: { permitsMax: 300 } });
  });

  test.each([
    [[sale], { event: "dorp" }, "room shop has no event dorp"],
    [[room("shop")], { event: "drop" }, "room shop has no event drop"],
    [[sale], { event: "off" }, 'event off has queueing_method "passthrough"'],
    [[room("shop", { queueing_method: "reject" })], {}, 'room shop has queueing_method "reject"'],
    [[room("counter", { seiriken: { permit: "request" } })], {}, "admits single requests"],
    [[room("one"), room("two")], {}, "has several rooms"],
    [[room("one")], { room: "two" }, "has no room two"],
    [[], {}, "has no room"],
  ])("[SIMULATE-8] what can't be simulated is told (%#)", async (rooms, asked, said) => {
    const refusal = await inFile(rooms, asked).then(
      () => null,
      (error: unknown) => error as Error & { readonly details: readonly string[] },
    );
    expect(refusal?.message).toContain(said);
    expect(refusal?.details.length).toBeGreaterThan(0);
  });
});

describe("a room as a server tells it", () => {
  const given = room("shop", {
    queueing_method: "random",
    session_duration: 7,
    seiriken: {
      ...{ starts_per_second: 4, claim_within_seconds: 30, return_window_seconds: 1_800 },
      ...{ max_visit_seconds: 90, line_max: 5_000 },
    },
  });
  const parsed = parseRoom(given);
  if (!parsed.ok) throw new Error("the room of this test");
  const identity = { createdAt: instant(0), modifiedAt: instant(0), cookieSuffix: "" };
  const told = resourceOf(definitionOf(parsed.room, { ...identity, id: "a".repeat(32) as RoomId }));

  test("[SIMULATE-13] has all its limits", () => {
    expect(queueing(roomOfResource(told))).toMatchObject({
      ...{ permitsMax: 300, startsPerMinuteMax: 200, startsPerSecondMax: 4, leaseMs: 420_000 },
      ...{ claimWithinMs: 30_000, returnWindowMs: 1_800_000, visitMaxMs: 90_000, lineMax: 5_000 },
      order: "random",
    });
  });

  test("[SIMULATE-13] is read also where the server knows more than this version", () => {
    const newer = {
      ...told,
      tomorrow: 1,
      seiriken: { ...told.seiriken, next_week: { deep: true } },
    };
    expect(roomOfResource(newer)).toEqual(roomOfResource(told));
    expect(() => roomOfResource({ name: 5 })).toThrow(/can't be read/);
  });
});
