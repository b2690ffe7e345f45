import { describe, expect, test } from "vitest";
import type { RoomDefinition, RoomLimits } from "../../../src/core/definition.ts";
import { definitionDuring, limitsDuring } from "../../../src/core/events/during.ts";
import type { EventOverrides, EventPhase } from "../../../src/core/events/event.ts";
import { instant } from "../../../src/core/time.ts";
import { eventId, roomEvent } from "../../support/events.ts";
import { LIMITS } from "../../support/limits.ts";

const PHASES: readonly EventPhase[] = ["prequeue", "drawing", "running"];

const during = (
  overrides: Partial<EventOverrides>,
  phase: EventPhase,
  limits: Partial<RoomLimits> = {},
  shuffle = false,
): RoomLimits =>
  limitsDuring({ ...LIMITS, ...limits }, roomEvent(0, { overrides, shuffle }), phase);

describe("[EVENT-3] what holds while an event is on", () => {
  const all = { permitsMax: 7, startsPerMinuteMax: 70, leaseMs: 9_000, leaseRenews: false };

  test("in the prequeue the room's own figures, and it is paused", () => {
    expect(during(all, "prequeue")).toEqual({ ...LIMITS, order: "fifo", paused: true });
  });

  test("from the start its own; paused while the order is drawn", () => {
    expect(during(all, "drawing")).toEqual({ ...LIMITS, ...all, order: "fifo", paused: true });
    expect(during(all, "running")).toEqual({ ...LIMITS, ...all, order: "fifo" });
  });

  test("what it does not set is the room's", () => {
    expect(during({}, "running")).toEqual({ ...LIMITS, order: "fifo" });
    expect(during({ leaseRenews: false }, "running").leaseMs).toBe(LIMITS.leaseMs);
  });

  test("a room that is paused, closed or suspended by its operator stays so", () => {
    for (const phase of PHASES) {
      const limits = during(all, phase, { paused: true, closed: "sold out", suspended: true });
      expect(limits).toMatchObject({ paused: true, closed: "sold out", suspended: true });
    }
  });

  test("a request's permit is no session", () => {
    expect(during(all, "running", { permit: "request" }).leaseMs).toBe(LIMITS.leaseMs);
  });
});

describe("[EVENT-4] the order while an event is on", () => {
  test.each(PHASES)("in the phase %s its own, or else the room's", (phase) => {
    expect(during({ queueingMethod: "random" }, phase).order).toBe("random");
    expect(during({ queueingMethod: "fifo" }, phase, { order: "random" }).order).toBe("fifo");
    expect(during({ queueingMethod: "reject" }, phase, { order: "random" }).order).toBe("fifo");
    expect(during({}, phase, { order: "random" }).order).toBe("random");
  });

  test.each(PHASES)(
    "in the phase %s by rank where it shuffles, by number in request rooms",
    (phase) => {
      expect(during({ queueingMethod: "random" }, phase, {}, true).order).toBe("fifo");
      expect(during({}, phase, { order: "random" }, true).order).toBe("fifo");
      expect(during({ queueingMethod: "random" }, phase, { permit: "request" }).order).toBe("fifo");
    },
  );

  test("passthrough lets everybody through, from the start on", () => {
    const suspended = PHASES.map(
      (phase) => during({ queueingMethod: "passthrough" }, phase).suspended,
    );
    expect(suspended).toEqual([false, false, true]);
  });
});

describe("[EVENT-5] the definition while an event is on", () => {
  const overrides = { customPageHtml: "<p>", turnstileMode: "invisible", permitsMax: 7 } as const;
  const sale = roomEvent(0, { overrides });
  const room = {
    name: "shop",
    queueingMethod: "fifo",
    limits: LIMITS,
    kept: { custom_page_html: "", turnstile_mode: "off", turnstile_action: "log", text: "kept" },
    events: { changedAt: instant(1), list: [sale] },
  } as unknown as RoomDefinition;
  const { id } = sale;

  test.each(PHASES)("in the phase %s: its page and check, and nothing else is changed", (phase) => {
    expect(definitionDuring(room, { id, phase })).toEqual({
      ...room,
      limits: limitsDuring(LIMITS, sale, phase),
      kept: {
        custom_page_html: "<p>",
        turnstile_mode: "invisible",
        turnstile_action: "log",
        text: "kept",
      },
    });
  });

  test.each([
    ["passthrough", "fifo", "fifo", "passthrough"],
    ["reject", "fifo", "fifo", "reject"],
    ["random", "random", "random", "random"],
    ["fifo", "fifo", "fifo", "fifo"],
  ] as const)("[EVENT-4] %s: %s, %s, %s", (method, ...expected) => {
    const own = { ...room, queueingMethod: method };
    const list = [roomEvent(0, { overrides: { queueingMethod: method } })];
    const overridden = { ...room, events: { changedAt: instant(1), list } };
    for (const definition of [own, overridden])
      expect(
        PHASES.map((phase) => definitionDuring(definition, { id, phase }).queueingMethod),
      ).toEqual(expected);
  });

  test("[EVENT-4] what is shuffled is not drawn at each call as well", () => {
    const list = [roomEvent(0, { shuffle: true, overrides: { queueingMethod: "random" } })];
    const shuffled = { ...room, events: { changedAt: instant(1), list } };
    for (const phase of PHASES)
      expect(definitionDuring(shuffled, { id, phase }).queueingMethod).toBe("fifo");
  });

  test("without an event, or with one that it does not know, it is the same object", () => {
    expect(definitionDuring(room, null)).toBe(room);
    expect(definitionDuring(room, { id: eventId(9), phase: "running" })).toBe(room);
    const { events: _, ...without } = room;
    expect(definitionDuring(without, { id, phase: "running" })).toBe(without);
  });
});
