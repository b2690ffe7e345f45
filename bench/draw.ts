/**
 * A million numbers drawn at the start of an event, against a list that is shuffled and kept.
 * `npx node bench/draw.ts [--quick]`
 */
import { DrawnOrder } from "../src/core/draw/drawn-order.ts";
import { hex } from "../src/core/hex.ts";
import { lobbyIndex, ticketNumber } from "../src/core/ids.ts";
import { CountedBits } from "../src/core/line/counted-bits.ts";
import { Line } from "../src/core/line/line.ts";
import { instant } from "../src/core/time.ts";
import { alternate } from "./support/alternate.ts";
import { full } from "./support/options.ts";
import { publish, type Figure } from "./support/report.ts";
import { median } from "./support/stats.ts";
import { bytesHeld } from "../test/support/heap.ts";
import { millisecondsOf } from "./support/timed.ts";

const DRAWN = 1_000_000;
const ASKED = 1_000;
const ROUNDS = full(7, 1);

interface Round {
  readonly ranksMs: number;
  readonly numbersMs: number;
  readonly presenceMs: number;
  readonly oneUs: number;
  readonly megabytes: number;
}

interface Contender {
  rankOf(number: number): number;
  numberAt(rank: number): number;
}

const keyed = (seed: number): Contender => {
  const key = new Uint8Array(32).fill(seed);
  const order = new DrawnOrder(key, { first: ticketNumber(1), last: ticketNumber(DRAWN) });
  return {
    rankOf: (number) => order.rankOf(ticketNumber(number)) ?? 0,
    numberAt: (rank) => order.numberAt(rank) ?? 0,
  };
};

/** Fisher and Yates, with the ranks beside the numbers; both as plain lists. */
const shuffled = (seed: number): Contender => {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const numbers = Array.from({ length: DRAWN }, (_, at) => at + 1);
  for (let at = DRAWN - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  const ranks = new Array<number>(DRAWN + 1).fill(0);
  for (const [at, number] of numbers.entries()) ranks[number] = at + 1;
  return {
    rankOf: (number) => ranks[number] ?? 0,
    numberAt: (rank) => numbers[rank - 1] ?? 0,
  };
};

const measured = (make: (seed: number) => Contender) => (): Round => {
  const before = bytesHeld();
  let contender = make(7);
  let sum = 0;
  const oneMs = millisecondsOf(() => {
    for (let asked = 1; asked <= ASKED; asked += 1) sum += contender.rankOf(asked * 997);
  });
  const ranksMs = millisecondsOf(() => {
    contender = make(8);
    for (let number = 1; number <= DRAWN; number += 1) sum += contender.rankOf(number);
  });
  const megabytes = (bytesHeld() - before) / 1e6;
  const numbersMs = millisecondsOf(() => {
    for (let rank = 1; rank <= DRAWN; rank += 1) sum -= contender.numberAt(rank);
  });
  const presenceMs = millisecondsOf(() => {
    const present = new CountedBits();
    for (let number = 1; number <= DRAWN; number += 1) present.add(contender.rankOf(number));
    sum += present.size;
  });
  if (sum === 0) throw new Error("nothing was drawn");
  return { ranksMs, numbersMs, presenceMs, oneUs: oneMs, megabytes };
};

/** Of 8,000 each. */
const LOBBIES = 125;
const NOW = instant(1_800_000_000_000);
const DRAWN_STRETCH = {
  first: ticketNumber(1),
  last: ticketNumber(DRAWN),
  seed: hex(new Uint8Array(32).fill(9)),
};

interface LineRound {
  readonly drawMs: number;
  readonly megabytes: number;
  readonly callUs: number;
  readonly restoreMs: number;
}

/** A line of a million that are present, from the step of its draw on, or the same without a draw. */
const lineMeasured = (isDrawn: boolean) => (): LineRound => {
  const line = new Line();
  for (let n = 0; n < DRAWN; n += 1) line.issue(lobbyIndex(n % LOBBIES));
  const drawn = isDrawn ? [DRAWN_STRETCH] : [];
  const before = bytesHeld();
  const drawMs = millisecondsOf(() => line.draw(drawn));
  const megabytes = (bytesHeld() - before) / 1e6;
  const calledMs = millisecondsOf(() => {
    for (let called = 0; called < ASKED; called += 1) line.call(line.head() ?? ticketNumber(1));
  });
  const runs = Array.from({ length: LOBBIES }, (_, lobby) => ({
    first: ticketNumber(1 + (lobby * DRAWN) / LOBBIES),
    count: DRAWN / LOBBIES,
    lobby: lobbyIndex(lobby),
  }));
  const stored = { issued: DRAWN, base: 0, runs, spent: [], called: [], drawn };
  const restoreMs = millisecondsOf(() => {
    const restored = Line.restore(stored, NOW);
    restored.markAllUnconfirmed();
    if (restored.standing !== DRAWN) throw new Error("somebody is lost");
  });
  return { drawMs, megabytes, callUs: (calledMs / ASKED) * 1_000, restoreMs };
};

const lines = await alternate({ drawn: lineMeasured(true), plain: lineMeasured(false) }, ROUNDS);
const linePair = (what: keyof LineRound): Pick<Figure, "ours" | "baseline"> => ({
  ours: median(lines.drawn.map((round) => round[what])),
  baseline: median(lines.plain.map((round) => round[what])),
});

const rounds = await alternate({ ours: measured(keyed), list: measured(shuffled) }, ROUNDS);
const pair = (what: keyof Round): Pick<Figure, "ours" | "baseline"> => ({
  ours: median(rounds.ours.map((round) => round[what])),
  baseline: median(rounds.list.map((round) => round[what])),
});

publish({
  name: "draw",
  title: "A million numbers drawn",
  about:
    "The keyed permutation of src/core/draw against a list that is shuffled and kept. " +
    `Medians of ${ROUNDS} alternating rounds.`,
  figures: [
    { what: "a draw, and all its ranks", unit: "ms", ...pair("ranksMs") },
    { what: "all numbers in the order of their ranks", unit: "ms", ...pair("numbersMs") },
    { what: "everybody's presence, by rank", unit: "ms", ...pair("presenceMs") },
    { what: "one rank, among the first thousand asked", unit: "µs", ...pair("oneUs") },
    { what: "memory", unit: "MB", ...pair("megabytes") },
    {
      what: "the step of the draw, everybody in line",
      unit: "ms",
      ours: linePair("drawMs").ours,
    },
    { what: "what the line holds more from then on", unit: "MB", ours: linePair("megabytes").ours },
    { what: "one call of the head (baseline: no draw)", unit: "µs", ...linePair("callUs") },
    {
      what: "a restart with everybody in line (baseline: no draw)",
      unit: "ms",
      ...linePair("restoreMs"),
    },
  ],
  notes: ["The list would have to be written down too, so that a restart changes nothing."],
});
