import { DurableObject } from "cloudflare:workers";
import {
  parseLobbyIndex,
  parseTicketNumber,
  type TicketNumber,
  type VisitId,
  type VisitorId,
} from "../core/ids.ts";
import { FollowedSnapshot } from "../core/lobby/followed-snapshot.ts";
import { Presence } from "../core/lobby/presence.ts";
import { etaFor, placeFrom, pollAfterSeconds } from "../core/lobby/ticket-view.ts";
import type { Batch, BatchAnswer, Notice, OpReply, Place, Tidings } from "../core/room/commands.ts";
import { SNAPSHOT_FRESH_MS, type RoomSnapshot, type SnapshotVersion } from "../core/snapshot.ts";
import { after, instant, isOver, type InstantMs } from "../core/time.ts";
import { invariant } from "../core/invariant.ts";
import {
  LOBBY_TICKET_HEADER,
  type ClaimReply,
  type EnterAsk,
  type EnterReply,
  type HeldTicket,
  type LobbyRpc,
  type News,
  type RoomRpc,
  type TakeAsk,
  type TakeReply,
  type TicketView,
  type VisitReply,
  type WhereReply,
} from "./contract.ts";
import { Gatherer } from "./gather.ts";
import { HeardClock } from "./lobby-clock.ts";
import {
  close,
  LobbySockets,
  parseClientMessage,
  SOCKETS_PER_TICKET_MAX,
  type CloseReason,
} from "./lobby-sockets.ts";
import { LobbySpeaker } from "./lobby-speaker.ts";
import { logFailure } from "./log.ts";

interface LobbyEnv {
  readonly ROOM: DurableObjectNamespace<DurableObject & RoomRpc>;
}

/** A lobby with visitors speaks to the Room at least so often. */
const HEARTBEAT_MS = 25_000;
/** Positions older than this are not given out: the Room is asked. */
const TIDINGS_FRESH_MS = 3_000;
/** The Room is asked for a snapshot at most so often. */
const SNAPSHOT_EVERY_MS = 1_000;
const VISITORS_MAX = 20_000;

interface Heard {
  readonly notice: Notice;
  readonly tidings: Tidings | null;
  readonly tidingsAt: InstantMs;
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
  /** The same visitor gets the same live number, also when two of its joins cross. */
  readonly #visitors = new Map<VisitorId, TicketNumber>();
  readonly #joining = new Map<VisitorId, Promise<TakeReply>>();
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
    for (const number of this.#sockets.numbers()) {
      for (const socket of this.#sockets.of(number)) {
        void socket;
        this.#presence.socketOpened(number, this.#now());
      }
    }
  }

  override async alarm(): Promise<void> {
    this.#alarmIsSet = false;
    try {
      this.#sweep();
      if (this.#presence.size > 0) await this.#gatherer.speak();
    } catch (error) {
      logFailure("lobby-alarm", error);
    }
    await this.#keepAlarm();
  }

  async take({ visitor, ticket, address }: TakeAsk): Promise<TakeReply> {
    const underWay = this.#joining.get(visitor);
    if (underWay !== undefined) return underWay;
    const taking = this.#take(visitor, ticket, address);
    this.#joining.set(visitor, taking);
    try {
      return await taking;
    } finally {
      this.#joining.delete(visitor);
    }
  }

  async where(ticket: HeldTicket): Promise<WhereReply> {
    const notice = this.#heard?.notice;
    if (notice?.mode === "suspended") {
      return { kind: "refused", refusal: "room-suspended", retryAfterMs: 1_000 };
    }
    const here = this.#placeHere(ticket.number);
    const place = here ?? (await this.#comeBack(ticket));
    if (place === null) return { kind: "ended" };
    if ("kind" in place) return place;
    return { kind: "ticket", view: this.#view(place, ticket.joinedAt) };
  }

  async leave(ticket: HeldTicket): Promise<void> {
    await this.#gatherer.ask({ op: "leave", number: ticket.number });
    this.#forget(ticket.number, ticket.visitor, "ticket-invalid");
  }

  async claim(ticket: HeldTicket): Promise<ClaimReply> {
    const reply = await this.#gatherer.ask({ op: "claim", number: ticket.number });
    switch (reply.kind) {
      case "visit":
        this.#forget(ticket.number, ticket.visitor, "visiting");
        return { kind: "visit", isNew: reply.isNew, visit: { ...reply.visit, now: this.#now() } };
      case "not-yet": {
        this.#standsAt(reply.place);
        const view = this.#view(reply.place, ticket.joinedAt);
        return { kind: "not-yet", view, retryAfterMs: Math.max(0, reply.retryAt - this.#now()) };
      }
      case "refused":
        return reply;
      default:
        return { kind: "ended" };
    }
  }

  async enter({ transient }: EnterAsk): Promise<EnterReply> {
    const reply = await this.#gatherer.ask({ op: "enter", transient });
    if (reply.kind === "visit")
      return { kind: "visit", visit: { ...reply.visit, now: this.#now() } };
    return reply.kind === "refused" ? reply : { kind: "queue" };
  }

  async renew(visit: VisitId): Promise<VisitReply> {
    return this.#visitReply(await this.#gatherer.ask({ op: "renew", visit }));
  }

  async look(visit: VisitId): Promise<VisitReply> {
    return this.#visitReply(await this.#gatherer.ask({ op: "look", visit }));
  }

  async end(visit: VisitId, afterMs: number): Promise<void> {
    await this.#gatherer.ask({ op: "end", visit, afterMs });
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
    const pair = new WebSocketPair();
    const refusal = this.#seat(pair[1], request.headers.get(LOBBY_TICKET_HEADER));
    if (refusal !== null) {
      pair[1].accept();
      pair[1].close(refusal.code, refusal.reason);
    }
    await this.#keepAlarm();
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    const number = this.#sockets.numberOf(socket);
    if (number === null || parseClientMessage(message) === null) {
      close(socket, "bad-message");
      return;
    }
    this.#presence.spoke(number, this.#now());
    if (this.#presence.hasNews) void this.#gatherer.speak();
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    const number = this.#sockets.remove(socket);
    if (number !== null) this.#presence.socketClosed(number, this.#now());
    try {
      socket.close(code === 1005 || code === 1006 ? 1000 : code, reason);
    } catch {
      // Closed from both sides: nothing is left to answer.
    }
  }

  override webSocketError(socket: WebSocket): void {
    this.webSocketClose(socket, 1011, "error");
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
    this.#visitors.clear();
  }

  async #take(
    visitor: VisitorId,
    ticket: HeldTicket | null,
    address: string | null,
  ): Promise<TakeReply> {
    const number = ticket?.number ?? this.#visitors.get(visitor) ?? null;
    if (number !== null) {
      const joinedAt = ticket?.joinedAt ?? this.#now();
      const place = await this.#comeBack({ number, heardAt: ticket?.heardAt ?? this.#now() });
      if (place !== null && "kind" in place) return place;
      if (place !== null)
        return { kind: "ticket", isNew: false, view: this.#view(place, joinedAt) };
    }
    const reply = await this.#gatherer.ask({ op: "join", address });
    if (reply.kind === "refused") return reply;
    if (reply.kind !== "place") return { kind: "refused", refusal: "busy", retryAfterMs: 1_000 };
    this.#remember(visitor, reply.place.number);
    this.#standsAt(reply.place);
    await this.#keepAlarm();
    return { kind: "ticket", isNew: true, view: this.#view(reply.place, this.#now()) };
  }

  /** Where the number stands by what this lobby knows; null if the Room has to be asked. */
  #placeHere(number: TicketNumber): Place | null {
    const now = this.#now();
    const claimBy = this.#presence.claimBy(number);
    if (claimBy !== null && !isOver(claimBy, now))
      return { number, state: "called", ahead: 0, claimBy };
    const heard = this.#heard;
    if (heard?.tidings == null || isOver(after(heard.tidingsAt, TIDINGS_FRESH_MS), now))
      return null;
    return this.#presence.isPresent(number) ? placeFrom(heard.tidings, number) : null;
  }

  /** Tells the Room that the number is back. Null when it is spent or came too late. */
  async #comeBack(
    ticket: Pick<HeldTicket, "number" | "heardAt">,
  ): Promise<Place | Extract<OpReply, { kind: "refused" }> | null> {
    const { number } = ticket;
    const heardAt = this.#presence.heardAt(number);
    const exact = heardAt !== null;
    const back = { op: "back", number, heardAt: heardAt ?? ticket.heardAt, exact } as const;
    const reply = await this.#gatherer.ask(back);
    if (reply.kind === "refused") return reply;
    if (reply.kind !== "place") return null;
    this.#standsAt(reply.place);
    return reply.place;
  }

  #standsAt(place: Place): void {
    if (place.state === "visiting") return;
    this.#presence.confirmed(place.number, place.claimBy, this.#now());
  }

  #view(place: Place, joinedAt: InstantMs): TicketView {
    const now = this.#now();
    const eta = etaFor(this.#heard?.notice.pace ?? null, place, now);
    const pollAfter = pollAfterSeconds(place.state, eta);
    if (place.state !== "visiting") this.#presence.polled(place.number, pollAfter, now);
    return { ...place, joinedAt, heardAt: now, eta, pollAfterSeconds: pollAfter, now };
  }

  #visitReply(reply: OpReply): VisitReply {
    if (reply.kind === "refused") throw new Error("the lobby is busy");
    if (reply.kind !== "visit") return { kind: "ended" };
    return { kind: "visit", visit: { ...reply.visit, now: this.#now() } };
  }

  #remember(visitor: VisitorId, number: TicketNumber): void {
    if (this.#visitors.size >= VISITORS_MAX) {
      const oldest = this.#visitors.keys().next();
      if (oldest.done === false) this.#visitors.delete(oldest.value);
    }
    this.#visitors.set(visitor, number);
  }

  #forget(number: TicketNumber, visitor: VisitorId, reason: CloseReason): void {
    this.#presence.forget(number);
    this.#speaker.forget(number);
    this.#visitors.delete(visitor);
    this.#sockets.closeAll(number, reason);
  }

  #seat(socket: WebSocket, header: string | null): { code: number; reason: string } | null {
    const asked = JSON.parse(header ?? "null") as
      HeldTicket | { refuse: { code: number; reason: string } } | null;
    if (asked === null) return { code: 4401, reason: "ticket-invalid" };
    if ("refuse" in asked) return asked.refuse;
    const number = parseTicketNumber(asked.number);
    if (number === null) return { code: 4401, reason: "ticket-invalid" };
    if (this.#sockets.of(number).size >= SOCKETS_PER_TICKET_MAX)
      return { code: 4429, reason: "too-many" };
    this.#sockets.accept(socket, number, Date.now());
    this.#greet(asked).catch((error: unknown) => {
      logFailure("lobby-greet", error);
      this.#sockets.closeAll(number, "idle");
    });
    return null;
  }

  /** A new socket hears at once where its number stands. */
  async #greet(ticket: HeldTicket): Promise<void> {
    const place = this.#placeHere(ticket.number) ?? (await this.#comeBack(ticket));
    if (place === null || "kind" in place || place.state === "visiting") {
      this.#sockets.closeAll(ticket.number, "ticket-invalid");
      return;
    }
    this.#presence.socketOpened(ticket.number, this.#now());
    if (this.#heard !== null) this.#speaker.position(place, this.#heard.notice, this.#now());
    if (place.claimBy !== null)
      this.#speaker.call({ number: ticket.number, claimBy: place.claimBy });
    if (this.#presence.hasNews) await this.#gatherer.speak();
  }

  async #send(batch: Batch): Promise<BatchAnswer> {
    const { answer, news } = await this.env.ROOM.getByName(this.#roomId).batch(batch);
    this.#spokeAt = Date.now();
    this.#takeIn(news);
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
