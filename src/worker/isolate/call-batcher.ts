/**
 * Lets requests of one isolate share calls to one object. Which object, and what to ask, its users
 * say.
 */
import { SECOND_MS } from "../../core/time.ts";
import { DeadlineError, promiseOfOurs } from "./deadline.ts";
import type { Ports } from "../platform/ports.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { CALL_WAIT_MS, callObject, unreachable, UnreachableError } from "./call-object.ts";

/**
 * Calls of one isolate to one object at a time: one that hangs does not hold up everybody, a lone
 * request never waits, and more of them would only be smaller.
 */
export const CALLS_AT_ONCE_MAX = 2;
/** Of one call. */
export const ASKS_MAX = 128;
const WAITING_MAX = 10_000;
/** So many are worth a call without waiting for more. */
const GATHERED_MAX = 32;
/** Work beside an answer may take 30 s; a request carries for others no longer than this. */
const CARRY_MS = 5 * SECOND_MS;
/** A call that was not answered in this time, counted from its start, holds up nobody. */
const LAPSE_MS = CALL_WAIT_MS + SECOND_MS;
const OBJECTS_MAX = 4_096;
const TOO_LATE = `no answer within ${CALL_WAIT_MS} ms`;

interface PendingAsk<Ask, Reply> {
  readonly ask: Ask;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A request that makes calls, for itself and for others that came while all calls were under way.
 */
interface Carrier {
  calledAt: number;
}

/** What is asked of one object: the asks that wait, and the requests that make its calls. */
interface ObjectQueue<Ask, Reply> {
  readonly waiting: PendingAsk<Ask, Reply>[];
  readonly carriers: Set<Carrier>;
}

/** Asks one object for all of them; the replies come in the order of the asks. */
export type AskAll<Ask, Reply> = (asks: readonly Ask[]) => Promise<readonly Reply[]>;

/**
 * Lets the requests of one isolate share their calls to an object: while as many calls as may be
 * are under way, the others wait, and the next call asks for all of them. A carrier calls in its
 * `waitUntil`, so that its client may leave; each request that waits has a deadline of its own.
 */
export class CallBatcher<Ask, Reply> {
  readonly #ports: Ports;
  readonly #gatherMs: number;
  /** When the last ask came, of whatever object. */
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #counters = new BoundedMap<string, ObjectQueue<Ask, Reply>>(OBJECTS_MAX);

  /**
   * `gatherMs`: an ask that comes so soon after another one, of any object, waits as long for more of
   * its own.
   */
  constructor(ports: Ports, gatherMs = 0) {
    this.#ports = ports;
    this.#gatherMs = gatherMs;
  }

  /** Rejects with an `UnreachableError`. `askAll` is called while this request lives, if at all. */
  async ask(
    object: string,
    ask: Ask,
    askAll: AskAll<Ask, Reply>,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<Reply> {
    const counter = this.#counterOf(object);
    if (counter.waiting.length >= WAITING_MAX) throw new UnreachableError("too many wait");
    const { promise: reply, resolve, reject } = promiseOfOurs<Reply>();
    const asked = { ask, resolve, reject };
    counter.waiting.push(asked);
    const isLone = this.#isLone();
    // The request's own: one that waits for nothing but another's call is taken to hang.
    const stop = this.#ports.timer(CALL_WAIT_MS, () => reject(new DeadlineError(TOO_LATE)));
    if (this.#hasRoom(counter)) waitUntil(this.#carry(counter, askAll, isLone));
    try {
      return await reply;
    } catch (error) {
      // A request that was refused must not be asked for later: nobody would hear of its place.
      const at = counter.waiting.indexOf(asked);
      if (at >= 0) counter.waiting.splice(at, 1);
      throw unreachable(error);
    } finally {
      stop();
    }
  }

  #counterOf(object: string): ObjectQueue<Ask, Reply> {
    return this.#counters.getOrMake(object, () => ({
      waiting: [],
      carriers: new Set(),
    }));
  }

  #isLone(): boolean {
    const now = this.#ports.now();
    const sinceMs = now - this.#askedAt;
    this.#askedAt = now;
    return sinceMs < 0 || sinceMs >= this.#gatherMs;
  }

  /** A carrier whose request died leaves its place here, also when the clock ran back meanwhile. */
  #hasRoom({ carriers }: ObjectQueue<Ask, Reply>): boolean {
    if (carriers.size < CALLS_AT_ONCE_MAX) return true;
    const now = this.#ports.now();
    for (const carrier of carriers)
      if (carrier.calledAt < now - LAPSE_MS || carrier.calledAt > now) carriers.delete(carrier);
    return carriers.size < CALLS_AT_ONCE_MAX;
  }

  /**
   * Calls until nothing waits; or for `CARRY_MS`, if another carrier is there by then. Never
   * rejects.
   */
  async #carry(
    counter: ObjectQueue<Ask, Reply>,
    askAll: AskAll<Ask, Reply>,
    isLone: boolean,
  ): Promise<void> {
    const { waiting, carriers } = counter;
    const until = this.#ports.now() + CARRY_MS;
    const carrier: Carrier = { calledAt: this.#ports.now() };
    carriers.add(carrier);
    if (!isLone) await this.#gather(waiting);
    while (waiting.length > 0) {
      carrier.calledAt = this.#ports.now();
      // Its place is free now for a younger request, which will take the rest.
      if (carrier.calledAt >= until) carriers.delete(carrier);
      if (carrier.calledAt >= until && carriers.size > 0) return;
      await this.#call(waiting.splice(0, ASKS_MAX), askAll);
      if (waiting.length > 0) await this.#gather(waiting);
    }
    carriers.delete(carrier);
  }

  async #gather({ length }: readonly unknown[]): Promise<void> {
    if (this.#gatherMs === 0 || length >= GATHERED_MAX) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ports.timer(this.#gatherMs, resolve);
    await promise;
  }

  async #call(asked: readonly PendingAsk<Ask, Reply>[], askAll: AskAll<Ask, Reply>): Promise<void> {
    const asks = asked.map(({ ask }) => ask);
    try {
      const replies = await callObject(this.#ports, () => askAll(asks));
      asked.forEach(({ resolve, reject }, at) => {
        const reply = replies[at];
        if (reply === undefined) reject(new UnreachableError("an ask was left unanswered"));
        else resolve(reply);
      });
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
