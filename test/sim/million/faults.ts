import type { SourcePatch } from "./virtual-modules.ts";

export interface FaultOfShell {
  readonly name: string;
  readonly patches: readonly SourcePatch[];
  /** Which check has to notice. */
  readonly noticed: RegExp;
}

/** What could go wrong between the core and its visitors, each thing on its own. Faults of the core alone: test/sim/faults.ts. */
export const FAULTS_OF_SHELLS: readonly FaultOfShell[] = [
  {
    name: "the newest is called first",
    patches: [
      [
        "src/core/line/line.ts",
        "let spot = spots.first();",
        "let spot = spots.at(spots.size - 1);",
      ],
    ],
    noticed: /overtook|a free permit lies beside/,
  },
  {
    name: "a repeated batch is done again",
    patches: [
      [
        "src/core/room/batch.ts",
        "if (batch.sequence > lobby.sequence || lobby.answer === null) return null;",
        "if (batch.sequence > 0) return null;",
      ],
    ],
    noticed: /a repeated batch issues nothing/,
  },
  {
    name: "a lobby tells everybody one place too few",
    patches: [
      [
        "src/durable/lobby/broadcasts.ts",
        "return JSON.stringify(positionOf(place, before, roomStatus, now));",
        "return JSON.stringify(positionOf({ ...place, ahead: (place.ahead ?? 0) + 1500 }, before, roomStatus, now));",
      ],
    ],
    noticed: /told so many ahead|what a position is/,
  },
  {
    name: "a lobby goes on telling the first positions that it heard",
    patches: [
      [
        "src/durable/lobby/room-updates.ts",
        "this.#tick(update.positionsTable, this.#heard);",
        "this.#tick((this.first ??= update.positionsTable), this.#heard);",
      ],
    ],
    noticed: /told so many ahead/,
  },
  {
    name: "the Room answers before it writes",
    patches: [
      [
        "src/durable/room/room.ts",
        "  #load(): RoomState {",
        "  #writes = 0;\n  #load(): RoomState {",
      ],
      [
        "src/durable/room/room.ts",
        "this.#store.write(outcome.changes);",
        "if ((this.#writes += 1) % 9 > 0) this.#store.write(outcome.changes);",
      ],
    ],
    noticed: /.+/,
  },
  {
    name: "a lobby forgets whom a visitor is",
    patches: [
      [
        "src/durable/lobby/tickets.ts",
        "const underWay = this.#joining.get(ask.visitor);",
        "const underWay = undefined;",
      ],
    ],
    noticed: /came back and is/,
  },
];
