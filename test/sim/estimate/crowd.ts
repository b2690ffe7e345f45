import { etaOf, type Eta } from "../../../src/core/estimate/eta.ts";
import { waitTableOf } from "../../../src/core/room/view.ts";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { ticketNumber, type TicketNumber } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";
import { JOIN, World } from "../../core/room/world.ts";
import { Agenda } from "../agenda.ts";
import type { Draws } from "./draws.ts";

/** How a crowd comes, waits, stays and goes; all times in seconds. */
export interface Scenario {
  readonly name: string;
  /** Nothing changes on the way: arrivals, visits and limits stay as they are. */
  readonly steady: boolean;
  readonly limits: Partial<RoomLimits>;
  /** When visitors arrive, in order. */
  readonly arrivals: (draws: Draws) => readonly number[];
  /** How long a visit lasts; Infinity ends it by its lease. `at` is when it begins. */
  readonly visit: (draws: Draws, at: number) => number;
  /** From the call to the claim; Infinity is a visitor who never comes. */
  readonly claim?: (draws: Draws) => number;
  /** How long somebody waits before leaving. */
  readonly patience?: (draws: Draws) => number;
  /** What the operator does, and when; `crash` ends the room's life, and everybody reports again. */
  readonly changes?: readonly (readonly [at: number, what: Partial<RoomLimits> | "crash"])[];
  /** Who had come before that is not looked at. */
  readonly lookFrom?: number;
}

/** What one visitor was told at one moment of the wait, and what came. */
export interface Look {
  readonly at: number;
  readonly eta: Eta;
}
export interface Wait {
  readonly number: number;
  readonly joinedAt: number;
  readonly calledAt: number;
  readonly looks: readonly Look[];
  /** When the operator changed something. */
  readonly changedAt: readonly number[];
}

const SAMPLES = 150;
const TICK_MS = 1_000;

interface Sampled {
  readonly number: TicketNumber;
  readonly joinedAt: number;
  readonly looks: Look[];
}

/** Lives through a scenario and returns the waits of a sample of those who were called. */
export const live = (
  scenario: Scenario,
  draws: Draws,
  observe: (world: World, seconds: number) => void = () => undefined,
): Wait[] => new Crowd(scenario, draws, observe).run();

class Crowd {
  readonly #scenario: Scenario;
  readonly #draws: Draws;
  /** Sees the room each second. */
  readonly #observe: (world: World, seconds: number) => void;
  readonly #world: World;
  readonly #agenda = new Agenda();
  readonly #bornAt: number;
  readonly #sampled = new Map<number, Sampled>();
  readonly #present = new Set<number>();
  readonly #waits: Wait[] = [];
  #left = 0;
  #ticks = 0;
  #every = 1;
  #joined = 0;

  constructor(scenario: Scenario, draws: Draws, observe: (world: World, seconds: number) => void) {
    this.#observe = observe;
    this.#scenario = scenario;
    this.#draws = draws;
    this.#world = new World(scenario.limits);
    this.#bornAt = this.#world.now;
  }

  run(): Wait[] {
    const arrivals = this.#scenario.arrivals(this.#draws);
    const looked = arrivals.filter((at) => at >= (this.#scenario.lookFrom ?? 0)).length;
    this.#every = Math.max(1, Math.floor(looked / SAMPLES));
    this.#left = arrivals.length;
    for (const at of arrivals) this.#at(at, () => this.#join());
    for (const [at, what] of this.#scenario.changes ?? []) this.#at(at, () => this.#change(what));
    this.#at(0, () => this.#tick());
    while (this.#agenda.next());
    return this.#waits;
  }

  #at(seconds: number, run: () => void): void {
    this.#agenda.in(seconds * 1_000 - this.#agenda.now, () => this.#runs(run));
  }

  #in(seconds: number, run: () => void): void {
    if (seconds !== Infinity) this.#agenda.in(seconds * 1_000, () => this.#runs(run));
  }

  #runs(run: () => void): void {
    this.#world.now = Math.round(this.#bornAt + this.#agenda.now);
    run();
  }

  #join(): void {
    const world = this.#world;
    this.#left -= 1;
    if (world.state.line.waiting === 0 && world.state.line.unconfirmed === 0) {
      const entered = world.enter();
      this.#spread();
      if (entered.kind === "visit") {
        world.renew(entered.visit.visit);
        this.#spread();
        this.#stay(entered.visit.visit);
        return;
      }
    }
    const reply = world.one(JOIN);
    if (reply.kind !== "place") throw new Error(`no place but ${JSON.stringify(reply)}`);
    const { number } = reply.place;
    this.#present.add(number);
    const looked = world.now - this.#bornAt >= (this.#scenario.lookFrom ?? 0) * 1_000;
    if (looked && this.#joined++ % this.#every === 0)
      this.#sampled.set(number, { number, joinedAt: world.now, looks: [] });
    this.#in(this.#scenario.patience?.(this.#draws) ?? Infinity, () => this.#leave(number));
    this.#spread();
  }

  /** Whoever was called with the last step comes, sooner or later or never. */
  #spread(): void {
    for (const number of this.#world.justCalled) {
      if (!this.#present.delete(number)) continue;
      const sampled = this.#sampled.get(number);
      const wait = sampled === undefined ? null : this.#waited(sampled);
      if (wait !== null) this.#waits.push(wait);
      this.#sampled.delete(number);
      const claimAfter = this.#scenario.claim?.(this.#draws) ?? 0.2;
      this.#in(claimAfter, () => this.#claim(number, wait));
    }
  }

  #waited(sampled: Sampled): Wait & { calledAt: number } {
    // A crash changes nothing of what was forecast.
    const changes = (this.#scenario.changes ?? []).filter(([, what]) => what !== "crash");
    const changedAt = changes.map(([at]) => this.#bornAt + at * 1_000);
    return { ...sampled, calledAt: this.#world.now, changedAt };
  }

  /** Who was called in a second that is full is let in later: then is the turn. */
  #claim(number: number, wait: { calledAt: number } | null): void {
    const reply = this.#world.claim(number);
    this.#spread();
    if (reply.kind === "not-yet") {
      const laterMs = Math.max(1, reply.retryAt - this.#world.now);
      if (wait !== null) wait.calledAt += laterMs;
      this.#in(laterMs / 1_000, () => this.#claim(number, wait));
    }
    if (reply.kind === "visit") this.#stay(reply.visit.visit);
  }

  #stay(visit: number): void {
    const at = (this.#world.now - this.#bornAt) / 1_000;
    this.#in(this.#scenario.visit(this.#draws, at), () => {
      this.#world.end(visit);
      this.#spread();
    });
  }

  #leave(number: number): void {
    if (!this.#present.delete(number)) return;
    this.#sampled.delete(number);
    this.#world.leave(number);
    this.#spread();
  }

  #change(what: Partial<RoomLimits> | "crash"): void {
    const world = this.#world;
    if (what === "crash") {
      world.crash();
      world.report([...this.#present]);
    } else world.configure(what);
    this.#spread();
  }

  #tick(): void {
    const world = this.#world;
    world.tick();
    this.#spread();
    // A lobby with nothing to say says so now and then.
    if (++this.#ticks % 30 === 0) {
      world.answer([]);
      this.#spread();
    }
    if (world.state.settlesUntil === null) this.#look();
    this.#observe(world, Math.round((world.now - this.#bornAt) / 1_000));
    const isOver = this.#left === 0 && this.#present.size === 0;
    if (isOver) return;
    this.#in(TICK_MS / 1_000, () => this.#tick());
    // The usher's alarm, where it stands before the next tick.
    const wakesInMs = this.#wakesInMs();
    if (wakesInMs < TICK_MS) this.#in(wakesInMs / 1_000, () => this.#usher());
  }

  #wakesInMs(): number {
    return Math.max(10, (this.#world.wakeAt ?? Infinity) - this.#world.now);
  }

  #usher(): void {
    this.#world.tick();
    this.#spread();
  }

  #look(): void {
    const { state, now } = this.#world;
    if (this.#sampled.size === 0) return;
    const table = waitTableOf(state, instant(now));
    for (const { number, looks } of this.#sampled.values()) {
      const ahead = state.line.ahead(ticketNumber(number));
      looks.push({ at: now, eta: etaOf(table, ahead, instant(now)) });
    }
  }
}
