import { describe, expect, test } from "vitest";
import type { RoomDefinition } from "../../../src/core/definition.ts";
import type { CurrentEvent, EventPhase } from "../../../src/core/events/event.ts";
import { currentEvent } from "../../../src/core/events/phases.ts";
import type { RoomMode, RoomSnapshot } from "../../../src/core/snapshot.ts";
import { instant } from "../../../src/core/time.ts";
import { statusOf } from "../../../src/api/rooms/status.ts";
import { cfEvent } from "../../../src/worker/admission/cf-event.ts";
import { DefinitionsDuring } from "../../../src/worker/isolate/definitions-during.ts";
import { eventId, roomEvent } from "../../support/events.ts";
import { LIMITS } from "../../support/limits.ts";

const START = Date.UTC(2027, 0, 1, 12);
const MINUTE = 60_000;
const sale = roomEvent(START, {
  prequeueAt: instant(START - 30 * MINUTE),
  shuffle: true,
  overrides: { startsPerMinuteMax: 300, permitsMax: 9 },
});
const room = {
  id: "r",
  name: "shop",
  queueingMethod: "passthrough",
  limits: LIMITS,
  kept: {},
  events: { changedAt: instant(1), list: [sale] },
} as unknown as RoomDefinition;

const snapshotOf = (at: number, mode: RoomMode, event?: CurrentEvent): RoomSnapshot => ({
  version: { boot: "b", ended: 0 },
  at: instant(at),
  mode,
  epoch: 1,
  message: null,
  closed: null,
  ...(event === undefined ? {} : { event }),
  lobbiesOpen: [],
  waiting: 0,
  called: 0,
  visiting: 0,
  permitsMax: 1,
  issued: 0,
  entriesPerMinute: 0,
  newcomer: { known: false, reason: "prequeue" },
  endedSince: null,
  ended: [],
});

const during = (phase: EventPhase): CurrentEvent => currentEvent(sale, phase);

describe("[EVENT-11] cfWaitingRoom, as Cloudflare documents it", () => {
  test.each([
    ["prequeue", START - 30 * MINUTE, true, 30, "30 minutes", 90, "1 hour 30 minutes"],
    ["prequeue", START - 1, true, 1, "1 minute", 61, "1 hour 1 minute"],
    ["drawing", START, false, 0, "unavailable", 60, "1 hour"],
    ["running", START + 1, false, 0, "unavailable", 60, "1 hour"],
    ["running", START + 61 * MINUTE, false, 0, "unavailable", 0, "0 minutes"],
  ] as const)(
    "%s at %i",
    (phase, ms, isPrequeueing, untilStart, startFormatted, untilEnd, endFormatted) => {
      expect(cfEvent(during(phase), instant(ms))).toEqual({
        isEventActive: true,
        isEventPrequeueing: isPrequeueing,
        timeUntilEventStart: untilStart,
        timeUntilEventStartFormatted: startFormatted,
        timeUntilEventEnd: untilEnd,
        timeUntilEventEndFormatted: endFormatted,
        shuffleAtEventStart: true,
      });
    },
  );

  test("without an event nothing of it is told", () => {
    expect(cfEvent(undefined, instant(START))).toEqual({
      isEventActive: false,
      isEventPrequeueing: false,
      timeUntilEventStart: 0,
      timeUntilEventStartFormatted: "unavailable",
      timeUntilEventEnd: 0,
      timeUntilEventEndFormatted: "unavailable",
      shuffleAtEventStart: false,
    });
  });
});

describe("[EVENT-11] the status for operators", () => {
  test.each([
    ["paused", "prequeue", "event_prequeueing"],
    ["paused", "drawing", "queueing"],
    ["queues", "running", "queueing"],
    ["open", "running", "not_queueing"],
    ["suspended", "running", "not_queueing"],
    ["closed", "prequeue", "queueing"],
  ] as const)("%s in the phase %s: %s", (mode, phase, status) => {
    expect(statusOf(room, snapshotOf(START, mode, during(phase)))).toMatchObject({
      status,
      event_id: eventId(1),
      seiriken: { mode, event: { id: eventId(1), phase, starts_at: "2027-01-01T12:00:00.000Z" } },
    });
  });

  test("a room that its operator suspended says so, and one without an event names none", () => {
    const suspended = { ...room, limits: { ...LIMITS, suspended: true } };
    expect(statusOf(suspended, snapshotOf(START, "suspended", during("running"))).status).toBe(
      "suspended",
    );
    const none = statusOf(room, snapshotOf(START, "open"));
    expect([none.event_id, none.status]).toEqual(["", "not_queueing"]);
    expect(none.seiriken).not.toHaveProperty("event");
  });

  test("calls a second are those of the event", () => {
    const calls = (phase: EventPhase) =>
      statusOf(
        { ...room, limits: { ...LIMITS, startsPerMinuteMax: 30 } },
        snapshotOf(START, "queues", during(phase)),
      ).seiriken.calls_per_second;
    expect([calls("prequeue"), calls("running")]).toEqual([1, 10]);
  });
});

describe("[EVENT-5] the definition by which an isolate answers", () => {
  const view = (at: number, phase: EventPhase | null) => ({
    now: instant(at),
    snapshot: snapshotOf(at, "paused", phase === null ? undefined : during(phase)),
  });

  test("is the event's by what the Room says, not by the isolate's clock", () => {
    const kept = new DefinitionsDuring();
    expect(kept.of(room, view(START + 1, "prequeue")).queueingMethod).toBe("fifo");
    expect(kept.of(room, view(START - 1, "running")).queueingMethod).toBe("passthrough");
    expect(kept.of(room, view(START + 1, null))).toBe(room);
  });

  test("is the event's by the isolate's clock before the Room has said anything", () => {
    const kept = new DefinitionsDuring();
    const unheard = (at: number) => kept.of(room, { now: instant(at), snapshot: null });
    expect(unheard(START - 1).limits.paused).toBe(true);
    expect(unheard(START).limits.permitsMax).toBe(9);
    expect(unheard(START - 31 * MINUTE)).toBe(room);
  });

  test("is made once for each phase, and anew for another definition", () => {
    const kept = new DefinitionsDuring();
    const first = kept.of(room, view(START, "running"));
    expect(kept.of(room, view(START + 1, "running"))).toBe(first);
    const changed = { ...room, name: "market" };
    expect(kept.of(changed, view(START, "running")).name).toBe("market");
    expect(kept.of(changed, view(START, "prequeue")).limits.paused).toBe(true);
  });

  test("of a room without events is the room's, at no cost", () => {
    const { events: _, ...plain } = room;
    expect(new DefinitionsDuring().of(plain, view(START, "running"))).toBe(plain);
  });
});
