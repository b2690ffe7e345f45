/**
 * Calls that the requests of one isolate share: what they ask for and tell comes in one call, and what
 * they are told goes with its answer. What becomes of each is waiting-requests.ts.
 */
import type { WaitAsk } from "../contract.ts";
import type { TurnReply, TurnsAsk, TurnsReply } from "../turns-contract.ts";
import type { InstantMs } from "../../core/time.ts";
import { logFailure } from "../log.ts";
import type { LobbyTickets } from "./tickets.ts";
import type { WaitingRequests } from "./waiting-requests.ts";

/** A call without news is answered after this, so that one that got lost is noticed. */
const LISTEN_MS = 2_000;

/** Isolates that call one lobby; beyond it those are forgotten that have no call under way. */
const ISOLATES_MAX = 1_000;

/** Answers of which the isolate has not said that they came; older ones are forgotten. */
const UNHEARD_MAX = 16;

/** What one isolate is to be told. */
interface Outbox {
  replies: TurnReply[];
  /** By their stamps, answers that may not have come. */
  readonly unheard: Map<number, readonly TurnReply[]>;
  /** Waits that its isolate let in itself: it needs no answer to them. */
  readonly passed: Set<string>;
  /** Waits that are not answered yet. */
  readonly open: Set<string>;
  /** Calls of this isolate that are not answered yet. */
  calls: number;
  stamp: number;
  /** Ends the pause of the call that waits for news. */
  wake: () => void;
}

/** Takes in the calls of isolates, and answers them. An isolate that died keeps nobody from a turn. */
export class IsolateTurns {
  readonly #tickets: Pick<LobbyTickets, "wait" | "end">;
  readonly #waitingRequests: Pick<WaitingRequests, "passed" | "lend" | "abandon">;
  readonly #now: () => InstantMs;
  readonly #outboxes = new Map<string, Outbox>();

  constructor(
    tickets: Pick<LobbyTickets, "wait" | "end">,
    waitingRequests: Pick<WaitingRequests, "passed" | "lend" | "abandon">,
    now: () => InstantMs,
  ) {
    this.#now = now;
    this.#tickets = tickets;
    this.#waitingRequests = waitingRequests;
  }

  async turns(call: TurnsAsk): Promise<TurnsReply> {
    const { isolate, passed, ended, gone, atOnce } = call;
    const waitingRequests = this.#waitingRequests;
    const outbox = this.#outboxOf(isolate);
    outbox.calls += 1;
    // The isolate has this call to be answered by: the one before it need not wait any longer.
    outbox.wake();
    // Passed over already by what their isolate has passed on.
    for (const wait of gone) waitingRequests.abandon(wait);
    if (gone.length > 0) await scheduler.wait(0);
    for (const baton of passed) {
      if (outbox.open.has(baton.wait)) outbox.passed.add(baton.wait);
      waitingRequests.passed(baton);
    }
    const ends = ended.map((visit) => this.#tickets.end(visit, 0));
    this.#ask(isolate, outbox, call);
    const settled = await Promise.allSettled(ends);
    const isNews = atOnce || passed.length + ended.length + gone.length > 0;
    if (!isNews && outbox.replies.length === 0) await this.#news(outbox);
    // What one batch of the Room has brought goes with one answer.
    await scheduler.wait(0);
    const unended = ended.filter((_, at) => settled[at]?.status === "rejected");
    return { ...this.#answer(isolate, outbox), lent: waitingRequests.lend(isolate), unended };
  }

  /** An ask that came before, over a call whose answer was lost, is answered once. */
  #ask(isolate: string, outbox: Outbox, { asks, heard, again }: TurnsAsk): void {
    for (const stamp of heard) outbox.unheard.delete(stamp);
    if (again) {
      outbox.replies.push(...[...outbox.unheard.values()].flat());
      outbox.unheard.clear();
    }
    const answered = new Set(again ? outbox.replies.map(({ wait }) => wait) : []);
    for (const ask of asks)
      if (!outbox.open.has(ask.waitId) && !answered.has(ask.waitId))
        this.#wait(isolate, outbox, ask);
  }

  #answer(isolate: string, outbox: Outbox): Pick<TurnsReply, "stamp" | "replies"> {
    const now = this.#now();
    // A lease has run on while its visit lay here.
    const replies = outbox.replies
      .splice(0)
      .map(({ wait, reply }) =>
        reply.kind === "visit"
          ? { wait, reply: { ...reply, visit: { ...reply.visit, now } } }
          : { wait, reply },
      );
    outbox.stamp += 1;
    outbox.calls -= 1;
    const { stamp, unheard } = outbox;
    if (replies.length > 0) unheard.set(stamp, replies);
    const oldest = unheard.keys().next();
    if (unheard.size > UNHEARD_MAX && oldest.done === false) unheard.delete(oldest.value);
    this.#forgetIdle(isolate, outbox);
    return { stamp, replies };
  }

  #wait(isolate: string, outbox: Outbox, ask: WaitAsk): void {
    const wait = ask.waitId;
    outbox.open.add(wait);
    const answer = (reply: TurnReply["reply"]): void => {
      outbox.open.delete(wait);
      // A second request with its ticket may have taken its place; then it is told so.
      if (outbox.passed.delete(wait)) this.#forgetIdle(isolate, outbox);
      else outbox.replies.push({ wait, reply });
      outbox.wake();
    };
    this.#tickets.wait(ask, isolate).then(answer, (error: unknown) => {
      logFailure("lobby-wait", error);
      answer({ kind: "unreachable" });
    });
  }

  async #news(outbox: Outbox): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LISTEN_MS);
    outbox.wake = resolve;
    await promise;
    clearTimeout(timer);
    if (outbox.wake === resolve) outbox.wake = () => undefined;
  }

  #outboxOf(isolate: string): Outbox {
    const known = this.#outboxes.get(isolate);
    if (known !== undefined) return known;
    const wake = (): void => undefined;
    const waits = { open: new Set<string>(), passed: new Set<string>() };
    const outbox = { replies: [], unheard: new Map(), ...waits, calls: 0, stamp: 0, wake };
    if (this.#outboxes.size >= ISOLATES_MAX) this.#forgetSilent();
    this.#outboxes.set(isolate, outbox);
    return outbox;
  }

  #forgetIdle(isolate: string, { open, calls, replies, unheard }: Outbox): void {
    if (open.size + calls + replies.length + unheard.size === 0) this.#outboxes.delete(isolate);
  }

  /** An isolate that has no call here, though it has been answered, has died. */
  #forgetSilent(): void {
    for (const [isolate, { calls }] of this.#outboxes)
      if (calls === 0) this.#outboxes.delete(isolate);
  }
}
