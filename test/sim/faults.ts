import { LIMITS } from "../support/limits.ts";
import type { Patch } from "./faulty.ts";
import type { Knobs } from "./knobs.ts";

export interface Fault {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What the worlds have in common, so that the fault has its occasion. */
  readonly certain?: Partial<Knobs>;
  /** Which check has to notice. */
  readonly noticed: RegExp;
  /** The first world that is tried, where few worlds show the fault. 1 by default. */
  readonly firstWorld?: number;
}

/** What could go wrong in the core, each thing on its own. */
export const FAULTS: readonly Fault[] = [
  {
    name: "the newest is called first",
    patches: [
      ["line/line.ts", "let spot = spots.first();", "let spot = spots.at(spots.size - 1);"],
    ],
    noticed: /overtook/,
  },
  {
    name: "baton and usher both give a permit",
    patches: [
      [
        "permits/permits.ts",
        "return Math.max(0, this.#max - this.out);",
        "return this.#max + 1 - this.out;",
      ],
      ["permits/permits.ts", "invariant(this.#fresh < this.#max,", "invariant(true,"],
    ],
    noticed: /permits are conserved|above P/,
  },
  {
    name: "the ring lets one more start",
    patches: [
      [
        "ring/limiter.ts",
        "perSecondMax - this.#ring.count(now)",
        "perSecondMax + 1 - this.#ring.count(now)",
      ],
    ],
    noticed: /one start too many|invariant broken/,
  },
  {
    name: "the ring is empty after a crash",
    patches: [["room/changed-rows.ts", "starts: state.starts.toJSON(),", "starts: [],"]],
    certain: {
      limits: { ...LIMITS, permitsMax: 10, startsPerSecondMax: 2 },
      configureEveryMs: Infinity,
      crashAfter: 20,
      visitMs: 300,
    },
    noticed: /one start too many/,
  },
  {
    name: "a spent number is taken for unspent after a start",
    patches: [["line/line.ts", "if (spent.has(n)) continue;", ""]],
    noticed: /lives again|must not come back|to two visitors|invariant broken/,
  },
  {
    name: "presence is not rebuilt from reports",
    patches: [["room/lobbies.ts", "state.line.report(batch.lobby, roster, missing, now);", "{}"]],
    noticed: /overtook/,
  },
  {
    name: "the room does not settle after a start",
    patches: [["room/state.ts", "line.markAllUnconfirmed(stored.head?.awayBelow ?? 1);", ""]],
    noticed: /overtook/,
  },
  {
    name: "whoever comes back is not written, and passed over after a start",
    patches: [
      [
        "room/changed-rows.ts",
        "awayBelow !== state.writtenAwayBelow",
        "awayBelow > state.writtenAwayBelow",
      ],
    ],
    noticed: /overtook/,
    firstWorld: 330,
  },
  {
    name: "a repeated batch is done again",
    patches: [
      [
        "room/batch.ts",
        "if (batch.sequence > lobby.sequence || lobby.answer === null) return null;",
        "if (batch.sequence > 0) return null;",
      ],
    ],
    noticed: /done twice/,
  },
  {
    name: "the clock starts anew after a crash",
    patches: [
      ["room/state.ts", "RoomClock.restore(head?.clock ?? null)", "RoomClock.restore(null)"],
    ],
    noticed: /clock/,
  },
  {
    name: "a lowered P is forgotten",
    patches: [
      ["permits/permits.ts", "return Math.max(0, this.#max - this.out);", "return 1;"],
      ["permits/permits.ts", "invariant(this.#fresh < this.#max,", "invariant(true,"],
    ],
    noticed: /permits are conserved|above P/,
  },
  {
    name: "nobody looks at overtime",
    patches: [
      [
        "permits/permit.ts",
        "return endsAt !== null && endsAt < leaseUntil ? endsAt : leaseUntil;",
        "return endsAt === null ? leaseUntil : leaseUntil + 0 * endsAt;",
      ],
    ],
    certain: { limits: { ...LIMITS, visitMaxMs: 5_000 }, visitMs: 8_000 },
    noticed: /goes on in overtime/,
  },
  {
    name: "a visit without a sign of life goes on",
    patches: [
      [
        "room/begin.ts",
        "const leaseUntil = after(now, leaseOf(state, transient));",
        "const leaseUntil = after(now, 10 * leaseOf(state, transient));",
      ],
    ],
    certain: { limits: { ...LIMITS, leaseMs: 10_000 }, configureEveryMs: Infinity },
    noticed: /outlives its lease/,
  },
  {
    name: "a free permit waits for the next tick",
    patches: [
      ["room/step.ts", "  usher(state, now);", '  if (command.type === "tick") usher(state, now);'],
    ],
    noticed: /a free permit lies beside/,
  },
];
