/**
 * Answers visitors' calls at a lobby, from what it knows or from the Room. Requests that wait are
 * in waiting-requests.ts, where a number stands is in place-finder.ts.
 */
import { LatestMap } from "../../core/collections/latest-map.ts";
import type { TicketNumber, VisitId, VisitorId } from "../../core/ids.ts";
import { lastHeard } from "../../core/lobby/last-heard.ts";
import type { Presence } from "../../core/lobby/presence.ts";
import { placeTold, pollAroundStart } from "../../core/lobby/event-places.ts";
import { etaFor, pollAfterSeconds } from "../../core/lobby/ticket-view.ts";
import type { OpReply, Place } from "../../core/room/commands.ts";
import { refersTo } from "../../core/reference.ts";
import type { InstantMs } from "../../core/time.ts";
import type {
  ClaimReply,
  EnterAsk,
  EnterReply,
  TicketClaims,
  WaitAsk,
  WaitReply,
  MomentReply,
  RateLeft,
  TakeAsk,
  TakeReply,
  TicketView,
  VisitReply,
  WhereReply,
} from "../contract.ts";
import type { LastUpdate } from "./last-update.ts";
import type { OpBatcher } from "./op-batcher.ts";
import type { PlaceFinder } from "./place-finder.ts";
import type { WaitingRequests } from "./waiting-requests.ts";
import type { KeyedRequests } from "./keyed-requests.ts";
import type { CloseReason } from "../../core/lobby/close-codes.ts";
import { overReply } from "../over-reply.ts";

/** Beyond this many the oldest visitor is forgotten; its ticket still has its place. */
const VISITORS_MAX = 20_000;

/** What the tickets need of its lobby. */
export interface TicketsSource {
  readonly batcher: OpBatcher;
  readonly presence: Presence;
  readonly places: PlaceFinder;
  readonly waitingRequests: WaitingRequests;
  readonly keyed: KeyedRequests;
  now(): InstantMs;
  heard(): LastUpdate | null;
  /** The number waits here no more. */
  dismiss(number: TicketNumber, reason: CloseReason): void;
}

/** A number that was given to a visitor, and when this lobby answered for it by its visitor last. */
type KnownNumber = Pick<TicketClaims, "number" | "heardAt"> & {
  /** Null where the lobby has slept since. */
  readonly joinedAt: InstantMs | null;
};

/** Where a lobby answers its visitors, by what it knows or by asking the Room. */
export class LobbyTickets {
  readonly #source: TicketsSource;
  /** The same visitor gets the same live number, also when two of its joins cross. */
  readonly #visitors = new LatestMap<VisitorId, KnownNumber>(VISITORS_MAX);
  readonly #joining = new Map<VisitorId, Promise<TakeReply>>();

  constructor(source: TicketsSource) {
    this.#source = source;
  }

  async take(ask: TakeAsk): Promise<TakeReply> {
    const underWay = this.#joining.get(ask.visitor);
    if (underWay !== undefined) return underWay;
    const taking = this.#take(ask);
    this.#joining.set(ask.visitor, taking);
    try {
      return await taking;
    } finally {
      this.#joining.delete(ask.visitor);
    }
  }

  async where(ticket: TicketClaims): Promise<WhereReply> {
    const here = this.whereHere(ticket);
    if (here !== null) return here;
    const place = await this.#source.places.comeBack(ticket);
    if (place === null) return { kind: "ended" };
    return "kind" in place ? place : this.#standsAt(place, ticket);
  }

  /** By what this lobby knows; null if the Room has to be asked. */
  whereHere(ticket: TicketClaims): WhereReply | null {
    if (this.#source.heard()?.roomStatus.mode === "suspended") {
      return { kind: "refused", refusal: "room-suspended", retryAfterMs: 1_000 };
    }
    const place = this.#source.places.placeOf(ticket);
    return place === null ? null : this.#standsAt(place, ticket);
  }

  #standsAt(place: Place, { visitor, joinedAt }: TicketClaims): WhereReply {
    const view = this.#view(place, joinedAt);
    this.#remember(visitor, view);
    return { kind: "ticket", view };
  }

  async leave({ number, visitor }: TicketClaims): Promise<void> {
    await this.#ask({ op: "leave", number });
    this.#source.keyed.forget(number);
    this.#dismiss(number, visitor, "ticket-invalid");
  }

  async claim(ticket: TicketClaims): Promise<ClaimReply> {
    const { number, visitor, joinedAt } = ticket;
    const heard = lastHeard(ticket, this.#source.places.hearing(number));
    const reply = await this.#ask({ op: "claim", number, visitor, joinedAt, ...heard });
    switch (reply.kind) {
      case "visit":
        this.#dismiss(number, visitor, "visiting");
        return { kind: "visit", isNew: reply.isNew, visit: this.#visit(reply) };
      case "not-yet":
        this.#source.places.standsAt(reply.place);
        return this.#notYet(reply, joinedAt);
      case "refused":
        return reply;
      default:
        return { kind: "ended" };
    }
  }

  async wait(ask: WaitAsk, isolate: string | null = null): Promise<WaitReply> {
    const { outcome, joinedAt } = await this.#source.keyed.wait(ask, isolate);
    switch (outcome.kind) {
      case "visit":
        return { kind: "visit", visit: this.#visit(outcome), rate: this.#rate() };
      case "not-yet": {
        const { place, retryAt } = outcome;
        const view = this.#viewOf(place, joinedAt);
        return { kind: "not-yet", view, retryAfterMs: Math.max(0, retryAt - view.now) };
      }
      default:
        return outcome;
    }
  }

  async moment(holdMs: number): Promise<MomentReply> {
    const reply = await this.#ask({ op: "moment", holdMs });
    const now = this.#source.now();
    switch (reply.kind) {
      case "start":
        return { kind: "start", waitMs: Math.max(0, reply.startAt - now), left: reply.left };
      case "later":
        return { kind: "later", retryAfterMs: Math.max(1, reply.retryAt - now) };
      case "refused":
        return reply;
      default:
        return { kind: "refused", refusal: "busy", retryAfterMs: 1_000 };
    }
  }

  async enter(ask: EnterAsk): Promise<EnterReply> {
    const { visitor, transient, address } = ask;
    const known = this.#visitors.get(visitor);
    const place = transient ? null : (ask.number ?? known?.number ?? null);
    const joinedAt = ask.joinedAt ?? known?.joinedAt;
    const since = joinedAt == null ? {} : { joinedAt };
    const reply = await this.#ask(
      transient
        ? { op: "enter", transient, address }
        : { op: "enter", transient, visitor, number: place, ...since, address },
    );
    if (reply.kind !== "visit") return reply.kind === "refused" ? reply : { kind: "queue" };
    if (place !== null) this.#dismiss(place, visitor, "visiting");
    return { kind: "visit", visit: this.#visit(reply) };
  }

  async renew(visit: VisitId): Promise<VisitReply> {
    const reply = await this.#ask({ op: "renew", visit });
    if (reply.kind === "visit") this.#source.waitingRequests.renewed(reply.visit);
    return this.#visitReply(reply);
  }

  async peek(visit: VisitId): Promise<VisitReply> {
    return this.#visitReply(await this.#ask({ op: "peek", visit }));
  }

  async end(visit: VisitId, afterMs: number): Promise<void> {
    if (afterMs === 0) await this.#source.waitingRequests.end(visit);
    else await this.#ask({ op: "end", visit, afterMs });
  }

  /** The number of a visitor under this reference; null where this lobby knows of none. */
  numberUnder(reference: string): TicketNumber | null {
    const isMeant = refersTo(reference);
    let latest: TicketNumber | null = null;
    for (const [visitor, { number }] of this.#visitors)
      if (isMeant(visitor) && number > (latest ?? 0)) latest = number;
    return latest;
  }

  /** After a sleep: the visitor waits with this number's socket, by its visitor id too. */
  wakes(number: TicketNumber, visitor: VisitorId | null): void {
    const heardAt = this.#source.presence.heardAt(number);
    if (visitor !== null && heardAt !== null)
      this.#visitors.put(visitor, { number, heardAt, joinedAt: null });
  }

  forgetEverybody(): void {
    this.#visitors.clear();
  }

  async #take({ visitor, ticket, address }: TakeAsk): Promise<TakeReply> {
    const now = this.#source.now();
    const known = ticket ?? this.#visitors.get(visitor) ?? null;
    if (known !== null) {
      const place = await this.#source.places.comeBack(known);
      if (place !== null && "kind" in place) return place;
      if (place !== null) {
        const view = this.#view(place, known.joinedAt ?? now);
        this.#remember(visitor, view);
        return { kind: "ticket", isNew: false, view };
      }
    }
    const reply = await this.#ask({ op: "join", address, visitor });
    if (reply.kind === "refused") return reply;
    if (reply.kind !== "place") return { kind: "refused", refusal: "busy", retryAfterMs: 1_000 };
    this.#source.places.standsAt(reply.place);
    const view = this.#view(reply.place, this.#source.now());
    this.#remember(visitor, view);
    return { kind: "ticket", isNew: view.state !== "visiting", view };
  }

  #ask(op: Parameters<OpBatcher["ask"]>[0]): Promise<OpReply> {
    return this.#source.batcher.ask(op);
  }

  /** For a visitor who is here and will come back: the answer counts as a poll. */
  #view(place: Place, joinedAt: InstantMs): TicketView {
    const view = this.#viewOf(place, joinedAt);
    const polls = place.state === "waiting" || place.state === "called";
    const { presence, heard } = this.#source;
    const windowMs = heard()?.roomStatus.returnWindowMs;
    if (polls) presence.polled(place.number, view.pollAfterSeconds, view.now, windowMs);
    return view;
  }

  #viewOf(place: Place, joinedAt: InstantMs): TicketView {
    const now = this.#source.now();
    const roomStatus = this.#source.heard()?.roomStatus;
    const told = roomStatus === undefined ? place : placeTold(place, roomStatus);
    const eta = etaFor(roomStatus?.waits ?? null, told, now);
    const aroundStart = roomStatus === undefined ? null : pollAroundStart(place, roomStatus, now);
    const pollAfter = pollAfterSeconds(place.state, eta, roomStatus?.returnWindowMs, aroundStart);
    return { ...told, joinedAt, heardAt: now, eta, pollAfterSeconds: pollAfter, now };
  }

  /** How many starts the ring had left at the Room's last update. */
  #rate(): RateLeft | null {
    const outlook = this.#source.heard()?.roomStatus.waits.outlook;
    if (outlook == null || outlook.perSecondMax === null || outlook.left === null) return null;
    return { perSecondMax: outlook.perSecondMax, left: outlook.left };
  }

  #notYet({ place, retryAt }: Extract<OpReply, { kind: "not-yet" }>, joinedAt: InstantMs) {
    const retryAfterMs = Math.max(0, retryAt - this.#source.now());
    return { kind: "not-yet", view: this.#view(place, joinedAt), retryAfterMs } as const;
  }

  #visit({ visit }: Extract<OpReply, { kind: "visit" }>) {
    return { ...visit, now: this.#source.now() };
  }

  #visitReply(reply: OpReply): VisitReply {
    if (reply.kind === "refused") throw new Error("the lobby is busy");
    return reply.kind === "visit" ? { kind: "visit", visit: this.#visit(reply) } : overReply(reply);
  }

  #remember(visitor: VisitorId, { number, heardAt, joinedAt, state }: TicketView): void {
    this.#visitors.delete(visitor);
    // The Room itself knows the visitor of each visit.
    if (state === "visiting") return;
    this.#visitors.put(visitor, { number, heardAt, joinedAt });
  }

  #dismiss(number: TicketNumber, visitor: VisitorId, reason: CloseReason): void {
    this.#visitors.delete(visitor);
    this.#source.dismiss(number, reason);
  }
}
