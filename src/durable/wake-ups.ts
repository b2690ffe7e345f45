/** The Registry's one alarm, shared by all that it has to do later. */
import { earliest, type InstantMs } from "../core/time.ts";

type Alarm = Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">;

/** When one of them has something to do next; null: nothing. */
export type WakeUp = () => InstantMs | null;

export class WakeUps {
  readonly #alarm: Alarm;
  readonly #all: WakeUp[] = [];

  constructor(alarm: Alarm) {
    this.#alarm = alarm;
  }

  add(wakeUp: WakeUp): void {
    this.#all.push(wakeUp);
  }

  /** The alarm stands at the first of them, or not at all. It is a row to set, so it is not set for nothing. */
  async settle(): Promise<void> {
    const standing = await this.#alarm.getAlarm();
    const wakeAt = earliest(...this.#all.map((next) => next()));
    if (wakeAt === standing) return;
    if (wakeAt === null) await this.#alarm.deleteAlarm();
    else await this.#alarm.setAlarm(wakeAt);
  }
}
