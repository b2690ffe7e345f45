/**
 * Lets requests of one isolate ask one object of locks together. What is asked, and which object, is
 * lock-shards.ts.
 */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { LockAsk, LockReply } from "../../durable/locks/contract.ts";
import type { Ports } from "../platform/ports.ts";
import { CALL_WAIT_MS, callObject, UnreachableError } from "./call-object.ts";
import { promiseOfOurs } from "./deadline.ts";

/** Of one call. */
const ASKS_MAX = 256;
const WAITING_MAX = 10_000;
/** Work beside an answer may take 30 s; a request carries for others no longer than this. */
const CARRY_MS = 5_000;
/** A call that takes longer than this holds up nobody: the next request makes one of its own. */
const PATIENCE_MS = 50;
const OBJECTS_MAX = 128;
/** As many asks as this share of the last call's are worth a call of their own. */
const ENOUGH_SHARE = 0.9;
/** So long the next call waits for them, where the last one asked for many. */
const GATHER_MS = 2;
/** Fewer are not worth the wait: there the next holder of one key may be waiting for a release. */
const GATHER_FROM = 8;

interface PendingAsk {
  readonly ask: LockAsk;
  readonly resolve: (reply: LockReply) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that makes calls. Long ago, or never: the next one takes its place. */
interface Carrier {
  calledAt: number;
}

/** What is asked of one object. */
interface Queue {
  readonly waiting: PendingAsk[];
  /** The request that calls for all who wait; null: there is none. */
  carrier: Carrier | null;
  /** How many the last call asked for. */
  lastCount: number;
  /** With so many waiting the call that is being gathered is made. */
  enough: number;
  go: (() => void) | null;
}

export type AskTogether = (asks: readonly LockAsk[]) => Promise<readonly LockReply[]>;

/**
 * While a call to an object is under way, what is asked of it waits, and goes with the next call: one
 * message, one write and one sync for all of them. A lone request never waits.
 */
export class LockGatherer {
  readonly #ports: Ports;
  readonly #queues = new BoundedMap<string, Queue>(OBJECTS_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Rejects with an `UnreachableError`. `askAll` is called while this request lives, if at all. */
  ask(
    object: string,
    ask: LockAsk,
    askAll: AskTogether,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<LockReply> {
    const queue = this.#queues.getOrMake(object, newQueue);
    const { promise, resolve, reject } = promiseOfOurs<LockReply>();
    if (queue.waiting.length >= WAITING_MAX) {
      reject(new UnreachableError("too many wait"));
      return promise;
    }
    const asked = { ask, resolve, reject };
    queue.waiting.push(asked);
    if (queue.waiting.length >= queue.enough) queue.go?.();
    if (this.#mayCall(queue)) waitUntil(this.#carry(queue, askAll));
    const stop = this.#ports.timer(CALL_WAIT_MS, () => {
      const at = queue.waiting.indexOf(asked);
      // What was given up must not be asked for later: nobody would hear of it.
      if (at >= 0) queue.waiting.splice(at, 1);
      reject(new UnreachableError(`no answer within ${CALL_WAIT_MS} ms`));
    });
    // A timer that goes on keeps an answer from being broken off visibly (origin/break-off.ts).
    promise.then(stop, stop);
    return promise;
  }

  #mayCall({ carrier }: Queue): boolean {
    if (carrier === null) return true;
    const now = this.#ports.now();
    return now - carrier.calledAt > PATIENCE_MS || now < carrier.calledAt;
  }

  /** Calls until nothing waits, or another request takes that over. Never rejects. */
  async #carry(queue: Queue, askAll: AskTogether): Promise<void> {
    const until = this.#ports.now() + CARRY_MS;
    const carrier: Carrier = { calledAt: 0 };
    queue.carrier = carrier;
    do {
      const now = this.#ports.now();
      carrier.calledAt = now < until ? now : -Infinity;
      if (queue.lastCount >= GATHER_FROM) await this.#gather(queue);
      const asked = queue.waiting.splice(0, ASKS_MAX);
      queue.lastCount = asked.length;
      await this.#call(asked, askAll);
      if (queue.carrier !== carrier) return;
    } while (queue.waiting.length > 0);
    queue.carrier = null;
  }

  /** Until about as many wait as last time. */
  async #gather(queue: Queue): Promise<void> {
    queue.enough = Math.ceil(queue.lastCount * ENOUGH_SHARE);
    if (queue.waiting.length >= queue.enough) return;
    const { promise, resolve } = promiseOfOurs<void>();
    queue.go = resolve;
    this.#ports.timer(GATHER_MS, resolve);
    await promise;
    queue.go = null;
  }

  async #call(asked: readonly PendingAsk[], askAll: AskTogether): Promise<void> {
    if (asked.length === 0) return;
    try {
      const asks = asked.map(({ ask }) => ask);
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

const newQueue = (): Queue => ({
  waiting: [],
  carrier: null,
  lastCount: 0,
  enough: 0,
  go: null,
});
