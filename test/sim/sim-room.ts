import assert from "node:assert/strict";
import type { RoomLimits } from "../../src/core/definition.ts";
import type { LobbyIndex } from "../../src/core/ids.ts";
import type { Batch, BatchAnswer, Call, Command } from "../../src/core/room/commands.ts";
import { MemoryRoomStore } from "../../src/core/room/memory-store.ts";
import { settlingMs, type RoomState } from "../../src/core/room/state.ts";
import type { Outcome } from "../../src/core/room/step.ts";
import { instant } from "../../src/core/time.ts";
import { Promises } from "../core/room/promises.ts";
import type { Agenda } from "./agenda.ts";
import type { Core } from "./core.ts";
import { chance, type Knobs, type Random } from "./knobs.ts";
import { VisitTimes } from "./visit-times.ts";

/** A batch whose step was written, with what it was answered. */
interface Done {
  readonly answer: string;
  readonly once: boolean;
  readonly boot: number;
}

export interface Answered {
  readonly answer: BatchAnswer;
  /** Of those whom the batch calls present: whom the room has called or let in. */
  readonly out: ReadonlySet<number>;
}

/** How the room reaches its lobbies, and who is truly standing in line. */
export interface RoomSide {
  deliver(lobby: LobbyIndex, calls: readonly Call[]): void;
  /** Numbers whose visitor is there, known to the room, and not called, below this one. */
  standingBelow(number: number, room: SimRoom): number[];
  called(number: number, lobby: LobbyIndex): void;
}

const BORN_AT = 1_800_000_000_000;

/** The shell around the core: a clock that drifts and jumps, rows, an alarm, and sudden deaths. */
export class SimRoom {
  steps = 0;
  boots = 0;
  /** Of all that the room has answered and planned: the same seed gives the same. */
  digest = 0x811c_9dc5;
  /** Deaths are over: the world is winding down. */
  calm = false;
  readonly #core: Core;
  readonly #agenda: Agenda;
  readonly #random: Random;
  readonly #knobs: Knobs;
  readonly #side: RoomSide;
  readonly #store = new MemoryRoomStore();
  readonly #promises = new Promises();
  readonly #times = new VisitTimes();
  readonly #done = new Map<string, Done>();
  readonly #drift: number;
  #state: RoomState | null = null;
  #downUntil = 0;
  #offsetMs = 0;
  #lastNow = BORN_AT;
  #alarm = 0;
  #alarmAt: number | null = null;
  /** Until then, by the room's clock, a lobby that has not reported may be taken for absent. */
  graceUntil = 0;
  readonly reported = new Set<string>();

  constructor(core: Core, agenda: Agenda, random: Random, knobs: Knobs, side: RoomSide) {
    this.#core = core;
    this.#agenda = agenda;
    this.#random = random;
    this.#knobs = knobs;
    this.#side = side;
    this.#drift = 1 + (random(2_001) - 1_000) / 1e6;
    this.run({ type: "configure", limits: knobs.limits });
  }

  jump(ms: number): void {
    this.#offsetMs += ms;
  }

  configure(limits: RoomLimits): void {
    this.run({ type: "configure", limits });
  }

  /** Null when the room died before it could answer. */
  batch(batch: Batch): Answered | null {
    if (this.#up() === null) return null;
    const key = `${batch.lobby} ${batch.instance} ${batch.sequence}`;
    const before = this.#done.get(key);
    const isReplay = before !== undefined && (before.once || before.boot === this.boots);
    const once = batch.ops.some(({ op }) => op === "join" || op === "enter");
    const outcome = this.run({ type: "batch", batch }, isReplay, (written) => {
      const { replies } = written.reply as BatchAnswer;
      if (isReplay) this.#checkReplay(before, replies);
      else this.#done.set(key, { answer: JSON.stringify(replies), once, boot: this.boots });
      if (batch.held !== null && !isReplay) this.reported.add(`${batch.lobby} ${batch.instance}`);
    });
    if (outcome === null) return null;
    const out = [...(batch.held ?? []), ...batch.present].filter(
      (number) => this.#state?.permits.of(number) !== null,
    );
    return { answer: outcome.reply as BatchAnswer, out: new Set(out) };
  }

  run(
    command: Command,
    isReplay = false,
    written: (outcome: Outcome<unknown>) => void = () => {},
  ): Outcome<unknown> | null {
    const state = this.#up();
    if (state === null) return null;
    this.steps += 1;
    this.#promises.before(state);
    const called = new Set(calledIn(state));
    const outcome = this.#core.step(state, command, this.#machineNow()) as Outcome<unknown>;
    if (this.#dies(this.#knobs.crashBefore)) return null;
    this.#store.write(outcome.changes);
    this.#promises.after(state, command, outcome, isReplay);
    this.#times.check(state, command, outcome.now);
    this.#note(JSON.stringify([outcome.now, outcome.wakeAt, outcome.reply, ...outcome.calls]));
    this.#checkOrder(state, outcome, called);
    written(outcome);
    this.#setAlarm(outcome.wakeAt === null ? null : state.clock.onMachine(outcome.wakeAt));
    if (this.#dies(this.#knobs.crashAfter)) return null;
    for (const [lobby, calls] of outcome.calls) this.#side.deliver(lobby, calls);
    for (const lobby of outcome.tidingsFor) this.#side.deliver(lobby, []);
    return outcome;
  }

  get state(): RoomState | null {
    return this.#state;
  }

  get lastNow(): number {
    if (this.#state !== null) this.#lastNow = this.#state.steppedAt;
    return this.#lastNow;
  }

  #up(): RoomState | null {
    if (this.#state !== null) return this.#state;
    if (this.#agenda.now < this.#downUntil) return null;
    this.boots += 1;
    const now = instant(this.#machineNow());
    const state = this.#core.restoreRoom(this.#store.load(), `boot ${this.boots}`, now);
    this.#promises.restarted(state);
    this.#state = state;
    this.reported.clear();
    this.graceUntil = state.steppedAt + settlingMs(1);
    return state;
  }

  #dies(perMille: number): boolean {
    if (this.calm || !chance(this.#random, perMille)) return false;
    this.#state = null;
    this.#downUntil = this.#agenda.now + this.#random(1_500);
    return true;
  }

  /** FNV-1a, as http://www.isthe.com/chongo/tech/comp/fnv/ gives it. */
  #note(text: string): void {
    let hash = this.digest;
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
    }
    this.digest = hash >>> 0;
  }

  #machineNow(): number {
    return Math.floor(BORN_AT + this.#agenda.now * this.#drift + this.#offsetMs);
  }

  /** It may come late, twice, or not at all: any other call finds what is overdue. */
  #setAlarm(at: number | null): void {
    if (at === this.#alarmAt) return;
    this.#alarmAt = at;
    this.#alarm += 1;
    if (at === null) return;
    const alarm = this.#alarm;
    const late = chance(this.#random, 20) ? this.#random(3_000) : this.#random(4);
    const ring = () => {
      if (alarm !== this.#alarm) return;
      this.#alarmAt = null;
      if (this.run({ type: "tick" }) === null) this.#agenda.in(1_000, ring);
    };
    const ms = at - this.#machineNow() + late;
    this.#agenda.in(ms, ring);
    if (chance(this.#random, 20)) this.#agenda.in(ms + this.#random(500), ring);
  }

  #checkReplay({ answer }: Done, replies: BatchAnswer["replies"]): void {
    const busy = replies.every((reply) => reply.kind === "refused" && reply.refusal === "busy");
    if (!busy) assert.equal(JSON.stringify(replies), answer, "a batch was done twice");
  }

  /** Whoever truly stands in line below a number that was called keeps a permit of its own. */
  #checkOrder(state: RoomState, outcome: Outcome<unknown>, before: ReadonlySet<number>): void {
    let highest = 0;
    for (const [lobby, calls] of outcome.calls) {
      for (const { number } of calls) {
        if (!before.has(number)) highest = Math.max(highest, number);
        this.#side.called(number, lobby);
      }
    }
    if (highest === 0) return;
    const waiting = this.#side.standingBelow(highest, this);
    const kept = state.settlesUntil === null ? 0 : state.permits.free;
    assert.ok(waiting.length <= kept, `${highest} overtook ${waiting.join(", ")}`);
  }
}

const calledIn = ({ permits }: RoomState): number[] =>
  [...permits.all()].flatMap(({ permit }) => (permit.state === "called" ? [permit.number] : []));
