import fc from "fast-check";
import { test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { LIMITS } from "../../support/limits.ts";
import { CORE } from "../../sim/core.ts";
import { agreement } from "./agreement.ts";
import {
  busyHistory,
  history,
  lentHistory,
  toldHistory,
  type Action,
  type PlannedOp,
} from "./histories.ts";
import { RequestTwins } from "./request-twins.ts";

const numRuns = Number(process.env["REQUEST_HISTORIES"] ?? 300);

// Rules that hold of every step of a room of requests are shown here.
test("[REQUEST-16] [REQUEST-2] [REQUEST-5] [REQUEST-6] [REQUEST-7] a room of requests agrees with its plain twin", () => {
  fc.assert(agreement(CORE, history), { numRuns });
});

test("[REQUEST-16] [REQUEST-4] [REQUEST-14] [REQUEST-15] [SCHED-1] it agrees on every moment that it promises, however many it promised", () => {
  fc.assert(agreement(CORE, busyHistory), { numRuns });
});

test("[REQUEST-16] [LENT-1] [LENT-3] [LENT-4] [LENT-5] it agrees on every baton that a lobby passed by itself, and to whom it may", () => {
  fc.assert(agreement(CORE, lentHistory), { numRuns });
});

test("[REQUEST-16] [KEYED-5] it agrees on every turn that it tells those who leave", () => {
  fc.assert(agreement(CORE, toldHistory), { numRuns });
});

const batch = (ops: readonly PlannedOp[], more: object = {}): Action => ({
  do: "batch",
  lobby: 0,
  ops: [...ops],
  present: [],
  away: [],
  roster: null,
  passesBatons: false,
  fate: "answered",
  ...more,
});

/** A history that random ones came upon once in some thousands. */
test("[REQUEST-16] [KEYED-5] it agrees on turns when a baton ends with a number that has been called", () => {
  const limits: RoomLimits = {
    ...LIMITS,
    permit: "request",
    leaseMs: 10_000,
    ringGuardMs: 0,
    returnWindowMs: 8_000,
    tellsTurns: true,
  };
  const asks = (count: number) =>
    Array.from({ length: count }, () => ({ op: "request", holdMs: 0, address: 0 }) as const);
  const waiting = { of: "waiting", k: 0 } as const;
  const twins = new RequestTwins(CORE, { ...limits, permitsMax: 1 });
  const actions: Action[] = [
    { do: "configure", limits: { ...limits, permitsMax: 2, startsPerSecondMax: 3 } },
    batch(asks(4)),
    { do: "moment", k: 0, off: -1 },
    batch(asks(5)),
    { do: "pass", ms: 1_000 },
    batch(
      [
        { op: "end", who: { of: "visiting", k: 0 }, afterMs: 0 },
        { op: "withdraw", who: waiting },
        { op: "rejoin", who: waiting, agoMs: 0, exact: false },
      ],
      { roster: [] },
    ),
    batch([...asks(2), { op: "claim", who: waiting }], { present: [{ of: "waiting", k: 1 }] }),
    batch([{ op: "baton", from: { of: "visiting", k: 0 }, to: { of: "called", k: 0 } }]),
    batch([{ op: "withdraw", who: waiting }, ...asks(1)]),
  ];
  for (const action of actions) twins.act(action);
  twins.compareHistory();
});

/** Another that random ones came upon once in many thousands. */
test("[REQUEST-16] [PERMIT-8] it agrees on whom a visit's end calls that fell due together with others", () => {
  const limits: RoomLimits = {
    ...LIMITS,
    permit: "request",
    permitsMax: 3,
    leaseMs: 10_000,
    claimWithinMs: 5_000,
    ringGuardMs: 0,
  };
  const asks = { op: "request", holdMs: 0, address: 0 } as const;
  const twins = new RequestTwins(CORE, limits);
  const actions: Action[] = [
    batch([asks, asks, asks]),
    batch([{ op: "end", who: { of: "visiting", k: 1 }, afterMs: 12_011 }]),
    { do: "configure", limits: { ...limits, permit: "visit", permitsMax: 1 } },
    batch([{ op: "join", address: 0 }]),
    { do: "pass", ms: 61_000 },
    batch([{ op: "return", who: { of: "waiting", k: 0 }, agoMs: 0, holdMs: 0, address: 0 }]),
  ];
  for (const action of actions) twins.act(action);
  twins.compareHistory();
});
