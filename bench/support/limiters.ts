import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { StartLimiter } from "../../src/core/ring/limiter.ts";
import { instant } from "../../src/core/time.ts";

/** May one more start now? When it may, by the clock of this machine; else null. */
export type Limiter = () => number | null | Promise<number | null>;

export const LIMITERS = ["calendar", "sliding", "memory", "redis"] as const;
export type LimiterName = (typeof LIMITERS)[number];

const KEY = "all";

const ours = (ring: "calendar" | "sliding", perSecondMax: number): Limiter => {
  const limiter = new StartLimiter({ perSecondMax, perMinuteMax: null, ring, guardMs: 0 });
  let last = 0;
  return () => {
    last = Math.max(last, Date.now());
    return limiter.tryStart(instant(last)).ok ? last : null;
  };
};

/** The library says no by rejecting with its result; anything else is an error. */
const theirs = (limiter: RateLimiterMemory | RateLimiterRedis): Limiter => {
  return async () => {
    try {
      await limiter.consume(KEY);
      return Date.now();
    } catch (error) {
      if (error instanceof Error) throw error;
      return null;
    }
  };
};

/** `redisSocket`: the path of a Redis server's socket; only "redis" needs one. */
export const makeLimiter = (
  name: LimiterName,
  perSecondMax: number,
  redisSocket: string | null,
): { readonly may: Limiter; stop(): void } => {
  const points = { points: perSecondMax, duration: 1 };
  switch (name) {
    case "calendar":
    case "sliding":
      return { may: ours(name, perSecondMax), stop: () => undefined };
    case "memory":
      return { may: theirs(new RateLimiterMemory(points)), stop: () => undefined };
    case "redis": {
      if (redisSocket === null) throw new Error("no Redis server");
      const storeClient = new Redis({ path: redisSocket });
      const may = theirs(new RateLimiterRedis({ storeClient, ...points }));
      return { may, stop: () => storeClient.disconnect() };
    }
    default:
      return name satisfies never;
  }
};

/** The most of these instants, in order, that lie within any 1,000 ms. */
export const mostInASecond = (at: readonly number[]): number => {
  let most = 0;
  for (let from = 0, to = 0; to < at.length; to += 1) {
    while ((at[to] ?? 0) - (at[from] ?? 0) >= 1_000) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
};
