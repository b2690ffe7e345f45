/**
 * The lobby object: wires its parts together and answers calls. Each rule is in core/lobby or in
 * the part that it names.
 */
import { DurableObject } from "cloudflare:workers";
import type { EdgeReport } from "../../core/edge-report.ts";
import { parseLobbyIndex, type TicketNumber, type VisitId } from "../../core/ids.ts";
import { Presence } from "../../core/lobby/presence.ts";
import type { Batch, BatchAnswer } from "../../core/room/commands.ts";
import type { RoomSnapshot, SnapshotVersion } from "../../core/snapshot.ts";
import type { InstantMs } from "../../core/time.ts";
import { roomPlace, type RoomAddress } from "../../core/regions/address.ts";
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
import type { TurnsAsk, TurnsReply } from "../turns-contract.ts";
import type { LobbyEnv, LobbyRoom } from "./env.ts";
import { OpBatcher } from "./op-batcher.ts";
import { ClockEstimate } from "../../core/lobby/clock-estimate.ts";
import { PlaceFinder } from "./place-finder.ts";
import { RoomUpdates } from "./room-updates.ts";
import { SocketEndpoint } from "./socket-endpoint.ts";
import { IsolateTurns } from "./isolate-turns.ts";
import { PermitHandle } from "./permit.ts";
import { LobbySockets } from "./sockets.ts";
import { Broadcasts } from "./broadcasts.ts";
import { LobbyTickets } from "./tickets.ts";
import type { LastUpdate } from "./last-update.ts";
import { visitsFor } from "./visits.ts";
import { requestsAt } from "./requests.ts";
import type { WaitingRequests } from "./waiting-requests.ts";
import { wakeUp } from "./wake.ts";
import type { KeyedRequests } from "./keyed-requests.ts";
import { logFailure } from "../log.ts";
import { Snapshots } from "./snapshots.ts";

/** A lobby with visitors speaks to the Room at least so often. */
const HEARTBEAT_MS = 25_000;
/** In a room with regions, where a silence counts sooner. */
const REGIONAL_HEARTBEAT_MS = 8_000;

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
  readonly #waitingRequests: WaitingRequests;
  readonly #keyed: KeyedRequests;
  readonly #places: PlaceFinder;
  readonly #tickets: LobbyTickets;
  readonly #updates: RoomUpdates;
  readonly #isolateTurns: IsolateTurns;
  readonly #endpoint: SocketEndpoint;
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
    const heard = (): LastUpdate | null => this.#updates.heard;
    const [batcher, presence, { storage }] = [this.#batcher, this.#presence, ctx];
    const requests = requestsAt({ batcher, presence, storage, now, heard });
    ({ waitingRequests: this.#waitingRequests, keyed: this.#keyed } = requests);
    const heardRoomAt = (): InstantMs | null => this.#clock.firstHeard;
    this.#places = new PlaceFinder({ lobby, batcher, presence, now, heard, heardRoomAt });
    this.#tickets = new LobbyTickets({
      ...requests,
      batcher,
      presence,
      places: this.#places,
      now,
      heard,
      dismiss: (number, reason) => this.#updates.dismiss(number, reason),
    });
    const isRegional = roomPlace(room as RoomAddress).region !== null;
    this.#updates = new RoomUpdates({
      sockets: this.#sockets,
      presence: this.#presence,
      broadcasts: this.#broadcasts,
      batcher: this.#batcher,
      clock: this.#clock,
      places: this.#places,
      waitingRequests: this.#waitingRequests,
      heartbeatMs: isRegional ? REGIONAL_HEARTBEAT_MS : HEARTBEAT_MS,
    });
    this.#isolateTurns = new IsolateTurns(this.#tickets, this.#waitingRequests, now);
    wakeUp(this.#sockets, this.#presence, this.#tickets, this.#clock, Date.now());
    this.#endpoint = new SocketEndpoint({
      sockets: this.#sockets,
      presence: this.#presence,
      places: this.#places,
      now,
      greet: (place) => this.#updates.greet(place),
      speak: () => this.#batcher.speak(),
      refuseTicket: (number) => this.#updates.dismiss(number, "ticket-invalid"),
    });
  }

  override async alarm(): Promise<void> {
    this.#alarmIsSet = false;
    try {
      // After a sleep the lobby has to hear the Room before it can tell which calls were missed.
      const isNew = this.#updates.heard === null && this.#presence.isAwaiting;
      if (isNew) await this.#batcher.speak();
      this.#updates.lookAround();
      this.#endpoint.hangUp();
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

  async whereAll(tickets: readonly TicketClaims[]): Promise<readonly (WhereReply | null)[]> {
    return tickets.map((ticket) => this.#tickets.whereHere(ticket));
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

  enterAll(asks: readonly EnterAsk[]): Promise<readonly EnterReply[]> {
    return Promise.all(asks.map((ask) => this.#tickets.enter(ask)));
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

  async turns(ask: TurnsAsk): Promise<TurnsReply> {
    await this.#keepAlarm();
    return this.#isolateTurns.turns(ask);
  }

  moment(holdMs: number): Promise<MomentReply> {
    return this.#tickets.moment(holdMs);
  }

  async abandonWait(wait: string): Promise<void> {
    this.#waitingRequests.abandon(wait);
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
    this.#updates.takeIn(update);
    await this.#keepAlarm();
  }

  numberUnder(reference: string): Promise<TicketNumber | null> {
    return Promise.resolve(this.#tickets.numberUnder(reference));
  }

  async close(): Promise<void> {
    const numbers = [...this.#sockets.numbers()];
    for (const number of numbers) this.#sockets.closeAll(number, "room-closed");
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#keyed.forgetEverybody();
    this.#alarmIsSet = false;
    this.#presence.forgetEverybody();
    this.#tickets.forgetEverybody();
    this.#places.forgetEverybody();
  }

  async #send(batch: Batch): Promise<BatchAnswer> {
    const sentAt = Date.now();
    const { answer, update } = await this.#room().batch(batch);
    this.#updates.answeredWith(update);
    this.#waitingRequests.named(answer.next ?? [], sentAt, answer.nobodyAway);
    return answer;
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
