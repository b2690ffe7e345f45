// Many thousand steps: vitest's expect would take most of the time.
import assert from "node:assert/strict";
import { test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import type { Command, Op } from "../../../src/core/room/commands.ts";
import { step, type RoomOutcome } from "../../../src/core/room/step.ts";
import { instant } from "../../../src/core/time.ts";
import { Promises } from "./promises.ts";
import { seeded } from "./seeded.ts";
import { LIMITS } from "../../support/limits.ts";
import { World } from "./world.ts";

const STEPS = 150;

const someLimits = (random: (below: number) => number): RoomLimits => ({
  ...LIMITS,
  permit: random(6) === 0 ? "visit" : "request",
  permitsMax: 1 + random(5),
  startsPerSecondMax: [null, 1, 2, 3][random(4)] ?? null,
  startsPerMinuteMax: [100_000, 20][random(2)] ?? 20,
  ring: random(2) === 0 ? "calendar" : "sliding",
  leaseMs: 10_000,
  claimWithinMs: 5_000,
  returnWindowMs: 60_000,
  paused: random(10) === 0,
});

/** Requests come, wait, give up, come back and end, while limits change and the room dies. */
const live = (seed: number): void => {
  const random = seeded(seed);
  const w = new World(someLimits(random));
  const promises = new Promises();
  promises.after(w.state, { type: "tick" }, w.last as RoomOutcome<unknown>);
  const run = (command: Command): void => {
    promises.before(w.state);
    const outcome = step(w.state, command, w.now) as RoomOutcome<unknown>;
    w.store.write(outcome.changes);
    promises.after(w.state, command, outcome);
    assert.ok([...w.state.attended.keys()].every((number) => w.state.line.isUnspent(number)));
  };
  const number = () => ticketNumber(1 + random(Math.max(1, w.state.line.issued)));
  const op = (): Op => {
    const heardAt = instant(w.now - random(90_000));
    const ticket = random(3) === 0 ? { number: number(), heardAt } : null;
    const ops: readonly Op[] = [
      { op: "request", ticket, holdMs: 1_000 * random(6), address: null },
      { op: "request", ticket, holdMs: 20_000, address: null },
      { op: "withdraw", number: number() },
      { op: "end", visit: number(), afterMs: random(2) * 700 },
      { op: "end", visit: number(), afterMs: 0 },
      { op: "renew", visit: number() },
      { op: "claim", number: number() },
      { op: "leave", number: number() },
      { op: "join", address: null },
    ];
    return ops[random(ops.length)] ?? { op: "leave", number: number() };
  };
  for (let at = 0; at < STEPS; at += 1) {
    w.now += [0, 1, 250, 1_000, 6_000][random(5)] ?? 0;
    const what = random(20);
    if (what === 0) run({ type: "configure", limits: someLimits(random) });
    else if (what === 1) {
      w.crash();
      promises.restarted(w.state);
    } else if (what === 2)
      run({ type: "batch", batch: w.compose([], { roster: [number(), number()] }) });
    else if (what < 6) run({ type: "tick" });
    else run({ type: "batch", batch: w.compose(Array.from({ length: 1 + random(3) }, op)) });
  }
};

test("[REQUEST-1] [REQUEST-2] [REQUEST-7] a room of requests keeps the promises over random histories", () => {
  const first = Number(process.env["REQUEST_SEED"] ?? 1);
  for (let seed = first; seed < first + 150; seed += 1) {
    try {
      live(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    }
  }
});
