import type { VisitId } from "../ids.ts";
import type { EndedVisit } from "../snapshot.ts";
import { isOver, type InstantMs } from "../time.ts";

/**
 * Visits that ended before their passes did, in the order in which they ended. Edges ask for what is
 * new since a version; an entry goes when the last pass for its visit has run out.
 */
export class EndedVisits {
  #entries: EndedVisit[] = [];
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
    const from = version === null ? 0 : this.#firstAfter(version);
    return this.#entries.slice(from).filter((entry) => !isOver(entry.passesUntil, now));
  }

  drainUnsaved(): EndedVisit[] {
    const unsaved = this.#unsaved;
    this.#unsaved = [];
    return unsaved;
  }

  /** Forgets visits that no live pass can name. True when there were some. */
  forget(now: InstantMs): boolean {
    const first = this.#entries[0];
    if (first === undefined || !isOver(first.passesUntil, now)) return false;
    this.#entries = this.#entries.filter((entry) => !isOver(entry.passesUntil, now));
    return true;
  }

  #append(visit: VisitId, passesUntil: InstantMs): EndedVisit {
    this.#version += 1;
    const entry = { visit, version: this.#version, passesUntil };
    this.#entries.push(entry);
    return entry;
  }

  #firstAfter(version: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.version ?? Infinity) <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
