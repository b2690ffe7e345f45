import type { VisitId } from "../ids.ts";
import type { EndedVisit } from "../snapshot.ts";
import { isOver, type InstantMs } from "../time.ts";

const LOOK_AT_ALL_ABOVE = 1_000;

/**
 * Visits that ended before their passes did, in the order in which they ended. Edges ask for what is
 * new since a version; an entry goes when the last pass for its visit has run out.
 */
export class EndedVisits {
  #entries: EndedVisit[] = [];
  /** Those before it are forgotten; they make room when they are half of all. */
  #first = 0;
  /** Beyond so many all are looked at, for those who stand behind one whose passes last long. */
  #lookAtAllAbove = LOOK_AT_ALL_ABOVE;
  #version = 0;
  #unsaved: EndedVisit[] = [];

  /** After a start the versions begin anew, under another boot. */
  constructor(saved: Iterable<EndedVisit> = []) {
    for (const { visit, passesUntil } of saved) this.#append(visit, passesUntil);
  }

  get version(): number {
    return this.#version;
  }

  add(visit: VisitId, passesUntil: InstantMs, now: InstantMs): void {
    if (isOver(passesUntil, now)) return;
    this.#unsaved.push(this.#append(visit, passesUntil));
  }

  /** Takes over what another list has said: a delta that goes on where this one stands. */
  follow(entries: readonly EndedVisit[], version: number): void {
    for (const entry of entries) if (entry.version > this.#version) this.#entries.push(entry);
    this.#version = version;
  }

  /** What ended after `version`, or everything still of use when that is unknown. */
  since(version: number | null, now: InstantMs): EndedVisit[] {
    const from = version === null ? this.#first : this.#firstAfter(version);
    return this.#entries.slice(from).filter((entry) => !isOver(entry.passesUntil, now));
  }

  drainUnsaved(): EndedVisit[] {
    const unsaved = this.#unsaved;
    this.#unsaved = [];
    return unsaved;
  }

  /**
   * Forgets visits that no live pass can name, in the order in which they ended: one behind another
   * whose passes last longer may stay for a while. True when there were some. A step pays for those
   * that go, not for those that stay.
   */
  forget(now: InstantMs): boolean {
    const { length } = this.#entries;
    if (length - this.#first > this.#lookAtAllAbove) {
      const kept = this.#entries.slice(this.#first).filter((entry) => !hasRunOut(entry, now));
      const isLess = kept.length < length - this.#first;
      this.#keep(kept);
      this.#lookAtAllAbove = LOOK_AT_ALL_ABOVE + 2 * kept.length;
      return isLess;
    }
    const before = this.#first;
    while (this.#first < length && hasRunOut(this.#entries[this.#first], now)) this.#first += 1;
    const isLess = this.#first > before;
    if (2 * this.#first > length) this.#keep(this.#entries.slice(this.#first));
    return isLess;
  }

  #keep(entries: EndedVisit[]): void {
    this.#entries = entries;
    this.#first = 0;
  }

  #append(visit: VisitId, passesUntil: InstantMs): EndedVisit {
    this.#version += 1;
    const entry = { visit, version: this.#version, passesUntil };
    this.#entries.push(entry);
    return entry;
  }

  #firstAfter(version: number): number {
    let low = this.#first;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.version ?? Infinity) <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const hasRunOut = (entry: EndedVisit | undefined, now: InstantMs): boolean =>
  entry !== undefined && isOver(entry.passesUntil, now);
