import type { TicketNumber, VisitId, VisitorId } from "../core/ids.ts";
import type { Presence } from "../core/lobby/presence.ts";
import { etaFor, placeFrom, pollAfterSeconds } from "../core/lobby/ticket-view.ts";
import type { Notice, OpReply, Place, Tidings } from "../core/room/commands.ts";
import { after, isOver, type InstantMs } from "../core/time.ts";
import type {
  ClaimReply,
  EnterAsk,
  EnterReply,
  HeldTicket,
  HoldAsk,
  HoldReply,
  PaceReply,
  RateLeft,
  TakeAsk,
  TakeReply,
  TicketView,
  VisitReply,
  WhereReply,
} from "./contract.ts";
import type { Gatherer } from "./gather.ts";
import type { Holds } from "./lobby-holds.ts";
import type { CloseReason } from "./lobby-sockets.ts";

/** Positions older than this are not given out: the Room is asked. */
const TIDINGS_FRESH_MS = 3_000;
/** The oldest visitor is forgotten beyond this many; its ticket still stands for it. */
const VISITORS_MAX = 20_000;

/** What the Room has said last. */
export interface Heard {
  readonly notice: Notice;
  readonly tidings: Tidings | null;
  readonly tidingsAt: InstantMs;
}

/** What the desk needs of its lobby. */
export interface DeskSource {
  readonly gatherer: Gatherer;
  readonly presence: Presence;
  readonly holds: Holds;
  now(): InstantMs;
  heard(): Heard | null;
  /** The number waits here no more. */
  dismiss(number: TicketNumber, reason: CloseReason): void;
}

type RefusedReply = Extract<OpReply, { kind: "refused" }>;

/** Where a lobby answers its visitors, by what it knows or by asking the Room. */
export class LobbyDesk {
  readonly #source: DeskSource;
  /** The same visitor gets the same live number, also when two of its joins cross. */
  readonly #visitors = new Map<VisitorId, TicketNumber>();
  readonly #joining = new Map<VisitorId, Promise<TakeReply>>();

  constructor(source: DeskSource) {
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

  async where(ticket: HeldTicket): Promise<WhereReply> {
    if (this.#source.heard()?.notice.mode === "suspended") {
      return { kind: "refused", refusal: "room-suspended", retryAfterMs: 1_000 };
    }
    const place = this.placeHere(ticket.number) ?? (await this.comeBack(ticket));
    if (place === null) return { kind: "ended" };
    if ("kind" in place) return place;
    return { kind: "ticket", view: this.#view(place, ticket.joinedAt) };
  }

  async leave({ number, visitor }: HeldTicket): Promise<void> {
    await this.#ask({ op: "leave", number });
    this.#dismiss(number, visitor, "ticket-invalid");
  }

  async claim({ number, visitor, joinedAt }: HeldTicket): Promise<ClaimReply> {
    const reply = await this.#ask({ op: "claim", number });
    switch (reply.kind) {
      case "visit":
        this.#dismiss(number, visitor, "visiting");
        return { kind: "visit", isNew: reply.isNew, visit: this.#visit(reply) };
      case "not-yet":
        this.#standsAt(reply.place);
        return this.#notYet(reply, joinedAt);
      case "refused":
        return reply;
      default:
        return { kind: "ended" };
    }
  }

  async hold(ask: HoldAsk): Promise<HoldReply> {
    const askedAt = this.#source.now();
    const outcome = await this.#source.holds.wait(ask);
    switch (outcome.kind) {
      case "visit":
        return { kind: "visit", visit: this.#visit(outcome), rate: this.#rate() };
      case "not-yet": {
        const { place, retryAt } = outcome;
        const isOld = ask.ticket?.number === place.number;
        const view = this.#viewOf(place, isOld ? (ask.ticket?.joinedAt ?? askedAt) : askedAt);
        return { kind: "not-yet", view, retryAfterMs: Math.max(0, retryAt - view.now) };
      }
      default:
        return outcome;
    }
  }

  async pace(holdMs: number): Promise<PaceReply> {
    const reply = await this.#ask({ op: "pace", holdMs });
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

  async enter({ transient }: EnterAsk): Promise<EnterReply> {
    const reply = await this.#ask({ op: "enter", transient });
    if (reply.kind === "visit") return { kind: "visit", visit: this.#visit(reply) };
    return reply.kind === "refused" ? reply : { kind: "queue" };
  }

  async renew(visit: VisitId): Promise<VisitReply> {
    const reply = await this.#ask({ op: "renew", visit });
    if (reply.kind === "visit") this.#source.holds.renewed(reply.visit);
    return this.#visitReply(reply);
  }

  async look(visit: VisitId): Promise<VisitReply> {
    return this.#visitReply(await this.#ask({ op: "look", visit }));
  }

  async end(visit: VisitId, afterMs: number): Promise<void> {
    if (afterMs === 0) await this.#source.holds.end(visit);
    else await this.#ask({ op: "end", visit, afterMs });
  }

  forgetEverybody(): void {
    this.#visitors.clear();
  }

  /** Where the number stands by what this lobby knows; null if the Room has to be asked. */
  placeHere(number: TicketNumber): Place | null {
    const { presence } = this.#source;
    const now = this.#source.now();
    const claimBy = presence.claimBy(number);
    if (claimBy !== null && !isOver(claimBy, now)) {
      return { number, state: "called", ahead: 0, claimBy };
    }
    const heard = this.#source.heard();
    if (heard?.tidings == null || isOver(after(heard.tidingsAt, TIDINGS_FRESH_MS), now)) {
      return null;
    }
    return presence.isPresent(number) ? placeFrom(heard.tidings, number) : null;
  }

  /** Tells the Room that the number is back. Null when it is spent or came too late. */
  async comeBack(
    ticket: Pick<HeldTicket, "number" | "heardAt">,
  ): Promise<Place | RefusedReply | null> {
    const { number } = ticket;
    const heardAt = this.#source.presence.heardAt(number);
    const exact = heardAt !== null;
    const reply = await this.#ask({
      op: "back",
      number,
      heardAt: heardAt ?? ticket.heardAt,
      exact,
    });
    if (reply.kind === "refused") return reply;
    if (reply.kind !== "place") return null;
    this.#standsAt(reply.place);
    return reply.place;
  }

  async #take({ visitor, ticket, address }: TakeAsk): Promise<TakeReply> {
    const now = this.#source.now();
    const number = ticket?.number ?? this.#visitors.get(visitor) ?? null;
    if (number !== null) {
      const place = await this.comeBack({ number, heardAt: ticket?.heardAt ?? now });
      if (place !== null && "kind" in place) return place;
      if (place !== null) {
        const view = this.#view(place, ticket?.joinedAt ?? now);
        return { kind: "ticket", isNew: false, view };
      }
    }
    const reply = await this.#ask({ op: "join", address });
    if (reply.kind === "refused") return reply;
    if (reply.kind !== "place") return { kind: "refused", refusal: "busy", retryAfterMs: 1_000 };
    this.#remember(visitor, reply.place.number);
    this.#standsAt(reply.place);
    return { kind: "ticket", isNew: true, view: this.#view(reply.place, this.#source.now()) };
  }

  #ask(op: Parameters<Gatherer["ask"]>[0]): Promise<OpReply> {
    return this.#source.gatherer.ask(op);
  }

  #standsAt(place: Place): void {
    if (place.state === "visiting" || place.state === "away") return;
    this.#source.presence.confirmed(place.number, place.claimBy, this.#source.now());
  }

  /** For a visitor who is here and will come back: the answer counts as a poll. */
  #view(place: Place, joinedAt: InstantMs): TicketView {
    const view = this.#viewOf(place, joinedAt);
    const polls = place.state === "waiting" || place.state === "called";
    if (polls) this.#source.presence.polled(place.number, view.pollAfterSeconds, view.now);
    return view;
  }

  #viewOf(place: Place, joinedAt: InstantMs): TicketView {
    const now = this.#source.now();
    const eta = etaFor(this.#source.heard()?.notice.pace ?? null, place, now);
    const pollAfter = pollAfterSeconds(place.state, eta);
    return { ...place, joinedAt, heardAt: now, eta, pollAfterSeconds: pollAfter, now };
  }

  /** What the ring had left when the Room spoke last. */
  #rate(): RateLeft | null {
    const outlook = this.#source.heard()?.notice.pace.outlook;
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
    return reply.kind === "visit"
      ? { kind: "visit", visit: this.#visit(reply) }
      : { kind: "ended" };
  }

  #remember(visitor: VisitorId, number: TicketNumber): void {
    const oldest = this.#visitors.keys().next();
    if (this.#visitors.size >= VISITORS_MAX && oldest.done === false) {
      this.#visitors.delete(oldest.value);
    }
    this.#visitors.set(visitor, number);
  }

  #dismiss(number: TicketNumber, visitor: VisitorId, reason: CloseReason): void {
    this.#visitors.delete(visitor);
    this.#source.dismiss(number, reason);
  }
}
