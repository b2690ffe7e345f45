import type { RoomLimits } from "../../src/core/definition.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import type { TicketNumber, VisitId } from "../../src/core/ids.ts";
import { BATCH_OPS_MAX } from "../../src/core/room/batch.ts";
import type { Command, Op } from "../../src/core/room/commands.ts";
import { MemoryRoomStore } from "../../src/core/room/memory-store.ts";
import { restoreRoom } from "../../src/core/room/state.ts";
import type { RoomState } from "../../src/core/room/state.ts";
import { step } from "../../src/core/room/step.ts";
import type { RoomOutcome, RoomReplies } from "../../src/core/room/step.ts";
import { instant } from "../../src/core/time.ts";
import { Batches } from "./batches.ts";
import { LIMITS } from "../../test/support/limits.ts";

const NOW = 1_800_000_000_000;
/** Each part of a life is a batch of at most so many. */
const TOGETHER = BATCH_OPS_MAX / 2;
/** A lobby holds no more than the platform's sockets; those who are called claim by the first. */
const EACH_LOBBY = 10_000;
const LOBBIES = 128;

/** A room of the real core that can be made as large, and as old, as a measurement wants it. */
export class GrownRoom {
  readonly #store = new MemoryRoomStore();
  readonly #limits: RoomLimits;
  readonly #batches = new Batches();
  /** Those before `#over` have ended. */
  #visits: VisitId[] = [];
  #over = 0;
  readonly #called: TicketNumber[] = [];
  readonly #state: RoomState;
  #now = NOW;
  #joined = 0;

  constructor(limits: Partial<RoomLimits> = {}) {
    this.#limits = { ...LIMITS, startsPerMinuteMax: 1_000_000_000, lobbiesMin: LOBBIES, ...limits };
    this.#state = restoreRoom(this.#store.load(), "bench", instant(NOW));
    this.#run({ type: "configure", limits: this.#limits });
  }

  /** The last number that was given out. */
  get joined(): number {
    return this.#joined;
  }

  /** `from`: each by an address that was never seen before, where those are counted. */
  join(count: number, from: "nowhere" | "new addresses" = "nowhere"): void {
    for (let left = count; left > 0; left -= BATCH_OPS_MAX) {
      const together = Math.min(left, BATCH_OPS_MAX);
      const lobby = Math.floor(this.#joined / EACH_LOBBY) % LOBBIES;
      const joins = Array.from({ length: together }, (_, at): Op => {
        const address = from === "nowhere" ? null : `address-${this.#joined + at}`;
        return { op: "join", address };
      });
      const refused = this.#batch(lobby, joins).replies.find(({ kind }) => kind === "refused");
      if (refused !== undefined) throw new Error(JSON.stringify(refused));
      this.#joined += together;
    }
  }

  /** So many visits end; whoever is called for them claims. */
  turnOver(count: number): void {
    const ended = this.#visits.slice(this.#over, this.#over + count);
    this.#over += ended.length;
    if (2 * this.#over > this.#visits.length) {
      this.#visits = this.#visits.slice(this.#over);
      this.#over = 0;
    }
    this.#batch(
      0,
      ended.map((visit): Op => ({ op: "end", visit, afterMs: 0 })),
    );
    this.claim();
  }

  /** Everybody who has been called comes. */
  claim(): void {
    while (this.#called.length > 0) {
      const numbers = this.#called.splice(0, TOGETHER);
      const { replies } = this.#batch(
        0,
        numbers.map((number): Op => ({ op: "claim", number })),
      );
      for (const reply of replies) {
        if (reply.kind !== "visit") throw new Error(`no visit but ${reply.kind}`);
        this.#visits.push(reply.visit.visit);
      }
    }
  }

  /** So many visitors come, enter at once where there is room, and go. The clock goes on. */
  live(count: number): void {
    for (let left = count; left > 0; left -= TOGETHER) {
      const together = Math.min(left, TOGETHER);
      this.join(together);
      this.claim();
      this.turnOver(together);
      this.#now += 2_000;
    }
  }

  position(number: number): number | null {
    const op = { op: "rejoin", number: ticketNumber(number), heardAt: instant(this.#now) } as const;
    const [reply] = this.#batch(0, [{ ...op, exact: false }]).replies;
    if (reply?.kind !== "place") throw new Error(`no place but ${reply?.kind}`);
    return reply.place.ahead;
  }

  blink(number: number): void {
    const one = [ticketNumber(number)];
    this.#batch(0, [], { away: one });
    this.#batch(0, [], { present: one });
  }

  renew(): void {
    const visit = this.#visits[this.#over];
    if (visit === undefined) throw new Error("nobody is inside");
    this.#batch(0, [{ op: "renew", visit }]);
  }

  tick(): void {
    this.#now += 1_000;
    this.#run({ type: "tick" });
  }

  snapshot(): void {
    this.#run({ type: "snapshot", since: null });
  }

  /** As after a crash, from its rows alone; what that took, in milliseconds. */
  restart(): number {
    const stored = this.#store.load();
    const startedAt = performance.now();
    restoreRoom(stored, "again", instant(this.#now));
    return performance.now() - startedAt;
  }

  #batch(lobby: number, ops: readonly Op[], presence = {}): RoomReplies["batch"] {
    return this.#run({ type: "batch", batch: this.#batches.next(lobby, ops, presence) }).reply;
  }

  #run<Type extends Command["type"]>(
    command: Extract<Command, { type: Type }>,
  ): RoomOutcome<RoomReplies[Type]> {
    const outcome = step<Type>(this.#state, command, this.#now);
    // What happened to whom is read only when an operator asks; here it would fill the memory.
    this.#store.write(
      outcome.changes.filter((change) => !("put" in change && change.put === "happened")),
    );
    for (const calls of outcome.calls.values())
      this.#called.push(...calls.map(({ number }) => number));
    return outcome;
  }
}
