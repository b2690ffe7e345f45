import { DurableObject, RpcTarget } from "cloudflare:workers";
import { parseLobbyIndex, type TicketNumber, type VisitId } from "../core/ids.ts";
import { FollowedSnapshot } from "../core/lobby/followed-snapshot.ts";
import { Presence } from "../core/lobby/presence.ts";
import type { Batch, BatchAnswer, Notice, Place, Tidings } from "../core/room/commands.ts";
import { SNAPSHOT_FRESH_MS, type RoomSnapshot, type SnapshotVersion } from "../core/snapshot.ts";
import { instant, type InstantMs } from "../core/time.ts";
import { invariant } from "../core/invariant.ts";
import {
  type ClaimReply,
  type EnterAsk,
  type EnterReply,
  type HeldTicket,
  type HoldAsk,
  type HoldReply,
  type PaceReply,
  type PermitInHand,
  type LobbyRpc,
  type News,
  type RoomRpc,
  type TakeAsk,
  type TakeReply,
  type VisitReply,
  type WhereReply,
} from "./contract.ts";
import { Gatherer } from "./gather.ts";
import { HeardClock } from "./lobby-clock.ts";
import { LobbyDoor } from "./lobby-door.ts";
import { LobbySockets, type CloseReason } from "./lobby-sockets.ts";
import { LobbySpeaker } from "./lobby-speaker.ts";
import { LobbyDesk, type Heard } from "./lobby-desk.ts";
import { Holds } from "./lobby-holds.ts";
import { logFailure } from "./log.ts";

interface LobbyEnv {
  readonly ROOM: DurableObjectNamespace<DurableObject & RoomRpc>;
}

/** A lobby with visitors speaks to the Room at least so often. */
const HEARTBEAT_MS = 25_000;
/** The Room is asked for a snapshot at most so often. */
const SNAPSHOT_EVERY_MS = 1_000;

/** What a request is given to hold. */
class Permit extends RpcTarget implements PermitInHand {
  readonly #end: () => Promise<void>;

  constructor(end: () => Promise<void>) {
    super();
    this.#end = end;
  }

  end(): Promise<void> {
    return this.#end();
  }
}

/** Holds visitors' sockets, knows who is there, and speaks for them to the Room. */
export class Lobby extends DurableObject<LobbyEnv> implements LobbyRpc {
  readonly #roomId: string;
  readonly #gatherer: Gatherer;
  readonly #presence = new Presence();
  readonly #sockets: LobbySockets;
  readonly #speaker: LobbySpeaker;
  readonly #clock = new HeardClock();
  readonly #snapshot = new FollowedSnapshot();
  readonly #holds: Holds;
  readonly #desk: LobbyDesk;
  readonly #door: LobbyDoor;
  #refreshing: Promise<void> | null = null;
  #heard: Heard | null = null;
  #spokeAt = 0;
  #alarmIsSet = false;

  constructor(ctx: DurableObjectState, env: LobbyEnv) {
    super(ctx, env);
    const [roomId = "", index = ""] = (ctx.id.name ?? "").split("/");
    const lobby = parseLobbyIndex(Number(index));
    invariant(roomId !== "" && lobby !== null, "a lobby is named after its room and index");
    this.#roomId = roomId;
    this.#sockets = new LobbySockets(ctx);
    this.#speaker = new LobbySpeaker(this.#sockets, this.#presence);
    this.#gatherer = new Gatherer({
      lobby,
      drainPresence: () => this.#presence.drain(),
      hasPresenceNews: () => this.#presence.hasNews,
      held: () => this.#presence.held(),
      send: (batch) => this.#send(batch),
      sleep: (ms) => scheduler.wait(ms),
    });
    this.#holds = new Holds(this.#gatherer, this.#presence, () => this.#now());
    this.#desk = new LobbyDesk({
      gatherer: this.#gatherer,
      presence: this.#presence,
      holds: this.#holds,
      now: () => this.#now(),
      heard: () => this.#heard,
      dismiss: (number, reason) => this.#dismiss(number, reason),
    });
    this.#door = new LobbyDoor({
      sockets: this.#sockets,
      presence: this.#presence,
      desk: this.#desk,
      now: () => this.#now(),
      greet: (place) => this.#greet(place),
      speak: () => this.#gatherer.speak(),
      dismiss: (number, reason) => this.#dismiss(number, reason),
    });
  }

  override async alarm(): Promise<void> {
    this.#alarmIsSet = false;
    try {
      this.#sweep();
      this.#door.hangUp();
      if (this.#presence.size > 0) await this.#gatherer.speak();
    } catch (error) {
      logFailure("lobby-alarm", error);
    }
    await this.#keepAlarm();
  }

  async take(asks: readonly TakeAsk[]): Promise<readonly TakeReply[]> {
    const replies = await Promise.all(asks.map((ask) => this.#desk.take(ask)));
    await this.#keepAlarm();
    return replies;
  }

  where(ticket: HeldTicket): Promise<WhereReply> {
    return this.#desk.where(ticket);
  }

  leave(ticket: HeldTicket): Promise<void> {
    return this.#desk.leave(ticket);
  }

  claim(ticket: HeldTicket): Promise<ClaimReply> {
    return this.#desk.claim(ticket);
  }

  enter(ask: EnterAsk): Promise<EnterReply> {
    return this.#desk.enter(ask);
  }

  renew(visit: VisitId): Promise<VisitReply> {
    return this.#desk.renew(visit);
  }

  look(visit: VisitId): Promise<VisitReply> {
    return this.#desk.look(visit);
  }

  end(visit: VisitId, afterMs: number): Promise<void> {
    return this.#desk.end(visit, afterMs);
  }

  async hold(ask: HoldAsk): Promise<HoldReply> {
    await this.#keepAlarm();
    const reply = await this.#desk.hold(ask);
    if (reply.kind !== "visit") return reply;
    const { visit } = reply.visit;
    return { ...reply, permit: new Permit(() => this.#desk.end(visit, 0)) };
  }

  pace(holdMs: number): Promise<PaceReply> {
    return this.#desk.pace(holdMs);
  }

  letGo(hold: string): Promise<void> {
    this.#holds.letGo(hold);
    return Promise.resolve();
  }

  async snapshot(
    since: SnapshotVersion | null,
  ): Promise<{ snapshot: RoomSnapshot; ageMs: number }> {
    if (this.#snapshot.ageMs(instant(Date.now())) >= SNAPSHOT_EVERY_MS) await this.#refresh();
    const now = instant(Date.now());
    const snapshot = this.#snapshot.for(since, now);
    if (snapshot === null) throw new Error("the Room has not answered yet");
    return { snapshot, ageMs: this.#snapshot.ageMs(now) };
  }

  override async fetch(request: Request): Promise<Response> {
    const response = this.#door.open(request);
    await this.#keepAlarm();
    return response;
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#door.heard(socket, message);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    this.#door.closed(socket, code, reason);
  }

  override webSocketError(socket: WebSocket): void {
    this.#door.closed(socket, 1011, "error");
  }

  async deliver(news: News): Promise<void> {
    this.#takeIn(news);
    await this.#keepAlarm();
  }

  async close(): Promise<void> {
    for (const number of [...this.#sockets.numbers()])
      this.#sockets.closeAll(number, "room-closed");
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#alarmIsSet = false;
    this.#presence.forgetEverybody();
    this.#desk.forgetEverybody();
  }

  #greet(place: Place): void {
    const { number, claimBy } = place;
    if (this.#heard !== null) this.#speaker.position(place, this.#heard.notice, this.#now());
    if (claimBy !== null) this.#speaker.call({ number, claimBy });
  }

  #dismiss(number: TicketNumber, reason: CloseReason): void {
    this.#presence.forget(number);
    this.#speaker.forget(number);
    this.#sockets.closeAll(number, reason);
  }

  async #send(batch: Batch): Promise<BatchAnswer> {
    const sentAt = Date.now();
    const { answer, news } = await this.env.ROOM.getByName(this.#roomId).batch(batch);
    this.#spokeAt = Date.now();
    this.#takeIn(news);
    this.#holds.named(answer.next ?? [], sentAt);
    return answer;
  }

  /** The Room's word: calls first, then what changed for all, then positions. */
  #takeIn(news: News): void {
    const before = this.#heard;
    this.#clock.hear(news.now, Date.now());
    this.#heard = {
      notice: news.notice,
      tidings: news.tidings ?? before?.tidings ?? null,
      tidingsAt: news.tidings === null ? (before?.tidingsAt ?? instant(0)) : news.now,
    };
    for (const call of news.calls) {
      // The Room tells an unanswered call again; who has heard it need not hear it twice.
      if (this.#presence.claimBy(call.number) === call.claimBy) continue;
      if (this.#holds.called(call)) continue;
      this.#presence.called(call.number, call.claimBy);
      this.#speaker.call(call);
    }
    if (before !== null) this.#tellChanges(before.notice, news.notice);
    if (news.tidings !== null) this.#tick(news.tidings, news.notice);
    const restarted = before !== null && before.notice.boot !== news.notice.boot;
    if (restarted) this.#gatherer.wantReport();
    if (restarted || Date.now() - this.#spokeAt > HEARTBEAT_MS) void this.#gatherer.speak();
  }

  #tick(tidings: Tidings, notice: Notice): void {
    const now = this.#now();
    this.#sweep();
    this.#speaker.askReady(this.#presence.toAsk(tidings.nearUntil, now));
    this.#speaker.positions(tidings, notice, now);
    if (this.#presence.hasNews) void this.#gatherer.speak();
  }

  #tellChanges(before: Notice, notice: Notice): void {
    if (before.message !== notice.message) {
      this.#speaker.broadcast({ type: "message", text: notice.message });
    }
    if (before.closed !== notice.closed && notice.closed !== null) {
      this.#speaker.broadcast({ type: "closed", text: notice.closed });
    }
    const held = notice.mode === "held";
    if ((before.mode === "held") !== held) this.#speaker.broadcast({ type: "held", held });
    const reopened = before.closed !== null && notice.closed === null;
    const mode = before.mode !== notice.mode ? notice.mode : null;
    if (reopened || mode === "suspended") this.#speaker.broadcast({ type: "reload" });
  }

  #sweep(): void {
    const local = Date.now();
    const windowMs = this.#heard?.notice.returnWindowMs ?? Infinity;
    const missed = this.#presence.sweep(this.#now(), windowMs, (number) => {
      const ping = this.#sockets.lastPing(number);
      return ping === null ? null : this.#clock.fromLocal(ping, local);
    });
    for (const number of missed) {
      const place: Place = { number, state: "away", ahead: 0, claimBy: null };
      if (this.#heard !== null) this.#speaker.position(place, this.#heard.notice, this.#now());
    }
  }

  /** One question to the Room serves everybody who asks meanwhile. */
  async #refresh(): Promise<void> {
    this.#refreshing ??= this.#askSnapshot().finally(() => {
      this.#refreshing = null;
    });
    try {
      await this.#refreshing;
    } catch (error) {
      // What is at hand goes out with its age; the edge judges whether that is good enough.
      if (this.#snapshot.ageMs(instant(Date.now())) > SNAPSHOT_FRESH_MS) throw error;
    }
  }

  async #askSnapshot(): Promise<void> {
    const askedAt = instant(Date.now());
    const room = this.env.ROOM.getByName(this.#roomId);
    this.#snapshot.follow(await room.snapshot(this.#snapshot.version), askedAt);
  }

  #now(): InstantMs {
    return this.#clock.read(Date.now());
  }

  /** While it holds anybody, the lobby looks after itself even if the Room stays silent. */
  async #keepAlarm(): Promise<void> {
    if (this.#alarmIsSet || this.#presence.size === 0) return;
    this.#alarmIsSet = true;
    await this.ctx.storage.setAlarm(Date.now() + HEARTBEAT_MS);
  }
}
