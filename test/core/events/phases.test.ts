import { describe, expect, test } from "vitest";
import { EVENTS_MAX } from "../../../src/core/events/event.ts";
import { currentEvent, eventAt, nextEventChangeAt } from "../../../src/core/events/phases.ts";
import { instant } from "../../../src/core/time.ts";
import { eventId, roomEvent } from "../../support/events.ts";

const START = 10_000_000;
const END = START + 3_600_000;
const sale = roomEvent(START, { prequeueAt: instant(START - 600_000) });
const later = roomEvent(END + 60_000, { id: 2 });

describe("[EVENT-1] which event is on, by the clock", () => {
  test.each([
    [START - 600_001, null],
    [START - 600_000, "prequeue"],
    [START - 1, "prequeue"],
    [START, "running"],
    [END - 1, "running"],
    [END, null],
    [END + 59_999, null],
  ])("at %i: %s", (now, phase) => {
    const at = eventAt([sale, later], instant(now));
    expect(at?.phase ?? null).toBe(phase);
    expect(at?.event ?? sale).toBe(sale);
  });

  test("one without a prequeue begins with its start", () => {
    expect(eventAt([sale, later], instant(later.startsAt - 1))).toBeNull();
    expect(eventAt([sale, later], later.startsAt)).toEqual({ event: later, phase: "running" });
  });

  test("one that is suspended is never on", () => {
    const suspended = [{ ...sale, suspended: true }, later];
    for (const now of [START - 600_000, START, END - 1])
      expect(eventAt(suspended, instant(now))).toBeNull();
    expect(nextEventChangeAt(suspended, instant(0))).toBe(later.startsAt);
  });

  test("of two that overlap, in any order, the one that began first goes on", () => {
    const other = roomEvent(START + 1, { id: 3, endsAt: instant(END + 10_000) });
    for (const list of [
      [sale, other],
      [other, sale],
    ]) {
      expect(eventAt(list, instant(END - 1))?.event).toBe(sale);
      expect(eventAt(list, instant(END))?.event).toBe(other);
    }
  });
});

describe("[EVENT-1] the next moment at which that can change", () => {
  test.each([
    [0, START - 600_000],
    [START - 600_001, START - 600_000],
    [START - 600_000, START],
    [START, END],
    [END, END + 60_000],
    [END + 60_000, END + 3_660_000],
    [END + 3_660_000, null],
  ])("after %i it is %s", (now, next) => {
    expect(nextEventChangeAt([later, sale], instant(now))).toBe(next);
  });

  test("of as many as a room takes, in any order, the nearest", () => {
    const all = Array.from({ length: EVENTS_MAX }, (_, id) =>
      roomEvent((id + 1) * 10_000_000, { id }),
    );
    expect(nextEventChangeAt(all.toReversed(), instant(0))).toBe(10_000_000);
    expect(nextEventChangeAt(all.toReversed(), instant(500_000_000))).toBe(503_600_000);
  });

  test("without events there is none", () => {
    expect(nextEventChangeAt([], instant(0))).toBeNull();
    expect(eventAt([], instant(0))).toBeNull();
  });
});

test("[EVENT-1] others are told which, in which phase, and its times", () => {
  expect(currentEvent(sale, "prequeue")).toEqual({
    id: eventId(1),
    name: "sale",
    phase: "prequeue",
    startsAt: START,
    endsAt: END,
    shuffle: false,
  });
});
