import assert from "node:assert/strict";
import { ticketNumber, type LobbyIndex } from "../../src/core/ids.ts";
import type { Call } from "../../src/core/room/commands.ts";
import { seeded } from "../core/room/seeded.ts";
import { Agenda } from "./agenda.ts";
import { CORE, type Core } from "./core.ts";
import { chance, someKnobs, someLimits, type Knobs, type Random } from "./knobs.ts";
import { SimLobby } from "./sim-lobby.ts";
import { SimRoom, type RoomSide } from "./sim-room.ts";
import { SimVisitor } from "./sim-visitor.ts";

const JUMPS_MS = [-3_600_000, -1_700, -400, 700, 5_000, 100_000];

/** A room, its lobbies, a crowd, and a network between them; all of it from one seed. */
export class SimWorld implements RoomSide {
  readonly agenda = new Agenda();
  readonly random: Random;
  readonly knobs: Knobs;
  readonly room: SimRoom;
  readonly lobbies: SimLobby[] = [];
  visits = 0;
  #answered = new Set<number>();
  #began = new Set<number>();
  #visitors = new Set<SimVisitor>();
  #isOpen = true;

  constructor(seed: number, core: Core = CORE, certain: Partial<Knobs> = {}) {
    this.random = seeded(seed);
    this.knobs = { ...someKnobs(this.random), ...certain };
    this.room = new SimRoom(core, this.agenda, this.random, this.knobs, this);
    for (let index = 0; index < this.knobs.lobbies; index += 1) {
      this.lobbies.push(new SimLobby(this, index));
    }
    this.#arrivals();
    this.#every(this.knobs.lobbyRestartEveryMs, () => this.#someLobby().dies());
    this.#every(this.knobs.clockJumpEveryMs, () => {
      this.room.jump(JUMPS_MS[this.random(JUMPS_MS.length)] ?? 0);
    });
    this.#every(this.knobs.configureEveryMs, () => this.room.configure(someLimits(this.random)));
  }

  /** Lets things happen until the room has taken so many steps. */
  run(steps: number): void {
    while (this.room.steps < steps) assert.ok(this.agenda.next(), "the world goes on");
  }

  /** Nobody comes any more, nothing breaks any more: everyone who stays must get in. */
  windDown(): void {
    this.#isOpen = false;
    this.room.calm = true;
    this.room.configure({ ...this.knobs.limits, startsPerMinuteMax: 100_000, visitMaxMs: 5_000 });
    const until = this.agenda.now + 3_600_000;
    while (this.agenda.now < until && this.#waiting().length > 0) this.agenda.next();
    assert.deepEqual(this.#waiting(), [], "everyone who stays gets in");
  }

  /** Over the network: late, lost, or twice. */
  carry(arrive: () => void): void {
    const { lost, doubled, delayMs } = this.knobs;
    const travel = () => this.random(1 + delayMs) + (chance(this.random, 10) ? 10 * delayMs : 0);
    if (!this.room.calm && chance(this.random, lost)) return;
    this.agenda.in(travel(), arrive);
    if (!this.room.calm && chance(this.random, doubled)) this.agenda.in(travel(), arrive);
  }

  /** The room's clock as it was last heard. */
  get roomNow(): number {
    return this.room.lastNow;
  }

  deliver(lobby: LobbyIndex, calls: readonly Call[]): void {
    this.carry(() => this.lobbies[lobby]?.hear(calls));
  }

  called(number: number, lobby: LobbyIndex): void {
    this.lobbies[lobby]?.wasCalled(number);
  }

  standingBelow(number: number, room: SimRoom): number[] {
    const { state } = room;
    if (state === null) return [];
    const below: number[] = [];
    for (const lobby of this.lobbies) {
      // Whom a lobby has not reported in time the room may take for absent.
      const heard = room.reported.has(`${lobby.index} ${lobby.instance}`);
      if (!heard && this.roomNow >= room.graceUntil) continue;
      for (const standing of lobby.standing()) {
        const is = state.line.standingOf(ticketNumber(standing));
        if (standing < number && is !== "called" && is !== "spent") below.push(standing);
      }
    }
    return below;
  }

  answered(number: number): void {
    assert.ok(!this.#answered.has(number), `${number} was answered to two visitors`);
    this.#answered.add(number);
  }

  began(number: number): void {
    assert.ok(!this.#began.has(number), `visit ${number} was given to two visitors`);
    this.#began.add(number);
    this.visits += 1;
  }

  leaves(visitor: SimVisitor, phase: "done" | "gone"): void {
    visitor.phase = phase;
    this.#visitors.delete(visitor);
  }

  #waiting(): SimVisitor[] {
    return [...this.#visitors].filter(({ isPatient }) => isPatient);
  }

  #someLobby(): SimLobby {
    const lobby = this.lobbies[this.random(this.lobbies.length)];
    if (lobby === undefined) throw new Error("a world has lobbies");
    return lobby;
  }

  #arrivals(): void {
    const { arrivalEveryMs } = this.knobs;
    // A crowd now and then, and a bound on the line: a step should stay cheap.
    const crowd = chance(this.random, 20) ? 40 : 1;
    for (let one = 0; one < crowd && this.#visitors.size < 120; one += 1) {
      this.#visitors.add(new SimVisitor(this, this.#someLobby()));
    }
    this.agenda.in(this.random(2 * arrivalEveryMs), () => {
      if (this.#isOpen) this.#arrivals();
    });
  }

  #every(ms: number, act: () => void): void {
    if (ms === Infinity) return;
    this.agenda.in(this.random(2 * ms), () => {
      if (this.room.calm) return;
      act();
      this.#every(ms, act);
    });
  }
}

export interface Lived {
  readonly steps: number;
  readonly visits: number;
  readonly boots: number;
  /** Equal for equal histories. */
  readonly digest: string;
}

/** A whole world: so many steps in which anything may break, then calm until all are served. */
export const live = (seed: number, steps: number): Lived => {
  const world = new SimWorld(seed);
  const { room } = world;
  try {
    world.run(steps);
    world.windDown();
  } catch (error) {
    const where = `seed ${seed}, step ${room.steps}, boot ${room.boots}`;
    throw new Error(`${where}: ${String(error)}`, { cause: error });
  }
  const digest = room.digest.toString(16).padStart(8, "0");
  return { steps: room.steps, visits: world.visits, boots: room.boots, digest };
};
