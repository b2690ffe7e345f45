/** Lives through a sale in virtual time, by the room's real steps. */
import { lobbyIndex, type LobbyIndex, type TicketNumber, type VisitId } from "../ids.ts";
import { BATCH_OPS_MAX } from "../room/batch.ts";
import type { Batch, Op, OpReply } from "../room/commands.ts";
import { LOBBY_SILENT_MS, lobbiesOpen } from "../room/lobbies.ts";
import { MemoryRoomStore } from "../room/memory-store.ts";
import type { RoundWanted } from "../room/draw-state.ts";
import { modeOf } from "../room/mode.ts";
import { restoreRoom, type RoomState } from "../room/state.ts";
import { step, type RoomOutcome } from "../room/step.ts";
import { after, instant, SECOND_MS, type InstantMs } from "../time.ts";
import { Arrivals } from "./arrivals.ts";
import { Chance } from "./chance.ts";
import { configurationOf, publicValueOf } from "./opening.ts";
import { SaleTally } from "./sale-tally.ts";
import { arriveMsOf, type Sale, type SaleOutcome } from "./sale.ts";

/** Any moment will do; a full minute keeps the figures' seconds whole. */
const BEGIN = instant(1_800_000_000_000);
const NEVER = instant(Number.MAX_SAFE_INTEGER);
/** So long is lived through at most: a line that does not end by then is told as one without end. */
export const SALE_MS_MAX = 14 * 86_400_000;
/** Visits are told apart by a hundredth of their length, between these bounds. */
const [GRAIN_MS_MIN, GRAIN_MS_MAX] = [10, SECOND_MS];
const GRAINS_A_VISIT = 100;
/** A visit shows itself to its room so often in each session. */
const RENEWALS_A_LEASE = 2;

/** What a visitor does next; numbers of the line, or visits. */
type VisitorAct =
  | { readonly act: "claim" | "leave" | "lose"; readonly number: TicketNumber }
  | { readonly act: "renew" | "over"; readonly visit: VisitId; readonly untilMs: number };

export class LivedSale {
  readonly #sale: Sale;
  readonly #state: RoomState;
  readonly #chance: Chance;
  readonly #arrivals: Arrivals;
  readonly #tally: SaleTally;
  readonly #grainMs: number;
  readonly #opensMs: number;
  readonly #acts = new Map<number, VisitorAct[]>();
  readonly #called = new Set<TicketNumber>();
  readonly #sequences = new Map<LobbyIndex, number>();
  #place = 0;
  #planned = 0;
  #wakeAt: InstantMs | null = null;
  #turn = 0;
  #spokeAtMs = 0;
  #wanted: RoundWanted | null = null;
  #isDrawing = false;
  #drawnMs: number | null = null;

  constructor(sale: Sale) {
    this.#sale = sale;
    this.#chance = new Chance(sale.seed);
    this.#arrivals = new Arrivals(sale);
    this.#grainMs = grainOf(sale);
    this.#opensMs = sale.opening?.prequeueMs ?? 0;
    this.#tally = new SaleTally(arriveMsOf(sale), this.#grainMs, this.#opensMs);
    this.#state = restoreRoom(new MemoryRoomStore().load(), `sale ${sale.seed}`, BEGIN);
    this.#heard(step(this.#state, { type: "configure", ...configurationOf(sale, BEGIN) }, BEGIN));
  }

  /** How much of it is lived through: by those who are through, as the end is not known. */
  get progress(): number {
    return this.#tally.through / this.#sale.visitors;
  }

  get atMs(): number {
    return this.#place * this.#grainMs;
  }

  /** Lives on for so many looks; false when it is over. */
  live(looks: number): boolean {
    for (let left = looks; left > 0; left -= 1) {
      if (this.#isOver) return false;
      this.#look();
    }
    return !this.#isOver;
  }

  outcome(): SaleOutcome {
    const tallied = this.#tally.outcome(this.#sale.visitors, this.#isDone);
    return { ...tallied, drawnMs: this.#drawnMs };
  }

  get #isDone(): boolean {
    const { line, permits } = this.#state;
    const nobody = line.standing === 0 && permits.called === 0 && permits.held === 0;
    return nobody && this.#planned === 0 && this.#arrivals.areOver;
  }

  get #isOver(): boolean {
    return this.#isDone || this.atMs >= SALE_MS_MAX;
  }

  get #now(): InstantMs {
    return after(BEGIN, this.atMs);
  }

  #look(): void {
    // Nobody is there who would be told where they stand.
    this.#state.nextPositionsAt = NEVER;
    this.#place += 1;
    this.#speak();
    const due = this.#acts.get(this.#place) ?? [];
    this.#acts.delete(this.#place);
    this.#planned -= due.filter(({ act }) => act !== "leave").length;
    for (const act of due) if (act.act === "lose") this.#tally.miss(act.number);
    const acts = due.filter((act) => act.act !== "lose" && this.#isStill(act));
    this.#do(acts);
    this.#come(this.#arrivals.until(this.atMs));
    if (this.#wakeAt !== null && this.#wakeAt <= this.#now)
      this.#heard(step(this.#state, { type: "tick" }, this.#now));
    this.#draw();
    const { line, permits } = this.#state;
    this.#tally.look(this.atMs, line.standing, permits.held, [...line.lobbies()].length);
  }

  /** The numbers are closed at the start; their order is drawn when the public value can be known. */
  #draw(): void {
    const value =
      this.#state.drawing === null
        ? null
        : publicValueOf(this.#sale, BEGIN, this.#wanted, this.#now);
    if (value !== null) this.#heard(step(this.#state, value, this.#now));
    const isDrawing = this.#state.drawing !== null;
    // Also in the step of a tick, when no value has come in time.
    if (this.#drawnMs === null && (value !== null || this.#isDrawing) && !isDrawing)
      this.#drawnMs = this.atMs;
    this.#isDrawing = isDrawing;
  }

  /** A lobby that says nothing for long is taken for dead. */
  #speak(): void {
    if (this.atMs - this.#spokeAtMs < LOBBY_SILENT_MS / 3) return;
    this.#spokeAtMs = this.atMs;
    for (const lobby of [...this.#state.line.lobbies()]) this.#batch(lobby, []);
  }

  /** Who has been called does not leave any more. */
  #isStill(act: VisitorAct): boolean {
    return act.act !== "leave" || !this.#called.has(act.number);
  }

  #do(acts: readonly VisitorAct[]): void {
    for (let from = 0; from < acts.length; from += BATCH_OPS_MAX) {
      const some = acts.slice(from, from + BATCH_OPS_MAX);
      const replies = this.#batch(
        this.#lobby,
        some.map((act) => this.#opOf(act)),
      );
      some.forEach((act, at) => this.#done(act, replies[at]));
    }
  }

  #opOf(act: VisitorAct): Op {
    switch (act.act) {
      case "claim":
        return { op: "claim", number: act.number };
      case "leave":
      case "lose":
        return { op: "leave", number: act.number };
      case "renew":
        return { op: "renew", visit: act.visit };
      case "over":
        return this.#chance.happens(this.#sale.toldShare)
          ? { op: "end", visit: act.visit, afterMs: 0 }
          : { op: "renew", visit: act.visit };
    }
  }

  #done(act: VisitorAct, reply: OpReply | undefined): void {
    if (reply === undefined) return;
    if (act.act === "leave") this.#tally.leave(act.number, this.atMs);
    if (act.act === "renew") this.#goOn(act.visit, act.untilMs);
    if (act.act !== "claim") return;
    if (reply.kind === "not-yet")
      this.#plan(Math.max(this.#grainMs, reply.retryAt - this.#now), act);
    if (reply.kind !== "visit" || !reply.isNew) return;
    this.#tally.enter(act.number, this.atMs);
    this.#called.delete(act.number);
    this.#visit(reply.visit.visit);
  }

  #visit(visit: VisitId): void {
    this.#goOn(visit, this.atMs + this.#chance.length(this.#sale.visit));
  }

  #goOn(visit: VisitId, untilMs: number): void {
    const leftMs = untilMs - this.atMs;
    const { leaseMs, leaseRenews } = this.#sale.limits;
    const renewsAfterMs = leaseMs / RENEWALS_A_LEASE;
    if (leftMs <= renewsAfterMs || !leaseRenews)
      return this.#plan(leftMs, { act: "over", visit, untilMs });
    this.#plan(renewsAfterMs, { act: "renew", visit, untilMs });
  }

  #plan(afterMs: number, act: VisitorAct): void {
    const place = this.#place + Math.max(1, Math.round(afterMs / this.#grainMs));
    const there = this.#acts.get(place);
    if (there === undefined) this.#acts.set(place, [act]);
    else there.push(act);
    // Who would lose patience later may be in long before.
    if (act.act !== "leave") this.#planned += 1;
  }

  #come(count: number): void {
    const late: number[] = [];
    const isOpen = modeOf(this.#state, this.#now) === "open";
    for (let left = count; left > 0; left -= BATCH_OPS_MAX) {
      const together = Math.min(left, BATCH_OPS_MAX);
      if (isOpen) late.push(this.#enter(together));
      else this.#join(together);
    }
    for (const queueing of late) this.#join(queueing);
  }

  /** By the open door; how many have to stand in line after all. */
  #enter(count: number): number {
    const ops = new Array<Op>(count).fill({ op: "enter", transient: false });
    let queueing = 0;
    for (const reply of this.#batch(this.#lobby, ops)) {
      if (reply.kind === "queue") queueing += 1;
      else if (reply.kind === "refused") this.#tally.refuse(reply.refusal);
      else if (reply.kind === "visit") {
        this.#tally.enterAtOnce(this.atMs);
        // Their next request shows that they keep cookies.
        this.#plan(this.#grainMs, {
          act: "renew",
          visit: reply.visit.visit,
          untilMs: this.atMs + this.#chance.length(this.#sale.visit),
        });
      }
    }
    return queueing;
  }

  #join(count: number): void {
    if (count === 0) return;
    const { leaveShare, patienceMs } = this.#sale;
    // Who comes before the start came to wait for it.
    const opensInMs = Math.max(0, this.#opensMs - this.atMs);
    const ops = new Array<Op>(count).fill({ op: "join", address: null });
    for (const reply of this.#batch(this.#lobby, ops)) {
      if (reply.kind === "refused") this.#tally.refuse(reply.refusal);
      if (reply.kind !== "place") continue;
      const { number } = reply.place;
      this.#tally.join(number, this.atMs);
      if (this.#chance.happens(leaveShare))
        this.#plan(opensInMs + this.#chance.unit() * patienceMs, { act: "leave", number });
    }
  }

  /** Those who come in one look take their tickets at one lobby, the next ones at another. */
  get #lobby(): LobbyIndex {
    const open = lobbiesOpen(this.#state);
    this.#turn += 1;
    return open[this.#turn % open.length] ?? lobbyIndex(0);
  }

  #batch(lobby: LobbyIndex, ops: readonly Op[]): readonly OpReply[] {
    const sequence = (this.#sequences.get(lobby) ?? 0) + 1;
    this.#sequences.set(lobby, sequence);
    const batch: Batch = {
      lobby,
      instance: "sale",
      sequence,
      ops,
      present: [],
      away: [],
      roster: sequence === 1 ? [] : null,
    };
    // No call is lost here, so none needs to be told again.
    const known = this.#state.lobbies.get(lobby);
    if (known !== undefined) known.callsToldAt = NEVER;
    const outcome = step<"batch">(this.#state, { type: "batch", batch }, this.#now);
    this.#heard(outcome);
    return outcome.reply.replies;
  }

  #heard(outcome: RoomOutcome<unknown>): void {
    this.#wakeAt = outcome.wakeAt;
    this.#wanted = outcome.roundWanted ?? this.#wanted;
    for (const calls of outcome.calls.values()) for (const { number } of calls) this.#call(number);
  }

  /** Who is called comes, or does not; the room may tell it more than once. */
  #call(number: TicketNumber): void {
    if (this.#called.has(number)) return;
    this.#called.add(number);
    const isMissed = this.#chance.happens(this.#sale.missShare);
    this.#plan(this.#chance.length(this.#sale.claim), { act: isMissed ? "lose" : "claim", number });
  }
}

const grainOf = ({ visit }: Sale): number => {
  const meanMs = visit.kind === "around" ? visit.meanMs : (visit.leastMs + visit.mostMs) / 2;
  const grain = Math.round(meanMs / GRAINS_A_VISIT);
  return Math.min(GRAIN_MS_MAX, Math.max(GRAIN_MS_MIN, grain));
};

/** The whole of it at once. */
export const liveThrough = (sale: Sale): SaleOutcome => {
  const lived = new LivedSale(sale);
  while (lived.live(10_000));
  return lived.outcome();
};
