/** Batches to the core's Room, as its lobbies would send them: each with the next sequence of its lobby. */
import { lobbyIndex } from "../../src/core/ids.ts";
import type { Batch, Op } from "../../src/core/room/commands.ts";

export class Batches {
  readonly #sequences = new Map<number, number>();

  next(lobby: number, ops: readonly Op[], presence: Partial<Batch> = {}): Batch {
    const sequence = (this.#sequences.get(lobby) ?? 0) + 1;
    this.#sequences.set(lobby, sequence);
    return {
      lobby: lobbyIndex(lobby),
      instance: `${lobby}`,
      sequence,
      ops,
      roster: sequence === 1 ? [] : null,
      present: [],
      away: [],
      ...presence,
    };
  }
}
