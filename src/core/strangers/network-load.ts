/** How hard a puzzle is: by how many its network was given in the last minute. */
import { MINUTE_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";

/** What a room asks of those who want a ticket. */
export interface ProofOfWork {
  /** Of a puzzle while its network is quiet. */
  readonly bits: number;
  /** Of any puzzle, however many were given. */
  readonly bitsMax: number;
}

/** Puzzles that one network was given, in a minute of the clock and in the one before it. */
export interface NetworkLoad {
  readonly minute: number;
  readonly count: number;
  readonly before: number;
}

/** So many in a minute cost no more than one. */
export const QUIET_PER_MINUTE = 32;

/** Each doubling beyond the quiet number costs one bit, which is twice the work. */
export const bitsAt = (load: number, { bits, bitsMax }: ProofOfWork): number => {
  if (load < QUIET_PER_MINUTE) return bits;
  return Math.max(
    bits,
    Math.min(bitsMax, bits + 1 + Math.floor(Math.log2(load / QUIET_PER_MINUTE))),
  );
};

/**
 * About how many in the 60 s before `now`: those of the running minute, and of the one before it the share
 * that these 60 s reach into.
 */
export const loadAt = (load: NetworkLoad | undefined, now: InstantMs): number => {
  if (load === undefined) return 0;
  const minute = Math.floor(now / MINUTE_MS);
  const rest = 1 - (now % MINUTE_MS) / MINUTE_MS;
  if (minute === load.minute) return load.count + load.before * rest;
  return minute === load.minute + 1 ? load.count * rest : 0;
};

export const withOneMore = (load: NetworkLoad | undefined, now: InstantMs): NetworkLoad => {
  const minute = Math.floor(now / MINUTE_MS);
  if (load?.minute === minute) return { ...load, count: load.count + 1 };
  const before = load?.minute === minute - 1 ? load.count : 0;
  return { minute, count: 1, before };
};
