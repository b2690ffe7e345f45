import { EndedVisits } from "../room/ended.ts";
import type { RoomSnapshot, SnapshotVersion } from "../snapshot.ts";
import { after, type InstantMs } from "../time.ts";

/** A Room's snapshot as a lobby keeps it, able to answer edges that ask for deltas. */
export class FollowedSnapshot {
  #snapshot: RoomSnapshot | null = null;
  #ended = new EndedVisits();
  /** When the Room was asked, on the lobby's own clock. */
  #askedAt: InstantMs | null = null;

  /** From where the next delta has to go on. */
  get version(): SnapshotVersion | null {
    return this.#snapshot?.version ?? null;
  }

  /** How old it is on the lobby's clock; Infinity before the first. */
  ageMs(localNow: InstantMs): number {
    return this.#askedAt === null ? Infinity : localNow - this.#askedAt;
  }

  /** A fresh snapshot, whole or as a delta to the one at hand. */
  follow(snapshot: RoomSnapshot, askedAt: InstantMs): void {
    if (snapshot.endedSince === null) this.#ended = new EndedVisits();
    this.#ended.follow(snapshot.ended, snapshot.version.ended);
    this.#ended.forget(snapshot.at);
    this.#snapshot = snapshot;
    this.#askedAt = askedAt;
  }

  /** For an edge that knows `since`. */
  for(since: SnapshotVersion | null, localNow: InstantMs): RoomSnapshot | null {
    const snapshot = this.#snapshot;
    if (snapshot === null) return null;
    const known =
      since !== null &&
      since.boot === snapshot.version.boot &&
      since.ended <= snapshot.version.ended
        ? since.ended
        : null;
    const roomNow = after(snapshot.at, this.ageMs(localNow));
    return { ...snapshot, endedSince: known, ended: this.#ended.since(known, roomNow) };
  }
}
