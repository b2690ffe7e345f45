import fc from "fast-check";
import type { RoomLimits } from "../../../src/core/definition.ts";
import type { PaceAsk } from "../../../src/core/pace/signal.ts";
import { LIMITS } from "../../support/limits.ts";
import { eventPlanned } from "./naive-events.ts";

/** A number, by what it is at that moment: the k-th of those, or any at all. */
const who = fc.record({
  of: fc.constantFrom("called", "visiting", "line", "any"),
  k: fc.nat(7),
});
const some = fc.array(who, { maxLength: 3 });

/** Which of three visitors; 0 is one whom nobody knows. */
const visitor = fc.nat(3);
const heard = {
  agoMs: fc.constantFrom(0, 1_000, 59_999, 60_000, 74_999, 75_000),
  exact: fc.boolean(),
};

const op = fc.oneof(
  { arbitrary: fc.record({ op: fc.constant("join"), address: fc.nat(2), visitor }), weight: 6 },
  {
    arbitrary: fc.record({
      op: fc.constant("claim"),
      who,
      visitor,
      heard: fc.option(fc.record(heard), { freq: 2 }),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      op: fc.constant("end"),
      who,
      afterMs: fc.constantFrom(0, 0, 0, 907, 30_011),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      op: fc.constant("enter"),
      transient: fc.boolean(),
      address: fc.nat(2),
      visitor,
      number: fc.option(who, { freq: 2 }),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ op: fc.constant("rejoin"), who, ...heard }), weight: 3 },
  { arbitrary: fc.record({ op: fc.constant("leave"), who }), weight: 1 },
  { arbitrary: fc.record({ op: fc.constant("renew"), who }), weight: 2 },
  { arbitrary: fc.record({ op: fc.constant("peek"), who }), weight: 1 },
);
export type PlannedOp = typeof op extends fc.Arbitrary<infer T> ? T : never;

/** lost: the process dies before the step is written. unanswered: after it, before it is answered. */
const fate = fc.constantFrom("answered", "answered", "answered", "answered", "lost", "unanswered");

const limits: fc.Arbitrary<RoomLimits> = fc.record({
  permit: fc.constant("visit" as const),
  permitsMax: fc.integer({ min: 1, max: 5 }),
  startsPerMinuteMax: fc.constantFrom(100_000, 100_000, 9, 30, 90),
  startsPerSecondMax: fc.constantFrom(null, null, 1, 2, 3),
  ring: fc.constantFrom("calendar" as const, "sliding" as const),
  ringGuardMs: fc.constantFrom(0, 100, 300),
  leaseMs: fc.constantFrom(10_000, 60_000, 400_000),
  leaseRenews: fc.boolean(),
  claimWithinMs: fc.constantFrom(5_000, 20_000),
  returnWindowMs: fc.constant(60_000),
  visitMaxMs: fc.constantFrom(null, null, 25_000),
  lineMax: fc.constantFrom(5_000_000, 4),
  lobbiesMin: fc.constant(1),
  joinsPerAddressPerMinuteMax: fc.constantFrom(null, null, 2),
  paused: fc.constantFrom(false, false, false, false, true),
  closed: fc.constantFrom(null, null, null, null, null, "sold out"),
  suspended: fc.constantFrom(false, false, false, false, false, true),
  message: fc.constant(null),
});

const events = fc.array(eventPlanned, { maxLength: 2 });

const ask: fc.Arbitrary<PaceAsk | "taken-back"> = fc.option(
  fc.record({
    permits: fc.constantFrom(null, 1, 2, 4, 9),
    startsPerSecond: fc.constantFrom(null, null, 1, 2),
    startsPerMinute: fc.constantFrom(null, null, 8, 40),
    stockLeft: fc.constantFrom(null, null, 0, 1, 3),
    ttlSeconds: fc.constantFrom(1, 5, 40, 3_600),
    reason: fc.constant("because"),
  }),
  { freq: 6, nil: "taken-back" as const },
);

const lobby = fc.nat(2);
const action = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant("batch" as const),
      lobby,
      ops: fc.array(op, { minLength: 1, maxLength: 4 }),
      present: some,
      away: some,
      roster: fc.option(fc.array(who, { maxLength: 6 }), { freq: 6 }),
      fate,
    }),
    weight: 12,
  },
  {
    arbitrary: fc.record({ do: fc.constant("again" as const), lobby, back: fc.nat(2) }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      ms: fc.constantFrom(1, 40, 333, 999, 1_000, 4_999, 5_000, 20_000, 61_000),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("jump" as const),
      ms: fc.constantFrom(-86_400_000, -2_500, -999, -1, 90_000, 3_600_000),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant("tick" as const) }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("wake" as const) }), weight: 3 },
  {
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      who,
      afterMs: fc.constantFrom(0, 0, 2_003),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant("revoke-all" as const) }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("snapshot" as const) }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("configure" as const), limits, events }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("signal" as const), ask }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("crash" as const) }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("reborn" as const), lobby }), weight: 1 },
);
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

export const history = fc.record({
  limits: fc.oneof(fc.constant(LIMITS), limits),
  actions: fc.array(action, { minLength: 1, maxLength: 90, size: "max" }),
});
