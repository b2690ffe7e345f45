/**
 * Turns that a lobby lends to an isolate: to which of its requests the isolate may pass permits that
 * come free there, without asking first. What the Room lends to the lobby is batons.ts.
 */
import type { TicketNumber } from "../ids.ts";

/** A request of the isolate, and its number in line. */
export interface LentTurn {
  readonly wait: string;
  readonly number: TicketNumber;
}

/** The head of the line, in order. */
export interface LentTurns {
  readonly turns: readonly LentTurn[];
  /** How long they may be used, counted from before the isolate asked. */
  readonly forMs: number;
}

/** With fewer left, or for less long, the isolate tells of each baton at once, and so learns more. */
const PLENTY_MIN = 8;
const PLENTY_MS = 60;

/** What one isolate has been lent by one lobby: always what the latest answer says. */
export class LentLine {
  #turns: readonly LentTurn[] = [];
  #used = 0;
  #from = 0;
  #until = 0;
  #stamp = 0;

  /**
   * An answer of the lobby to what was sent at `sentAt`. The lobby numbers its answers: while an
   * earlier one is on its way, somebody before these may have been let in by it, so that nothing is lent.
   */
  told(stamp: number, lent: LentTurns | null, sentAt: number): void {
    const isNext = stamp === 1 || stamp === this.#stamp + 1;
    this.#stamp = stamp === 1 ? 1 : Math.max(stamp, this.#stamp);
    this.#turns = isNext && lent !== null ? lent.turns : [];
    this.#used = 0;
    this.#from = sentAt;
    this.#until = sentAt + (lent?.forMs ?? 0);
  }

  /** The lobby cannot be reached: nobody knows what it lends. */
  forget(): void {
    this.#turns = [];
    this.#stamp = 0;
  }

  /** Who is next: the first that still waits here. Null where the lobby has to be asked. */
  next(waits: (wait: string) => boolean, now: number): LentTurn | null {
    if (!this.#isValid(now)) return null;
    for (; this.#used < this.#turns.length; this.#used += 1) {
      const turn = this.#turns[this.#used];
      if (turn !== undefined && waits(turn.wait)) return turn;
    }
    return null;
  }

  hasPlenty(now: number): boolean {
    return this.#isValid(now + PLENTY_MS) && this.#turns.length - this.#used >= PLENTY_MIN;
  }

  /** Not while the isolate's clock stands before the moment of asking: it was set back. */
  #isValid(now: number): boolean {
    return now >= this.#from && now < this.#until;
  }
}
