import type { TicketNumber } from "../../core/ids.ts";
import type { LiveVisit } from "../../core/room/commands.ts";
import type { InstantMs } from "../../core/time.ts";

/**
 * How a wait ended. A visit: its turn has come · called: its turn has come, but it has to claim it
 * · over: it has waited long enough · gone: its client left · replaced: another request brought the
 * same ticket · taken: its isolate has passed a permit to it
 */
export type WaitEnd = LiveVisit | "called" | "over" | "gone" | "replaced" | "taken";

/** One request that waits for its turn. Its wait ends once. */
export class WaitingRequest {
  readonly waitId: string;
  /** The isolate that may pass permits to it by itself; null: none. */
  readonly isolate: string | null;
  /** Since when it stands in line, by the lobby's reading of the Room's clock. */
  readonly joinedAt: InstantMs;
  /** Null until the Room has given it one. */
  number: TicketNumber | null = null;
  readonly settled: Promise<WaitEnd>;
  #why: WaitEnd | null = null;
  #resolve: (why: WaitEnd) => void = () => undefined;

  constructor(waitId: string, joinedAt: InstantMs, isolate: string | null = null) {
    this.waitId = waitId;
    this.isolate = isolate;
    this.joinedAt = joinedAt;
    this.settled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Null while it goes on. */
  get why(): WaitEnd | null {
    return this.#why;
  }

  /** False if it had come to its end before. */
  settle(why: WaitEnd): boolean {
    if (this.#why !== null) return false;
    this.#why = why;
    this.#resolve(why);
    return true;
  }
}
