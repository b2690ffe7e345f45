import type { InstantMs } from "../time.ts";

/** When the Room said something: words of one life count up, lives follow each other by the clock. */
export interface UpdateStamp {
  readonly boot: string;
  readonly count: number;
  readonly now: InstantMs;
}

/** Answers and tellings may overtake each other on their way. */
export const isOlder = (stamp: UpdateStamp, than: UpdateStamp): boolean =>
  stamp.boot === than.boot ? stamp.count < than.count : stamp.now < than.now;
