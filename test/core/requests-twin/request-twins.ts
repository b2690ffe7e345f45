// Millions of comparisons: vitest's expect would take most of the time.
import assert from "node:assert/strict";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { lobbyIndex, ticketNumber, type TicketNumber } from "../../../src/core/ids.ts";
import type { Batch, Command, Op } from "../../../src/core/room/commands.ts";
import type { HistoryCount } from "../../../src/core/room/history.ts";
import { MemoryRoomStore } from "../../../src/core/room/memory-store.ts";
import type { RoomState } from "../../../src/core/room/state.ts";
import type { RoomOutcome } from "../../../src/core/room/step.ts";
import type { RoomSnapshot } from "../../../src/core/snapshot.ts";
import { instant } from "../../../src/core/time.ts";
import type { Core } from "../../sim/core.ts";
import type { Action, PlannedOp } from "./histories.ts";
import type { PlainNumber } from "./plain-numbers.ts";
import { limitsOfCalls, limitsOfStarts } from "./plain-ring.ts";
import { PlainRoom, type PlainOutcome } from "./plain-room.ts";

const BORN_AT = 1_800_000_000_000;

const FORETOLD: readonly Command["type"][] = ["batch", "end", "peek", "withhold"];

/** What a lobby has said in one of its lives. */
interface Life {
  readonly instance: string;
  readonly sent: Batch[];
}

/** How a visit ended is told for a while; that has rules and tests of its own. */
const withoutEnds = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (key, value: unknown) => (key === "end" ? undefined : value));

/** A room of requests and its plain twin: after every step all that can be seen of both is compared. */
export class RequestTwins {
  readonly #core: Core;
  readonly #store = new MemoryRoomStore();
  readonly #plain: PlainRoom;
  readonly #lives = new Map<number, Life[]>();
  #state: RoomState;
  #machineNow = BORN_AT;
  #wakeAt: number | null = null;
  #boots = 0;

  constructor(core: Core, limits: RoomLimits) {
    this.#core = core;
    this.#state = this.#boot();
    this.#plain = new PlainRoom(limits, BORN_AT);
    this.#run({ type: "configure", limits });
  }

  act(action: Action): void {
    switch (action.do) {
      case "batch":
        return this.#batch(action);
      case "again":
        return this.#repeat(this.#lifeOf(action.lobby).sent.at(-1 - action.back));
      case "echo":
        return this.#echo(action);
      case "pass":
      case "jump":
        this.#machineNow += action.ms;
        return;
      case "moment":
        return this.#passUntil(action.k, action.off);
      case "wake":
        if (this.#wakeAt === null) return;
        this.#machineNow = Math.max(this.#machineNow, this.#wakeAt);
        return void this.#run({ type: "tick" });
      case "end": {
        const visit = this.#number(action.who);
        return void this.#run({ type: "end", visit, afterMs: action.afterMs });
      }
      case "configure":
        return void this.#run({ type: "configure", limits: action.limits });
      case "snapshot":
        return this.#snapshot();
      case "crash":
        return this.#crash();
      case "reborn":
        return this.#reborn(action.lobby);
      default:
        return void this.#run({ type: action.do });
    }
  }

  #boot(): RoomState {
    this.#boots += 1;
    const now = instant(this.#machineNow);
    return this.#core.restoreRoom(this.#store.load(), `boot ${this.#boots}`, now);
  }

  #crash(): void {
    this.#state = this.#boot();
    this.#plain.restart(Number(this.#state.steppedAt));
    this.#wakeAt = null;
  }

  #reborn(lobby: number): void {
    const lives = this.#lives.get(lobby) ?? [];
    lives.push({ instance: `life ${lives.length}`, sent: [] });
    this.#lives.set(lobby, lives);
  }

  #lifeOf(lobby: number): Life {
    if (this.#lives.get(lobby) === undefined) this.#reborn(lobby);
    const life = this.#lives.get(lobby)?.at(-1);
    assert.ok(life !== undefined);
    return life;
  }

  #compose(lobby: number, life: Life, ops: readonly PlannedOp[], more: Partial<Batch>): Batch {
    return {
      lobby: lobbyIndex(lobby),
      instance: life.instance,
      sequence: (life.sent.at(-1)?.sequence ?? 0) + 1,
      ops: ops.map((op) => this.#op(op)),
      present: [],
      away: [],
      roster: null,
      ...more,
    };
  }

  #batch(action: Extract<Action, { do: "batch" }>): void {
    const life = this.#lifeOf(action.lobby);
    const numbers = (list: readonly Who[]) => list.map((who) => this.#number(who));
    const batch = this.#compose(action.lobby, life, action.ops, {
      present: numbers(action.present),
      away: numbers(action.away),
      roster: action.roster === null ? null : numbers(action.roster),
      passesBatons: action.passesBatons,
    });
    if (action.fate === "lost") {
      this.#core.step(this.#state, { type: "batch", batch }, this.#machineNow);
      return this.#crash();
    }
    life.sent.push(batch);
    this.#run({ type: "batch", batch });
    if (action.fate === "answered") return;
    this.#crash();
    this.#repeat(batch);
  }

  #repeat(batch: Batch | undefined): void {
    if (batch !== undefined) this.#run({ type: "batch", batch });
  }

  #echo({ lobby, ops }: Extract<Action, { do: "echo" }>): void {
    const former = this.#lives.get(lobby)?.at(-2);
    if (former === undefined) return;
    if (ops === null) return this.#repeat(former.sent.at(-1));
    const batch = this.#compose(lobby, former, ops, {});
    former.sent.push(batch);
    this.#run({ type: "batch", batch });
  }

  #passUntil(k: number, off: number): void {
    const moments = this.#plain.numbers.flatMap(({ promisedAt }) => promisedAt ?? []);
    const moment = moments.toSorted((a, b) => a - b)[k % Math.max(1, moments.length)];
    if (moment !== undefined) this.#machineNow = Math.max(this.#machineNow, moment + off);
  }

  #run(command: Command): RoomOutcome<unknown> {
    const outcome = this.#core.step(this.#state, command, this.#machineNow) as RoomOutcome<unknown>;
    this.#store.write(outcome.changes);
    const { wakeAt } = outcome;
    this.#wakeAt = wakeAt === null ? null : this.#state.clock.onMachine(wakeAt);
    const expected = this.#plain.step(command, Number(outcome.now));
    this.#plain.wakes(wakeAt);
    this.#compareAnswers(command, outcome, expected);
    this.#compareState();
    this.#compareAlarm(outcome);
    return outcome;
  }

  #compareAnswers({ type }: Command, outcome: RoomOutcome<unknown>, expected: PlainOutcome): void {
    if (FORETOLD.includes(type)) {
      assert.deepEqual(withoutEnds(outcome.reply), expected.reply, "what is answered");
    }
    assert.deepEqual(callsOf(outcome.calls), callsOf(expected.calls), "who is called");
    const positionsFor = outcome.positionsFor.map(Number).toSorted((a, b) => a - b);
    assert.deepEqual(positionsFor, expected.positionsFor, "who hears positions");
    if (outcome.positionsTable === null) return;
    const { spots, ahead } = outcome.positionsTable.positions;
    const inLine = this.#plain.of("present", "unconfirmed").map(({ number }) => number);
    assert.deepEqual([...spots], inLine, "who stands in line");
    assert.deepEqual([...ahead], [...inLine.keys()], "how many are ahead");
  }

  #compareState(): void {
    const { line, permits, settlesUntil, epoch, attended, scheduledReturns } = this.#state;
    const plain = this.#plain;
    assert.equal(line.issued, plain.numbers.length);
    for (const one of plain.numbers) {
      const number = ticketNumber(one.number);
      const permit = permits.of(number);
      const standing = permit?.state === "held" ? "visiting" : line.standingOf(number);
      assert.equal(standing, one.standing, `number ${number}`);
      if (permit !== null)
        assert.deepEqual(timesOf(permit), expectedTimesOf(one), `permit ${number}`);
      assert.equal(attended.has(number), one.isAttended, `the request of ${number}`);
    }
    const sentAway = plain.numbers.filter(({ promisedAt }) => promisedAt !== null);
    assert.equal(scheduledReturns.size, sentAway.length, "who was told a moment");
    for (const { number } of sentAway) {
      const below = sentAway.filter((one) => one.number < number).length;
      assert.equal(
        scheduledReturns.ahead(line.order.spotOf(ticketNumber(number))),
        below,
        `moments before ${number}`,
      );
    }
    assert.deepEqual([permits.out, permits.free], [plain.out, plain.free]);
    assert.deepEqual([settlesUntil, epoch], [plain.settlesUntil, plain.epoch]);
  }

  /** It may come too early, never too late. */
  #compareAlarm({ wakeAt, now }: RoomOutcome<unknown>): void {
    assert.ok(wakeAt === null || wakeAt > now, "the alarm lies ahead");
    assert.ok((wakeAt ?? Infinity) <= this.#plain.sleepsUntil, "the alarm comes in time");
    const { limits, mayCall, free } = this.#plain;
    if (!mayCall || free === 0 || this.#plain.of("present", "unconfirmed").length === 0) return;
    const isHard = limits.permit === "request";
    const ring = isHard ? this.#plain.starts : this.#plain.calls;
    const nextAt = ring.nextAt(isHard ? limitsOfStarts(limits) : limitsOfCalls(limits), now);
    assert.ok(nextAt <= now || (wakeAt ?? Infinity) <= nextAt, "it wakes for the ring");
  }

  #snapshot(): void {
    const outcome = this.#run({ type: "snapshot", since: null });
    const now = Number(outcome.now);
    const { mode, waiting, called, visiting, startsLastMinute, ended, ...rest } =
      outcome.reply as RoomSnapshot;
    const plain = this.#plain;
    const count = (...of: Parameters<PlainRoom["of"]>): number => plain.of(...of).length;
    assert.deepEqual(
      { mode, waiting, called, visiting, startsLastMinute, issued: rest.issued },
      {
        mode: plain.mode,
        waiting: count("present", "unconfirmed"),
        called: count("called"),
        visiting: count("visiting"),
        startsLastMinute: plain.starts.lastMinute(now),
        issued: plain.numbers.length,
      },
    );
    const dead = plain.of("spent").filter(({ passesUntil }) => passesUntil > now);
    assert.deepEqual(
      ended.map(({ visit }) => Number(visit)).toSorted((a, b) => a - b),
      dead.map(({ number }) => number),
      "visits that ended before their passes",
    );
  }

  /** What happened over the whole history, crashes and all, is in the room's own history. */
  compareHistory(): void {
    const rows = [...this.#store.history(instant(0), Infinity), this.#state.history.current];
    const actual = (...tallies: HistoryCount[]): number =>
      rows.reduce((sum, row) => sum + tallies.reduce((all, one) => all + (row?.[one] ?? 0), 0), 0);
    const whats = ["issued", "calls", "missed", "finished", "expired", "revoked"] as const;
    for (const what of [...whats, "entriesByDoor" as const]) {
      assert.equal(actual(what), this.#plain.tallies[what] ?? 0, what);
    }
    const entries = this.#plain.tallies.entriesByUsher ?? 0;
    assert.equal(actual("entriesByUsher", "entriesByBaton"), entries, "entries from the line");
  }

  #number({ of, k }: Who): TicketNumber {
    const among = this.#plain.numbers.filter((one) => WHO[of]?.(one) === true);
    const number = among[k % Math.max(1, among.length)]?.number ?? 0;
    return ticketNumber(number > 0 ? number : Math.max(1, this.#plain.numbers.length + 1 - k));
  }

  #op(op: PlannedOp): Op {
    switch (op.op) {
      case "request":
        return { op: "request", ticket: null, holdMs: op.holdMs, address: addressOf(op.address) };
      case "return": {
        const heardAt = instant(this.#machineNow - op.agoMs);
        const ticket = { number: this.#number(op.who), heardAt };
        return { op: "request", ticket, holdMs: op.holdMs, address: addressOf(op.address) };
      }
      case "join":
        return { op: "join", address: addressOf(op.address) };
      case "rejoin": {
        const heardAt = instant(this.#machineNow - op.agoMs);
        return { op: "rejoin", number: this.#number(op.who), heardAt, exact: op.exact };
      }
      case "withdraw":
      case "claim":
      case "leave":
        return { op: op.op, number: this.#number(op.who) };
      case "renew":
      case "peek":
        return { op: op.op, visit: this.#number(op.who) };
      case "end":
        return { op: "end", visit: this.#number(op.who), afterMs: op.afterMs };
      case "baton": {
        const [from, to] = [this.#number(op.from), this.#number(op.to)];
        return { op: "baton", from, to: from === to ? ticketNumber(to + 1) : to };
      }
      case "moment":
      case "enter":
        return op;
      default:
        return op satisfies never;
    }
  }
}

type Who = Extract<Action, { do: "end" }>["who"];
const WHO: Readonly<Record<string, (one: PlainNumber) => boolean>> = {
  waiting: ({ standing }) => standing === "present",
  scheduledReturns: ({ promisedAt }) => promisedAt !== null,
  away: ({ standing }) => standing === "away" || standing === "unconfirmed",
  called: ({ standing }) => standing === "called",
  visiting: ({ standing }) => standing === "visiting",
};

const addressOf = (address: number): string | null => (address === 0 ? null : `address ${address}`);

/** Calls by lobby, and in each by number: in which order a lobby hears them is all the same. */
const callsOf = (
  calls: ReadonlyMap<number, readonly { readonly number: number }[]>,
): readonly object[] =>
  [...calls]
    .toSorted(([a], [b]) => a - b)
    .map(([lobby, told]) => ({ lobby, told: told.toSorted((a, b) => a.number - b.number) }));

const timesOf = (permit: object): object => {
  const { claimBy, leaseUntil, endsAt, released, passesUntil, provisionalUntil, transient } =
    permit as Record<string, unknown>;
  return claimBy === undefined
    ? { leaseUntil, endsAt, released, passesUntil, provisionalUntil, transient }
    : { claimBy };
};

const expectedTimesOf = (one: PlainNumber): object => {
  const { standing, claimBy, leaseUntil, endsAt, passesUntil, provisionalUntil } = one;
  if (standing === "called") return { claimBy };
  const { isReleased: released, isTransient: transient } = one;
  return { leaseUntil, endsAt, released, passesUntil, provisionalUntil, transient };
};
