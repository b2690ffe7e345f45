import type { Ports } from "../platform/ports.ts";

/** Calls `run` once when nothing has moved for so long. One timer, however much moves. */
export class IdleLimit {
  readonly #ports: Pick<Ports, "now" | "timer">;
  readonly #mostMs: number;
  readonly #run: () => void;
  #movedAt: number;
  #stop: () => void;

  constructor(ports: Pick<Ports, "now" | "timer">, mostMs: number, run: () => void) {
    this.#ports = ports;
    this.#mostMs = mostMs;
    this.#run = run;
    this.#movedAt = ports.now();
    this.#stop = ports.timer(mostMs, () => this.#look());
  }

  moved(): void {
    this.#movedAt = this.#ports.now();
  }

  end(): void {
    this.#stop();
  }

  #look(): void {
    // A clock that ran back makes it wait for one span more, and no longer.
    const silentMs = Math.max(0, this.#ports.now() - this.#movedAt);
    if (silentMs >= this.#mostMs) return this.#run();
    this.#stop = this.#ports.timer(this.#mostMs - silentMs, () => this.#look());
  }
}
