/**
 * The lobby object: wires its parts together and answers calls. Each rule is in core/lobby or in
 * the part that it names.
 */
import { DurableObject } from "cloudflare:workers";
import type { EdgeReport } from "../../core/edge-report.ts";
import { parseLobbyIndex, type TicketNumber, type VisitId } from "../../core/ids.ts";
import { LineOrder } from "../../core/line/order.ts";
import { missedPlace } from "../../core/lobby/ticket-view.ts";
import { Presence } from "../../core/lobby/presence.ts";
import { Unlisted } from "../../core/lobby/unlisted.ts";
import { isOlder } from "../../core/lobby/update-stamp.ts";
import type { Batch, BatchAnswer, Place, PositionsTable } from "../../core/room/commands.ts";
import type { RoomSnapshot, SnapshotVersion } from "../../core/snapshot.ts";
import { after, instant, isOver, type InstantMs } from "../../core/time.ts";
import type { RoomAddress } from "../../core/regions/address.ts";
import { roomAt } from "../../core/regions/objects.ts";
import { invariant } from "../../core/invariant.ts";
import {
  type ClaimReply,
  type EnterAsk,
  type EnterReply,
  type TicketClaims,
  type WaitAsk,
  type WaitReply,
  type MomentReply,
  type LobbyRpc,
  type RoomUpdate,
  type TakeAsk,
  type TakeReply,
  type VisitAsk,
  type VisitReply,
  type WhereReply,
} from "../contract.ts";
import type { LobbyEnv, LobbyRoom } from "./env.ts";
import { OpBatcher } from "./op-batcher.ts";
import { ClockEstimate } from "../../core/lobby/clock-estimate.ts";
import { SocketEndpoint } from "./socket-endpoint.ts";
import { PermitHandle } from "./permit.ts";
import { LobbySockets } from "./sockets.ts";
import type { CloseReason } from "../../core/lobby/close-codes.ts";
import { Broadcasts } from "./broadcasts.ts";
import { LobbyTickets } from "./tickets.ts";
import { withUpdate, type LastUpdate } from "./last-update.ts";
import { WaitingRequests } from "./waiting-requests.ts";
import { visitsFor } from "./visits.ts";
import { wakeUp } from "./wake.ts";
import { KeyedRequests } from "./keyed-requests.ts";
import { logFailure } from "../log.ts";
import { SqlPlaces } from "./places-store.ts";
import { Snapshots } from "./snapshots.ts";

/** A lobby with visitors speaks to the Room at least so often. */
const HEARTBEAT_MS = 25_000;
/** A lobby with numbers in line hears the Room each second, and asks after so long a silence. */
const UNHEARD_MS = 5_000;
/** Has visitors' sockets, knows which numbers are present, and calls the Room for them. */
export class Lobby extends DurableObject<LobbyEnv> implements LobbyRpc {
  /** By a new stub. */
  readonly #room: () => LobbyRoom;
  readonly #batcher: OpBatcher;
  readonly #presence: Presence;
  readonly #sockets: LobbySockets;
  readonly #broadcasts: Broadcasts;
  readonly #clock = new ClockEstimate();
  readonly #snapshots: Snapshots;
  readonly #unlisted = new Unlisted();
  readonly #waitingRequests: WaitingRequests;
  readonly #keyed: KeyedRequests;
  readonly #tickets: LobbyTickets;
  readonly #endpoint: SocketEndpoint;
  #heard: LastUpdate | null = null;
  #spokeAt = 0;
  #alarmIsSet = false;

  constructor(ctx: DurableObjectState, env: LobbyEnv) {
    super(ctx, env);
    const [room = "", index = ""] = (ctx.id.name ?? "").split("/");
    const lobby = parseLobbyIndex(Number(index));
    invariant(room !== "" && lobby !== null, "a lobby is named after its room and index");
    this.#room = () => roomAt(this.env.ROOM, room as RoomAddress);
    this.#snapshots = new Snapshots((since, report) => this.#room().snapshot(since, report));
    this.#sockets = new LobbySockets(ctx);
    this.#presence = new Presence((number, remembered) => {
      const local = Date.now();
      this.#sockets.remember(number, remembered, { room: this.#clock.read(local), local });
    });
    this.#broadcasts = new Broadcasts(this.#sockets, this.#presence);
    this.#batcher = new OpBatcher({
      lobby,
      drainPresence: () => this.#presence.drain(),
      hasPresenceChanges: () => this.#presence.hasChanges,
      roster: () => this.#presence.roster(),
      send: (batch) => this.#send(batch),
      sleep: (ms) => scheduler.wait(ms),
    });
    const now = (): InstantMs => this.#now();
    const order = (): LineOrder => this.#heard?.order ?? LineOrder.plain;
    this.#waitingRequests = new WaitingRequests(this.#batcher, this.#presence, now, order);
    this.#keyed = new KeyedRequests({
      waitingRequests: this.#waitingRequests,
      store: new SqlPlaces(ctx.storage),
      now,
      returnWindowMs: () => this.#heard?.roomStatus.returnWindowMs ?? Infinity,
      order,
    });
    this.#tickets = new LobbyTickets({
      lobby,
      batcher: this.#batcher,
      presence: this.#presence,
      waitingRequests: this.#waitingRequests,
      keyed: this.#keyed,
      now,
      heard: () => this.#heard,
      heardRoomAt: () => this.#clock.firstHeard,
      dismiss: (number, reason) => this.#dismiss(number, reason),
    });
    wakeUp(this.#sockets, this.#presence, this.#tickets, this.#clock, Date.now());
    this.#endpoint = new SocketEndpoint({
      sockets: this.#sockets,
      presence: this.#presence,
      tickets: this.#tickets,
      now,
      greet: (place) => this.#greet(place),
      speak: () => this.#batcher.speak(),
      refuseTicket: (number) => this.#dismiss(number, "ticket-invalid"),
    });
  }

  override async alarm(): Promise<void> {
    this.#alarmIsSet = false;
    try {
      // After a sleep the lobby has to hear the Room before it can tell which calls were missed.
      const isNew = this.#heard === null && this.#presence.isAwaiting;
      if (isNew) await this.#batcher.speak();
      this.#sweep();
      this.#endpoint.hangUp();
      // The Room tells nothing to a lobby that it believes to be empty.
      const toldAt = this.#heard?.positionsAt ?? instant(0);
      if (isOver(after(toldAt, UNHEARD_MS), this.#now())) this.#checkUnlisted(null);
      const isExpected = !isNew && this.#presence.isAwaiting;
      if (isExpected || this.#presence.hasChanges) await this.#batcher.speak();
    } catch (error) {
      logFailure("lobby-alarm", error);
    }
    await this.#keepAlarm();
  }

  async take(asks: readonly TakeAsk[]): Promise<readonly TakeReply[]> {
    const replies = await Promise.all(asks.map((ask) => this.#tickets.take(ask)));
    await this.#keepAlarm();
    return replies;
  }

  where(ticket: TicketClaims): Promise<WhereReply> {
    return this.#tickets.where(ticket);
  }

  leave(ticket: TicketClaims): Promise<void> {
    return this.#tickets.leave(ticket);
  }

  claim(ticket: TicketClaims): Promise<ClaimReply> {
    return this.#tickets.claim(ticket);
  }

  visits(asks: readonly VisitAsk[]): Promise<readonly (ClaimReply | null)[]> {
    return visitsFor(this.#tickets, asks);
  }

  enter(ask: EnterAsk): Promise<EnterReply> {
    return this.#tickets.enter(ask);
  }

  renew(visit: VisitId): Promise<VisitReply> {
    return this.#tickets.renew(visit);
  }

  peek(visit: VisitId): Promise<VisitReply> {
    return this.#tickets.peek(visit);
  }

  end(visit: VisitId, afterMs: number): Promise<void> {
    return this.#tickets.end(visit, afterMs);
  }

  async wait(ask: WaitAsk): Promise<WaitReply> {
    await this.#keepAlarm();
    const reply = await this.#tickets.wait(ask);
    if (reply.kind !== "visit") return reply;
    const { visit } = reply.visit;
    return { ...reply, permit: new PermitHandle(() => this.#tickets.end(visit, 0)) };
  }

  moment(holdMs: number): Promise<MomentReply> {
    return this.#tickets.moment(holdMs);
  }

  abandonWait(wait: string): Promise<void> {
    this.#waitingRequests.abandon(wait);
    return Promise.resolve();
  }

  snapshot(
    since: SnapshotVersion | null,
    report: EdgeReport | null = null,
  ): Promise<{ snapshot: RoomSnapshot; ageMs: number }> {
    return this.#snapshots.current(since, report);
  }

  override async fetch(request: Request): Promise<Response> {
    const response = this.#endpoint.open(request);
    await this.#keepAlarm();
    return response;
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#endpoint.heard(socket, message);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    this.#endpoint.closed(socket, code, reason);
  }

  override webSocketError(socket: WebSocket): void {
    this.#endpoint.closed(socket, 1011, "error");
  }

  async deliver(update: RoomUpdate): Promise<void> {
    this.#takeIn(update);
    await this.#keepAlarm();
  }

  numberUnder(reference: string): Promise<TicketNumber | null> {
    return Promise.resolve(this.#tickets.numberUnder(reference));
  }

  async close(): Promise<void> {
    for (const number of [...this.#sockets.numbers()])
      this.#sockets.closeAll(number, "room-closed");
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#keyed.forgetEverybody();
    this.#alarmIsSet = false;
    this.#presence.forgetEverybody();
    this.#tickets.forgetEverybody();
  }

  #greet(place: Place): void {
    const { number, claimBy } = place;
    if (this.#heard !== null) this.#broadcasts.position(place, this.#heard.roomStatus, this.#now());
    if (claimBy !== null) this.#broadcasts.call({ number, claimBy });
  }

  #dismiss(number: TicketNumber, reason: CloseReason): void {
    this.#presence.forget(number);
    this.#broadcasts.forget(number);
    this.#sockets.closeAll(number, reason);
  }

  async #send(batch: Batch): Promise<BatchAnswer> {
    const sentAt = Date.now();
    const { answer, update } = await this.#room().batch(batch);
    this.#spokeAt = Date.now();
    this.#takeIn(update);
    this.#waitingRequests.named(answer.next ?? [], sentAt);
    return answer;
  }

  /** Takes in an update of the Room: calls first, then what changed for all, then positions. */
  #takeIn(update: RoomUpdate): void {
    const before = this.#heard;
    this.#clock.hear(update.now, Date.now());
    this.#takeCalls(update.calls);
    const stamp = { boot: update.roomStatus.boot, count: update.count, now: update.now };
    if (before !== null && isOlder(stamp, before.stamp)) return;
    this.#heard = withUpdate(before, stamp, update);
    if (before !== null)
      this.#broadcasts.changes(before.roomStatus, update.roomStatus, this.#now());
    if (update.positionsTable !== null) this.#tick(update.positionsTable, this.#heard);
    const restarted = before !== null && before.roomStatus.boot !== update.roomStatus.boot;
    if (restarted) this.#batcher.wantReport();
    if (restarted || Date.now() - this.#spokeAt > HEARTBEAT_MS) void this.#batcher.speak();
  }

  #takeCalls(calls: RoomUpdate["calls"]): void {
    for (const call of calls) {
      // The Room tells an unanswered call again; a page that has heard it need not hear it twice.
      if (call.claimBy <= (this.#presence.claimBy(call.number) ?? 0)) continue;
      if (this.#waitingRequests.called(call)) continue;
      // A call that comes after its claim time would be missed a second time.
      if (isOver(call.claimBy, this.#now())) continue;
      this.#presence.called(call.number, call.claimBy);
      this.#broadcasts.call(call);
    }
  }

  #tick(positionsTable: PositionsTable, { order, roomStatus }: LastUpdate): void {
    const now = this.#now();
    this.#sweep();
    this.#broadcasts.askReady(this.#presence.toAsk(positionsTable.nearUntil, now, order));
    this.#broadcasts.positions(positionsTable, order, roomStatus, now);
    this.#checkUnlisted(positionsTable.positions);
    if (this.#presence.hasChanges) void this.#batcher.speak();
  }

  /**
   * Asks the Room about numbers that this lobby takes for present and the Room's tables do not
   * list.
   */
  #checkUnlisted(table: PositionsTable["positions"] | null): void {
    const order = this.#heard?.order;
    for (const number of this.#unlisted.check(table, this.#presence.standingWithSockets(), order))
      this.#check(number).catch((error: unknown) => logFailure("lobby-check", error));
  }

  async #check(number: TicketNumber): Promise<void> {
    const place = await this.#tickets.check(number);
    if (place === null || ("state" in place && place.state === "visiting"))
      return this.#dismiss(number, "ticket-invalid");
    if ("state" in place) this.#greet(place);
  }

  #sweep(): void {
    const local = Date.now();
    const windowMs = this.#heard?.roomStatus.returnWindowMs ?? Infinity;
    const missed = this.#presence.sweep(this.#now(), windowMs, (number) => {
      const ping = this.#sockets.lastPing(number);
      return ping === null ? null : this.#clock.fromLocal(ping, local);
    });
    for (const number of missed) {
      if (this.#heard === null) continue;
      const { positionsTable, roomStatus } = this.#heard;
      this.#broadcasts.position(missedPlace(number, positionsTable), roomStatus, this.#now());
    }
  }

  #now(): InstantMs {
    return this.#clock.read(Date.now());
  }

  /** While the lobby knows any number, its own alarm runs, also if the Room stays silent. */
  async #keepAlarm(): Promise<void> {
    if (this.#alarmIsSet || this.#presence.size === 0) return;
    this.#alarmIsSet = true;
    await this.ctx.storage.setAlarm(Date.now() + HEARTBEAT_MS);
  }
}
