import assert from "node:assert/strict";
import type { Command } from "../../src/core/room/commands.ts";
import type { RoomState } from "../../src/core/room/state.ts";

interface Bounds {
  leaseBy: number;
  readonly overtimeAt: number;
}

/** Until when each visit may last, from what was asked and the limits alone. */
export class VisitTimes {
  readonly #bounds = new Map<number, Bounds>();

  /** After a step that was written: nothing is called or held whose time is over. */
  check({ limits, permits }: RoomState, command: Command, now: number): void {
    this.#renewals(command, now + limits.leaseMs);
    const live = new Set<number>();
    for (const { permit } of permits.all()) {
      const { number } = permit;
      if (permit.state === "called") {
        assert.ok(now < permit.claimBy, `the call of ${number} outlives its claim time`);
        continue;
      }
      live.add(number);
      const { leaseBy, overtimeAt } = this.#boundsOf(number, limits, now);
      assert.ok(now < leaseBy, `visit ${number} outlives its lease`);
      assert.ok(now < overtimeAt, `visit ${number} goes on in overtime`);
    }
    for (const number of this.#bounds.keys()) if (!live.has(number)) this.#bounds.delete(number);
  }

  #boundsOf(number: number, { leaseMs, visitMaxMs }: RoomState["limits"], now: number): Bounds {
    const known = this.#bounds.get(number);
    if (known !== undefined) return known;
    const begun = { leaseBy: now + leaseMs, overtimeAt: now + (visitMaxMs ?? Infinity) };
    this.#bounds.set(number, begun);
    return begun;
  }

  /** A claim of a visit that runs renews it as well. */
  #renewals(command: Command, leaseBy: number): void {
    if (command.type !== "batch") return;
    for (const op of command.batch.ops) {
      const named = op.op === "renew" ? op.visit : op.op === "claim" ? op.number : 0;
      const bounds = this.#bounds.get(named);
      if (bounds !== undefined) bounds.leaseBy = Math.max(bounds.leaseBy, leaseBy);
    }
  }
}
