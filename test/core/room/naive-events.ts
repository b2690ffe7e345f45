import fc from "fast-check";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { plannedEventsOf, type PlannedEvent } from "../../../src/core/events/planned.ts";
import { instant } from "../../../src/core/time.ts";
import { roomEvent } from "../../support/events.ts";

/** An event, by how far from now it begins. */
export const eventPlanned = fc.record({
  inMs: fc.constantFrom(-90_000, -5_000, 0, 1, 3_000, 20_000),
  prequeueMs: fc.constantFrom(null, 1, 4_000, 30_000),
  lengthMs: fc.constantFrom(1_000, 25_000, 300_000),
  suspended: fc.constantFrom(false, false, false, true),
  shuffle: fc.boolean(),
  overrides: fc.record({
    permitsMax: fc.constantFrom(null, 1, 4, 8),
    startsPerMinuteMax: fc.constantFrom(null, 12, 100_000),
    leaseMs: fc.constantFrom(null, 8_000, 90_000),
    leaseRenews: fc.constantFrom(null, true, false),
    queueingMethod: fc.constantFrom(
      null,
      null,
      "fifo" as const,
      "reject" as const,
      "passthrough" as const,
    ),
  }),
});
export type EventPlanned = typeof eventPlanned extends fc.Arbitrary<infer T> ? T : never;

export const plannedAt = (events: readonly EventPlanned[], now: number): readonly PlannedEvent[] =>
  plannedEventsOf({
    events: {
      changedAt: instant(1),
      list: events.map(({ inMs, prequeueMs, lengthMs, ...more }, id) => {
        const startsAt = now + inMs + (prequeueMs ?? 0);
        const prequeueAt = prequeueMs === null ? null : instant(now + inMs);
        return roomEvent(startsAt, {
          ...more,
          id,
          prequeueAt,
          endsAt: instant(startsAt + lengthMs),
        });
      }),
    },
  });

/** The limits at this moment, read off the list. Nothing is announced here, so nothing is drawn. */
export const naiveLimits = (
  own: RoomLimits,
  events: readonly PlannedEvent[],
  now: number,
): RoomLimits => {
  const [on] = events
    .filter((event) => !event.suspended)
    .map((event) => ({ ...event, from: event.prequeueAt ?? event.startsAt }))
    .filter(({ from, endsAt }) => from <= now && now < endsAt)
    .toSorted((a, b) => a.from - b.from);
  if (on === undefined) return own;
  if (now < on.startsAt) return { ...own, paused: true };
  const set = Object.entries(on.overrides).filter(([, value]) => value !== null);
  const { queueingMethod, ...limits } = Object.fromEntries(set) as Partial<
    PlannedEvent["overrides"]
  >;
  const lets = queueingMethod === "passthrough" ? { suspended: true } : {};
  return { ...own, ...limits, ...lets } as RoomLimits;
};
