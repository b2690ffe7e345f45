import { after, instant, SECOND_MS } from "./time.ts";
import type { InstantMs } from "./time.ts";

/**
 * The Room's clock: the machine's, except that it never runs back.
 *
 * A backward jump becomes an offset of whole seconds, rounded down: the clock stands still for
 * less than a second, then goes on, and its seconds still begin when the machine's (and so the
 * origin's) do. The offset is dropped once the machine has caught up by itself. A forward jump is
 * followed: it can't be told from a long sleep.
 */
export class RoomClock {
  #last: InstantMs;
  #offsetMs = 0;

  private constructor(last: InstantMs) {
    this.#last = last;
  }

  /** Goes on from the last reading that was written, whatever the machine's clock says by now. */
  static restore(last: InstantMs | null): RoomClock {
    return new RoomClock(last ?? instant(0));
  }

  /** The last reading: all that has to be written. */
  toJSON(): InstantMs {
    return this.#last;
  }

  read(machineNow: number): InstantMs {
    if (machineNow >= this.#last) this.#offsetMs = 0;
    const behindMs = this.#last - (machineNow + this.#offsetMs);
    if (behindMs > 0) this.#offsetMs += Math.floor(behindMs / SECOND_MS) * SECOND_MS;
    this.#last = instant(Math.max(this.#last, machineNow + this.#offsetMs));
    return this.#last;
  }

  /** An instant of the Room's clock on the machine's clock, on which alarms are set. */
  onMachine(at: InstantMs): InstantMs {
    return after(at, -this.#offsetMs);
  }
}
