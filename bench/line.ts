/**
 * The line of a million against the plain way to keep one: a sorted array of those who are present,
 * and a map from number to lobby. Both in one run; `node bench/line.ts`.
 */
import { lobbyIndex, ticketNumber } from "../src/core/ids.ts";
import { Line } from "../src/core/line/line.ts";
import { instant } from "../src/core/time.ts";
import { bytesHeld } from "../test/support/heap.ts";
import { millisecondsOf } from "./support/timed.ts";

const WAITING = 1_000_000;
const LOBBIES = 128;
const ASKED = 1_000;
/** Positions are asked for so many times over: once would measure the warming up. */
const REPEATS = 100;
const now = instant(0);

interface Contender {
  join(lobby: number): void;
  ahead(n: number): number;
  /** Goes away and comes back. */
  blink(n: number): void;
  callFirst(count: number): void;
}

class Bitmap implements Contender {
  readonly line = new Line();

  join(lobby: number): void {
    this.line.issue(lobbyIndex(lobby));
  }

  ahead(n: number): number {
    return this.line.ahead(ticketNumber(n));
  }

  blink(n: number): void {
    this.line.markAway(ticketNumber(n), now);
    this.line.markPresent(ticketNumber(n));
  }

  callFirst(count: number): void {
    for (const n of this.line.callable(count)) this.line.call(n);
  }
}

class SortedArray implements Contender {
  readonly #present: number[] = [];
  readonly #lobbies = new Map<number, number>();
  readonly #called = new Set<number>();
  #issued = 0;

  join(lobby: number): void {
    this.#issued += 1;
    this.#present.push(this.#issued);
    this.#lobbies.set(this.#issued, lobby);
  }

  ahead(n: number): number {
    let low = 0;
    let high = this.#present.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#present[middle] ?? n) < n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  blink(n: number): void {
    const at = this.ahead(n);
    this.#present.splice(at, 1);
    this.#present.splice(at, 0, n);
  }

  callFirst(count: number): void {
    for (const n of this.#present.splice(0, count)) this.#called.add(n);
  }
}

const ROWS = ["join 1M", "memory", "position", "away + back", "call 1,000"] as const;
type Results = Record<(typeof ROWS)[number], number>;

/** Members that are spread over the line, in no order. */
const asked = Array.from({ length: ASKED }, (_, at) => 1 + ((at * 611_953) % WAITING));

const measure = (make: () => Contender): Results => {
  const bytesBefore = bytesHeld();
  const contender = make();
  const join = millisecondsOf(() => {
    for (let at = 0; at < WAITING; at += 1) contender.join(at % LOBBIES);
  });
  const memory = bytesHeld() - bytesBefore;
  let sum = 0;
  const position = millisecondsOf(() => {
    for (let round = 0; round < REPEATS; round += 1) {
      for (const n of asked) sum += contender.ahead(n);
    }
  });
  if (sum !== REPEATS * asked.reduce((total, n) => total + n - 1, 0))
    throw new Error("wrong positions");
  const blink = millisecondsOf(() => asked.forEach((n) => contender.blink(n)));
  const call = millisecondsOf(() => contender.callFirst(1_000));
  return {
    "join 1M": join,
    memory: memory / 1e6,
    position: (position * 1_000) / (ASKED * REPEATS),
    "away + back": (blink * 1_000) / ASKED,
    "call 1,000": call,
  };
};

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const bitmap: Results[] = [];
const array: Results[] = [];
for (let round = 0; round < 5; round += 1) {
  bitmap.push(measure(() => new Bitmap()));
  array.push(measure(() => new SortedArray()));
}
const units: Record<keyof Results, string> = {
  "join 1M": "ms",
  memory: "MB",
  position: "µs each",
  "away + back": "µs each",
  "call 1,000": "ms",
};
console.log(`${WAITING.toLocaleString("en")} waiting, ${LOBBIES} lobbies; medians of 5 rounds\n`);
console.table(
  Object.fromEntries(
    ROWS.map((row) => [
      `${row} (${units[row]})`,
      {
        "counted bits": Number(median(bitmap.map((result) => result[row])).toPrecision(3)),
        "sorted array": Number(median(array.map((result) => result[row])).toPrecision(3)),
      },
    ]),
  ),
);

const line = new Line();
for (let at = 0; at < WAITING; at += 1) line.issue(lobbyIndex(at % LOBBIES));
const runs = Array.from({ length: WAITING }, (_, at) => ({
  first: ticketNumber(at + 1),
  count: 1,
  lobby: lobbyIndex(at % LOBBIES),
}));
const rows = { issued: WAITING, base: 0, runs, spent: [], called: [] };
const held = runs.filter(({ lobby }) => lobby === 0).map(({ first }) => first);
console.table({
  "restore from 1M rows (ms)": millisecondsOf(() => Line.restore(rows, now)),
  "doubt all (ms)": millisecondsOf(() => line.markAllUnconfirmed()),
  "report of one lobby (ms)": millisecondsOf(() => line.report(lobbyIndex(0), held, "away", now)),
  "table of positions (ms)": millisecondsOf(() => line.positions()),
  "settle all (ms)": millisecondsOf(() => line.settleAll(now)),
});
