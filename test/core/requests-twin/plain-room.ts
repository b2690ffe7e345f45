import type { RoomLimits } from "../../../src/core/definition.ts";
import type { Batch, BatchAnswer, Call, Command, Op } from "../../../src/core/room/commands.ts";
import {
  dueAtOf,
  PlainNumbers,
  scheduleFor,
  type Plain,
  type PlainNumber,
  type PlainReply,
} from "./plain-numbers.ts";
import { limitsOfCalls } from "./plain-ring.ts";
import { finish, performOp } from "./plain-ops.ts";

/** What one life of a lobby has said last, and what it was answered. */
interface PlainLife {
  readonly instance: string;
  sequence: number;
  answer: readonly PlainReply[] | null;
}

interface PlainLobby {
  life: PlainLife;
  former: PlainLife | null;
  heardAt: number | null;
  hasReported: boolean;
  isFresh: boolean;
  callsToldAt: number;
  /** What would be left of it after a crash. */
  row: PlainLife | null;
}

export interface PlainOutcome {
  /** Of a batch, an end, a look and a withholding; of other commands nothing is expected. */
  readonly reply: Plain<BatchAnswer> | PlainReply | boolean | number | null;
  readonly calls: ReadonlyMap<number, readonly Plain<Call>[]>;
  readonly positionsFor: readonly number[];
}

const ONCE: readonly Op["op"][] = ["join", "enter", "request"];

/** A room of requests as its rules tell it, looked through whole for every question. */
export class PlainRoom extends PlainNumbers {
  readonly lobbies = new Map<number, PlainLobby>();
  #calls = new Map<number, Plain<Call>[]>();
  #steppedAt = 0;
  /** When the room meant to wake after its last step: it said so. */
  #wakesAt: number | null = null;
  #tidingsAt = 0;
  /** Until when a lobby may pass batons by itself, and until when none is told to whom. */
  #namedUntil = 0;
  #withheldUntil = 0;

  constructor(limits: RoomLimits, now: number) {
    super(limits);
    this.#steppedAt = now;
    this.now = now;
  }

  step(command: Command, now: number): PlainOutcome {
    this.now = now;
    this.#calls = new Map();
    this.#excuse();
    this.#silence();
    for (const one of this.numbers) {
      if (one.promisedAt !== null && now >= one.promisedAt) one.promisedAt = null;
    }
    this.#overdue();
    const reply = this.#perform(command as Plain<Command>);
    this.#usher();
    const finished = reply();
    return { reply: finished, positionsFor: this.#positionsTable(), calls: this.#calls };
  }

  wakes(at: number | null): void {
    this.#wakesAt = at;
  }

  restart(now: number): void {
    this.now = now;
    this.#steppedAt = now;
    this.#wakesAt = null;
    this.#tidingsAt = 0;
    this.#namedUntil = this.limits.permit === "request" ? now + 200 : 0;
    this.#withheldUntil = 0;
    this.addresses.clear();
    this.lasted = [];
    this.between = [];
    this.endedAt = null;
    this.schedule = scheduleFor(this.limits, this.schedule?.last ?? 0);
    for (const ring of [this.starts, this.calls]) ring.restart(now);
    // Who was away before everybody who may have stood in line is known to be so.
    const [first] = this.of("present", "unconfirmed");
    for (const one of this.numbers) {
      one.isAttended = false;
      one.promisedAt = null;
      const mayStand = first !== undefined && one.number >= first.number;
      if (mayStand && (one.standing === "present" || one.standing === "away"))
        one.standing = "unconfirmed";
    }
    for (const [index, { row }] of this.lobbies) {
      if (row === null) this.lobbies.delete(index);
      else this.lobbies.set(index, { ...freshLobby({ ...row }), row, isFresh: false });
    }
    const unconfirmed = this.of("unconfirmed").length;
    this.settlesUntil = unconfirmed > 0 ? now + settlingMs(unconfirmed) : null;
  }

  /** Until when the room may sleep at most. */
  get sleepsUntil(): number {
    const inLine = this.of("present", "unconfirmed").length > 0;
    const together = this.limits.permit === "visit" ? 250 : 1;
    const due = this.of("called", "visiting").map(
      (one) => Math.ceil(dueAtOf(one) / together) * together,
    );
    const nextSecond = inLine ? (Math.floor(this.now / 1_000) + 1) * 1_000 : Infinity;
    return Math.min(...due, nextSecond, this.settlesUntil ?? Infinity);
  }

  /** After an absence, or a jump of the clock, what runs gets a fresh lease. */
  #excuse(): void {
    if (this.limits.permit !== "request" || this.#wakesAt === null) return;
    if (this.now < this.#wakesAt + 10_000) return;
    for (const one of this.of("visiting")) this.renew(one);
  }

  /** Settling ends, and lobbies that were silent while the room listened have nobody. */
  #silence(): void {
    const { now } = this;
    const slept = now - this.#steppedAt;
    this.#steppedAt = now;
    const isExcused = slept > 10_000 && this.of("present").length > 0;
    if (this.settlesUntil !== null && now >= this.settlesUntil) this.#settle();
    for (const [index, lobby] of this.lobbies) {
      if (lobby.heardAt !== null && isExcused) lobby.heardAt += slept;
      if (lobby.heardAt === null || now < lobby.heardAt + 95_000) continue;
      for (const one of this.inLineOf(index)) one.standing = "away";
      lobby.heardAt = null;
      lobby.hasReported = false;
    }
  }

  #settle(): void {
    for (const one of this.of("unconfirmed")) one.standing = "away";
    this.settlesUntil = null;
  }

  #overdue(): void {
    const due = this.of("called", "visiting").filter((one) => this.now >= dueAtOf(one));
    for (const one of due.toSorted((a, b) => dueAtOf(a) - dueAtOf(b))) {
      if (one.standing === "called") this.#miss(one);
      else if (one.endsAt === null || this.now < one.endsAt) this.endVisit(one, "expired");
      else this.endVisit(one, one.isReleased ? "finished" : "revoked");
    }
  }

  #miss(one: PlainNumber): void {
    one.misses += 1;
    this.calls.giveBack(one.calledAt);
    this.count("missed");
    if (one.misses >= 3) this.spend(one);
    else one.standing = "away";
  }

  endVisit(one: PlainNumber, how: "finished" | "expired" | "revoked"): void {
    this.lasts(one);
    one.standing = "spent";
    this.count(how);
    const [head] = this.callable();
    const passesOn = how === "finished" && this.mayCall && this.callsAllowed >= 1;
    if (passesOn && head !== undefined) this.#call(head);
  }

  /** A request that waits begins with its call; anybody else has to come and claim. */
  #call(one: PlainNumber): void {
    const told = this.#calls.get(one.lobby) ?? [];
    this.#calls.set(one.lobby, told);
    if (one.isAttended) {
      this.countStart();
      this.begin(one, false);
      this.count("entriesByUsher");
      const { number, leaseUntil: claimBy } = one;
      told.push({ number, claimBy, visit: this.liveVisit(one) });
      return;
    }
    this.calls.add(this.now);
    one.standing = "called";
    one.calledAt = this.now;
    one.claimBy = this.now + this.limits.claimWithinMs;
    this.count("calls");
    told.push({ number: one.number, claimBy: one.claimBy });
  }

  #usher(): void {
    while (this.mayCall) {
      const most = Math.min(this.callsAllowed, this.free);
      const heads = this.callable().slice(0, most);
      for (const head of heads) this.#call(head);
      if (heads.length > 0) continue;
      if (this.callsAllowed < 1 || !this.#takeBackProvisional()) return;
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

  #perform(command: Plain<Command>): () => PlainOutcome["reply"] {
    switch (command.type) {
      case "batch":
        return this.#batch(command.batch);
      case "configure":
        this.#configure(command.limits as RoomLimits);
        this.#tidingsAt = this.now;
        return () => null;
      case "end": {
        const hasLived = finish(this, command.visit, command.afterMs);
        return () => hasLived;
      }
      case "peek":
        return () => this.visitReply(this.find(command.visit), false);
      case "revoke-all":
        this.epoch += 1;
        for (const one of this.of("visiting")) this.endVisit(one, "revoked");
        return () => null;
      case "withhold": {
        this.#withheldUntil = this.now + 5_000;
        const leftMs = Math.max(0, this.#namedUntil - this.now);
        return () => leftMs;
      }
      default:
        return () => null;
    }
  }

  #configure(limits: RoomLimits): void {
    const wasPaced = this.schedule;
    this.limits = limits;
    this.#withheldUntil = this.now;
    const { requestsPerSecondMax = null, ring, ringGuardMs } = limits;
    const before = wasPaced?.limits;
    const isSame =
      before?.perSecond === requestsPerSecondMax &&
      before?.ring === ring &&
      before?.guardMs === ringGuardMs;
    if (!isSame) this.schedule = scheduleFor(limits, wasPaced?.last ?? 0);
  }

  #batch(batch: Plain<Batch>): () => Plain<BatchAnswer> {
    const former = this.lobbies.get(batch.lobby)?.former;
    if (former?.instance === batch.instance) {
      const replies = answered(former, batch);
      // An echo of a former life: it is answered, and nobody is taken for that life.
      if (replies !== null) {
        return () => ({ replies, waitMs: 0, reportWanted: false });
      }
    }
    const lobby = this.#meet(batch);
    const before = answered(lobby.life, batch);
    const late = before === null ? this.#fresh(lobby, batch) : [];
    return () => {
      const replies =
        before ?? late.map((reply) => (typeof reply === "function" ? reply() : reply));
      if (before === null) remember(lobby, batch, replies);
      const isAsked = before !== null || batch.roster !== null;
      if (isAsked || this.now >= lobby.callsToldAt + 4_000) this.#tellAgain(batch.lobby);
      const reportWanted = !lobby.hasReported;
      const answer = { replies, waitMs: this.#gatherMs(), reportWanted } as const;
      const next = batch.passesBatons === true ? this.#nextOf(batch.lobby, lobby) : [];
      const nobodyAway = this.of("unconfirmed", "away", "called").length === 0;
      return next.length === 0 ? answer : { ...answer, next, nobodyAway };
    };
  }

  /** A life that was not spoken with last begins with nobody; those of the other may come back. */
  #meet(batch: Plain<Batch>): PlainLobby {
    const known = this.lobbies.get(batch.lobby);
    if (known?.life.instance === batch.instance) {
      known.heardAt = this.now;
      return known;
    }
    const isFormer = known?.former?.instance === batch.instance;
    const life = isFormer ? known?.former : null;
    const { instance } = batch;
    const met = freshLobby(life ?? { instance, sequence: 0, answer: null });
    met.heardAt = this.now;
    met.callsToldAt = this.now;
    met.former = known?.life ?? null;
    this.lobbies.set(batch.lobby, met);
    const inLine = this.inLineOf(batch.lobby);
    const present = inLine.filter(({ standing }) => standing === "present").length;
    for (const one of inLine) one.standing = "unconfirmed";
    for (const one of this.numbers) if (one.lobby === batch.lobby) one.isAttended = false;
    if (present > 0) {
      this.settlesUntil = Math.max(this.settlesUntil ?? 0, this.now + settlingMs(present));
    }
    return met;
  }

  #fresh(lobby: PlainLobby, batch: Plain<Batch>): readonly ReturnType<typeof performOp>[] {
    if (batch.roster !== null) {
      for (const one of this.inLineOf(batch.lobby)) {
        one.standing = lobby.isFresh ? "unconfirmed" : "away";
      }
      for (const number of batch.roster) {
        const one = this.find(number);
        if (one?.lobby === batch.lobby) this.appears(one);
      }
      lobby.hasReported = true;
      lobby.isFresh = false;
      if (this.of("unconfirmed").length === 0) this.settlesUntil = null;
    }
    for (const number of batch.away) this.disappears(this.find(number));
    for (const number of batch.present) this.appears(this.find(number));
    return batch.ops.map((op) => performOp(this, op, batch.lobby));
  }

  /** To whom the lobby may give permits by itself: nothing but P decides, and nobody else has a say. */
  #nextOf(index: number, { hasReported }: PlainLobby): readonly number[] {
    const { permit, startsPerSecondMax, visitMaxMs, permitsMax } = this.limits;
    const unspent = this.of("present", "unconfirmed", "away", "called");
    const isPlain = permit === "request" && startsPerSecondMax === null && visitMaxMs === null;
    const isCalm = this.mayCall && this.settlesUntil === null && this.out <= permitsMax;
    const isAlone = hasReported && unspent.every(({ lobby }) => lobby === index);
    const left = Math.min(this.startsRoom, this.calls.room(limitsOfCalls(this.limits), this.now));
    if (!isPlain || !isCalm || !isAlone || left < 384 || this.now < this.#withheldUntil) return [];
    if (this.of("unconfirmed").length > 0) return [];
    const present = this.of("present").slice(0, 128);
    const other = present.findIndex(({ isAttended }) => !isAttended);
    const next = present.slice(0, other === -1 ? 128 : other);
    if (next.length > 0) this.#namedUntil = this.now + 200;
    return next.map(({ number }) => number);
  }

  /** All that this lobby has not answered yet, beside what begins with this step. */
  #tellAgain(index: number): void {
    const lobby = this.lobbies.get(index);
    if (lobby !== undefined) lobby.callsToldAt = this.now;
    const begun = (this.#calls.get(index) ?? []).filter(({ visit }) => visit !== undefined);
    const open = this.of("called").filter((one) => one.lobby === index);
    const calls = [...begun, ...open.map(({ number, claimBy }) => ({ number, claimBy }))];
    if (calls.length > 0) this.#calls.set(index, calls);
  }

  #gatherMs(): number {
    const active = [...this.lobbies.values()].filter(
      ({ heardAt }) => heardAt !== null && this.now < heardAt + 10_000,
    ).length;
    return active <= 1 ? 0 : 2 * active;
  }

  /** Once a second every lobby that has somebody in line hears where they stand. */
  #positionsTable(): number[] {
    if (this.now < this.#tidingsAt) return [];
    const concerned =
      this.settlesUntil === null
        ? this.of("present")
        : this.of("present", "unconfirmed", "away", "called");
    const indices = [...new Set(concerned.map(({ lobby }) => lobby))];
    if (indices.length > 0) this.#tidingsAt = this.now + 1_000;
    for (const index of indices) {
      const lobby = this.lobbies.get(index);
      if (lobby !== undefined && this.now >= lobby.callsToldAt + 4_000) this.#tellAgain(index);
    }
    return indices.toSorted((a, b) => a - b);
  }
}

const freshLobby = (life: PlainLife): PlainLobby => ({
  life,
  former: null,
  heardAt: null,
  hasReported: false,
  isFresh: true,
  callsToldAt: 0,
  row: null,
});

/** What a batch that was said before is answered with; null for a new one. */
const answered = (life: PlainLife, batch: Plain<Batch>): readonly PlainReply[] | null => {
  if (batch.sequence > life.sequence || life.answer === null) return null;
  if (batch.sequence === life.sequence) return life.answer;
  return batch.ops.map(() => ({ kind: "refused", refusal: "busy", retryAfterMs: 1_000 }));
};

const remember = (lobby: PlainLobby, batch: Plain<Batch>, replies: readonly PlainReply[]): void => {
  const { instance } = batch;
  lobby.life = { instance, sequence: batch.sequence, answer: replies };
  const isOnce = batch.ops.some(({ op }) => ONCE.includes(op));
  if (isOnce || lobby.row === null) lobby.row = lobby.life;
};

const settlingMs = (numbers: number): number => Math.max(2_000, numbers / 40) + 2_000;
