/**
 * Requests that wait at a lobby for their turn. Their numbers and permits are the Room's; batons
 * are in core/lobby/batons.ts.
 */
import type { TicketNumber, VisitId } from "../../core/ids.ts";
import type { Presence } from "../../core/lobby/presence.ts";
import { DueTimes } from "../../core/collections/due-times.ts";
import { LineOrder } from "../../core/line/order.ts";
import type { Call, LiveVisit, Op, OpReply, Place } from "../../core/room/commands.ts";
import { after, instant, type InstantMs } from "../../core/time.ts";
import type { LentTurns } from "../../core/lobby/lent-turns.ts";
import type { WaitAsk } from "../contract.ts";
import type { PassedBaton } from "../turns-contract.ts";
import type { OpBatcher } from "./op-batcher.ts";
import { Batons } from "../../core/lobby/batons.ts";
import { WaitingRequest } from "./waiting-request.ts";
import { logFailure } from "../log.ts";

/** The outcome of a wait. */
export type WaitOutcome = Extract<OpReply, { kind: "visit" | "not-yet" | "ended" | "refused" }>;

/**
 * Bounds the waits that were let go before they began, and the visits that came before their
 * request waited.
 */
const KEPT_MAX = 1_000;
/** A number stays present a little longer than its wait, whose end the Room is told. */
const PRESENCE_SLACK_MS = 1_000;
/**
 * A request that may wait at least so long, behind others, can also wait a little for its number.
 */
const PATIENT_HOLD_MS = 1_000;
/** Nothing is lent so shortly before somebody's time is up: whoever is sent away may come back at once. */
const LEND_BEFORE_MS = 1_000;

/**
 * Requests that wait in this lobby for their turn. A visit that the Room begins is told once, with a
 * call, and goes to the one request that stands for its number, however calls, answers, time and
 * clients that leave may cross.
 */
export class WaitingRequests {
  readonly #batcher: OpBatcher;
  readonly #presence: Presence;
  readonly #now: () => InstantMs;
  readonly #order: () => LineOrder;
  readonly #byNumber = new Map<TicketNumber, WaitingRequest>();
  readonly #byWaitId = new Map<string, WaitingRequest>();
  readonly #abandoned = new Set<string>();
  /** Visits that began while their request was still being told its number, or was leaving. */
  readonly #early = new Map<TicketNumber, LiveVisit>();
  /** Requests that brought their ticket back, until the Room has said where they stand. */
  readonly #returning = new Set<WaitingRequest>();
  readonly #batons = new Batons();
  #nobodyAway = false;
  /** When each request has waited long enough, by this object's own clock. */
  readonly #due = new DueTimes<WaitingRequest>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #timerAt: InstantMs | null = null;

  constructor(
    batcher: OpBatcher,
    presence: Presence,
    now: () => InstantMs,
    order: () => LineOrder = () => LineOrder.plain,
  ) {
    this.#batcher = batcher;
    this.#presence = presence;
    this.#now = now;
    this.#order = order;
  }

  /** `isolate`: whose requests share its calls, and may pass permits on among themselves. */
  wait(ask: WaitAsk, isolate: string | null = null): Promise<WaitOutcome> {
    return this.#wait(ask, isolate).then((outcome) => {
      if (outcome.kind === "visit" && !this.#batons.knows(outcome.visit.visit))
        this.#batons.told(outcome.visit);
      return outcome;
    });
  }

  async #wait(ask: WaitAsk, isolate: string | null): Promise<WaitOutcome> {
    const giveUpAt = Date.now() + ask.holdMs;
    // A number that somebody else may bring, by its ticket or under a key, is not lent.
    const isOwn = ask.ticket === null && (ask.key ?? null) === null;
    const joinedAt = ask.ticket?.joinedAt ?? this.#now();
    const turn = new WaitingRequest(ask.waitId, joinedAt, isOwn ? isolate : null);
    this.#byWaitId.set(turn.waitId, turn);
    if (this.#abandoned.delete(turn.waitId)) turn.settle("gone");
    if (ask.ticket !== null) this.#stand(turn, ask.ticket.number);
    const { ticket, holdMs, address } = ask;
    try {
      const reply = await this.#ask({ op: "request", ticket, holdMs, address }, turn);
      if (reply.kind === "place") return await this.#stay(turn, reply.place, giveUpAt);
      if (reply.kind === "not-yet" && reply.place.state === "called")
        return await this.#claim(turn, reply.place.number, giveUpAt);
      return await this.#atOnce(turn, reply);
    } finally {
      this.#byWaitId.delete(turn.waitId);
      if (turn.number !== null && this.#byNumber.get(turn.number) === turn)
        this.#byNumber.delete(turn.number);
    }
  }

  /**
   * A new request behind others is in no hurry; one that brings its number may stand ahead of them.
   */
  async #ask(op: Extract<Op, { op: "request" }>, turn: WaitingRequest): Promise<OpReply> {
    const isNew = op.ticket === null;
    if (!isNew) this.#returning.add(turn);
    const isPatient = isNew && op.holdMs >= PATIENT_HOLD_MS && this.#batons.hasPlenty(Date.now());
    try {
      return await this.#batcher.ask(op, isPatient);
    } finally {
      this.#returning.delete(turn);
    }
  }

  /** The Room has named the numbers for batons, in answer to a batch sent at `sentAt`. */
  named(next: readonly TicketNumber[], sentAt: number, nobodyAway = false): void {
    this.#batons.named(next, sentAt);
    this.#nobodyAway = nobodyAway;
  }

  /**
   * The head of the line, as far as it waits in this isolate, for it to pass its permits to. Nothing
   * where somebody could come back before them: is away already, on the way, or about to be sent away.
   */
  lend(isolate: string): LentTurns | null {
    const local = Date.now();
    const soonest = this.#due.next();
    if (!this.#nobodyAway || this.#returning.size > 0) return null;
    if (soonest !== null && soonest < local + LEND_BEFORE_MS) return null;
    return this.#batons.lend((number) => {
      const turn = this.#byNumber.get(number);
      if (turn === undefined || turn.why !== null) return undefined;
      return turn.isolate === isolate ? turn.waitId : null;
    }, local);
  }

  /** An isolate has passed a permit by what it was lent. */
  passed({ from, to }: PassedBaton): void {
    const taker = this.#byNumber.get(to);
    this.#batons.took(from, to, this.#now());
    taker?.settle("taken");
    this.#presence.forget(to);
    this.#tellBaton(from, to, taker);
  }

  renewed(visit: LiveVisit): void {
    if (this.#batons.knows(visit.visit)) this.#batons.told(visit);
  }

  /** A visit has ended. Its permit goes to the next number at once, if the Room has named one. */
  async end(visit: VisitId): Promise<void> {
    const stands = (number: TicketNumber): boolean => this.#byNumber.get(number)?.why === null;
    const waitsFor = (number: TicketNumber): boolean => this.#isBehindReturning(number);
    const baton = this.#batons.pass(visit, stands, waitsFor, this.#now(), Date.now());
    if (baton === null) {
      await this.#batcher.ask({ op: "end", visit, afterMs: 0 });
      return;
    }
    const { to } = baton;
    const taker = this.#byNumber.get(to);
    taker?.settle(baton.visit);
    this.#presence.forget(to);
    this.#tellBaton(visit, to, taker);
  }

  /** What has happened here already may wait for others, while there is plenty to go on with. */
  #tellBaton(from: VisitId, to: TicketNumber, taker: WaitingRequest | undefined): void {
    const since = taker === undefined ? {} : { joinedAt: taker.joinedAt };
    this.#batcher
      .ask({ op: "baton", from, to, ...since }, this.#batons.hasPlenty(Date.now()))
      .then((reply) => reply.kind === "visit" && this.renewed(reply.visit))
      .catch((error: unknown) => logFailure("lobby-baton", error));
  }

  /** True when the call is for a request that waits here. */
  called({ number, visit }: Call): boolean {
    if (this.#batons.wasPassed(number)) return true;
    const turn = this.#byNumber.get(number);
    if (turn?.settle(visit ?? "called") === true) return true;
    if (visit === undefined) return false;
    bounded(this.#early.set(number, visit));
    return true;
  }

  /** A request stands for the number here, or is being told so. */
  stands(number: TicketNumber): boolean {
    return this.#byNumber.has(number);
  }

  abandon(waitId: string): void {
    const turn = this.#byWaitId.get(waitId);
    if (turn === undefined) bounded(this.#abandoned.add(waitId));
    else turn.settle("gone");
  }

  /** A second request with the same ticket takes the first one's place. */
  #isBehindReturning(number: TicketNumber): boolean {
    const order = this.#order();
    const spot = order.spotOf(number);
    const numbers = [...this.#returning].flatMap((turn) => turn.number ?? []);
    return numbers.some((returning) => order.spotOf(returning) <= spot);
  }

  #stand(turn: WaitingRequest, number: TicketNumber): void {
    if (turn.number !== null && this.#byNumber.get(turn.number) === turn)
      this.#byNumber.delete(turn.number);
    turn.number = number;
    const before = this.#byNumber.get(number);
    this.#byNumber.set(number, turn);
    before?.settle("replaced");
    const visit = this.#early.get(number);
    if (visit !== undefined && turn.settle(visit)) this.#early.delete(number);
  }

  /** The Room has answered without making it wait. */
  #atOnce(turn: WaitingRequest, reply: OpReply): Promise<WaitOutcome> {
    const { why } = turn;
    if (reply.kind !== "visit") return Promise.resolve(isVisit(why) ? began(why) : known(reply));
    const { visit } = reply;
    this.#early.delete(visit.visit);
    if (why === "gone") return Promise.resolve(this.#giveBack(visit));
    if (why === "replaced") return this.#standsAside(visit.visit);
    // A call for the old number crossed with the visit of a new one: one of them is enough.
    if (isVisit(why) && why.visit !== visit.visit) this.#giveBack(visit);
    return Promise.resolve(began(isVisit(why) ? why : visit));
  }

  async #stay(turn: WaitingRequest, { number }: Place, giveUpAt: number): Promise<WaitOutcome> {
    const { why } = turn;
    if (isVisit(why)) {
      if (why.visit !== number) await this.#batcher.ask({ op: "leave", number });
      return began(why);
    }
    if (why === "replaced" && turn.number === number) return this.#standsAside(number);
    if (turn.number !== number) this.#stand(turn, number);
    const ms = Math.max(0, giveUpAt - Date.now());
    this.#presence.waits(number, after(this.#now(), ms + PRESENCE_SLACK_MS), this.#now());
    this.#due.watch(turn, instant(giveUpAt));
    this.#setTimer();
    const ended = await turn.settled;
    this.#due.set(turn, null);
    if (ended === "replaced") return this.#standsAside(number);
    this.#presence.forget(number);
    if (ended === "taken") return { kind: "ended" };
    if (isVisit(ended)) return began(ended);
    if (ended === "called") return this.#claim(turn, number, giveUpAt);
    return this.#withdraw(turn, number);
  }

  /** One timer for all: a crowd that came together leaves together, in one batch. */
  #setTimer(): void {
    const next = this.#due.next();
    if (next === null || (this.#timerAt !== null && this.#timerAt <= next)) return;
    clearTimeout(this.#timer);
    this.#timerAt = next;
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(0, next - Date.now()));
  }

  #giveUp(): void {
    // Where the clock was set back meanwhile, the timer's own instant counts.
    const now = instant(Math.max(Date.now(), this.#timerAt ?? 0));
    this.#timerAt = null;
    for (let turn = this.#due.take(now); turn !== null; turn = this.#due.take(now))
      turn.settle("over");
    this.#setTimer();
  }

  /** The Room has restarted and called the number, whose request now has to claim. */
  async #claim(
    { joinedAt }: WaitingRequest,
    number: TicketNumber,
    giveUpAt: number,
  ): Promise<WaitOutcome> {
    for (;;) {
      const reply = await this.#batcher.ask({ op: "claim", number, joinedAt });
      const waitMs = reply.kind === "not-yet" ? Math.max(1, reply.retryAt - this.#now()) : Infinity;
      if (Date.now() + waitMs > giveUpAt) return known(reply);
      await scheduler.wait(waitMs);
    }
  }

  /**
   * Tells the Room that the request waits no more. If its turn came just then it has its visit,
   * which is given back where its client is gone.
   */
  async #withdraw(turn: WaitingRequest, number: TicketNumber): Promise<WaitOutcome> {
    const reply = await this.#batcher.ask({ op: "withdraw", number });
    if (reply.kind !== "visit") return known(reply);
    if (this.#byNumber.get(number) !== turn) return { kind: "ended" };
    this.#early.delete(number);
    return turn.why === "gone" ? this.#giveBack(reply.visit) : began(reply.visit);
  }

  /** Another request stands for the number; this one is told its place, and to come later. */
  async #standsAside(number: TicketNumber): Promise<WaitOutcome> {
    const heardAt = this.#now();
    const reply = await this.#batcher.ask({ op: "rejoin", number, heardAt, exact: true });
    if (reply.kind !== "place" || reply.place.state === "visiting") return { kind: "ended" };
    const place: Place = { ...reply.place, state: "away", claimBy: null };
    return { kind: "not-yet", place, retryAt: after(this.#now(), ASIDE_MS) };
  }

  /** No request can use the visit: it ends, and its permit goes on. */
  #giveBack({ visit }: LiveVisit): WaitOutcome {
    this.#batcher
      .ask({ op: "end", visit, afterMs: 0 })
      .catch((error: unknown) => logFailure("lobby-give-back", error));
    return { kind: "ended" };
  }
}

/** When a request may come again whose place another one with its ticket has taken. */
const ASIDE_MS = 5_000;

const isVisit = (why: unknown): why is LiveVisit => typeof why === "object" && why !== null;

const began = (visit: LiveVisit): WaitOutcome => ({ kind: "visit", isNew: true, visit });

const known = (reply: OpReply): WaitOutcome => {
  switch (reply.kind) {
    case "visit":
    case "not-yet":
    case "refused":
      return reply;
    default:
      return { kind: "ended" };
  }
};

/** Forgets the oldest entry beyond a bound that only failures can reach. */
const bounded = (kept: Map<unknown, unknown> | Set<unknown>): void => {
  const oldest = kept.keys().next();
  if (kept.size > KEPT_MAX && oldest.done === false) kept.delete(oldest.value);
};
