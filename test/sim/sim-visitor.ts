import assert from "node:assert/strict";
import { ticketNumber } from "../../src/core/ids.ts";
import type { OpReply } from "../../src/core/room/commands.ts";
import { instant } from "../../src/core/time.ts";
import { chance } from "./knobs.ts";
import type { SimLobby } from "./sim-lobby.ts";
import type { SimWorld } from "./sim-world.ts";

type Phase = "outside" | "waiting" | "visiting" | "done" | "gone";

/** One person: arrives, waits at a socket or polls, is called, visits, and leaves, more or less. */
export class SimVisitor {
  phase: Phase = "outside";
  number: number | null = null;
  /** It never gives up, so it must get in in the end. */
  readonly isPatient: boolean;
  readonly #world: SimWorld;
  readonly #lobby: SimLobby;
  readonly #polls: boolean;
  readonly #sleeps: boolean;
  #connected = false;
  #claiming = false;
  #heardAt = 0;
  /** Rises whenever what was planned before means nothing any more. */
  #plan = 0;

  constructor(world: SimWorld, lobby: SimLobby) {
    const { random } = world;
    this.#world = world;
    this.#lobby = lobby;
    this.#polls = chance(random, 300);
    this.#sleeps = chance(random, 50);
    this.isPatient = !chance(random, 150);
    if (chance(random, 400)) this.#enter();
    else this.#join();
  }

  /** Its lobby died. */
  dropped(): void {
    this.#connected = false;
    this.#claiming = false;
    if (this.phase !== "waiting") return;
    this.#later(this.#world.random(2_000), () => this.#comeBack());
  }

  called(): void {
    if (this.phase !== "waiting" || this.#claiming || !this.#connected) return;
    if (this.#sleeps && chance(this.#world.random, 700)) return;
    this.#claiming = true;
    this.#world.agenda.in(this.#world.random(1_500), () => this.#claim());
  }

  #later(ms: number, then: () => void): void {
    this.#plan += 1;
    const plan = this.#plan;
    this.#world.agenda.in(ms, () => {
      if (plan === this.#plan) then();
    });
  }

  #enter(): void {
    const transient = chance(this.#world.random, 200);
    this.#lobby.ask({ op: "enter", transient }, (reply) => {
      if (reply?.kind !== "visit") return this.#join();
      // Some never send their cookie back: their visit stays provisional.
      if (chance(this.#world.random, 250) && !transient) this.#world.leaves(this, "gone");
      else this.#begin(reply);
    });
  }

  #join(): void {
    this.phase = "outside";
    this.#lobby.ask({ op: "join", address: null }, (reply) => {
      if (reply?.kind === "place") this.#take(reply);
      else this.#later(500 + this.#world.random(2_000), () => this.#join());
    });
  }

  #take(reply: Extract<OpReply, { kind: "place" }>): void {
    const { number, state } = reply.place;
    this.#world.answered(number);
    this.phase = "waiting";
    this.number = number;
    this.#arrive(state);
  }

  /** The lobby holds it from now on. */
  #arrive(state: string): void {
    if (this.number === null) return;
    this.#connected = true;
    this.#heardAt = this.#world.roomNow;
    this.#lobby.appears(this.number, this, state === "called");
    if (state === "called") this.called();
    this.#planNext();
  }

  #planNext(): void {
    const { random } = this.#world;
    if (!this.isPatient && chance(random, 100)) {
      this.#later(random(20_000), () => this.#giveUp());
    } else if (chance(random, 150)) {
      this.#later(random(20_000), () => this.#loseTheLine());
    } else if (this.#polls) {
      this.#later(2_000 + random(3_000), () => this.#poll());
    } else {
      // A page that hears nothing for long asks where it stands.
      this.#later(20_000 + random(5_000), () => this.#poll());
    }
  }

  #giveUp(): void {
    const { number } = this;
    if (number === null || this.phase !== "waiting" || this.#claiming) return;
    this.#lobby.ask({ op: "leave", number: ticketNumber(number) }, () => {});
    this.#lobby.forget(number);
    this.#world.leaves(this, "gone");
  }

  #loseTheLine(): void {
    if (this.number === null || this.phase !== "waiting" || this.#claiming) return;
    this.#connected = false;
    this.#lobby.disappears(this.number);
    this.#later(this.#world.random(20_000), () => this.#comeBack());
  }

  #poll(): void {
    if (this.phase === "waiting" && !this.#claiming) this.#back(true);
  }

  #comeBack(): void {
    if (this.phase === "waiting") this.#back(false);
  }

  #back(exact: boolean): void {
    const { number } = this;
    if (number === null) return;
    const heardAt = instant(this.#heardAt);
    this.#lobby.ask({ op: "rejoin", number: ticketNumber(number), heardAt, exact }, (reply) => {
      if (this.phase !== "waiting" || this.number !== number) return;
      if (reply?.kind === "place") this.#arrive(reply.place.state);
      else if (reply?.kind === "ended") this.#lost();
      else this.#later(500 + this.#world.random(1_500), () => this.#comeBack());
    });
  }

  /** Its number has ended: it takes a new one. */
  #lost(): void {
    if (this.number !== null) this.#lobby.forget(this.number);
    this.#connected = false;
    this.#claiming = false;
    this.#join();
  }

  #claim(): void {
    const { number } = this;
    if (number === null || this.phase !== "waiting") return;
    const twice = chance(this.#world.random, 100);
    for (let time = 0; time < (twice ? 2 : 1); time += 1) {
      this.#lobby.ask({ op: "claim", number: ticketNumber(number) }, (reply) => {
        if (this.phase === "waiting" && this.number === number) this.#claimed(reply);
      });
    }
  }

  #claimed(reply: OpReply | null): void {
    if (reply?.kind === "visit") {
      assert.equal(reply.visit.visit, this.number, "a claim begins the visit of its number");
      if (this.number !== null) this.#lobby.forget(this.number);
      return this.#begin(reply);
    }
    if (reply?.kind === "ended") return this.#lost();
    if (reply?.kind !== "not-yet") return this.#again(500);
    if (reply.place.state === "called") return this.#again(reply.retryAt - this.#world.roomNow);
    this.#claiming = false;
    this.#arrive(reply.place.state);
  }

  #again(ms: number): void {
    this.#later(Math.max(1, ms), () => this.#claim());
  }

  #begin({ visit }: Extract<OpReply, { kind: "visit" }>): void {
    const { random, knobs } = this.#world;
    this.phase = "visiting";
    this.number = visit.visit;
    this.#plan += 1;
    this.#world.began(visit.visit);
    this.#lobby.ask({ op: "renew", visit: visit.visit }, () => {});
    // Some never say that they are done: a lease or overtime ends their visit.
    if (chance(random, 80)) return this.#world.leaves(this, "done");
    this.#later(1 + random(2 * knobs.visitMs), () => this.#finish());
  }

  #finish(): void {
    const { number } = this;
    if (number === null) return;
    const { random } = this.#world;
    const visit = ticketNumber(number);
    const afterMs = chance(random, 100) ? 2_000 : 0;
    const times = chance(random, 100) ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      this.#lobby.ask({ op: "end", visit, afterMs }, () => this.#tryAgain(visit));
    }
    this.#world.leaves(this, "done");
  }

  /** Now and then somebody tries a spent ticket, or the pass of a visit that is over. */
  #tryAgain(number: ReturnType<typeof ticketNumber>): void {
    const { random, agenda } = this.#world;
    if (!chance(random, 100)) return;
    agenda.in(random(30_000), () => {
      this.#lobby.ask({ op: "claim", number }, () => {});
      this.#lobby.ask({ op: "end", visit: number, afterMs: 0 }, () => {});
    });
  }
}
