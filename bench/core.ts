/**
 * The core with a million waiting: through the Room's own `step`, on its line alone, and against a
 * sorted array of those who wait. `npx node bench/core.ts [--quick]`
 */
import type { RoomLimits } from "../src/core/definition.ts";
import { lobbyIndex, ticketNumber } from "../src/core/ids.ts";
import { Line } from "../src/core/line/line.ts";
import { BATCH_OPS_MAX } from "../src/core/room/batch.ts";
import type { Command, Op } from "../src/core/room/commands.ts";
import { MemoryRoomStore } from "../src/core/room/memory-store.ts";
import { restoreRoom } from "../src/core/room/state.ts";
import { step } from "../src/core/room/step.ts";
import type { RoomOutcome, RoomReplies } from "../src/core/room/step.ts";
import { instant } from "../src/core/time.ts";
import { alternate } from "./support/alternate.ts";
import { Batches } from "./support/batches.ts";
import { full } from "./support/options.ts";
import { LIMITS } from "../test/support/limits.ts";
import { publish } from "./support/report.ts";
import type { Figure, Target } from "./support/report.ts";
import { median, rounded } from "./support/stats.ts";
import { bytesHeld } from "../test/support/heap.ts";
import { millisecondsOf } from "./support/timed.ts";

const WAITING = 1_000_000;
const LOBBIES = 128;
const CALLED = 1_000;
/** Steps in a row that call so many. */
const CALLS = 10;
const ASKED = 1_000;
/** Positions are asked for so many times over: once would measure the warming up. */
const REPEATS = 20;
const ROUNDS = full(7, 2);
const NOW = 1_800_000_000_000;

const ROOM: RoomLimits = {
  ...LIMITS,
  permitsMax: 1,
  startsPerMinuteMax: 1_000_000_000,
  lobbiesMin: LOBBIES,
  paused: true,
};

/** Who waits, in whatever form. Numbers are given from 1. */
interface Contender {
  /** One lobby's joins. */
  join(lobby: number, count: number): void;
  /** How many are ahead of each, all together, so that nothing is optimized away. */
  ahead(numbers: readonly number[]): number;
  /** Away and back again. */
  blink(numbers: readonly number[]): void;
  call(count: number): void;
}

class WholeRoom implements Contender {
  readonly #state = restoreRoom(new MemoryRoomStore().load(), "bench", instant(NOW));
  readonly #batches = new Batches();
  #now = NOW;
  #permits = 0;

  constructor() {
    this.#run({ type: "configure", limits: ROOM });
  }

  join(lobby: number, count: number): void {
    this.#batch(lobby, new Array<Op>(count).fill({ op: "join", address: null }));
  }

  ahead(numbers: readonly number[]): number {
    const ops = numbers.map((n): Op => {
      return { op: "rejoin", number: ticketNumber(n), heardAt: instant(NOW), exact: false };
    });
    const { replies } = this.#batch(0, ops);
    return replies.reduce(
      (sum, reply) => sum + (reply.kind === "place" ? (reply.place.ahead ?? 0) : 0),
      0,
    );
  }

  blink(numbers: readonly number[]): void {
    const branded = numbers.map((n) => ticketNumber(n));
    this.#batch(0, [], { away: branded });
    this.#batch(0, [], { present: branded });
  }

  call(count: number): void {
    this.#permits += count;
    const limits = { ...ROOM, paused: false, permitsMax: this.#permits };
    const { calls } = this.#run({ type: "configure", limits });
    const made = [...calls.values()].reduce((sum, { length }) => sum + length, 0);
    if (made !== count) throw new Error(`${made} calls instead of ${count}`);
  }

  /** What a second of the usher costs: everybody's place for every lobby. */
  tick(): void {
    this.#now += 1_000;
    const { positionsFor } = this.#run({ type: "tick" });
    if (positionsFor.length !== LOBBIES)
      throw new Error(`${positionsFor.length} lobbies were told`);
  }

  #batch(lobby: number, ops: readonly Op[], presence = {}): RoomReplies["batch"] {
    return this.#run({ type: "batch", batch: this.#batches.next(lobby, ops, presence) }).reply;
  }

  #run<Type extends Command["type"]>(
    command: Extract<Command, { type: Type }>,
  ): RoomOutcome<RoomReplies[Type]> {
    return step<Type>(this.#state, command, this.#now);
  }
}

class LineAlone implements Contender {
  readonly #line = new Line();

  join(lobby: number, count: number): void {
    for (let at = 0; at < count; at += 1) this.#line.issue(lobbyIndex(lobby));
  }

  ahead(numbers: readonly number[]): number {
    return numbers.reduce((sum, n) => sum + this.#line.ahead(ticketNumber(n)), 0);
  }

  blink(numbers: readonly number[]): void {
    for (const n of numbers) this.#line.markAway(ticketNumber(n), instant(NOW));
    for (const n of numbers) this.#line.markPresent(ticketNumber(n));
  }

  call(count: number): void {
    for (const n of this.#line.callable(count)) this.#line.call(n);
  }
}

class SortedArray implements Contender {
  readonly #present: number[] = [];
  readonly #lobbies = new Map<number, number>();
  readonly #called = new Set<number>();
  #issued = 0;

  join(lobby: number, count: number): void {
    for (let at = 0; at < count; at += 1) {
      this.#issued += 1;
      this.#present.push(this.#issued);
      this.#lobbies.set(this.#issued, lobby);
    }
  }

  ahead(numbers: readonly number[]): number {
    return numbers.reduce((sum, n) => sum + this.#rank(n), 0);
  }

  blink(numbers: readonly number[]): void {
    for (const n of numbers) this.#present.splice(this.#rank(n), 1);
    for (const n of numbers) this.#present.splice(this.#rank(n), 0, n);
  }

  call(count: number): void {
    for (const n of this.#present.splice(0, count)) this.#called.add(n);
  }

  #rank(n: number): number {
    let low = 0;
    let high = this.#present.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#present[middle] ?? n) < n) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Members that are spread over the line, in no order. */
const asked = Array.from({ length: ASKED }, (_, at) => 1 + ((at * 611_953) % WAITING));
const askedAhead = asked.reduce((sum, n) => sum + n - 1, 0);

interface Round {
  readonly joinMs: number;
  readonly megabytes: number;
  readonly positionUs: number;
  readonly blinkUs: number;
  readonly tickMs: number;
  /** Of the first `CALLED` calls, and of those that follow. */
  readonly firstCallMs: number;
  readonly callMs: number;
}

const measure = (make: () => Contender): Round => {
  const bytesBefore = bytesHeld();
  const contender = make();
  const joinMs = millisecondsOf(() => {
    for (let at = 0; at < WAITING / BATCH_OPS_MAX; at += 1)
      contender.join(at % LOBBIES, BATCH_OPS_MAX);
  });
  const megabytes = (bytesHeld() - bytesBefore) / 2 ** 20;
  const positionMs = millisecondsOf(() => {
    for (let round = 0; round < REPEATS; round += 1)
      if (contender.ahead(asked) !== askedAhead) throw new Error("wrong positions");
  });
  const blinkMs = millisecondsOf(() => contender.blink(asked));
  const tickMs = contender instanceof WholeRoom ? millisecondsOf(() => contender.tick()) : 0;
  const callsMs = Array.from({ length: CALLS }, () => millisecondsOf(() => contender.call(CALLED)));
  return {
    joinMs,
    megabytes,
    positionUs: (positionMs * 1_000) / (ASKED * REPEATS),
    blinkUs: (blinkMs * 1_000) / ASKED,
    tickMs,
    firstCallMs: callsMs[0] ?? Number.NaN,
    callMs: median(callsMs),
  };
};

const rounds = await alternate(
  {
    room: () => measure(() => new WholeRoom()),
    line: () => measure(() => new LineAlone()),
    array: () => measure(() => new SortedArray()),
  },
  ROUNDS,
);

const of = (name: keyof typeof rounds, what: keyof Round) =>
  median(rounds[name].map((round) => round[what]));
const pair = (name: "room" | "line", what: keyof Round, most?: number) => ({
  ours: of(name, what),
  baseline: of("array", what),
  ...(most === undefined ? {} : { target: { of: "ours", most } satisfies Target }),
});
const figures: Figure[] = [
  { what: "a million joins, steps", unit: "ms", ...pair("room", "joinMs", 2_000) },
  { what: "a million joins, line", unit: "ms", ...pair("line", "joinMs", 2_000) },
  { what: "memory, line", unit: "MB", ...pair("line", "megabytes", 16) },
  { what: "memory, whole room", unit: "MB", ...pair("room", "megabytes") },
  { what: `step that calls ${CALLED}`, unit: "ms", ...pair("room", "callMs", 5) },
  { what: "the same, for the first time", unit: "ms", ...pair("room", "firstCallMs") },
  { what: "position, step", unit: "µs", ...pair("room", "positionUs", 10) },
  { what: "position, line", unit: "µs", ...pair("line", "positionUs", 10) },
  { what: "away and back, step", unit: "µs", ...pair("room", "blinkUs") },
  { what: "tick that tells every lobby", unit: "ms", ours: of("room", "tickMs") },
];
publish({
  name: "core",
  title: "The core with a million waiting",
  about:
    `${LOBBIES} lobbies join in batches of ${rounded(BATCH_OPS_MAX)}; against a sorted array of ` +
    "numbers with a map to their lobbies, which keeps no state, writes nothing and answers nobody. " +
    `Medians of ${ROUNDS} alternating rounds.`,
  figures,
});
