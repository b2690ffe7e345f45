import type { InstantMs } from "../time.ts";

/**
 * Orders what the Room says: by a count within one life of the Room, by its clock between lives.
 */
export interface UpdateStamp {
  readonly boot: string;
  readonly count: number;
  readonly now: InstantMs;
}

/** Is `stamp` the older? A batch's answer and an update may overtake each other on their way. */
export const isOlder = (stamp: UpdateStamp, than: UpdateStamp): boolean =>
  stamp.boot === than.boot ? stamp.count < than.count : stamp.now < than.now;
