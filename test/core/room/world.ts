import type { RoomLimits } from "../../../src/core/definition.ts";
import { lobbyIndex, ticketNumber, type TicketNumber } from "../../../src/core/ids.ts";
import type { Batch, Command, Op, OpReply } from "../../../src/core/room/commands.ts";
import { MemoryRoomStore } from "../../../src/core/room/memory-store.ts";
import { restoreRoom, type RoomState } from "../../../src/core/room/state.ts";
import { step, type Outcome, type Replies } from "../../../src/core/room/step.ts";
import { instant } from "../../../src/core/time.ts";

export const LIMITS: RoomLimits = {
  permit: "visit",
  permitsMax: 2,
  startsPerMinuteMax: 100_000,
  startsPerSecondMax: null,
  ring: "calendar",
  ringGuardMs: 100,
  leaseMs: 300_000,
  leaseRenews: true,
  claimWithinMs: 60_000,
  returnWindowMs: 3_600_000,
  visitMaxMs: null,
  lineMax: 5_000_000,
  lobbiesMin: 1,
  joinsPerAddressPerMinuteMax: null,
  held: false,
  closed: null,
  suspended: false,
  message: null,
};

/** A room on a clock of the test's own, with a store that survives `crash()`. */
export class World {
  now = 1_800_000_000_000;
  readonly store = new MemoryRoomStore();
  state: RoomState;
  last: Outcome<unknown> | null = null;
  #boots = 0;
  #sequences = new Map<string, number>();

  constructor(limits: Partial<RoomLimits> = {}) {
    this.state = this.#load();
    this.run({ type: "configure", limits: { ...LIMITS, ...limits } });
  }

  run<Type extends Command["type"]>(command: Extract<Command, { type: Type }>): Replies[Type] {
    const outcome = step<Type>(this.state, command, this.now);
    this.store.write(outcome.changes);
    this.last = outcome;
    return outcome.reply;
  }

  configure(limits: Partial<RoomLimits>): void {
    this.run({ type: "configure", limits: { ...this.state.limits, ...limits } });
  }

  batch(ops: readonly Op[], more: Partial<Batch> = {}): readonly OpReply[] {
    const lobby = more.lobby ?? lobbyIndex(0);
    const instance = more.instance ?? "a";
    const key = `${lobby}/${instance}`;
    const sequence = more.sequence ?? (this.#sequences.get(key) ?? 0) + 1;
    this.#sequences.set(key, sequence);
    const held = more.held ?? (sequence === 1 ? [] : null);
    const batch: Batch = { lobby, instance, sequence, ops, present: [], away: [], held, ...more };
    return this.run({ type: "batch", batch: { ...batch, held } }).replies;
  }

  one(op: Op, more: Partial<Batch> = {}): OpReply {
    const [reply] = this.batch([op], more);
    if (reply === undefined) throw new Error("one wish gets one reply");
    return reply;
  }

  join(more: Partial<Batch> = {}): TicketNumber {
    const reply = this.one({ op: "join", address: null }, more);
    if (reply.kind !== "place") throw new Error(`no place but ${JSON.stringify(reply)}`);
    return reply.place.number;
  }

  claim(number: number): OpReply {
    return this.one({ op: "claim", number: ticketNumber(number) });
  }

  end(visit: number, afterMs = 0): OpReply {
    return this.one({ op: "end", visit: ticketNumber(visit), afterMs });
  }

  tick(ms = 0): void {
    this.now += ms;
    this.run({ type: "tick" });
  }

  /** The process dies: only what was written is left. */
  crash(): void {
    this.state = this.#load();
  }

  #load(): RoomState {
    this.#boots += 1;
    return restoreRoom(this.store.load(), `boot-${this.#boots}`, instant(this.now));
  }
}
