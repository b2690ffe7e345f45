import fc from "fast-check";
import { test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import type { Command, Op } from "../../../src/core/room/commands.ts";
import type { DeskAct } from "../../../src/core/room/desk.ts";
import { step, type RoomOutcome } from "../../../src/core/room/step.ts";
import { Promises } from "./promises.ts";
import { JOIN, World } from "./world.ts";

const who = fc.integer({ min: 1, max: 12 }).map(ticketNumber);
const act: fc.Arbitrary<DeskAct> = fc.oneof(
  fc.record({ act: fc.constant("more-time" as const), ms: fc.constantFrom(60_000, 3_600_000) }),
  fc.constant({ act: "call-again" } as const),
  fc.constant({ act: "call-again" } as const),
  fc.constant({ act: "end" } as const),
);
const action = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("desk" as const), number: who, act }), weight: 5 },
  { arbitrary: fc.record({ do: fc.constant("join" as const) }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("claim" as const), number: who }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("end" as const), number: who }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("present" as const), number: who }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("away" as const), number: who }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      ms: fc.constantFrom(1, 900, 30_000, 60_000, 400_000),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constant("crash" as const) }), weight: 1 },
);

test("[DESK-8] over any history of joins, claims, absences, crashes and help no promise of a step is broken", () => {
  const history = fc.record({
    permitsMax: fc.integer({ min: 1, max: 3 }),
    actions: fc.array(action, { minLength: 1, maxLength: 60, size: "max" }),
  });
  fc.assert(
    fc.property(history, ({ permitsMax, actions }) => {
      const w = new World({ permitsMax, claimWithinMs: 60_000, leaseMs: 300_000 });
      const promises = new Promises();
      const run = (command: Command): void => {
        promises.before(w.state);
        const outcome = step(w.state, command, w.now) as RoomOutcome<unknown>;
        w.store.write(outcome.changes);
        promises.after(w.state, command, outcome);
      };
      const batch = (ops: Op[], more: object = {}) =>
        run({ type: "batch", batch: w.compose(ops, more) });
      for (const one of actions) {
        switch (one.do) {
          case "desk":
            run({ type: "desk", number: one.number, act: one.act });
            break;
          case "join":
            batch([JOIN]);
            break;
          case "claim":
            batch([{ op: "claim", number: one.number }]);
            break;
          case "end":
            batch([{ op: "end", visit: one.number, afterMs: 0 }]);
            break;
          case "present":
            batch([], { present: [one.number] });
            break;
          case "away":
            batch([], { away: [one.number] });
            break;
          case "pass":
            w.now += one.ms;
            run({ type: "tick" });
            break;
          default:
            w.crash();
            promises.restarted(w.state);
        }
      }
    }),
    { numRuns: 300 },
  );
});
