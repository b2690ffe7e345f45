import { EdgeTally, type EdgeReport } from "../../core/edge-report.ts";
import { FollowedSnapshot } from "../../core/lobby/followed-snapshot.ts";
import { isSamePace, type PaceAsk } from "../../core/pace/signal.ts";
import { SNAPSHOT_FRESH_MS, type RoomSnapshot, type SnapshotVersion } from "../../core/snapshot.ts";
import { instant } from "../../core/time.ts";

/** The Room is asked for a snapshot at most so often. */
const ASK_EVERY_MS = 1_000;
/** And so often where the origin has said something new of the pace. */
const ASK_FOR_PACE_EVERY_MS = 200;

type Ask = (since: SnapshotVersion | null, report: EdgeReport | null) => Promise<RoomSnapshot>;

/** The Room's snapshot as a lobby passes it on to the isolates that ask for it. */
export class Snapshots {
  readonly #ask: Ask;
  /** What isolates have told of, until the Room is asked next. */
  readonly #tally = new EdgeTally(() => Date.now());
  readonly #followed = new FollowedSnapshot();
  #said: PaceAsk | null = null;
  #asking: Promise<void> | null = null;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Throws when the Room cannot be reached and what is at hand is too old. */
  async current(
    since: SnapshotVersion | null,
    report: EdgeReport | null,
  ): Promise<{ snapshot: RoomSnapshot; ageMs: number }> {
    // While a new version comes in, isolates of the one before still tell a bare number.
    if (typeof report === "object" && report !== null) this.#tally.add(report);
    if (this.#followed.ageMs(instant(Date.now())) >= this.#askEveryMs(report?.pace?.ask))
      await this.#refresh();
    const now = instant(Date.now());
    const snapshot = this.#followed.for(since, now);
    if (snapshot === null) throw new Error("the Room has not answered yet");
    return { snapshot, ageMs: this.#followed.ageMs(now) };
  }

  /** News of the pace should not wait as long as other counts. */
  #askEveryMs(said: PaceAsk | undefined): number {
    if (said === undefined) return ASK_EVERY_MS;
    const isNews = this.#said === null || !isSamePace(this.#said, said);
    this.#said = said;
    return isNews ? ASK_FOR_PACE_EVERY_MS : ASK_EVERY_MS;
  }

  /** One question to the Room serves everybody who asks meanwhile. */
  async #refresh(): Promise<void> {
    this.#asking ??= this.#follow().finally(() => {
      this.#asking = null;
    });
    try {
      await this.#asking;
    } catch (error) {
      // What is at hand goes out with its age; the edge judges whether that is good enough.
      if (this.#followed.ageMs(instant(Date.now())) > SNAPSHOT_FRESH_MS) throw error;
    }
  }

  async #follow(): Promise<void> {
    const askedAt = instant(Date.now());
    const snapshot = await this.#tally.toldBy((report) =>
      this.#ask(this.#followed.version, report),
    );
    this.#followed.follow(snapshot, askedAt);
  }
}
