/**
 * Turns at a lobby for the requests of one isolate: they share its calls, and pass their permits on
 * among themselves. What may be passed to whom is core/lobby/lent-turns.ts.
 */
import { base64url } from "jose";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { VisitId } from "../../core/ids.ts";
import { LentLine, type LentTurn } from "../../core/lobby/lent-turns.ts";
import { instant, SECOND_MS } from "../../core/time.ts";
import type { PermitStub, VisitView, WaitAsk, WaitReply } from "../../durable/contract.ts";
import type { TurnsAsk, TurnsReply } from "../../durable/turns-contract.ts";
import type { Ports } from "../platform/ports.ts";
import { callObject, unreachable, UnreachableError } from "./call-object.ts";
import { promiseOfOurs } from "./deadline.ts";
import { TurnCalls } from "./turn-calls.ts";

/** What the way there and back may take on top of the wait itself. */
const SLACK_MS = 5_000;
/** A permit whose lease is nearly over goes back to the lobby. */
const LEASE_LEFT_MIN_MS = 1_500;
/** The Room has not heard of such a visit yet: its request asks for its lease soon. */
const UNHEARD_LEASE_MS = 4_000;
/** Somebody has to be calling for all who wait: each looks so often. */
const LOOK_EVERY_MS = 2 * SECOND_MS;
const WAITING_MAX = 10_000;
const OBJECTS_MAX = 4_096;
const ID_BYTES = 16;

/** A request that asks for a turn, and calls for others meanwhile. */
export interface TurnCaller {
  readonly ports: Ports;
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** It was ended in the middle: what it carries may be cut off any moment. */
  readonly isStopped: () => boolean;
  readonly turns: (ask: TurnsAsk) => Promise<TurnsReply>;
  /** Without others, over a call of its own. */
  readonly wait: (ask: WaitAsk) => Promise<WaitReply>;
  readonly abandonWait: (wait: string) => Promise<void>;
}

type StubOfCall = PermitStub & Partial<Disposable>;

/** A turn of which the desk knows what becomes of its permit. */
type TurnOutcome =
  | Exclude<WaitReply, { kind: "visit" }>
  | (Omit<Extract<WaitReply, { kind: "visit" }>, "permit"> & {
      readonly permit?: { end(): Promise<void> | undefined };
    });

interface SharedWait {
  readonly resolve: (reply: WaitReply | "ask-alone") => void;
  readonly reject: (error: unknown) => void;
  readonly nudge: () => void;
  isGone: boolean;
  isNudged: boolean;
}

/** The turns of one lobby, as this isolate sees them. */
class TurnDesk {
  readonly #ports: Ports;
  readonly #waiting = new Map<string, SharedWait>();
  readonly #lent = new LentLine();
  readonly #calls: TurnCalls;
  /** Requests that wait over a call of their own. */
  #alone = 0;

  constructor(ports: Ports, isolate: string) {
    this.#ports = ports;
    this.#calls = new TurnCalls(ports, isolate, {
      hasPlenty: () => this.#lent.hasPlenty(ports.now()),
      hasWaiters: () => this.#waiting.size > 0,
      waits: (wait) => this.#waiting.has(wait),
      heard: (reply, sentAt) => this.#heard(reply, sentAt),
      failed: (error) => this.#failed(error),
      handOver: () => this.#handOver(),
    });
  }

  /** Rejects with an `UnreachableError`. */
  wait(ask: WaitAsk, caller: TurnCaller): Promise<TurnOutcome> {
    const isFirst = this.#alone + this.#waiting.size === 0 && this.#calls.areIdle;
    if (isFirst) return this.#waitAlone(ask, caller);
    return this.#waitShared(ask, caller).then((reply) =>
      reply === "ask-alone" ? this.#waitAlone(ask, caller) : this.#withPermit(reply, caller),
    );
  }

  /** The client has gone. */
  async abandon(wait: string, caller: TurnCaller): Promise<void> {
    const waiter = this.#waiting.get(wait);
    if (waiter === undefined) return caller.abandonWait(wait);
    waiter.isGone = true;
    if (!this.#calls.takeBack(wait)) return this.#calls.gone(wait, caller);
    this.#calls.leave(caller);
    this.#waiting.delete(wait);
    waiter.resolve({ kind: "ended" });
  }

  async #waitAlone(ask: WaitAsk, caller: TurnCaller): Promise<TurnOutcome> {
    const { ports, wait } = caller;
    this.#alone += 1;
    try {
      const reply = await callObject(ports, () => wait(ask), ask.holdMs + SLACK_MS);
      return this.#withPermit(reply, caller);
    } finally {
      this.#alone -= 1;
    }
  }

  async #waitShared(ask: WaitAsk, caller: TurnCaller): Promise<WaitReply | "ask-alone"> {
    const { ports } = caller;
    if (this.#waiting.size >= WAITING_MAX) throw new UnreachableError("too many wait");
    const { promise, resolve, reject } = promiseOfOurs<WaitReply | "ask-alone">();
    const nudged = promiseOfOurs<void>();
    const state = { isGone: false, isNudged: false };
    this.#waiting.set(ask.waitId, { resolve, reject, nudge: nudged.resolve, ...state });
    void nudged.promise.then(() => this.#calls.look(caller));
    this.#calls.ask(ask, caller);
    let leftMs = ask.holdMs + SLACK_MS;
    const lookLater = (): (() => void) => {
      const afterMs = Math.min(LOOK_EVERY_MS, leftMs);
      return ports.timer(afterMs, () => {
        leftMs -= afterMs;
        if (leftMs <= 0) return reject(new UnreachableError("no answer in time"));
        this.#calls.look(caller);
        stop = lookLater();
      });
    };
    let stop = lookLater();
    try {
      return await promise;
    } catch (error) {
      this.#waiting.delete(ask.waitId);
      this.#calls.takeBack(ask.waitId);
      throw unreachable(error);
    } finally {
      stop();
    }
  }

  /** However the permit came, it goes on or back by this desk. */
  #withPermit(reply: WaitReply, caller: TurnCaller): TurnOutcome {
    if (reply.kind !== "visit") return reply;
    const heardAt = this.#ports.now();
    const { visit, permit } = reply;
    return { ...reply, permit: { end: () => this.#end(visit, heardAt, permit, caller) } };
  }

  /**
   * The request is over: its permit goes to the next one here, or back. That of a request that was
   * broken off always goes back: its context may end, and its origin hears of it a little later.
   */
  #end(
    visit: VisitView,
    heardAt: number,
    stub: StubOfCall | undefined,
    caller: TurnCaller,
  ): Promise<void> | undefined {
    const ranMs = Math.max(0, this.#ports.now() - heardAt);
    const leftMs = (visit.heldUntil ?? visit.leaseUntil) - visit.now - ranMs;
    const mayPass = leftMs >= LEASE_LEFT_MIN_MS && !caller.isStopped();
    const next = mayPass ? this.#next() : null;
    if (next === null) return this.#giveBack(visit.visit, stub, caller);
    this.#pass(visit, ranMs, next, caller);
    // The call that brought the permit is over.
    stub?.[Symbol.dispose]?.();
    return undefined;
  }

  async #giveBack(visit: VisitId, stub: StubOfCall | undefined, caller: TurnCaller): Promise<void> {
    if (stub === undefined) return this.#calls.ended(visit, caller);
    if (caller.isStopped()) this.#calls.leave(caller);
    await stub.end();
    stub[Symbol.dispose]?.();
  }

  #next(): LentTurn | null {
    return this.#lent.next((wait) => this.#waiting.get(wait)?.isGone === false, this.#ports.now());
  }

  #pass(from: VisitView, ranMs: number, { wait, number }: LentTurn, caller: TurnCaller): void {
    const waiter = this.#waiting.get(wait);
    this.#waiting.delete(wait);
    const now = instant(from.now + ranMs);
    const heldUntil = from.heldUntil ?? from.leaseUntil;
    const leaseUntil = instant(Math.min(heldUntil, now + UNHEARD_LEASE_MS));
    // A visit is named after the number that it was given to.
    const visit = {
      ...from,
      visit: number as number as VisitId,
      leaseUntil,
      heldUntil,
      passUntil: now,
      now,
    };
    waiter?.resolve({ kind: "visit", visit, rate: null });
    this.#calls.passed({ from: from.visit, to: number, wait }, caller);
  }

  #heard({ stamp, replies, lent }: TurnsReply, sentAt: number): void {
    for (const { wait, reply } of replies) {
      const waiter = this.#waiting.get(wait);
      this.#waiting.delete(wait);
      if (waiter === undefined) {
        // It has that visit already, from here or by an answer that was lost; or nobody waits any more.
        if (reply.kind === "visit" && !this.#calls.isOver(wait))
          this.#calls.drop(reply.visit.visit);
        continue;
      }
      this.#calls.over(wait);
      if (reply.kind === "unreachable") {
        waiter.reject(new UnreachableError("the lobby has not reached its room"));
      } else waiter.resolve(reply);
    }
    this.#lent.told(stamp, lent, sentAt);
  }

  #handOver(): boolean {
    for (const waiter of this.#waiting.values()) {
      if (waiter.isGone || waiter.isNudged) continue;
      waiter.isNudged = true;
      waiter.nudge();
      return true;
    }
    return false;
  }

  /** What a lobby that failed knew is lost, or it is of an older version: each asks by itself. */
  #failed(error: unknown): void {
    this.#lent.forget();
    const isOverloaded = (error as { overloaded?: unknown }).overloaded === true;
    for (const waiter of this.#waiting.values()) {
      if (isOverloaded) waiter.reject(unreachable(error));
      else waiter.resolve("ask-alone");
    }
    this.#waiting.clear();
    this.#calls.forgetAsks();
  }
}

export type { TurnDesk, TurnOutcome };

/** The desks of all lobbies that this isolate's requests wait at. */
export class Turns {
  readonly #ports: Ports;
  readonly #desks = new BoundedMap<string, TurnDesk>(OBJECTS_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Of the lobby's object of this name. */
  at(lobby: string): TurnDesk {
    return this.#desks.getOrMake(lobby, () => {
      // Not one for all: while a region is silent two of them ask the same object, each for its own.
      const id = base64url.encode(this.#ports.randomBytes(ID_BYTES));
      return new TurnDesk(this.#ports, id);
    });
  }
}
