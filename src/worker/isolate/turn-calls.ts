/**
 * The calls of one isolate to one lobby about turns: who makes them, and when. What they are for is
 * turns.ts.
 */
import { LatestMap } from "../../core/collections/latest-map.ts";
import type { VisitId } from "../../core/ids.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { WaitAsk } from "../../durable/contract.ts";
import type { PassedBaton, TurnsAsk, TurnsReply } from "../../durable/turns-contract.ts";
import type { Ports } from "../platform/ports.ts";
import { promiseOfOurs, within } from "./deadline.ts";
import type { TurnCaller } from "./turns.ts";

/** One may listen while another tells. */
const CALLS_AT_ONCE_MAX = 2;
/** How long news gather that nobody is in a hurry for. */
const GATHER_MS = 8;
/** A lobby answers a call without news within 2 s. */
const CALL_MAX_MS = 8 * SECOND_MS;
/** A carrier whose call should have failed by now has been ended with its request. */
const DEAD_AFTER_MS = CALL_MAX_MS + SECOND_MS;
/** Work beside an answer may take 30 s; a request carries for others no longer than this. */
const CARRY_MS = 5 * SECOND_MS;
const ASKS_MAX = 128;
/** Likewise one that gathers, or pauses after a failure. */
const IDLE_DEAD_AFTER_MS = SECOND_MS;
/** Batons that were lost on the way are told again so often. */
const TELLINGS_MAX = 4;
const TELL_AGAIN_MS = 50;
/** Waits that are over: what the lobby answers to them is an echo. */
const ECHOES_MAX = 4_096;

/** What the calls are for. */
interface TurnCallsOwner {
  /** There are turns to go on with: what happens here can be told a little later. */
  hasPlenty(): boolean;
  /** Somebody has to be listening for them. */
  hasWaiters(): boolean;
  waits(wait: string): boolean;
  heard(reply: TurnsReply, sentAt: number): void;
  failed(error: unknown): void;
  /** Has one who waits look for something to carry. False where there is nobody. */
  handOver(): boolean;
}

/** A request that makes calls. */
interface Carrier {
  /** When it last did something: one whose request died leaves its place. */
  at: number;
  /** What it has sent, until the answer is there. */
  sent: SentTurns | null;
}

interface Ending {
  readonly visit: VisitId;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface SentTurns {
  readonly asks: readonly WaitAsk[];
  readonly passed: readonly PassedBaton[];
  readonly gone: readonly string[];
  readonly endings: readonly Ending[];
  /** It tells of what began and ended. */
  readonly tells: boolean;
}

/**
 * Gathers what requests ask and tell, and has it carried by one of them, in its `waitUntil`. Nobody
 * hands anything to a request that might be gone: the next carrier is whoever comes next, or one of
 * those who wait, who look for it.
 */
export class TurnCalls {
  readonly #ports: Ports;
  readonly #isolate: string;
  readonly #owner: TurnCallsOwner;
  readonly #carriers = new Set<Carrier>();
  readonly #echoes = new LatestMap<string, true>(ECHOES_MAX);
  #gatherer: Carrier | null = null;
  #wake: () => void = () => undefined;
  #asks: WaitAsk[] = [];
  #passed: PassedBaton[] = [];
  #gone: string[] = [];
  #endings: Ending[] = [];
  #isTelling = false;
  /** Answers that the lobby may forget. */
  #heard: number[] = [];
  /** A call was lost with its request, and maybe its answer. */
  #isLost = false;
  /** A carrier has to leave: its call is to be answered now. */
  #isLeaving = false;
  #failures = 0;

  constructor(ports: Ports, isolate: string, owner: TurnCallsOwner) {
    this.#ports = ports;
    this.#isolate = isolate;
    this.#owner = owner;
  }

  /** Nobody is calling, and nothing is to be told. */
  get areIdle(): boolean {
    return this.#carriers.size === 0 && !this.#hasNews;
  }

  ask(ask: WaitAsk, caller: TurnCaller): void {
    this.#asks.push(ask);
    this.look(caller);
  }

  /** False where the ask has gone out already. */
  takeBack(wait: string): boolean {
    const at = this.#asks.findIndex(({ waitId }) => waitId === wait);
    if (at >= 0) this.#asks.splice(at, 1);
    return at >= 0;
  }

  passed(baton: PassedBaton, caller: TurnCaller): void {
    this.#passed.push(baton);
    this.over(baton.wait);
    this.look(caller);
  }

  /** The wait has its visit: what comes for it later is an echo. */
  over(wait: string): void {
    this.#echoes.put(wait, true);
  }

  isOver(wait: string): boolean {
    return this.#echoes.has(wait);
  }

  /**
   * The request is broken off, and may be gone in half a second with what it carries: the call that it
   * has under way is answered at once, and another one goes on.
   */
  leave(caller: TurnCaller): void {
    if (![...this.#carriers].some(({ sent }) => sent !== null)) return;
    this.#isLeaving = true;
    this.look(caller);
  }

  /** Settles when the lobby has heard; rejects where the visit has to be ended by its name. */
  ended(visit: VisitId, caller: TurnCaller): Promise<void> {
    const { promise, resolve, reject } = promiseOfOurs<void>();
    this.#endings.push({ visit, resolve, reject });
    this.look(caller);
    return promise;
  }

  /** A visit that nobody waits for any more. A listening call tells of it next. */
  drop(visit: VisitId): void {
    this.#endings.push({ visit, resolve: () => undefined, reject: () => undefined });
  }

  gone(wait: string, caller: TurnCaller): void {
    this.#gone.push(wait);
    this.look(caller);
  }

  forgetAsks(): void {
    this.#asks = [];
  }

  /** Sees to it that somebody calls, if there is anything to call for. */
  look(caller: TurnCaller): void {
    if (!this.#hasNews && !this.#owner.hasWaiters()) return;
    this.#buryDead();
    if (this.#gatherer !== null) {
      if (this.#isUrgent) this.#wake();
      return;
    }
    if (this.#carriers.size >= CALLS_AT_ONCE_MAX) return;
    if (!this.#hasNews && this.#carriers.size > 0) return;
    caller.waitUntil(this.#carry(caller));
  }

  get #hasNews(): boolean {
    return this.#asks.length + this.#gone.length > 0 || this.#hasTold || this.#isLeaving;
  }

  /** Calls may overtake each other: what ends and begins visits is told by one at a time, in order. */
  get #hasTold(): boolean {
    return !this.#isTelling && this.#passed.length + this.#endings.length > 0;
  }

  get #isUrgent(): boolean {
    if (this.#gone.length > 0 || this.#isLeaving || !this.#owner.hasPlenty()) return true;
    return !this.#isTelling && this.#endings.length > 0;
  }

  #buryDead(): void {
    const now = this.#ports.now();
    for (const carrier of this.#carriers) {
      const deadAfterMs = carrier.sent === null ? IDLE_DEAD_AFTER_MS : DEAD_AFTER_MS;
      if (carrier.at >= now - deadAfterMs && carrier.at <= now) continue;
      this.#leave(carrier);
      this.#recover(carrier);
    }
  }

  /** What a dead carrier had sent is sent again: nobody knows whether it came, and twice is harmless. */
  #recover({ sent }: Carrier): void {
    if (sent === null) return;
    this.#isLost = true;
    this.#asks.unshift(...sent.asks.filter(({ waitId }) => this.#owner.waits(waitId)));
    this.#passed.unshift(...sent.passed);
    this.#gone.unshift(...sent.gone);
    this.#endings.unshift(...sent.endings);
    if (sent.tells) this.#isTelling = false;
  }

  #leave(carrier: Carrier): void {
    this.#carriers.delete(carrier);
    if (this.#gatherer === carrier) this.#gatherer = null;
  }

  /** Never rejects. */
  async #carry(caller: TurnCaller): Promise<void> {
    const carrier: Carrier = { at: this.#ports.now(), sent: null };
    const until = carrier.at + CARRY_MS;
    this.#carriers.add(carrier);
    while (this.#isWanted(carrier)) {
      if (this.#gatherer !== null && !this.#isUrgent) break;
      carrier.at = this.#ports.now();
      if (!this.#isUrgent) await this.#gather(carrier, caller);
      await this.#call(carrier, caller);
      // It was taken for dead, and its place is taken.
      if (!this.#carriers.has(carrier)) return;
      if (!caller.isStopped() && this.#ports.now() < until) continue;
      this.#leave(carrier);
      if (!this.#isWanted(carrier) || this.#owner.handOver()) return;
      this.#carriers.add(carrier);
    }
    this.#leave(carrier);
  }

  #isWanted(carrier: Carrier): boolean {
    return this.#hasNews || this.#isListenerWanted(carrier);
  }

  #isListenerWanted(asker: Carrier): boolean {
    if (!this.#owner.hasWaiters()) return false;
    return this.#carriers.size === (this.#carriers.has(asker) ? 1 : 0);
  }

  async #gather(carrier: Carrier, { ports }: TurnCaller): Promise<void> {
    const { promise, resolve } = promiseOfOurs<void>();
    this.#gatherer = carrier;
    this.#wake = resolve;
    const stop = ports.timer(GATHER_MS, resolve);
    await promise;
    stop();
    if (this.#gatherer === carrier) this.#gatherer = null;
  }

  async #call(carrier: Carrier, { ports, turns }: TurnCaller): Promise<void> {
    const sent = this.#take();
    const { asks, passed, gone, endings } = sent;
    const ended = endings.map(({ visit }) => visit);
    const isLost = this.#isLost;
    const ask: TurnsAsk = {
      ...{ isolate: this.#isolate, asks, passed, ended, gone },
      heard: this.#heard,
      again: isLost,
      atOnce: this.#isLeaving,
    };
    [this.#heard, this.#isLost, this.#isLeaving] = [[], false, false];
    const sentAt = this.#ports.now();
    carrier.at = sentAt;
    carrier.sent = sent;
    try {
      const reply = await within(ports, turns(ask), CALL_MAX_MS);
      if (carrier.sent === sent && sent.tells) this.#isTelling = false;
      this.#failures = 0;
      this.#heard.push(reply.stamp);
      for (const { visit, resolve, reject } of endings)
        if (reply.unended.includes(visit)) reject(new Error("the Room has not heard of the end"));
        else resolve();
      this.#owner.heard(reply, sentAt);
    } catch (error) {
      this.#isLost ||= isLost;
      carrier.sent = null;
      carrier.at = this.#ports.now();
      if (this.#carriers.has(carrier)) this.#failed(error, sent);
      await this.#pause(ports);
    }
    carrier.sent = null;
    carrier.at = this.#ports.now();
  }

  #take(): SentTurns {
    const tells = this.#hasTold;
    if (tells) this.#isTelling = true;
    return {
      asks: this.#asks.splice(0, ASKS_MAX),
      passed: tells ? this.#passed.splice(0) : [],
      gone: this.#gone.splice(0),
      endings: tells ? this.#endings.splice(0) : [],
      tells,
    };
  }

  /** Batons are told again, as nobody else knows of them; told twice they change nothing. */
  #failed(error: unknown, { passed, endings, tells }: SentTurns): void {
    for (const { reject } of endings) reject(error);
    this.#failures += 1;
    if (this.#failures < TELLINGS_MAX) this.#passed.unshift(...passed);
    if (tells) this.#isTelling = false;
    this.#owner.failed(error);
  }

  async #pause(ports: Ports): Promise<void> {
    const { promise, resolve } = promiseOfOurs<void>();
    ports.timer(TELL_AGAIN_MS * this.#failures, resolve);
    await promise;
  }
}
