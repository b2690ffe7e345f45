/** `status NAME --watch`: follows a room until the command is interrupted, also over outages. */
import type { RoomStatusResource } from "../../src/api/rooms/status.ts";
import { Failure } from "../launch/failure.ts";

export interface Watching {
  readonly statusOf: () => Promise<RoomStatusResource>;
  readonly tell: (status: RoomStatusResource) => void;
  /** What is no status: that the deployment is away, and that it is back. */
  readonly note: (line: string) => void;
  readonly wait: (ms: number) => Promise<void>;
  /** Milliseconds, of any clock that never falls. */
  readonly now: () => number;
}

const EVERY_MS = 1_000;
/** Between tries while nobody answers; the last one again and again. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
/** What an outage, a restart or a proxy before it looks like; anything else will not pass by itself. */
const PASSING: ReadonlySet<string> = new Set([
  "unreachable",
  "unavailable",
  "no-seiriken",
  "slowed",
]);

/** Ends only by throwing: at first if there is no answer, later when an answer says that it never will. */
export const watchRoom = async (watching: Watching): Promise<never> => {
  watching.tell(await watching.statusOf());
  for (;;) {
    await watching.wait(EVERY_MS);
    watching.tell(await statusAtLast(watching));
  }
};

const statusAtLast = async ({
  statusOf,
  note,
  wait,
  now,
}: Watching): Promise<RoomStatusResource> => {
  const since = now();
  for (let failures = 0; ; failures += 1) {
    try {
      const status = await statusOf();
      if (failures > 0) note(`it answers again, after ${seconds(now() - since)}`);
      return status;
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !PASSING.has(thrown.code)) throw thrown;
      const pauseMs = PAUSES_MS[failures] ?? PAUSES_MS.at(-1) ?? EVERY_MS;
      note(`${thrown.message}; trying again in ${seconds(pauseMs)}`);
      await wait(pauseMs);
    }
  }
};

const seconds = (ms: number): string => {
  const whole = Math.max(1, Math.round(ms / 1_000));
  return whole === 1 ? "1 second" : `${whole} seconds`;
};
