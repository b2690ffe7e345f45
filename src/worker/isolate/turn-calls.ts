/**
 * The calls of one isolate to one lobby about turns: who makes them, and when. What they are for is
 * turns.ts.
 */
import type { VisitId } from "../../core/ids.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { PassedBaton, TurnsAsk, TurnsReply, WaitAsk } from "../../durable/contract.ts";
import type { Ports } from "../platform/ports.ts";
import { promiseOfOurs, within } from "./deadline.ts";
import type { TurnCaller } from "./turns.ts";

/** One may listen while another tells. */
const CALLS_AT_ONCE_MAX = 2;
/** How long news gather that nobody is in a hurry for. */
const GATHER_MS = 8;
/** A lobby answers a call without news within 10 s. */
const CALL_MAX_MS = 15 * SECOND_MS;
/** Work beside an answer may take 30 s; a request carries for others no longer than this. */
const CARRY_MS = 5 * SECOND_MS;
const ASKS_MAX = 128;
/** Batons that were lost on the way are told again so often. */
const TELLINGS_MAX = 4;
const TELL_AGAIN_MS = 50;
/** Waits that were let in here: what the lobby answers to them is an echo. */
const PASSED_MAX = 4_096;

/** What the calls are for. */
interface TurnCallsOwner {
  /** There are turns to go on with: what happens here can be told a little later. */
  hasPlenty(): boolean;
  /** Somebody has to be listening for them. */
  hasWaiters(): boolean;
  heard(reply: TurnsReply, sentAt: number): void;
  failed(error: unknown): void;
}

/** A request that makes calls. */
interface Carrier {
  /** When it last did something: one whose request died leaves its place. */
  at: number;
}

interface Ending {
  readonly visit: VisitId;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface ToldTurns {
  readonly passed: readonly PassedBaton[];
  readonly gone: readonly string[];
  readonly endings: readonly Ending[];
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
  readonly #echoes = new Set<string>();
  #gatherer: Carrier | null = null;
  #wake: () => void = () => undefined;
  #asks: WaitAsk[] = [];
  #passed: PassedBaton[] = [];
  #gone: string[] = [];
  #endings: Ending[] = [];
  #isTelling = false;
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
    this.#echoes.add(baton.wait);
    const oldest = this.#echoes.values().next();
    if (this.#echoes.size > PASSED_MAX && oldest.done === false) this.#echoes.delete(oldest.value);
    this.look(caller);
  }

  wasPassed(wait: string): boolean {
    return this.#echoes.has(wait);
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
    return this.#asks.length + this.#gone.length > 0 || this.#hasTold;
  }

  /** Calls may overtake each other: what ends and begins visits is told by one at a time, in order. */
  get #hasTold(): boolean {
    return !this.#isTelling && this.#passed.length + this.#endings.length > 0;
  }

  get #isUrgent(): boolean {
    if (this.#gone.length > 0 || !this.#owner.hasPlenty()) return true;
    return !this.#isTelling && this.#endings.length > 0;
  }

  #buryDead(): void {
    const now = this.#ports.now();
    for (const carrier of this.#carriers)
      if (carrier.at < now - CALL_MAX_MS - SECOND_MS || carrier.at > now) this.#leave(carrier);
  }

  #leave(carrier: Carrier): void {
    this.#carriers.delete(carrier);
    if (this.#gatherer === carrier) this.#gatherer = null;
  }

  /** Never rejects. */
  async #carry(caller: TurnCaller): Promise<void> {
    const carrier: Carrier = { at: this.#ports.now() };
    const until = carrier.at + CARRY_MS;
    this.#carriers.add(carrier);
    while (this.#hasNews || this.#isListenerWanted(carrier)) {
      if (this.#gatherer !== null && !this.#isUrgent) break;
      carrier.at = this.#ports.now();
      // Its place is free now for a younger request, which will go on.
      if (carrier.at >= until) this.#leave(carrier);
      if (carrier.at >= until && this.#carriers.size > 0) return;
      if (!this.#isUrgent) await this.#gather(carrier, caller);
      await this.#call(carrier, caller);
    }
    this.#leave(carrier);
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
    const tells = this.#hasTold;
    if (tells) this.#isTelling = true;
    const sent = this.#take(tells);
    const { passed, gone, endings } = sent;
    const ended = endings.map(({ visit }) => visit);
    const asks = this.#asks.splice(0, ASKS_MAX);
    const sentAt = this.#ports.now();
    carrier.at = sentAt;
    const ask: TurnsAsk = { isolate: this.#isolate, asks, passed, ended, gone };
    try {
      const reply = await within(ports, turns(ask), CALL_MAX_MS);
      if (tells) this.#isTelling = false;
      this.#failures = 0;
      for (const { visit, resolve, reject } of endings)
        if (reply.unended.includes(visit)) reject(new Error("the Room has not heard of the end"));
        else resolve();
      this.#owner.heard(reply, sentAt);
    } catch (error) {
      this.#failed(error, sent);
      if (tells) this.#isTelling = false;
      await this.#pause(ports);
    }
  }

  #take(tells: boolean): ToldTurns {
    return {
      passed: tells ? this.#passed.splice(0) : [],
      gone: this.#gone.splice(0),
      endings: tells ? this.#endings.splice(0) : [],
    };
  }

  /** Batons are told again, as nobody else knows of them; told twice they change nothing. */
  #failed(error: unknown, { passed, endings }: ToldTurns): void {
    for (const { reject } of endings) reject(error);
    this.#failures += 1;
    if (this.#failures < TELLINGS_MAX) this.#passed.unshift(...passed);
    this.#owner.failed(error);
  }

  async #pause(ports: Ports): Promise<void> {
    const { promise, resolve } = promiseOfOurs<void>();
    ports.timer(TELL_AGAIN_MS * this.#failures, resolve);
    await promise;
  }
}
