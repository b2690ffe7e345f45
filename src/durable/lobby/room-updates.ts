/** What a lobby does with what the Room tells it: whom it calls, what it sends, whom it asks about. */
import type { ClockEstimate } from "../../core/lobby/clock-estimate.ts";
import type { CloseReason } from "../../core/lobby/close-codes.ts";
import type { Presence } from "../../core/lobby/presence.ts";
import { missedPlace } from "../../core/lobby/ticket-view.ts";
import { Unlisted } from "../../core/lobby/unlisted.ts";
import { isOlder } from "../../core/lobby/update-stamp.ts";
import type { TicketNumber } from "../../core/ids.ts";
import type { Place, PositionsTable } from "../../core/room/commands.ts";
import { after, instant, isOver, type InstantMs } from "../../core/time.ts";
import type { RoomUpdate } from "../contract.ts";
import { logFailure } from "../log.ts";
import type { Broadcasts } from "./broadcasts.ts";
import { withUpdate, type LastUpdate } from "./last-update.ts";
import type { OpBatcher } from "./op-batcher.ts";
import type { PlaceFinder } from "./place-finder.ts";
import type { LobbySockets } from "./sockets.ts";
import type { WaitingRequests } from "./waiting-requests.ts";

/** A lobby with numbers in line hears the Room each second, and asks after so long a silence. */
const UNHEARD_MS = 5_000;

/** The parts of the lobby that hear of an update. */
export interface UpdatedParts {
  readonly sockets: LobbySockets;
  readonly presence: Presence;
  readonly broadcasts: Broadcasts;
  readonly batcher: OpBatcher;
  readonly clock: ClockEstimate;
  readonly places: PlaceFinder;
  readonly waitingRequests: WaitingRequests;
  /** A lobby that is told something speaks itself at least so often. */
  readonly heartbeatMs: number;
}

export class RoomUpdates {
  readonly #parts: UpdatedParts;
  readonly #unlisted = new Unlisted();
  #heard: LastUpdate | null = null;
  #spokeAt = 0;

  constructor(parts: UpdatedParts) {
    this.#parts = parts;
  }

  /** Null before the first in this life of the lobby. */
  get heard(): LastUpdate | null {
    return this.#heard;
  }

  /** The answer to a batch: the Room has heard of this lobby as well. */
  answeredWith(update: RoomUpdate): void {
    this.#spokeAt = Date.now();
    this.takeIn(update);
  }

  /** Calls first, then what changed for all, then positions. */
  takeIn(update: RoomUpdate): void {
    const { clock, broadcasts, batcher, heartbeatMs } = this.#parts;
    const before = this.#heard;
    clock.hear(update.now, Date.now());
    this.#takeCalls(update.calls);
    const stamp = { boot: update.roomStatus.boot, count: update.count, now: update.now };
    if (before !== null && isOlder(stamp, before.stamp)) return;
    this.#heard = withUpdate(before, stamp, update);
    if (before !== null) broadcasts.changes(before.roomStatus, update.roomStatus, this.#now());
    if (update.positionsTable !== null) this.#tick(update.positionsTable, this.#heard);
    const restarted = before !== null && before.roomStatus.boot !== update.roomStatus.boot;
    if (restarted) batcher.wantReport();
    if (restarted || Date.now() - this.#spokeAt > heartbeatMs) void batcher.speak();
  }

  /** Now and then, also if the Room stays silent. */
  lookAround(): void {
    this.#sweep();
    // The Room tells nothing to a lobby that it believes to be empty.
    const toldAt = this.#heard?.positionsAt ?? instant(0);
    if (isOver(after(toldAt, UNHEARD_MS), this.#now())) this.#checkUnlisted(null);
  }

  greet(place: Place): void {
    const { number, claimBy } = place;
    const { broadcasts } = this.#parts;
    if (this.#heard !== null) broadcasts.position(place, this.#heard.roomStatus, this.#now());
    if (claimBy !== null) broadcasts.call({ number, claimBy });
  }

  dismiss(number: TicketNumber, reason: CloseReason): void {
    const { presence, broadcasts, sockets } = this.#parts;
    presence.forget(number);
    broadcasts.forget(number);
    sockets.closeAll(number, reason);
  }

  #takeCalls(calls: RoomUpdate["calls"]): void {
    const { presence, broadcasts, waitingRequests } = this.#parts;
    for (const call of calls) {
      // The Room tells an unanswered call again; a page that has heard it need not hear it twice.
      if (call.claimBy <= (presence.claimBy(call.number) ?? 0)) continue;
      if (waitingRequests.called(call)) continue;
      // A call that comes after its claim time would be missed a second time.
      if (isOver(call.claimBy, this.#now())) continue;
      presence.called(call.number, call.claimBy);
      broadcasts.call(call);
    }
  }

  #tick(positionsTable: PositionsTable, { order, roomStatus }: LastUpdate): void {
    const { presence, broadcasts, batcher } = this.#parts;
    const now = this.#now();
    this.#sweep();
    broadcasts.askReady(presence.toAsk(positionsTable.nearUntil, now, order));
    broadcasts.positions(positionsTable, order, roomStatus, now);
    this.#checkUnlisted(positionsTable.positions);
    if (presence.hasChanges) void batcher.speak();
  }

  /**
   * Asks the Room about numbers that this lobby takes for present and the Room's tables do not
   * list.
   */
  #checkUnlisted(table: PositionsTable["positions"] | null): void {
    const standing = this.#parts.presence.standingWithSockets();
    for (const number of this.#unlisted.check(table, standing, this.#heard?.order))
      this.#check(number).catch((error: unknown) => logFailure("lobby-check", error));
  }

  async #check(number: TicketNumber): Promise<void> {
    const place = await this.#parts.places.check(number);
    if (place === null || ("state" in place && place.state === "visiting"))
      return this.dismiss(number, "ticket-invalid");
    if ("state" in place) this.greet(place);
  }

  #sweep(): void {
    const { presence, sockets, broadcasts, clock } = this.#parts;
    const local = Date.now();
    const windowMs = this.#heard?.roomStatus.returnWindowMs ?? Infinity;
    const missed = presence.sweep(this.#now(), windowMs, (number) => {
      const ping = sockets.lastPing(number);
      return ping === null ? null : clock.fromLocal(ping, local);
    });
    for (const number of missed) {
      if (this.#heard === null) continue;
      const { positionsTable, roomStatus } = this.#heard;
      broadcasts.position(missedPlace(number, positionsTable), roomStatus, this.#now());
    }
  }

  #now(): InstantMs {
    return this.#parts.clock.read(Date.now());
  }
}
