/** Whether what sockets are told of their places was true, and lately. */
import assert from "node:assert/strict";
import type { Positions } from "../../../src/core/line/positions.ts";
import type { BatchAnswer } from "../../../src/core/room/commands.ts";
import type { RoomUpdate } from "../../../src/durable/contract.ts";

/** A lobby tells places by the table of a tick; one tick may be lost, and another take its time. */
const OLD_MS = 3_500;
/** Tables of so many ticks are remembered. */
const TABLES_MAX = 8;

interface ToldTable {
  readonly at: number;
  readonly positions: Positions;
}

/**
 * Each table was held against the line when it was made (told-line.ts). A place that a socket is told
 * lies where one of the last tables has it, or is what the Room itself has last answered.
 */
export class ToldPositions {
  readonly counts = { told: 0, byAnswer: 0, oldestMs: 0 };
  readonly #tables: ToldTable[] = [];
  /** By number, of those that have one. */
  readonly #answered: Int32Array;

  constructor(numbersMax: number) {
    this.#answered = new Int32Array(numbersMax + 1).fill(-1);
  }

  tells({ now, positionsTable }: RoomUpdate): void {
    if (positionsTable === null) return;
    // Of one instant there are two where the Room dies in it.
    if (this.#tables.at(-1)?.positions === positionsTable.positions) return;
    this.#tables.push({ at: now, positions: positionsTable.positions });
    if (this.#tables.length > TABLES_MAX) this.#tables.shift();
  }

  answers({ replies }: BatchAnswer): void {
    for (const reply of replies) {
      if (reply.kind !== "place" && reply.kind !== "not-yet") continue;
      this.#answered[reply.place.number] = reply.place.ahead ?? -1;
    }
  }

  /** A socket is told this now, give or take what the machines' clocks differ. */
  told(number: number, ahead: number, now: number): void {
    this.counts.told += 1;
    for (let at = this.#tables.length - 1; at >= 0; at -= 1) {
      const table = this.#tables[at];
      if (table === undefined || now - table.at > OLD_MS) break;
      const { least, most } = ranksAround(table.positions, number);
      if (ahead < least || ahead > most) continue;
      this.counts.oldestMs = Math.max(this.counts.oldestMs, now - table.at);
      return;
    }
    this.counts.byAnswer += 1;
    const answered = this.#answered[number];
    assert.equal(
      ahead,
      answered,
      `${number} is told so many ahead, and no table and no answer says so`,
    );
  }
}

/** Between which ranks a table has this number. */
const ranksAround = ({ spots, ahead }: Positions, number: number) => {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spots[middle] ?? number) < number) low = middle + 1;
    else high = middle;
  }
  return { least: low === 0 ? 0 : (ahead[low - 1] ?? 0), most: ahead[low] ?? Infinity };
};
