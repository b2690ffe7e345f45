import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./http.ts";

const EVERY_MS = 40;
/** What is timed takes several steps, each of which a busy machine may hold up as long as ours. */
const STEPS = 10;
/** A server that itself stands still for longer than this is not forgiven. */
const SLACK_MAX_MS = 15_000;

interface Beat {
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * Asks a server the least there is to ask, again and again, for tests that hold it to a time: what
 * its plainest answer takes is what the machine, and not the product, makes of that time. On a
 * quiet machine that is a few milliseconds.
 */
export class Pulse {
  readonly #url: string;
  readonly #beats: Beat[] = [];
  #askedAt: number | null = null;
  #isStopped = false;
  readonly #beating: Promise<void>;

  constructor(server: string) {
    this.#url = `${server}/.seiriken/rooms/none`;
    this.#beating = this.#beat();
  }

  /** The slowest answer since then, in milliseconds; `performance.now()`. One not there yet counts. */
  slowestSince(since: number): number {
    const open = this.#askedAt === null ? 0 : performance.now() - this.#askedAt;
    const all = this.#beats.filter(({ answeredAt }) => answeredAt >= since);
    return Math.max(open, ...all.map((beat) => beat.answeredAt - beat.askedAt));
  }

  /** What may be added to a rule's own time for something that began then. */
  slackSince(since: number): number {
    return Math.min(SLACK_MAX_MS, STEPS * this.slowestSince(since));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#beating;
  }

  async #beat(): Promise<void> {
    while (!this.#isStopped) {
      this.#askedAt = performance.now();
      // Killed in between, it is as slow as its return.
      await ask(this.#url).catch(() => undefined);
      this.#beats.push({ askedAt: this.#askedAt, answeredAt: performance.now() });
      if (this.#beats.length > 20_000) this.#beats.shift();
      this.#askedAt = null;
      await sleep(EVERY_MS);
    }
  }
}
