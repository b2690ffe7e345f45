import { lobbyIndex, ticketNumber, type LobbyIndex } from "../../src/core/ids.ts";
import type { Batch, Call, Op, OpReply } from "../../src/core/room/commands.ts";
import type { Answered } from "./sim-room.ts";
import type { SimVisitor } from "./sim-visitor.ts";
import type { SimWorld } from "./sim-world.ts";

interface Asked {
  readonly op: Op;
  /** Null: the lobby died before the room had answered. */
  readonly heed: (reply: OpReply | null) => void;
}

/** Gathers its visitors' ops, repeats what got no answer, and knows who is there. */
export class SimLobby {
  readonly index: LobbyIndex;
  readonly #world: SimWorld;
  #life = 0;
  #sequence = 0;
  #underWay: { readonly batch: Batch; readonly asked: readonly Asked[] } | null = null;
  #waiting: Asked[] = [];
  #reportWanted = true;
  #spokeAt = 0;
  readonly #holds = new Map<number, SimVisitor>();
  readonly #present = new Set<number>();
  readonly #away = new Set<number>();
  /** Numbers whose presence the room has confirmed to this life of the lobby. */
  readonly #known = new Set<number>();
  /** Whom the room has called since the batch that is under way was made. */
  readonly #calledSince = new Set<number>();

  constructor(world: SimWorld, index: number) {
    this.#world = world;
    this.index = lobbyIndex(index);
    this.#beat();
  }

  get instance(): string {
    return `lobby ${this.index} life ${this.#life}`;
  }

  ask(op: Op, heed: Asked["heed"]): void {
    this.#waiting.push({ op, heed });
    this.#flush();
  }

  /** The visitor's socket is open, or it has polled. Whom the room has called is not in line. */
  appears(number: number, visitor: SimVisitor, isCalled: boolean): void {
    this.#holds.set(number, visitor);
    if (isCalled || this.#known.has(number)) return;
    this.#away.delete(number);
    this.#present.add(number);
    this.#flush();
  }

  disappears(number: number): void {
    this.#holds.delete(number);
    this.#known.delete(number);
    this.#present.delete(number);
    this.#away.add(number);
    this.#flush();
  }

  /** It is out of the line for good. */
  forget(number: number): void {
    for (const set of [this.#holds, this.#known, this.#present, this.#away]) set.delete(number);
  }

  hear(calls: readonly Call[]): void {
    for (const { number } of calls) this.#holds.get(number)?.called();
  }

  /** The room has called it: it stands in line no more, whether it hears of it or not. */
  wasCalled(number: number): void {
    this.#calledSince.add(number);
    this.#known.delete(number);
  }

  *standing(): Generator<number> {
    yield* this.#known;
  }

  /** All sockets close, all ops fail, and nobody is held. */
  dies(): void {
    this.#life += 1;
    this.#sequence = 0;
    const lost = [...(this.#underWay?.asked ?? []), ...this.#waiting];
    this.#underWay = null;
    this.#waiting = [];
    this.#reportWanted = true;
    const visitors = [...this.#holds.values()];
    for (const set of [this.#holds, this.#known, this.#present, this.#away]) set.clear();
    for (const { heed } of lost) heed(null);
    for (const visitor of visitors) visitor.dropped();
    this.#flush();
  }

  #beat(): void {
    const { agenda } = this.#world;
    agenda.in(10_000, () => {
      if (agenda.now - this.#spokeAt > 15_000) this.#flush(true);
      this.#beat();
    });
  }

  #flush(anyway = false): void {
    const hasNews = this.#present.size + this.#away.size + this.#waiting.length > 0;
    if (this.#underWay !== null || !(anyway || hasNews || this.#reportWanted)) return;
    this.#sequence += 1;
    const asked = this.#waiting;
    const batch: Batch = {
      lobby: this.index,
      instance: this.instance,
      sequence: this.#sequence,
      ops: asked.map(({ op }) => op),
      present: [...this.#present].map(ticketNumber),
      away: [...this.#away].map(ticketNumber),
      roster: this.#reportWanted ? [...this.#holds.keys()].map(ticketNumber) : null,
    };
    this.#waiting = [];
    this.#present.clear();
    this.#away.clear();
    this.#calledSince.clear();
    this.#underWay = { batch, asked };
    this.#send(batch, 0);
  }

  #send(batch: Batch, tries: number): void {
    if (this.#underWay?.batch !== batch) return;
    const world = this.#world;
    this.#spokeAt = world.agenda.now;
    world.carry(() => {
      // What a dead object had under way dies with it.
      if (batch.instance !== this.instance) return;
      const answered = world.room.batch(batch);
      if (answered !== null) world.carry(() => this.#heed(batch, answered));
    });
    const patience = 50 + 4 * world.knobs.delayMs + 100 * Math.min(tries, 5);
    world.agenda.in(patience, () => this.#send(batch, tries + 1));
  }

  #heed(batch: Batch, { answer, out }: Answered): void {
    const underWay = this.#underWay;
    if (underWay?.batch !== batch) return;
    this.#underWay = null;
    this.#reportWanted = answer.reportWanted;
    for (const number of [...(batch.roster ?? []), ...batch.present]) {
      const isOut = out.has(number) || this.#calledSince.has(number);
      const isGone = this.#away.has(number) || !this.#holds.has(number);
      if (!isOut && !isGone) this.#known.add(number);
    }
    underWay.asked.forEach(({ heed }, index) => heed(answer.replies[index] ?? null));
    this.#world.agenda.in(answer.waitMs, () => this.#flush());
  }
}
