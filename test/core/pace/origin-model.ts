/**
 * An origin that bears so many at once and then collapses, a crowd that always wants in, and the
 * adaptive limit between them. Without any clock: a tick is 20 ms.
 */
import { EdgeTally } from "../../../src/core/edge-report.ts";
import { Adaptive, type AdaptiveMove } from "../../../src/core/pace/adaptive.ts";
import { instant } from "../../../src/core/time.ts";

const TICK_MS = 20;

export interface OriginModel {
  /** Milliseconds with so many at once, `seconds` after the beginning, before any noise. */
  readonly latencyMs: (atOnce: number, seconds: number) => number;
  readonly errorShare?: (atOnce: number, seconds: number) => number;
  /** A pause in which nothing is answered: how long it still lasts. */
  readonly pauseMs?: (seconds: number) => number;
  /** Of the logarithm: 0.5 is what many sites have. */
  readonly sigma?: number;
}

export interface RoomModel {
  readonly permit: "visit" | "request";
  readonly permitsMax: number;
  readonly leastPermits?: number;
  /** Of a visit. */
  readonly visitSeconds?: number;
  /** Between two requests of a visit. */
  readonly thinkSeconds?: number;
  /** How many want to be in; without end by default. */
  readonly wanting?: (seconds: number) => number;
}

export interface Second {
  readonly second: number;
  readonly ceiling: number;
  readonly out: number;
  readonly move: AdaptiveMove | null;
}

export const collapsingAbove =
  (knee: number, baseMs = 100): ((atOnce: number) => number) =>
  (atOnce) =>
    Math.min(5_000, baseMs * 1.6 ** Math.max(0, atOnce - knee));

const generator = (seed: number) => {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal, exponential: (mean: number) => -mean * Math.log(1 - uniform()) };
};

interface Inside {
  leavesAt: number;
  /** When the request that runs is answered; null while the visitor reads. */
  answeredAt: number | null;
  askedAt: number;
  nextAt: number;
}

/** What became of the limit, second by second. */
export const run = (
  origin: OriginModel,
  room: RoomModel,
  seconds: number,
  seed: number,
): Second[] => {
  const dice = generator(seed);
  const tally = new EdgeTally(() => 0);
  const adaptive = new Adaptive();
  const { permit, permitsMax, leastPermits = 1 } = room;
  const inside = new Set<Inside>();
  const told: Second[] = [];
  const ask = (one: Inside, now: number): void => {
    const model = origin.latencyMs(inside.size, now / 1_000);
    const pause = origin.pauseMs?.(now / 1_000) ?? 0;
    const noise = Math.exp((origin.sigma ?? 0.5) * dice.normal());
    one.askedAt = now;
    one.answeredAt = now + pause + model * noise;
  };
  const answered = (one: Inside, now: number): void => {
    const share = origin.errorShare?.(inside.size, now / 1_000) ?? 0;
    if (dice.uniform() < share) tally.failed();
    else tally.answered((one.answeredAt ?? now) - one.askedAt);
    one.answeredAt = null;
    one.nextAt = now + dice.exponential((room.thinkSeconds ?? 1) * 1_000);
    if (permit === "request") inside.delete(one);
  };
  let peak = 0;
  for (let now = 0; now < seconds * 1_000; now += TICK_MS) {
    const limit = Math.min(permitsMax, adaptive.ceiling ?? Infinity);
    const wanting = room.wanting?.(now / 1_000) ?? Infinity;
    while (inside.size < Math.min(limit, wanting)) {
      const staysMs = dice.exponential((room.visitSeconds ?? 20) * 1_000);
      const one: Inside = { leavesAt: now + staysMs, answeredAt: null, askedAt: now, nextAt: now };
      inside.add(one);
      ask(one, now);
    }
    peak = Math.max(peak, inside.size);
    for (const one of inside) {
      if (one.answeredAt !== null && one.answeredAt <= now) answered(one, now);
      if (one.answeredAt !== null || permit === "request") continue;
      if (one.leavesAt <= now) inside.delete(one);
      else if (one.nextAt <= now) ask(one, now);
    }
    if (now % 1_000 !== 0) continue;
    const report = tally.take();
    const isWanted = wanting > limit;
    const load = { out: peak, permitsMax, leastPermits, isWanted };
    const at = instant(1_700_000_000_000 + now);
    const change = report?.origin == null ? null : adaptive.observe(report.origin, load, at);
    const ceiling = Math.min(permitsMax, adaptive.ceiling ?? Infinity);
    told.push({ second: now / 1_000, ceiling, out: peak, move: change?.move ?? null });
    peak = 0;
  }
  return told;
};
