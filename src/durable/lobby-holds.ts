import type { TicketNumber } from "../core/ids.ts";
import type { Presence } from "../core/lobby/presence.ts";
import type { Call, LiveVisit, OpReply, Place } from "../core/room/commands.ts";
import { after, type InstantMs } from "../core/time.ts";
import type { HoldAsk } from "./contract.ts";
import type { Gatherer } from "./gather.ts";
import { logFailure } from "./log.ts";

/** What a wait came to. */
export type HoldOutcome = Extract<OpReply, { kind: "visit" | "not-yet" | "ended" | "refused" }>;

interface Waiting {
  readonly hold: string;
  readonly number: TicketNumber;
  readonly settle: (why: LiveVisit | "over" | "gone" | "called") => void;
}

/** A hold that was let go before it had a number; the oldest are forgotten beyond this many. */
const LET_GO_MAX = 1_000;

/**
 * Requests that wait in this lobby for their turn. Whoever stops waiting tells the Room so and heeds
 * its answer: the turn may have come in the same moment.
 */
export class Holds {
  readonly #gatherer: Gatherer;
  readonly #presence: Presence;
  readonly #now: () => InstantMs;
  readonly #byNumber = new Map<TicketNumber, Waiting>();
  readonly #byHold = new Map<string, Waiting>();
  readonly #letGo = new Set<string>();

  constructor(gatherer: Gatherer, presence: Presence, now: () => InstantMs) {
    this.#gatherer = gatherer;
    this.#presence = presence;
    this.#now = now;
  }

  async wait({ hold, ticket, holdMs, address }: HoldAsk): Promise<HoldOutcome> {
    const askedAt = Date.now();
    const reply = await this.#gatherer.ask({ op: "request", ticket, holdMs, address });
    if (reply.kind === "visit" && this.#letGo.delete(hold)) return this.#giveBack(reply.visit);
    if (reply.kind !== "place") return known(reply);
    const { number } = reply.place;
    if (reply.place.state === "visiting") return { kind: "ended" };
    if (this.#letGo.delete(hold)) return this.#withdraw(number, true);
    const left = Math.max(0, holdMs - (Date.now() - askedAt));
    const why = await this.#until({ hold, number }, left);
    this.#presence.forget(number);
    if (typeof why === "object") return { kind: "visit", isNew: true, visit: why };
    if (why === "called") return known(await this.#gatherer.ask({ op: "claim", number }));
    return this.#withdraw(number, why === "gone");
  }

  /** True when the call is for a request that waits here. */
  called(call: Call): boolean {
    const waiting = this.#byNumber.get(call.number);
    // A visit that nobody waits for is found by the withdrawal that is under way.
    if (waiting === undefined) return call.visit !== undefined;
    waiting.settle(call.visit ?? "called");
    return true;
  }

  async letGo(hold: string): Promise<void> {
    const waiting = this.#byHold.get(hold);
    if (waiting !== undefined) {
      waiting.settle("gone");
      return;
    }
    this.#letGo.add(hold);
    const oldest = this.#letGo.values().next();
    if (this.#letGo.size > LET_GO_MAX && oldest.done === false) this.#letGo.delete(oldest.value);
    await Promise.resolve();
  }

  async #until(
    { hold, number }: Pick<Waiting, "hold" | "number">,
    ms: number,
  ): Promise<LiveVisit | "over" | "gone" | "called"> {
    this.#presence.waits(number, after(this.#now(), ms + 1_000), this.#now());
    // A second request with the same ticket takes the first one's place in front of the counter.
    this.#byNumber.get(number)?.settle("over");
    let timer: ReturnType<typeof setTimeout> | null = null;
    try {
      return await new Promise((resolve) => {
        const waiting = { hold, number, settle: resolve };
        this.#byNumber.set(number, waiting);
        this.#byHold.set(hold, waiting);
        timer = setTimeout(resolve, ms, "over");
      });
    } finally {
      clearTimeout(timer);
      if (this.#byNumber.get(number)?.hold === hold) this.#byNumber.delete(number);
      this.#byHold.delete(hold);
    }
  }

  async #withdraw(number: TicketNumber, isGone: boolean): Promise<HoldOutcome> {
    if (this.#byNumber.has(number)) {
      const place: Place = { number, state: "waiting", ahead: 0, claimBy: null };
      return { kind: "not-yet", place, retryAt: this.#now() };
    }
    const reply = await this.#gatherer.ask({ op: "withdraw", number });
    if (isGone && reply.kind === "visit") return this.#giveBack(reply.visit);
    return known(reply);
  }

  /** Nobody is there to use the visit: it passes on. */
  #giveBack({ visit }: LiveVisit): { kind: "ended" } {
    this.#gatherer
      .ask({ op: "end", visit, afterMs: 0 })
      .catch((error: unknown) => logFailure("lobby-give-back", error));
    return { kind: "ended" };
  }
}

const known = (reply: OpReply): HoldOutcome => {
  switch (reply.kind) {
    case "visit":
    case "not-yet":
    case "refused":
      return reply;
    default:
      return { kind: "ended" };
  }
};
