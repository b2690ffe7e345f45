import type { RoomLimits } from "../../../src/core/definition.ts";
import type { PlannedEvent } from "../../../src/core/events/planned.ts";
import { naiveLimits } from "./naive-events.ts";
import type { Batch, Command } from "../../../src/core/room/commands.ts";
import type { HistoryCount } from "../../../src/core/room/history.ts";
import { NaivePace } from "./naive-pace.ts";
import { NaiveRing, naiveCallsAllowed } from "./naive-ring.ts";
import { finish, visitReply, performOp, type Expectation, type Expected } from "./naive-ops.ts";

type Standing = "present" | "unconfirmed" | "away" | "called" | "visiting" | "spent";

/** Everything about one number; what does not apply to its standing means nothing. */
export interface NaiveNumber {
  readonly number: number;
  readonly lobby: number;
  standing: Standing;
  misses: number;
  calledAt: number;
  claimBy: number;
  leaseUntil: number;
  passesUntil: number;
  endsAt: number | null;
  released: boolean;
  provisionalUntil: number | null;
  transient: boolean;
  /** Whose visit it is. */
  visitor: string | null;
}

interface NaiveLobby {
  instance: string;
  sequence: number;
  /** The last sequence that has a row. */
  storedSequence: number;
  heardAt: number | null;
  reported: boolean;
  fresh: boolean;
}

/** What each address took in the minute that began with the first. */
export type Minutes = Map<string, { until: number; joins: number }>;

/** The room as its rules tell it: one list of numbers, looked through for every question. */
export class NaiveRoom {
  /** The limits in effect, and the room's own. */
  limits: RoomLimits;
  own: RoomLimits;
  events: readonly PlannedEvent[] = [];
  now = 0;
  epoch = 1;
  settlesUntil: number | null = null;
  readonly numbers: NaiveNumber[] = [];
  readonly lobbies = new Map<number, NaiveLobby>();
  readonly tallies: Partial<Record<HistoryCount, number>> = {};
  /** Numbers that this step called. */
  called: number[] = [];
  readonly starts = new NaiveRing();
  readonly calls = new NaiveRing();
  readonly addresses: Minutes = new Map();
  readonly answers: Minutes = new Map();
  #steppedAt = 0;
  readonly #pace = new NaivePace();

  constructor(limits: RoomLimits) {
    this.limits = limits;
    this.own = limits;
  }

  /** What each op of the command has to be answered with, once the usher has been round. */
  step(command: Command, now: number): readonly Expected[] {
    this.now = now;
    this.called = [];
    this.limits = this.#limitsNow();
    this.#overdue();
    const expected = this.#perform(command);
    this.#usher();
    return expected.map((one) => (typeof one === "function" ? one() : one));
  }

  restart(now: number): void {
    this.now = now;
    this.#steppedAt = now;
    this.addresses.clear();
    this.answers.clear();
    for (const ring of [this.starts, this.calls]) ring.restart(now);
    // Who was away before everybody who may have stood in line is known to be so.
    const [first] = this.of("present", "unconfirmed");
    for (const one of this.unspent()) {
      if (first !== undefined && one.number >= first.number) one.standing = "unconfirmed";
    }
    for (const lobby of this.lobbies.values()) {
      Object.assign(lobby, { heardAt: null, reported: false, fresh: false });
      lobby.sequence = lobby.storedSequence;
    }
    const unconfirmed = this.of("unconfirmed").length;
    this.settlesUntil = unconfirmed > 0 ? now + settlingMs(unconfirmed) : null;
  }

  of(...standings: Standing[]): NaiveNumber[] {
    return this.numbers.filter(({ standing }) => standings.includes(standing));
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

  unspent(): NaiveNumber[] {
    return this.of("present", "unconfirmed", "away");
  }

  find(number: number): NaiveNumber | null {
    return this.numbers[number - 1] ?? null;
  }

  ahead(number: number): number {
    return this.of("present", "unconfirmed").filter((one) => one.number < number).length;
  }

  /** The present numbers that have fewer before them than there are free permits, and calls left. */
  callable(): NaiveNumber[] {
    const most = Math.min(this.free, this.callsAllowed);
    return this.of("present").filter(({ number }) => this.ahead(number) < most);
  }

  get callsAllowed(): number {
    return naiveCallsAllowed(this.calls, this.limits, this.now);
  }

  count(what: HistoryCount): void {
    this.tallies[what] = (this.tallies[what] ?? 0) + 1;
  }

  #overdue(): void {
    const { now } = this;
    const slept = now - this.#steppedAt;
    if (slept > 10_000 && this.of("present").length > 0) {
      for (const lobby of this.lobbies.values()) if (lobby.heardAt !== null) lobby.heardAt += slept;
    }
    this.#steppedAt = now;
    if (this.settlesUntil !== null && now >= this.settlesUntil) this.#settle();
    for (const [index, lobby] of this.lobbies) {
      if (lobby.heardAt === null || now < lobby.heardAt + 95_000) continue;
      for (const one of this.#inLineOf(index)) one.standing = "away";
      Object.assign(lobby, { heardAt: null, reported: false });
    }
    const due = this.of("called", "visiting").filter((one) => now >= dueAt(one));
    for (const one of due.sort((a, b) => dueAt(a) - dueAt(b))) {
      if (one.standing === "called") this.#miss(one);
      else if (one.endsAt === null || now < one.endsAt) this.endVisit(one, "expired");
      else this.endVisit(one, one.released ? "finished" : "revoked");
    }
  }

  #settle(): void {
    for (const one of this.of("unconfirmed")) one.standing = "away";
    this.settlesUntil = null;
  }

  #inLineOf(lobby: number): NaiveNumber[] {
    return this.of("present", "unconfirmed").filter((one) => one.lobby === lobby);
  }

  #miss(one: NaiveNumber): void {
    one.misses += 1;
    one.standing = one.misses >= 3 ? "spent" : "away";
    this.calls.giveBack(one.calledAt);
    this.count("missed");
  }

  endVisit(one: NaiveNumber, how: "finished" | "expired" | "revoked"): void {
    one.standing = "spent";
    this.count(how);
    const [head] = this.callable();
    const mayTake = how === "finished" && this.mayCall && this.callsAllowed >= 1;
    if (mayTake && head !== undefined) this.#call(head);
  }

  #call(one: NaiveNumber): void {
    one.standing = "called";
    one.calledAt = this.now;
    one.claimBy = this.now + this.limits.claimWithinMs;
    this.calls.add(this.now);
    this.called.push(one.number);
    this.count("calls");
  }

  #usher(): void {
    while (this.mayCall && this.callsAllowed >= 1) {
      const [head] = this.callable();
      if (head !== undefined) this.#call(head);
      else if (!this.#takeBackProvisional()) return;
    }
  }

  #takeBackProvisional(): boolean {
    const [first] = this.of("present", "unconfirmed");
    const [oldest] = this.of("visiting").filter((one) => one.provisionalUntil !== null);
    if (this.out !== this.limits.permitsMax || first?.standing !== "present") return false;
    if (oldest === undefined || this.now < (oldest.provisionalUntil ?? 0)) return false;
    this.endVisit(oldest, "revoked");
    return true;
  }

  #limitsNow(): RoomLimits {
    return this.#pace.lowered(naiveLimits(this.own, this.events, this.now), this.now);
  }

  #perform(command: Command): readonly Expectation[] {
    switch (command.type) {
      case "batch":
        return this.#batch(command.batch);
      case "configure":
        this.#pace.configured(this.own, command.limits);
        this.own = command.limits;
        this.events = command.events ?? [];
        this.limits = this.#limitsNow();
        return [];
      case "signal":
        this.#pace.hear(command.ask, this.now);
        this.limits = this.#limitsNow();
        return [];
      case "end":
        return [{ kind: finish(this, command.visit, command.afterMs) }];
      case "peek":
        return [() => visitReply(this, command.visit)];
      case "revoke-all": {
        this.epoch += 1;
        for (const one of this.of("visiting")) this.endVisit(one, "revoked");
        return [];
      }
      default:
        return [];
    }
  }

  #batch(batch: Batch): readonly Expectation[] {
    const lobby = this.#meet(batch);
    if (batch.sequence < lobby.sequence) {
      return batch.ops.map(() => ({ kind: "refused", refusal: "busy" }));
    }
    if (batch.sequence === lobby.sequence) return [];
    if (batch.roster !== null) this.#report(lobby, batch);
    for (const number of batch.away) {
      const one = this.find(number);
      if (one?.standing === "present" || one?.standing === "unconfirmed") one.standing = "away";
    }
    for (const number of batch.present) this.heard(this.find(number));
    const expected = batch.ops.map((op) => performOp(this, op, batch.lobby));
    const unstored = lobby.storedSequence === 0;
    lobby.sequence = batch.sequence;
    const mustStore = batch.ops.some(({ op }) => op === "join" || op === "enter");
    if (mustStore || unstored) lobby.storedSequence = batch.sequence;
    return expected;
  }

  #meet(batch: Batch): NaiveLobby {
    const known = this.lobbies.get(batch.lobby);
    if (known?.instance === batch.instance) {
      known.heardAt = this.now;
      return known;
    }
    const { instance } = batch;
    const met = {
      instance,
      sequence: 0,
      storedSequence: 0,
      heardAt: this.now,
      reported: false,
      fresh: true,
    };
    this.lobbies.set(batch.lobby, met);
    const inLine = this.#inLineOf(batch.lobby);
    const present = inLine.filter(({ standing }) => standing === "present").length;
    for (const one of inLine) one.standing = "unconfirmed";
    if (present > 0) {
      this.settlesUntil = Math.max(this.settlesUntil ?? 0, this.now + settlingMs(present));
    }
    return met;
  }

  #report(lobby: NaiveLobby, { lobby: index, roster }: Batch): void {
    for (const one of this.#inLineOf(index)) one.standing = lobby.fresh ? "unconfirmed" : "away";
    for (const number of roster ?? []) {
      const one = this.find(number);
      if (one?.lobby === index) this.heard(one);
    }
    Object.assign(lobby, { reported: true, fresh: false });
    if (this.of("unconfirmed").length === 0) this.settlesUntil = null;
  }

  heard(one: NaiveNumber | null): boolean {
    if (one === null || !["present", "unconfirmed", "away"].includes(one.standing)) return false;
    one.standing = "present";
    return true;
  }

  issue(lobby: number, standing: Standing): NaiveNumber {
    const one: NaiveNumber = {
      number: this.numbers.length + 1,
      lobby,
      standing,
      misses: 0,
      calledAt: 0,
      claimBy: 0,
      leaseUntil: 0,
      passesUntil: 0,
      endsAt: null,
      released: false,
      provisionalUntil: null,
      transient: false,
      visitor: null,
    };
    this.numbers.push(one);
    this.count("issued");
    return one;
  }
}

const dueAt = (one: NaiveNumber): number =>
  one.standing === "called" ? one.claimBy : Math.min(one.leaseUntil, one.endsAt ?? Infinity);

const settlingMs = (numbers: number): number => Math.max(2_000, numbers / 40) + 2_000;
