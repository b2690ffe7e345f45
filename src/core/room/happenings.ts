/** What has happened to numbers lately, so that an operator can tell their visitors. */
import type { TicketNumber } from "../ids.ts";
import type { InstantMs } from "../time.ts";
import type { EndReason } from "./visit-ends.ts";

/**
 * joined: its ticket was taken · called · missed: nobody came to the call · left: its visitor gave it
 * up · late: it came back after its return window · entered: its visit began · visit-…: its visit
 * ended · more-time, called-again, removed, visit-stopped: by an operator
 */
const HAPPENINGS = [
  ...["joined", "called", "missed", "left", "late", "entered"],
  ...["visit-inactive", "visit-time-up", "visit-finished", "visit-revoked", "visit-unconfirmed"],
  ...["visit-stopped", "more-time", "called-again", "removed"],
] as readonly What[];

export type What =
  | "joined"
  | "called"
  | "missed"
  | "left"
  | "late"
  | "entered"
  | `visit-${EndReason}`
  | "visit-stopped"
  | "more-time"
  | "called-again"
  | "removed";

export interface Happening {
  readonly what: What;
  readonly at: InstantMs;
}

/** Some 17 bytes each; with four for each visitor those of 65,536 visitors. */
const KEPT_MAX = 262_144;
const KEPT_FIRST = 1_024;

/**
 * The latest happenings of all numbers, in memory only: a row a visitor would cost too much. What
 * was before `since` is not known.
 */
export class Happenings {
  readonly #keptMax: number;
  #numbers: Float64Array;
  #times: Float64Array;
  #whats: Uint8Array;
  /** How many there have been; the next one's place is this modulo the length. */
  #count = 0;
  readonly #begunAt: InstantMs;

  constructor(begunAt: InstantMs, keptMax = KEPT_MAX) {
    const first = Math.min(KEPT_FIRST, keptMax);
    this.#keptMax = keptMax;
    this.#numbers = new Float64Array(first);
    this.#times = new Float64Array(first);
    this.#whats = new Uint8Array(first);
    this.#begunAt = begunAt;
  }

  /** Everything since then is known. */
  get since(): InstantMs {
    const { length } = this.#numbers;
    if (this.#count <= length) return this.#begunAt;
    return (this.#times[this.#count % length] ?? this.#begunAt) as InstantMs;
  }

  note(number: TicketNumber, what: What, now: InstantMs): void {
    if (this.#count === this.#numbers.length && this.#count < this.#keptMax) this.#grow();
    const place = this.#count % this.#numbers.length;
    this.#numbers[place] = number;
    this.#times[place] = now;
    this.#whats[place] = HAPPENINGS.indexOf(what);
    this.#count += 1;
  }

  /** Those of one number, in order. */
  of(number: TicketNumber): readonly Happening[] {
    const found: Happening[] = [];
    const { length } = this.#numbers;
    for (let at = Math.max(0, this.#count - length); at < this.#count; at += 1) {
      const place = at % length;
      if (this.#numbers[place] !== number) continue;
      const what = HAPPENINGS[this.#whats[place] ?? 0];
      if (what !== undefined) found.push({ what, at: (this.#times[place] ?? 0) as InstantMs });
    }
    return found;
  }

  #grow(): void {
    const length = Math.min(this.#keptMax, 2 * this.#numbers.length);
    const numbers = new Float64Array(length);
    const times = new Float64Array(length);
    const whats = new Uint8Array(length);
    numbers.set(this.#numbers);
    times.set(this.#times);
    whats.set(this.#whats);
    this.#numbers = numbers;
    this.#times = times;
    this.#whats = whats;
  }
}
