import type { Ports } from "./ports.ts";

/** A jump of the clock makes a timer late by at most this. */
const LOOK_EVERY_MS = 2_000;
/**
 * The first look is sooner: a request that waits for less and then runs under a lease sets no timer
 * that would come before it.
 */
const FIRST_LOOK_MS = 1_000;

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/**
 * All timers of one request on one of the runtime's: it has several, hardly one of them ever runs,
 * and setting and clearing is what they cost.
 */
export const oneTimer = ({ timer, now }: Pick<Ports, "timer" | "now">): Ports["timer"] => {
  const waiting = new Set<Due>();
  /** Time that has passed until the runtime's timer was set, by that timer alone. */
  let passedMs = 0;
  let armed: { readonly at: number; readonly ms: number; readonly stop: () => void } | null = null;

  const read = (): number =>
    armed === null ? passedMs : passedMs + Math.min(armed.ms, Math.max(0, now() - armed.at));

  const arm = (at: number): void => {
    const lookMs = passedMs === 0 ? FIRST_LOOK_MS : LOOK_EVERY_MS;
    const ms = Math.min(lookMs, Math.max(0, at - read()));
    if (armed !== null) {
      if (read() + ms >= passedMs + armed.ms) return;
      passedMs = read();
      armed.stop();
    }
    armed = { at: now(), ms, stop: timer(ms, look) };
  };

  const look = (): void => {
    passedMs += armed?.ms ?? 0;
    armed = null;
    for (const due of [...waiting]) {
      if (due.at > passedMs || !waiting.delete(due)) continue;
      due.run();
    }
    const next = Math.min(...[...waiting].map(({ at }) => at));
    if (next < Infinity) arm(next);
  };

  return (ms, run) => {
    const due = { at: read() + ms, run };
    waiting.add(due);
    arm(due.at);
    // The runtime's timer stays set for the next user, and ends with the request.
    return () => void waiting.delete(due);
  };
};
