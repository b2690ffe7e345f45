/** What somebody outside says of how much there is to be let in: for a while, and never more than the operator. */
import { after, SECOND_MS, type InstantMs } from "../time.ts";
import type { Ceilings } from "./ceilings.ts";

export const TTL_SECONDS_MAX = 86_400;
export const REASON_LENGTH_MAX = 200;
export const SIGNAL_COUNT_MAX = 2 ** 31 - 1;

/** As it is said. Every limit is whole and at least 1; what is null is not said. */
export interface PaceAsk {
  readonly permits: number | null;
  readonly startsPerSecond: number | null;
  readonly startsPerMinute: number | null;
  /** Of what is sold, from 0. */
  readonly stockLeft: number | null;
  readonly ttlSeconds: number;
  readonly reason: string;
}

/** As it stands until its time is over. */
export interface PaceSignal extends Omit<PaceAsk, "ttlSeconds"> {
  readonly saidAt: InstantMs;
  readonly until: InstantMs;
}

export const signalOf = ({ ttlSeconds, ...said }: PaceAsk, saidAt: InstantMs): PaceSignal => ({
  ...said,
  saidAt,
  until: after(saidAt, ttlSeconds * SECOND_MS),
});

/** P is never above what is left; at none the room is closed, and P cannot be 0. */
export const ceilingsOf = ({
  permits,
  startsPerSecond,
  startsPerMinute,
  stockLeft,
}: PaceSignal): Ceilings => ({
  permitsMax: stockLeft === null ? permits : Math.min(permits ?? Infinity, Math.max(1, stockLeft)),
  startsPerSecondMax: startsPerSecond,
  startsPerMinuteMax: startsPerMinute,
});

/** Whatever their reasons. */
export const isSamePace = (one: PaceAsk, other: PaceAsk): boolean =>
  one.permits === other.permits &&
  one.startsPerSecond === other.startsPerSecond &&
  one.startsPerMinute === other.startsPerMinute &&
  one.stockLeft === other.stockLeft &&
  one.ttlSeconds === other.ttlSeconds;

const KEYS = ["permits", "starts", "new-users", "left", "ttl"] as const;
const TTL_SECONDS = 60;

/**
 * An answer's header: `permits=20; starts=5; new-users=300; left=120; ttl=60`, each at most once, in any
 * order. Null where it cannot be read as a whole, or says nothing.
 */
export const paceAskOf = (header: string): PaceAsk | null => {
  const said = new Map<string, number>();
  for (const part of header.split(";")) {
    const match = /^\s*([a-z-]+)\s*=\s*(\d{1,10})\s*$/i.exec(part);
    const key = match?.[1]?.toLowerCase() ?? "";
    const value = Number(match?.[2]);
    if (!isKey(key) || said.has(key) || !isWithin(key, value)) return null;
    said.set(key, value);
  }
  const ttlSeconds = said.get("ttl") ?? TTL_SECONDS;
  said.delete("ttl");
  if (said.size === 0) return null;
  return {
    permits: said.get("permits") ?? null,
    startsPerSecond: said.get("starts") ?? null,
    startsPerMinute: said.get("new-users") ?? null,
    stockLeft: said.get("left") ?? null,
    ttlSeconds,
    reason: "the origin's answers say so",
  };
};

const isKey = (key: string): key is (typeof KEYS)[number] =>
  (KEYS as readonly string[]).includes(key);

const isWithin = (key: (typeof KEYS)[number], value: number): boolean => {
  if (key === "ttl") return value >= 1 && value <= TTL_SECONDS_MAX;
  return value >= (key === "left" ? 0 : 1) && value <= SIGNAL_COUNT_MAX;
};
