import type { Ports } from "./ports.ts";

/** What nobody limits may last. */
const NO_LIMIT = Infinity;

/**
 * Says once that one of several ends has kept the others waiting for longer than it may. One timer of
 * the runtime, however much moves.
 */
export class IdleTimer<End extends string> {
  readonly #ports: Pick<Ports, "now" | "timer">;
  /** In milliseconds; null: that end may take as long as it likes. */
  readonly #limits: Readonly<Record<End, number | null>>;
  readonly #late: (end: End) => void;
  /** Whichever end is waited for, it cannot be late before this. */
  readonly #shortestMs: number;
  #end: End;
  #since: number;
  #stop: () => void;

  /** `first` is waited for from now on. */
  constructor(
    ports: Pick<Ports, "now" | "timer">,
    limits: Readonly<Record<End, number | null>>,
    first: End,
    late: (end: End) => void,
  ) {
    this.#ports = ports;
    this.#limits = limits;
    this.#late = late;
    let shortestMs = NO_LIMIT;
    for (const end in limits) shortestMs = Math.min(shortestMs, limits[end] ?? NO_LIMIT);
    this.#shortestMs = shortestMs;
    this.#end = first;
    this.#since = ports.now();
    this.#stop = this.#lookIn(this.#shortestMs);
  }

  /** Which end is waited for. */
  get end(): End {
    return this.#end;
  }

  /** Something moved: from now on it waits for this end. */
  waitFor(end: End): void {
    this.#end = end;
    this.#since = this.#ports.now();
  }

  stop(): void {
    this.#stop();
  }

  #lookIn(ms: number): () => void {
    if (ms === NO_LIMIT) return () => undefined;
    return this.#ports.timer(ms, () => this.#look());
  }

  #look(): void {
    const now = this.#ports.now();
    // A clock that ran back makes it wait for one span more, and no longer.
    this.#since = Math.min(this.#since, now);
    const leftMs = (this.#limits[this.#end] ?? NO_LIMIT) - (now - this.#since);
    if (leftMs <= 0) return this.#late(this.#end);
    this.#stop = this.#lookIn(Math.min(leftMs, this.#shortestMs));
  }
}
