/**
 * A lobby and its room in memory: who waits, who is called, who is inside. It answers as the real lobby
 * does, to which test/durable/lobby-contract holds it. How many permits there are it does not count:
 * its world says the room's mode, and in an open room everybody in line is called.
 */
import type { SocketClosing } from "../../src/core/lobby/close-codes.ts";
import type { RoomLimits } from "../../src/core/definition.ts";
import { parseTicketNumber, ticketNumber } from "../../src/core/ids.ts";
import type { TicketNumber, VisitId, VisitorId } from "../../src/core/ids.ts";
import { TRANSIENT_LEASE_MS } from "../../src/core/room/begin.ts";
import type { EndedVisit, RoomSnapshot, SnapshotVersion } from "../../src/core/snapshot.ts";
import { after, earliest, instant, isOver, type InstantMs } from "../../src/core/time.ts";
import { PASS_MAX_MS } from "../../src/core/token-lives.ts";
import { LOBBY_TICKET_HEADER, SOCKET_REFUSED } from "../../src/durable/contract.ts";
import type {
  EndReason,
  EnterAsk,
  WaitAsk,
  WaitReply,
  Refused,
  TakeAsk,
  TakeReply,
  TicketClaims,
  TicketView,
  VisitEnd,
  VisitReply,
  VisitView,
} from "../../src/durable/contract.ts";
import type { TurnsAsk, TurnsReply } from "../../src/durable/turns-contract.ts";

/** What it needs of its world. */
export interface FakeRoom {
  readonly now: InstantMs;
  readonly limits: RoomLimits;
  /** As the test said it. */
  readonly snapshot: RoomSnapshot;
  readonly snapshotAgeMs: number;
  timer(ms: number, run: () => void): () => void;
  /** A place in line as this world tells it. */
  view(change: Partial<TicketView>): TicketView;
}

interface Visit {
  readonly visitor: VisitorId | null;
  readonly transient: boolean;
  readonly epoch: number;
  leaseUntil: InstantMs;
  passUntil: InstantMs;
  endsAt: InstantMs | null;
  provisional: boolean;
}

interface Place {
  readonly visitor: VisitorId | null;
  readonly joinedAt: InstantMs;
  claimBy: InstantMs | null;
}

/** The first numbers of its line, and of visits that begin by the door. */
const FIRST_TICKET = 42;
const FIRST_VISIT = 7;
const EARLY_MS = 2_000;
const HELD_MS = 5_000;
const FULL_MS = 30_000;

export class FakeLobby {
  readonly #room: FakeRoom;
  readonly #places = new Map<TicketNumber, Place>();
  readonly #visits = new Map<VisitId, Visit>();
  /** Null where the room tells nobody how. */
  readonly #ends = new Map<VisitId, VisitEnd | null>();
  readonly #ended: EndedVisit[] = [];
  readonly #abandoned = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #tickets = FIRST_TICKET;
  #entries = FIRST_VISIT;
  #answers = 0;

  constructor(room: FakeRoom) {
    this.#room = room;
  }

  /** The number stands in line, as if this lobby had given it out. */
  issued({ number, visitor, joinedAt }: TicketClaims): void {
    if (this.#visits.has(number) || this.#ends.has(number) || this.#places.has(number)) return;
    this.#places.set(number, { visitor, joinedAt, claimBy: null });
    this.#tickets = Math.max(this.#tickets, number + 1);
  }

  /** The visit lives, as if its visitor had come in here. */
  began(visit: VisitId, provisional: boolean): void {
    if (!this.#visits.has(visit) && !this.#ends.has(visit))
      this.#begin(visit, null, { transient: false, provisional });
  }

  call(number: TicketNumber): void {
    const place = this.#places.get(number);
    if (place === undefined) throw new Error(`${number} does not stand in line`);
    place.claimBy = after(this.#room.now, this.#room.limits.claimWithinMs);
  }

  take({ visitor, ticket }: TakeAsk): TakeReply {
    const visit = this.#visitOf(visitor);
    if (visit !== null) return { kind: "ticket", isNew: false, view: this.#visiting(visit) };
    const known = this.#view(ticket?.number ?? this.#placeOf(visitor), ticket?.joinedAt);
    if (known !== null) return { kind: "ticket", isNew: false, view: known };
    const refusal = this.#refusal();
    if (refusal !== null) return refusal;
    const number = this.#next();
    this.#places.set(number, { visitor, joinedAt: this.#room.now, claimBy: null });
    const view = this.#view(number);
    return view === null ? refused("busy") : { kind: "ticket", isNew: true, view };
  }

  where({ number, joinedAt }: TicketClaims) {
    if (this.#mode === "suspended") return refused("room-suspended", 1_000);
    const view = this.#view(number, joinedAt);
    return view === null ? ({ kind: "ended" } as const) : ({ kind: "ticket", view } as const);
  }

  leave(number: TicketNumber): void {
    this.#places.delete(number);
  }

  claim({ number, visitor, joinedAt }: TicketClaims) {
    const visit = this.#visitOf(visitor) ?? (this.#isLive(number) ? number : null);
    if (visit !== null) {
      this.leave(number);
      return this.#renewed(visit);
    }
    const view = this.#view(number, joinedAt);
    if (view === null) return { kind: "ended" } as const;
    if (view.state !== "called") return { kind: "not-yet", view, retryAfterMs: EARLY_MS } as const;
    if (this.#mode === "paused") return { kind: "not-yet", view, retryAfterMs: HELD_MS } as const;
    this.leave(number);
    return this.#begin(number, visitor, { transient: false, provisional: false });
  }

  enter({ visitor, transient, number }: EnterAsk) {
    if (!transient) {
      const known = this.#visitOf(visitor) ?? (this.#isLive(number) ? number : null);
      if (known !== null) {
        if (number !== null) this.leave(number);
        return this.#renewed(known);
      }
      const isCalled = number !== null && this.#stateOf(number) === "called";
      if (isCalled && this.#mode !== "paused") {
        this.leave(number);
        return this.#begin(number, visitor, { transient: false, provisional: false });
      }
    }
    if (this.#mode !== "open") return { kind: "queue" } as const;
    if (number !== null) this.leave(number);
    while (this.#visits.has(ticketNumber(this.#entries))) this.#entries += 1;
    const whose = transient ? null : visitor;
    const provisional = !transient;
    return this.#begin(ticketNumber(this.#entries++), whose, { transient, provisional });
  }

  renew(visit: VisitId): VisitReply {
    return this.#isLive(visit) ? this.#renewed(visit) : this.#over(visit);
  }

  peek(visit: VisitId): VisitReply {
    return this.#isLive(visit) ? { kind: "visit", visit: this.#visit(visit) } : this.#over(visit);
  }

  end(visit: VisitId, afterMs: number): void {
    if (!this.#isLive(visit)) return;
    const { now } = this.#room;
    if (afterMs <= 0) return this.#finish(visit, "finished", now);
    const found = this.#live(visit);
    found.endsAt = earliest(after(now, afterMs), found.endsAt);
  }

  async wait({ waitId, ticket, holdMs }: WaitAsk): Promise<WaitReply> {
    const refusal = this.#refusal();
    if (refusal !== null) return refusal;
    const number = ticket === null ? this.#next() : ticket.number;
    const joinedAt = ticket?.joinedAt ?? this.#room.now;
    this.#places.set(number, { visitor: null, joinedAt, claimBy: null });
    if (this.#mode !== "open" && holdMs > 0) await this.#until(waitId, holdMs);
    if (this.#abandoned.delete(waitId) || this.#mode !== "open") {
      const view = this.#room.view({ number, joinedAt, state: "away", ahead: 0 });
      return { kind: "not-yet", view, retryAfterMs: EARLY_MS };
    }
    this.leave(number);
    const { visit } = this.#begin(number, null, { transient: false, provisional: false });
    return { kind: "visit", visit, rate: null, permit: { end: async () => this.end(number, 0) } };
  }

  /** It lends nothing: permits come back to it. */
  async turns({ asks, ended, gone }: TurnsAsk): Promise<TurnsReply> {
    for (const visit of ended) this.end(visit, 0);
    for (const wait of gone) this.abandonWait(wait);
    this.#answers += 1;
    const stamp = this.#answers;
    const replies = await Promise.all(
      asks.map(async (ask) => ({ wait: ask.waitId, reply: await this.wait(ask) })),
    );
    return { stamp, replies, lent: null, unended: [] };
  }

  /** Requests that wait go in when the room is open. */
  modeChanged(): void {
    if (this.#mode === "open") for (const stop of [...this.#waiting.values()]) stop();
  }

  abandonWait(waitId: string): void {
    const stop = this.#waiting.get(waitId);
    this.#abandoned.add(waitId);
    stop?.();
  }

  snapshot(since: SnapshotVersion | null): { snapshot: RoomSnapshot; ageMs: number } {
    const { now, snapshot: said, snapshotAgeMs: ageMs } = this.#room;
    this.#expire();
    const at = after(now, -ageMs);
    // The test has said itself who has ended.
    const isSaid = said.ended.length > 0 || said.endedSince !== null;
    if (isSaid) return { snapshot: { ...said, at }, ageMs };
    const version = { ...said.version, ended: said.version.ended + this.#ended.length };
    const endedSince = since?.boot === version.boot ? since.ended : null;
    const ended = this.#ended.filter((one) => one.version > (endedSince ?? -1));
    return { snapshot: { ...said, at, version, endedSince, ended }, ageMs };
  }

  open(request: Request): Response {
    const header = request.headers.get(LOBBY_TICKET_HEADER) ?? "null";
    const asked = JSON.parse(header) as TicketClaims | null;
    const invalid: SocketClosing = { code: 4401, reason: "ticket-invalid" };
    if (asked === null || parseTicketNumber(asked.number) === null)
      return Response.json(invalid, { status: SOCKET_REFUSED });
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    return new Response(null, { status: 101, webSocket: client });
  }

  get #mode(): RoomSnapshot["mode"] {
    return this.#room.snapshot.mode;
  }

  #refusal(): Refused | null {
    if (this.#mode === "suspended") return refused("room-suspended");
    return this.#mode === "closed" ? refused("room-closed", FULL_MS) : null;
  }

  #next(): TicketNumber {
    return ticketNumber(this.#tickets++);
  }

  #stateOf(number: TicketNumber): "waiting" | "called" | null {
    const place = this.#places.get(number);
    if (place === undefined) return null;
    const { now, limits } = this.#room;
    if (place.claimBy !== null && isOver(place.claimBy, now)) place.claimBy = null;
    if (this.#mode === "open") place.claimBy ??= after(now, limits.claimWithinMs);
    return place.claimBy === null ? "waiting" : "called";
  }

  #placeOf(visitor: VisitorId): TicketNumber | null {
    for (const [number, place] of this.#places) if (place.visitor === visitor) return number;
    return null;
  }

  #view(number: TicketNumber | null, joinedAt?: InstantMs): TicketView | null {
    if (number === null) return null;
    if (this.#isLive(number)) return this.#visiting(number, joinedAt);
    const state = this.#stateOf(number);
    const place = this.#places.get(number);
    if (state === null || place === undefined) return null;
    const change = { number, state, joinedAt: joinedAt ?? place.joinedAt, claimBy: place.claimBy };
    return this.#room.view(state === "called" ? { ...change, ahead: 0 } : change);
  }

  #visiting(number: TicketNumber, joinedAt = this.#room.now): TicketView {
    return this.#room.view({ number, joinedAt, state: "visiting", ahead: 0 });
  }

  #visitOf(visitor: VisitorId): VisitId | null {
    this.#expire();
    for (const [number, visit] of this.#visits) if (visit.visitor === visitor) return number;
    return null;
  }

  #isLive(visit: VisitId | null): visit is VisitId {
    this.#expire();
    return visit !== null && this.#visits.has(visit);
  }

  #live(visit: VisitId): Visit {
    const found = this.#visits.get(visit);
    if (found === undefined) throw new Error(`no visit ${visit}`);
    return found;
  }

  #visit(visit: VisitId): VisitView {
    const { epoch, leaseUntil, passUntil, endsAt, provisional } = this.#live(visit);
    return { visit, epoch, leaseUntil, passUntil, endsAt, provisional, now: this.#room.now };
  }

  #begin(
    number: TicketNumber,
    visitor: VisitorId | null,
    kind: Pick<Visit, "transient" | "provisional">,
  ) {
    const { now, limits, snapshot } = this.#room;
    const endsAt = limits.visitMaxMs === null ? null : after(now, limits.visitMaxMs);
    const begun = { visitor, ...kind, epoch: snapshot.epoch, endsAt };
    this.#visits.set(number, { ...begun, leaseUntil: now, passUntil: now });
    this.#lease(number);
    return { kind: "visit", isNew: true, visit: this.#visit(number) } as const;
  }

  #renewed(visit: VisitId) {
    const found = this.#live(visit);
    found.provisional = false;
    const { leaseRenews, permit } = this.#room.limits;
    if (leaseRenews || found.transient || permit === "request") this.#lease(visit);
    return { kind: "visit", isNew: false, visit: this.#visit(visit) } as const;
  }

  /** The lease begins anew, and the pass with it. */
  #lease(visit: VisitId): void {
    const { now, limits } = this.#room;
    const found = this.#live(visit);
    const ms = found.transient ? Math.min(limits.leaseMs, TRANSIENT_LEASE_MS) : limits.leaseMs;
    found.leaseUntil = after(now, ms);
    if (limits.permit === "request") return;
    const promised = earliest(after(now, PASS_MAX_MS), found.leaseUntil, found.endsAt) ?? now;
    found.passUntil = instant(Math.max(found.passUntil, promised));
  }

  #over(visit: VisitId): VisitReply {
    const end = this.#ends.get(visit);
    return end == null ? { kind: "ended" } : { kind: "ended", end };
  }

  /** What has run out, and what the operator has revoked. */
  #expire(): void {
    const { now, limits, snapshot } = this.#room;
    for (const [number, { epoch, leaseUntil, endsAt }] of this.#visits) {
      if (epoch < snapshot.epoch) this.#finish(number, "revoked", now);
      else if (endsAt !== null && isOver(endsAt, now)) this.#finish(number, "finished", endsAt);
      else if (isOver(leaseUntil, now))
        this.#finish(number, limits.leaseRenews ? "inactive" : "time-up", leaseUntil);
    }
  }

  #finish(visit: VisitId, reason: EndReason, at: InstantMs): void {
    const { passUntil, transient } = this.#live(visit);
    const version = this.#room.snapshot.version.ended + this.#ended.length + 1;
    if (!isOver(passUntil, this.#room.now))
      this.#ended.push({ visit, version, passesUntil: passUntil });
    this.#visits.delete(visit);
    const isTold = this.#room.limits.permit === "visit" && !transient;
    this.#ends.set(visit, isTold ? { reason, at, afterMs: null } : null);
  }

  /** Until the time is up, or the client has gone. */
  #until(waitId: string, ms: number): Promise<void> {
    if (this.#abandoned.has(waitId)) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = () => {
        cancel();
        this.#waiting.delete(waitId);
        resolve();
      };
      const cancel = this.#room.timer(ms, stop);
      this.#waiting.set(waitId, stop);
    });
  }
}

const refused = (refusal: Refused["refusal"], retryAfterMs = 0): Refused => ({
  kind: "refused",
  refusal,
  retryAfterMs,
});
