import type { TicketNumber } from "../ids.ts";
import { SECOND_MS } from "../time.ts";
import type { SaleOutcome, SalePoint, WaitPoint, Waits } from "./sale.ts";

/** Points of a curve; with twice as many every other one goes. */
const POINTS_MAX = 600;
/** Waits by arrival: parts of the time in which visitors come. */
const ARRIVAL_PARTS = 120;
/** A number that is gone: it has entered, or left. */
const GONE = -1;

/** Notes what happens in a sale, and adds it up. */
export class SaleTally {
  readonly #grainMs: number;
  readonly #partMs: number;
  readonly #opensMs: number;
  /** When each number joined, by number. */
  readonly #joinedAt: number[] = [];
  readonly #waits: number[] = [];
  /** From the start, of those who came before it. */
  readonly #waitsFromStart: number[] = [];
  readonly #byArrival = Array.from({ length: ARRIVAL_PARTS + 1 }, () => ({ count: 0, sumMs: 0 }));
  readonly #refused = new Map<string, number>();
  #points: SalePoint[] = [];
  #everyMs: number;
  #joined = 0;
  #left = 0;
  #missed = 0;
  #waitingMost = 0;
  #visitingMost = 0;
  #startsMost = 0;
  #second = 0;
  #startsInSecond = 0;
  #lineEndsMs: number | null = null;
  #atMs = 0;
  #waiting = 0;
  #visiting = 0;
  #waitedMs = 0;
  #awakeMs = 0;
  #lobbiesMost = 0;

  /** @param opensMs when the first may go in */
  constructor(arriveMs: number, grainMs: number, opensMs: number) {
    this.#grainMs = grainMs;
    this.#opensMs = opensMs;
    this.#everyMs = grainMs;
    this.#partMs = Math.max(grainMs, arriveMs) / ARRIVAL_PARTS;
  }

  /** Those who have nothing more to wait for. */
  get through(): number {
    const refused = [...this.#refused.values()].reduce((sum, count) => sum + count, 0);
    return this.#waits.length + this.#left + this.#missed + refused;
  }

  join(number: TicketNumber, atMs: number): void {
    this.#joinedAt[number] = atMs;
    this.#joined += 1;
  }

  leave(number: TicketNumber, atMs: number): void {
    const joinedAt = this.#take(number);
    if (joinedAt === null) return;
    this.#left += 1;
    this.#waitedMs += atMs - joinedAt;
  }

  miss(number: TicketNumber): void {
    if (this.#take(number) !== null) this.#missed += 1;
  }

  refuse(reason: string): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  enter(number: TicketNumber, atMs: number): void {
    const joinedAt = this.#take(number);
    if (joinedAt !== null) this.#enter(joinedAt, atMs);
  }

  enterAtOnce(atMs: number): void {
    this.#enter(atMs, atMs);
  }

  /** How it stands now. */
  look(atMs: number, waiting: number, visiting: number, lobbies: number): void {
    const spanMs = atMs - this.#atMs;
    this.#atMs = atMs;
    this.#waiting = waiting;
    this.#visiting = visiting;
    if (waiting > 0) this.#lineEndsMs = null;
    else this.#lineEndsMs ??= atMs;
    this.#waitingMost = Math.max(this.#waitingMost, waiting);
    this.#visitingMost = Math.max(this.#visitingMost, visiting);
    this.#lobbiesMost = Math.max(this.#lobbiesMost, lobbies);
    if (waiting > 0 || visiting > 0) this.#awakeMs += spanMs * (1 + Math.max(1, lobbies));
    this.#point(atMs, waiting, visiting);
  }

  /** A curve has the most of each of its spans: who was there only shortly is seen. */
  #point(atMs: number, waiting: number, visiting: number): void {
    const last = this.#points.at(-1);
    if (last !== undefined && atMs < last.atMs + this.#everyMs) {
      if (waiting <= last.waiting && visiting <= last.visiting) return;
      this.#points[this.#points.length - 1] = mostOf(last, { ...last, waiting, visiting });
      return;
    }
    this.#points.push({ atMs, waiting, visiting, entered: this.#waits.length });
    if (this.#points.length < 2 * POINTS_MAX) return;
    this.#points = this.#points.flatMap((point, at, all) =>
      at % 2 === 0 ? [mostOf(point, all[at + 1] ?? point)] : [],
    );
    this.#everyMs *= 2;
  }

  outcome(visitors: number, isDone: boolean): Omit<SaleOutcome, "drawnMs"> {
    return {
      visitors,
      joined: this.#joined,
      entered: this.#waits.length,
      left: this.#left,
      missed: this.#missed,
      refused: Object.fromEntries(this.#refused),
      waits: waitsOf(this.#waits),
      waitsFromStart: waitsOf(this.#waitsFromStart),
      waitsByArrival: this.#byArrival.flatMap(({ count, sumMs }, part): WaitPoint[] =>
        count === 0 ? [] : [{ atMs: part * this.#partMs, meanMs: sumMs / count }],
      ),
      course: this.#course(),
      waitingMost: this.#waitingMost,
      visitingMost: this.#visitingMost,
      startsMost: this.#startsMost,
      lineEndsMs: this.#waitingMost === 0 ? 0 : this.#lineEndsMs,
      overMs: isDone ? this.#atMs : null,
      waitedMs: this.#waitedMs,
      awakeMs: this.#awakeMs,
      lobbiesMost: this.#lobbiesMost,
      grainMs: this.#grainMs,
    };
  }

  /** Up to how it stands at the end. */
  #course(): readonly SalePoint[] {
    const last = this.#points.at(-1);
    if (last === undefined || last.atMs === this.#atMs) return this.#points;
    const end = { waiting: this.#waiting, visiting: this.#visiting, entered: this.#waits.length };
    return [...this.#points, { atMs: this.#atMs, ...end }];
  }

  #take(number: TicketNumber): number | null {
    const joinedAt = this.#joinedAt[number] ?? GONE;
    if (joinedAt === GONE) return null;
    this.#joinedAt[number] = GONE;
    return joinedAt;
  }

  #enter(joinedAt: number, atMs: number): void {
    const waitedMs = atMs - joinedAt;
    this.#waits.push(waitedMs);
    this.#waitedMs += waitedMs;
    if (joinedAt < this.#opensMs) this.#waitsFromStart.push(atMs - this.#opensMs);
    const part = this.#byArrival[Math.min(ARRIVAL_PARTS, Math.floor(joinedAt / this.#partMs))];
    if (part !== undefined) {
      part.count += 1;
      part.sumMs += waitedMs;
    }
    const second = Math.floor(atMs / SECOND_MS);
    this.#startsInSecond = second === this.#second ? this.#startsInSecond + 1 : 1;
    this.#second = second;
    this.#startsMost = Math.max(this.#startsMost, this.#startsInSecond);
  }
}

/** From when the first of them began. */
const mostOf = (first: SalePoint, second: SalePoint): SalePoint => ({
  ...first,
  waiting: Math.max(first.waiting, second.waiting),
  visiting: Math.max(first.visiting, second.visiting),
});

/** By nearest rank. */
const waitsOf = (waits: readonly number[]): Waits | null => {
  if (waits.length === 0) return null;
  const sorted = Float64Array.from(waits).sort();
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { medianMs: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), longestMs: at(1) };
};
