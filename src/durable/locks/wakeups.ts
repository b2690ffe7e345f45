import { logFailure } from "../log.ts";

/** When a shard looks at its locks without being asked. All instants are the machine's clock. */
export class Wakeups {
  readonly #ctx: DurableObjectState;
  readonly #onTimer: () => void;
  #alarmAt: number | null = null;
  #timer: number | null = null;
  #timerAt = 0;

  constructor(ctx: DurableObjectState, onTimer: () => void) {
    this.#ctx = ctx;
    this.#onTimer = onTimer;
  }

  alarmWentOff(): void {
    this.#alarmAt = null;
  }

  /** Only ever moved earlier: an alarm that comes too early finds nothing, and costs less than a row. */
  setAlarm(at: number): void {
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    this.#ctx.storage.setAlarm(at).catch((error: unknown) => {
      this.#alarmAt = null;
      logFailure("locks-alarm", error);
    });
  }

  /**
   * Calls that wait keep the object awake anyhow, and a timer is more exact than an alarm. Only ever
   * moved earlier, as most waits end before their time: a timer that comes too early looks again. Null:
   * nobody waits.
   */
  keepTimer(at: number | null): void {
    if (at !== null && this.#timer !== null && this.#timerAt <= at) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (at === null) return;
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#timeout(), Math.max(0, at - Date.now()));
  }

  #timeout(): void {
    this.#timer = null;
    try {
      this.#onTimer();
    } catch (error) {
      logFailure("locks-timer", error);
    }
  }
}
