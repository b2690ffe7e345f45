/** Alerts that a Room has noted and the Registry has not acknowledged: handed over again until it has. */
import { after, instant, isOver, SECOND_MS, type InstantMs } from "../time.ts";
import { NOTED_ALERTS_MAX, type Alert, type NotedAlert } from "./alert.ts";

const AGAIN_FIRST_MS = SECOND_MS;
const AGAIN_MAX_MS = 60 * SECOND_MS;

export class NotedAlerts {
  #list: NotedAlert[];
  #last: number;
  #nextAt: InstantMs = instant(0);
  #againMs = AGAIN_FIRST_MS;

  constructor(list: Iterable<NotedAlert> = [], last = 0) {
    this.#list = [...list].sort((a, b) => a.sequence - b.sequence);
    this.#last = Math.max(last, this.#list.at(-1)?.sequence ?? 0);
  }

  /** The sequence of the alert that was noted last; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** When they are handed over next; null when there are none. */
  get nextAt(): InstantMs | null {
    return this.#list.length === 0 ? null : this.#nextAt;
  }

  /** Answers the alert as it is to be written, and below which sequence there are too many. */
  note(alert: Alert): { readonly noted: NotedAlert; readonly dropUpTo: number | null } {
    this.#last += 1;
    const noted = { ...alert, sequence: this.#last };
    this.#list.push(noted);
    if (this.#list.length <= NOTED_ALERTS_MAX) return { noted, dropUpTo: null };
    const gone = this.#list.shift();
    return { noted, dropUpTo: gone?.sequence ?? null };
  }

  /** What is to be handed over in this step. Without an answer the next try comes later each time. */
  due(now: InstantMs): readonly NotedAlert[] {
    if (this.#list.length === 0 || !isOver(this.#nextAt, now)) return [];
    this.#nextAt = after(now, this.#againMs);
    this.#againMs = Math.min(2 * this.#againMs, AGAIN_MAX_MS);
    return [...this.#list];
  }

  /** The Registry has written them down, up to this one. False where that was known. */
  acknowledged(upTo: number): boolean {
    const before = this.#list.length;
    this.#list = this.#list.filter(({ sequence }) => sequence > upTo);
    if (this.#list.length === before) return false;
    this.#nextAt = instant(0);
    this.#againMs = AGAIN_FIRST_MS;
    return true;
  }
}
