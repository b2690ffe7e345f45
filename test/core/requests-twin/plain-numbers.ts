import type { RoomLimits } from "../../../src/core/definition.ts";
import type { LiveVisit, OpReply, Place } from "../../../src/core/room/commands.ts";
import type { HistoryCount } from "../../../src/core/room/history.ts";
import type { RoomMode } from "../../../src/core/snapshot.ts";
import { limitsOfCalls, limitsOfStarts, PlainRing, PlainSchedule, secondOf } from "./plain-ring.ts";

/** The same shapes without brands: a number is a number here. */
export type Plain<T> = T extends number
  ? number
  : T extends string | boolean | null | undefined
    ? T
    : { readonly [Key in keyof T]: Plain<T[Key]> };

export type PlainReply = Plain<OpReply>;

type Standing = "present" | "unconfirmed" | "away" | "called" | "visiting" | "spent";

/** All about one number; what does not apply to its standing means nothing. */
export interface PlainNumber {
  readonly number: number;
  readonly lobby: number;
  standing: Standing;
  /** Its request waits at the edge. */
  isAttended: boolean;
  /** When it was told to come back. */
  promisedAt: number | null;
  misses: number;
  calledAt: number;
  startedAt: number;
  claimBy: number;
  leaseUntil: number;
  passesUntil: number;
  endsAt: number | null;
  isReleased: boolean;
  provisionalUntil: number | null;
  isTransient: boolean;
}

const PASS_MAX_MS = 300_000;

/** The numbers of a room, its rings, and what can be asked of them by looking through all. */
export class PlainNumbers {
  limits: RoomLimits;
  now = 0;
  epoch = 1;
  settlesUntil: number | null = null;
  readonly numbers: PlainNumber[] = [];
  readonly starts = new PlainRing();
  readonly calls = new PlainRing();
  schedule: PlainSchedule | null;
  readonly addresses = new Map<string, { until: number; joins: number }>();
  /** How long each visit lasted that has ended since the start. */
  lasted: number[] = [];
  /** While all permits were out: from one end to the next, times P. */
  between: number[] = [];
  endedAt: number | null = null;
  readonly tallies: Partial<Record<HistoryCount, number>> = {};

  constructor(limits: RoomLimits) {
    this.limits = limits;
    this.schedule = scheduleFor(limits, 0);
  }

  find(number: number): PlainNumber | null {
    return this.numbers[number - 1] ?? null;
  }

  of(...standings: Standing[]): PlainNumber[] {
    return this.numbers.filter(({ standing }) => standings.includes(standing));
  }

  inLineOf(lobby: number): PlainNumber[] {
    return this.of("present", "unconfirmed").filter((one) => one.lobby === lobby);
  }

  get out(): number {
    return this.of("called", "visiting").length;
  }
  get free(): number {
    return Math.max(0, this.limits.permitsMax - this.out);
  }
  get mayCall(): boolean {
    return !this.limits.paused && !this.limits.suspended && this.limits.closed === null;
  }

  ahead(number: number): number {
    return this.of("present", "unconfirmed").filter((one) => one.number < number).length;
  }

  /** The present numbers that have fewer before them than there are free permits, and calls left. */
  callable(): PlainNumber[] {
    const most = Math.min(this.free, this.callsAllowed);
    return this.of("present").filter(({ number }) => this.ahead(number) < most);
  }

  get callsAllowed(): number {
    const calls = this.calls.room(limitsOfCalls(this.limits), this.now);
    const isHard = this.limits.permit === "request" || this.numbers.some((one) => one.isAttended);
    if (isHard) return Math.min(calls, this.startsRoom);
    const perMinute = this.limits.startsPerMinuteMax;
    const second = secondOf(this.now);
    const atOnce = Math.ceil(perMinute / 2) - this.calls.inMinute(second);
    if (atOnce > 0) return Math.min(calls, atOnce);
    const upTo = (place: number): number => Math.floor((place * perMinute) / 60);
    const share = upTo((second % 60) + 1) - upTo(second % 60);
    return Math.max(0, Math.min(calls, share - this.calls.inSecond(second)));
  }

  get startsRoom(): number {
    return this.starts.room(limitsOfStarts(this.limits), this.now);
  }

  /** When the ring can let it start: the present go before it, and those who were sent away. */
  startAtOf(number: number): number {
    const scheduledReturns = this.numbers.filter(({ promisedAt }) => promisedAt !== null);
    const below = scheduledReturns.filter((one) => one.number < number).length;
    const seconds = scheduledReturns.map(({ promisedAt }) => secondOf(promisedAt ?? 0));
    const returning = seconds.toSorted((a, b) => a - b).slice(0, below);
    const limits = limitsOfStarts(this.limits);
    return this.starts.rankToStart(limits, this.ahead(number), this.now, returning);
  }

  /** Its visit ends now. */
  lasts(one: PlainNumber): void {
    const { permitsMax } = this.limits;
    addSpan(this.lasted, this.now - one.startedAt);
    if (this.endedAt !== null && this.out >= permitsMax)
      addSpan(this.between, (this.now - this.endedAt) * permitsMax);
    this.endedAt = this.now;
  }

  /** In how many whole seconds its turn will be, where the room tells that. */
  turnInSeconds(number: number): number | null {
    if (this.limits.tellsTurns !== true || !this.mayCall) return null;
    const told = this.numbers.filter((one) => one.promisedAt !== null && one.number < number);
    const before = this.ahead(number) + told.length;
    const lengthMs = Math.min(surely(this.lasted), surely(this.between));
    const ages = this.of("visiting").map(({ startedAt }) => this.now - startedAt);
    const turnMs =
      lengthMs === Infinity
        ? Math.max(0, ...ages)
        : ((before + 1) * lengthMs) / this.limits.permitsMax;
    const most = this.limits.returnWindowMs / 2;
    return Math.max(1, Math.floor(Math.min(turnMs, most) / 1_000));
  }

  get mode(): RoomMode {
    const { suspended, closed, paused, permitsMax } = this.limits;
    if (suspended) return "suspended";
    if (closed !== null) return "closed";
    if (paused) return "paused";
    const provisional = this.of("visiting").filter((one) => one.provisionalUntil !== null).length;
    const isOpen =
      this.of("present", "unconfirmed").length === 0 &&
      this.free > 0 &&
      provisional < Math.max(1, Math.floor(permitsMax / 2)) &&
      this.startsRoom > 0;
    return isOpen ? "open" : "queues";
  }

  count(what: HistoryCount): void {
    this.tallies[what] = (this.tallies[what] ?? 0) + 1;
  }

  issue(lobby: number, standing: Standing): PlainNumber {
    const one: PlainNumber = {
      number: this.numbers.length + 1,
      lobby,
      standing,
      isAttended: false,
      promisedAt: null,
      misses: 0,
      calledAt: 0,
      startedAt: 0,
      claimBy: 0,
      leaseUntil: 0,
      passesUntil: 0,
      endsAt: null,
      isReleased: false,
      provisionalUntil: null,
      isTransient: false,
    };
    this.numbers.push(one);
    this.count("issued");
    return one;
  }

  /** It stands in line, unless it is out or spent. */
  appears(one: PlainNumber | null): boolean {
    if (one === null || !["present", "unconfirmed", "away"].includes(one.standing)) return false;
    one.standing = "present";
    return true;
  }

  disappears(one: PlainNumber | null): void {
    if (one?.standing === "present" || one?.standing === "unconfirmed") one.standing = "away";
  }

  spend(one: PlainNumber): void {
    if (one.standing !== "visiting") one.standing = "spent";
    one.isAttended = false;
    one.promisedAt = null;
  }

  /** A start counts as a call as well, so that neither ring runs ahead of the other. */
  countStart(): void {
    this.calls.add(this.now);
    if (this.startsRoom > 0) this.starts.add(this.now);
  }

  /** Its visit begins now; whoever lets it begin has counted the start. */
  begin(one: PlainNumber, isTransient: boolean): void {
    const { now, limits } = this;
    this.spend(one);
    one.standing = "visiting";
    one.isTransient = isTransient;
    one.isReleased = false;
    one.endsAt = limits.visitMaxMs === null ? null : now + limits.visitMaxMs;
    one.passesUntil = now;
    one.startedAt = now;
    this.#prolong(one);
  }

  /** A lease that is renewed begins anew, and so does what its pass may promise. */
  renew(one: PlainNumber): void {
    one.provisionalUntil = null;
    const { leaseRenews, permit } = this.limits;
    if (leaseRenews || one.isTransient || permit === "request") this.#prolong(one);
    else this.#prolongPasses(one);
  }

  placeOf(one: PlainNumber | null): Plain<Place> | null {
    if (one === null || one.standing === "spent") return null;
    const { number, standing, claimBy } = one;
    if (standing === "visiting") return { number, state: "visiting", ahead: 0, claimBy: null };
    if (standing === "called") return { number, state: "called", ahead: 0, claimBy };
    const state = standing === "present" ? "waiting" : "away";
    return { number, state, ahead: this.ahead(number), claimBy: null };
  }

  liveVisit(one: PlainNumber): Plain<LiveVisit> {
    return {
      visit: one.number,
      epoch: this.epoch,
      leaseUntil: one.leaseUntil,
      passUntil: one.passesUntil,
      endsAt: one.endsAt,
      provisional: one.provisionalUntil !== null,
    };
  }

  visitReply(one: PlainNumber | null, isNew: boolean): PlainReply {
    if (one?.standing !== "visiting") return { kind: "ended" };
    return { kind: "visit", isNew, visit: this.liveVisit(one) };
  }

  #prolong(one: PlainNumber): void {
    const { leaseMs } = this.limits;
    one.leaseUntil = this.now + (one.isTransient ? Math.min(leaseMs, 60_000) : leaseMs);
    this.#prolongPasses(one);
  }

  /** The visit of one request has no passes. */
  #prolongPasses(one: PlainNumber): void {
    if (this.limits.permit === "request") return;
    const most = Math.min(this.now + PASS_MAX_MS, one.leaseUntil, one.endsAt ?? Infinity);
    one.passesUntil = Math.max(one.passesUntil, most);
  }
}

/** One that is much longer than those before it counts for eight of them. */
const addSpan = (spans: number[], ms: number): void => {
  const last = spans.slice(-64);
  const mean = last.reduce((total, span) => total + span, 0) / last.length;
  spans.push(Math.round(Math.min(ms, last.length < 8 ? Infinity : 8 * Math.max(1, mean))));
};

const surely = (spans: readonly number[]): number => {
  const last = spans.slice(-64);
  const total = last.reduce((sum, span) => sum + span, 0);
  return last.length === 0 ? Infinity : total / (last.length + Math.sqrt(last.length));
};

export const scheduleFor = (limits: RoomLimits, last: number): PlainSchedule | null => {
  const perSecond = limits.requestsPerSecondMax ?? null;
  if (perSecond === null) return null;
  return new PlainSchedule({ perSecond, ring: limits.ring, guardMs: limits.ringGuardMs }, last);
};

export const dueAtOf = (one: PlainNumber): number =>
  one.standing === "called" ? one.claimBy : Math.min(one.leaseUntil, one.endsAt ?? Infinity);
