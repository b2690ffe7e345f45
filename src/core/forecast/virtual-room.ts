/** A real room in virtual time, second by second, and those who come to it. */
import { etaOf, type Eta } from "../estimate/eta.ts";
import { ticketNumber, type LobbyIndex, type TicketNumber } from "../ids.ts";
import type { Batch, Op, OpReply } from "../room/commands.ts";
import { lobbiesOpen } from "../room/lobbies.ts";
import { modeOf } from "../room/mode.ts";
import { restoreRoom, type RoomState } from "../room/state.ts";
import { step, type RoomOutcome } from "../room/step.ts";
import { waitTableOf } from "../room/view.ts";
import { after, instant, MINUTE_MS, SECOND_MS, type InstantMs } from "../time.ts";
import { atShare, EvenDraws, shareBelow } from "./lengths.ts";
import type { ForecastOutset } from "./outset.ts";
import type { Scaled } from "./scale.ts";
import { lobbyOfPlace, storedFrom, type StandIns } from "./stored.ts";

/** How many stand in the line that is lived through; those behind them can't have a turn in time. */
const LINE_MAX = 3_000;
/** A lobby that says nothing for longer is taken for dead. */
const SPEAKS_EVERY = 30;

/** What is different in one course from another. */
export interface Variation {
  readonly seed: number;
  /** Visits last so many times as long, */
  readonly lengths: number;
  /** and so many a minute come, of those that one stands for. */
  readonly arrivalsPerMinute: number;
  readonly missedShare: number;
  readonly isTaught: boolean;
}

interface Called {
  readonly second: number;
  /** From the call on. */
  readonly claimSeconds: number;
  readonly endsAfterSeconds: number;
}

/** Sums up fractions, and hands them out as whole numbers. */
class Fractions {
  #sum = 0;
  add(amount: number): number {
    this.#sum += amount;
    const whole = Math.floor(this.#sum + 1e-9);
    this.#sum -= whole;
    return whole;
  }
}

export class VirtualRoom {
  readonly #scaled: Scaled;
  readonly #outset: ForecastOutset;
  readonly #as: Variation;
  readonly #state: RoomState;
  readonly #startsAt: InstantMs;
  readonly #draws: EvenDraws;
  readonly #claimDraws: EvenDraws;
  readonly #ops = new Map<number, Op[]>();
  readonly #called = new Map<TicketNumber, Called>();
  readonly #sequences = new Map<LobbyIndex, number>();
  readonly #arriving = new Fractions();
  readonly #leaving = new Fractions();
  readonly #missing = new Fractions();
  readonly #rounding = new Fractions();
  /** Behind those who are lived through. */
  #behind: number;
  #second = 0;
  #entered = 0;
  /** Of them, those who had to wait for a permit and not for a start. */
  #enteredByPermit = 0;

  constructor(outset: ForecastOutset, scaled: Scaled, as: Variation) {
    this.#outset = outset;
    this.#scaled = scaled;
    this.#as = as;
    this.#draws = new EvenDraws(as.seed);
    this.#claimDraws = new EvenDraws(as.seed + 0.5);
    this.#startsAt = instant(Math.floor(outset.at / SECOND_MS) * SECOND_MS);
    const { times, slower } = scaled;
    const waiting = Math.round(outset.waiting / times);
    const present: StandIns = {
      visits: Math.round((outset.visiting * slower) / times),
      called: Math.round((outset.called * slower) / times),
      waiting: Math.min(LINE_MAX, waiting),
    };
    this.#behind = waiting - present.waiting;
    const stored = storedFrom({ ...outset, at: this.#startsAt }, scaled, present, as.isTaught);
    this.#state = restoreRoom(stored, `forecast ${as.seed}`, this.#startsAt);
    // Nobody is there who would be told where they stand.
    this.#state.nextPositionsAt = instant(Number.MAX_SAFE_INTEGER);
    this.#settle(present);
  }

  get entered(): number {
    return this.#entered * this.#scaled.times;
  }
  /** For how many entries how long visits last has decided. */
  get enteredByPermit(): number {
    return this.#enteredByPermit * this.#scaled.times;
  }
  get visiting(): number {
    return (this.#state.permits.held * this.#scaled.times) / this.#scaled.slower;
  }
  /**
   * Visits made longer begin all at once where as many in truth begin one after the other: for so many visitors
   * the course may be early or late.
   */
  get grain(): number {
    const { times, slower } = this.#scaled;
    return this.#state.limits.permitsMax * times * (1 - 1 / slower);
  }
  get waiting(): number {
    return (this.#state.line.standing + this.#behind) * this.#scaled.times;
  }

  /** What a place is told: 0 is the first, 1 who joins now. */
  waitAt(share: number): Eta {
    const { line } = this.#state;
    const ahead = Math.round(share * (line.standing + this.#behind));
    return etaOf(waitTableOf(this.#state, this.#now), ahead, this.#now);
  }

  /** Lives on for a second. */
  pass(): void {
    this.#second += 1;
    const due = this.#ops.get(this.#second) ?? [];
    this.#ops.delete(this.#second);
    const ops = [...due, ...this.#leave(), ...this.#arrive()];
    const { line, permits } = this.#state;
    if (this.#second % SPEAKS_EVERY === 0)
      for (const lobby of [...line.lobbies()]) this.#batch(lobby, []);
    if (ops.length === 0 && line.standing === 0 && permits.called === 0) {
      // A limit that an event brings, or a visit's last moment, may be due.
      this.#run(step(this.#state, { type: "tick" }, this.#now));
      return;
    }
    const replies = this.#batch(this.#lobby, ops);
    const later: Op[] = [];
    replies.forEach((reply, i) => this.#answered(ops[i], reply, later));
    if (later.length > 0) this.#batch(this.#lobby, later);
  }

  get #now(): InstantMs {
    return after(this.#startsAt, this.#second * SECOND_MS);
  }

  get #lobby(): LobbyIndex {
    const [first] = lobbiesOpen(this.#state);
    return first ?? lobbyOfPlace(0);
  }

  /** The lobbies list whom they hold, and those who are inside and called get their times. */
  #settle({ visits, called, waiting }: StandIns): void {
    const places = new Map<LobbyIndex, TicketNumber[]>([[lobbyOfPlace(0), []]]);
    for (let place = 0; place < called + waiting; place += 1) {
      const lobby = lobbyOfPlace(place);
      const there = places.get(lobby) ?? [];
      if (place >= called) there.push(ticketNumber(visits + 1 + place));
      places.set(lobby, there);
    }
    const { lengthsMs, slower } = this.#scaled;
    for (let i = 0; i < visits; i += 1) {
      const ageMs = atShare(this.#outset.agesMs, (i + 0.5) / visits) * slower;
      const share = shareBelow(lengthsMs, ageMs / this.#as.lengths);
      const lengthMs =
        atShare(lengthsMs, share + (1 - share) * this.#draws.unit()) * this.#as.lengths;
      const number = ticketNumber(i + 1);
      this.#at(Math.max(1, this.#rounded(lengthMs - ageMs)), {
        op: "end",
        visit: number,
        afterMs: 0,
      });
    }
    for (let i = 0; i < called; i += 1) this.#call(ticketNumber(visits + 1 + i));
    for (const [lobby, roster] of places) this.#batch(lobby, [], roster);
  }

  #at(second: number, op: Op): void {
    const ops = this.#ops.get(second) ?? [];
    ops.push(op);
    this.#ops.set(second, ops);
  }

  #rounded(ms: number): number {
    return this.#rounding.add(Math.max(0, ms) / SECOND_MS);
  }

  #batch(
    lobby: LobbyIndex,
    ops: readonly Op[],
    roster: Batch["roster"] = null,
  ): readonly OpReply[] {
    const sequence = (this.#sequences.get(lobby) ?? 0) + 1;
    this.#sequences.set(lobby, sequence);
    const batch: Batch = {
      lobby,
      instance: "forecast",
      sequence,
      ops,
      present: [],
      away: [],
      roster: roster ?? (sequence === 1 ? [] : null),
    };
    const before = this.#state.permits.free;
    const outcome = step<"batch">(this.#state, { type: "batch", batch }, this.#now);
    this.#run(outcome);
    const isByPermit = before === 0 || this.#state.permits.free === 0;
    for (const reply of outcome.reply.replies) {
      if (reply.kind !== "visit" || !reply.isNew) continue;
      this.#entered += 1;
      if (isByPermit) this.#enteredByPermit += 1;
    }
    return outcome.reply.replies;
  }

  #run(outcome: RoomOutcome<unknown>): void {
    for (const calls of outcome.calls.values())
      for (const { number } of calls) if (!this.#called.has(number)) this.#call(number);
  }

  /** Somebody comes, or does not; and when the visit ends is settled with it. */
  #call(number: TicketNumber): void {
    const claimMs = this.#claimMs();
    const claimSeconds = Math.max(1, Math.round(claimMs / SECOND_MS));
    const occupied = this.#rounded(claimMs + this.#lengthMs());
    const endsAfterSeconds = Math.max(claimSeconds + 1, occupied);
    this.#called.set(number, { second: this.#second, claimSeconds, endsAfterSeconds });
    if (this.#missing.add(this.#as.missedShare) > 0) return;
    this.#at(this.#second + claimSeconds, { op: "claim", number });
  }

  #claimMs(): number {
    return -Math.log(1 - this.#claimDraws.unit()) * this.#scaled.claimMs;
  }

  #lengthMs(): number {
    return atShare(this.#scaled.lengthsMs, this.#draws.unit()) * this.#as.lengths;
  }

  #answered(op: Op | undefined, reply: OpReply, later: Op[]): void {
    if (op === undefined) return;
    if (reply.kind === "queue") later.push({ op: "join", address: null });
    if (reply.kind === "not-yet" && op.op === "claim" && this.#state.permits.of(op.number) !== null)
      this.#at(this.#second + Math.max(1, Math.ceil((reply.retryAt - this.#now) / SECOND_MS)), op);
    if (reply.kind !== "visit" || !reply.isNew) return;
    const { visit } = reply.visit;
    if (op.op === "enter") later.push({ op: "renew", visit });
    this.#at(this.#endOf(op, visit), { op: "end", visit, afterMs: 0 });
  }

  #endOf(op: Op, number: TicketNumber): number {
    const called = op.op === "claim" ? this.#called.get(number) : undefined;
    this.#called.delete(number);
    const ends =
      called === undefined
        ? this.#second + this.#rounded(this.#lengthMs())
        : called.second + called.endsAfterSeconds;
    return Math.max(this.#second + 1, ends);
  }

  #leave(): Op[] {
    const { learned } = this.#outset;
    const share = Math.min(1, (learned.leavingPerMinute * SECOND_MS) / MINUTE_MS);
    const { line } = this.#state;
    this.#behind *= 1 - share;
    const leaving = Math.min(line.waiting, this.#leaving.add(line.waiting * share));
    const numbers = new Set<TicketNumber>();
    for (let i = 0; i < leaving; i += 1) {
      const number = line.presentAt(Math.floor(this.#claimDraws.unit() * line.waiting));
      if (number !== null) numbers.add(number);
    }
    return [...numbers].map((number) => ({ op: "leave", number }));
  }

  #arrive(): Op[] {
    const { limits, line } = this.#state;
    const perSecond = this.#as.arrivalsPerMinute / 60 / this.#scaled.times;
    const arriving = this.#arriving.add(perSecond);
    if (limits.suspended || limits.closed !== null) return [];
    if (this.#behind >= 1 || line.standing > LINE_MAX) {
      this.#behind = Math.min(this.#behind + arriving, limits.lineMax);
      return [];
    }
    const isOpen = modeOf(this.#state, this.#now) === "open";
    return Array.from({ length: arriving }, (): Op =>
      isOpen ? { op: "enter", transient: false } : { op: "join", address: null },
    );
  }
}
