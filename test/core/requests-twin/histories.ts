import fc from "fast-check";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { LIMITS } from "../../support/limits.ts";

/** A number, by what it is at that moment: the k-th of those, or any at all. */
const who = fc.record({
  of: fc.constantFrom("waiting", "promised", "away", "called", "visiting", "any"),
  k: fc.nat(7),
});
const some = fc.array(who, { maxLength: 3 });
const agoMs = fc.constantFrom(0, 0, 1_000, 7_999, 8_000, 10_000, 59_999, 60_000, 75_000);
const holdMs = fc.constantFrom(0, 999, 1_000, 5_000, 20_000);
const address = fc.nat(2);

const op = fc.oneof(
  { arbitrary: fc.record({ op: fc.constant("request"), holdMs, address }), weight: 10 },
  { arbitrary: fc.record({ op: fc.constant("return"), who, agoMs, holdMs, address }), weight: 7 },
  { arbitrary: fc.record({ op: fc.constant("withdraw"), who }), weight: 4 },
  {
    arbitrary: fc.record({
      op: fc.constant("end"),
      who,
      afterMs: fc.constantFrom(0, 0, 0, 907, 12_011),
    }),
    weight: 7,
  },
  {
    arbitrary: fc.record({
      op: fc.constant("baton"),
      from: fc.record({ of: fc.constantFrom("visiting", "visiting", "any"), k: fc.nat(7) }),
      to: fc.record({ of: fc.constantFrom("waiting", "waiting", "called", "any"), k: fc.nat(3) }),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ op: fc.constant("moment"), holdMs }), weight: 3 },
  { arbitrary: fc.record({ op: fc.constant("renew"), who }), weight: 2 },
  { arbitrary: fc.record({ op: fc.constant("claim"), who }), weight: 2 },
  { arbitrary: fc.record({ op: fc.constant("leave"), who }), weight: 1 },
  { arbitrary: fc.record({ op: fc.constant("peek"), who }), weight: 1 },
  { arbitrary: fc.record({ op: fc.constant("join"), address }), weight: 1 },
  { arbitrary: fc.record({ op: fc.constant("enter"), transient: fc.boolean() }), weight: 1 },
  {
    arbitrary: fc.record({ op: fc.constant("rejoin"), who, agoMs, exact: fc.boolean() }),
    weight: 1,
  },
);
export type PlannedOp = typeof op extends fc.Arbitrary<infer T> ? T : never;

const limits: fc.Arbitrary<RoomLimits> = fc.record({
  permit: fc.constantFrom("request", "request", "request", "request", "visit"),
  permitsMax: fc.integer({ min: 1, max: 5 }),
  startsPerMinuteMax: fc.constantFrom(100_000, 100_000, 100_000, 9, 30),
  startsPerSecondMax: fc.constantFrom(null, 1, 2, 3),
  ring: fc.constantFrom("calendar", "sliding"),
  ringGuardMs: fc.constantFrom(0, 100, 300),
  leaseMs: fc.constantFrom(10_000, 60_000, 400_000),
  leaseRenews: fc.boolean(),
  claimWithinMs: fc.constantFrom(5_000, 20_000),
  returnWindowMs: fc.constantFrom(8_000, 60_000),
  visitMaxMs: fc.constantFrom(null, null, 25_000),
  lineMax: fc.constantFrom(5_000_000, 5_000_000, 4),
  lobbiesMin: fc.constant(1),
  joinsPerAddressPerMinuteMax: fc.constantFrom(null, null, 2),
  paused: fc.constantFrom(false, false, false, false, false, true),
  closed: fc.constantFrom(null, null, null, null, null, "sold out"),
  suspended: fc.constantFrom(false, false, false, false, false, false, false, true),
  message: fc.constant(null),
  requestsPerSecondMax: fc.constantFrom(null, 1, 3),
});

const ops = fc.array(op, { minLength: 1, maxLength: 4 });

const actionOver = (lobby: fc.Arbitrary<number>) =>
  fc.oneof(
    {
      arbitrary: fc.record({
        do: fc.constant("batch" as const),
        lobby,
        ops,
        present: some,
        away: some,
        roster: fc.option(fc.array(who, { maxLength: 6 }), { freq: 8 }),
        passesBatons: fc.boolean(),
        /** lost: the process dies before the step is written. unanswered: after it, before the answer. */
        fate: fc.constantFrom(
          ...(["answered", "answered", "answered", "answered", "answered"] as const),
          ...(["lost", "unanswered"] as const),
        ),
      }),
      weight: 14,
    },
    /** The last batch once more, or a straggler from before it. */
    {
      arbitrary: fc.record({ do: fc.constant("again" as const), lobby, back: fc.nat(2) }),
      weight: 1,
    },
    /** From the life before this one of the lobby: its last batch once more, or one that comes late. */
    {
      arbitrary: fc.record({
        do: fc.constant("echo" as const),
        lobby,
        ops: fc.option(ops, { freq: 2 }),
      }),
      weight: 1,
    },
    {
      arbitrary: fc.record({
        do: fc.constant("pass" as const),
        ms: fc.constantFrom(1, 40, 333, 999, 1_000, 4_999, 5_000, 12_000, 20_000, 61_000),
      }),
      weight: 6,
    },
    /** Until the k-th of the moments that were promised, or a millisecond to either side. */
    {
      arbitrary: fc.record({
        do: fc.constant("moment" as const),
        k: fc.nat(3),
        off: fc.constantFrom(-1, 0, 0, 1),
      }),
      weight: 3,
    },
    {
      arbitrary: fc.record({
        do: fc.constant("jump" as const),
        ms: fc.constantFrom(-86_400_000, -2_500, -999, -1, 90_000, 3_600_000),
      }),
      weight: 1,
    },
    { arbitrary: fc.record({ do: fc.constant("tick" as const) }), weight: 3 },
    { arbitrary: fc.record({ do: fc.constant("wake" as const) }), weight: 4 },
    {
      arbitrary: fc.record({
        do: fc.constant("end" as const),
        who,
        afterMs: fc.constantFrom(0, 0, 2_003),
      }),
      weight: 1,
    },
    { arbitrary: fc.record({ do: fc.constant("revoke-all" as const) }), weight: 1 },
    { arbitrary: fc.record({ do: fc.constant("withhold" as const) }), weight: 1 },
    { arbitrary: fc.record({ do: fc.constant("snapshot" as const) }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant("configure" as const), limits }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant("crash" as const) }), weight: 1 },
    { arbitrary: fc.record({ do: fc.constant("reborn" as const), lobby }), weight: 1 },
  );
const action = actionOver(fc.nat(2));
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const REQUESTS: RoomLimits = { ...LIMITS, permit: "request", leaseMs: 60_000 };

export const history = fc.record({
  limits: fc.oneof(fc.constant(REQUESTS), { arbitrary: limits, weight: 4 }),
  actions: fc.array(action, { minLength: 1, maxLength: 90, size: "max" }),
});

/** Many at once before a slow ring, so that moments are promised far ahead, kept and missed. */
const busyLimits: fc.Arbitrary<RoomLimits> = fc
  .record({
    startsPerSecondMax: fc.constantFrom(1, 2, 3),
    startsPerMinuteMax: fc.constantFrom(100_000, 100_000, 40, 7),
    ring: fc.constantFrom("calendar" as const, "sliding" as const),
    ringGuardMs: fc.constantFrom(0, 100, 300),
    returnWindowMs: fc.constantFrom(8_000, 60_000),
  })
  .map((some) => ({ ...REQUESTS, permitsMax: 40, leaseMs: 10_000, ...some }));

const batchOf = (from: fc.Arbitrary<PlannedOp>, most: number): fc.Arbitrary<Action> =>
  fc.record({
    do: fc.constant("batch" as const),
    lobby: fc.nat(2),
    ops: fc.array(from, { minLength: 1, maxLength: most }),
    present: fc.constant([]),
    away: fc.constant([]),
    roster: fc.constant(null),
    passesBatons: fc.constant(false),
    fate: fc.constant("answered" as const),
  });
const asks = fc.record({ op: fc.constant("request" as const), holdMs, address: fc.constant(0) });
const returns = fc.record({
  op: fc.constant("return" as const),
  who: fc.record({ of: fc.constantFrom("promised", "promised", "away", "waiting"), k: fc.nat(30) }),
  agoMs: fc.constantFrom(0, 1_000, 7_999, 8_000),
  holdMs,
  address: fc.constant(0),
});

const busyAction = fc.oneof(
  { arbitrary: batchOf(asks, 12), weight: 4 },
  { arbitrary: batchOf(returns, 4), weight: 6 },
  { arbitrary: batchOf(op, 2), weight: 2 },
  { arbitrary: action, weight: 6 },
);

export const busyHistory = fc.record({
  limits: busyLimits,
  actions: fc.array(busyAction, { minLength: 1, maxLength: 70, size: "max" }),
});

/** One lobby, and no limit but P: so it is told to whom it may pass batons by itself. */
const lentLimits: fc.Arbitrary<RoomLimits> = fc
  .record({
    permitsMax: fc.integer({ min: 1, max: 5 }),
    startsPerMinuteMax: fc.constantFrom(100_000, 100_000, 390),
  })
  .map((some) => ({ ...REQUESTS, returnWindowMs: 60_000, ...some }));

export const lentHistory = fc.record({
  limits: lentLimits,
  actions: fc.array(actionOver(fc.constant(0)), { minLength: 1, maxLength: 60, size: "max" }),
});

/** Whoever leaves a busy line is told when its turn will be, whatever the limits. */
export const toldHistory = fc
  .record({
    limits: fc.oneof(lentLimits, limits),
    actions: fc.array(busyAction, { minLength: 1, maxLength: 70, size: "max" }),
  })
  .map(({ limits: first, actions }) => ({
    limits: { ...first, tellsTurns: true },
    actions: actions.map((one) =>
      one.do === "configure" ? { ...one, limits: { ...one.limits, tellsTurns: true } } : one,
    ),
  }));
