/**
 * Calls that the requests of one isolate share: what they ask for and tell comes in one call, and what
 * they are told goes with its answer. What becomes of each is waiting-requests.ts.
 */
import type { TurnReply, TurnsAsk, TurnsReply, WaitAsk } from "../contract.ts";
import { logFailure } from "../log.ts";
import type { LobbyTickets } from "./tickets.ts";
import type { WaitingRequests } from "./waiting-requests.ts";

/** A call without news is answered after this, so that one that got lost is noticed. */
const LISTEN_MS = 10_000;

/** Isolates that call one lobby; beyond it those are forgotten that have no call under way. */
const ISOLATES_MAX = 1_000;

/** What one isolate is to be told. */
interface Outbox {
  replies: TurnReply[];
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
  readonly #outboxes = new Map<string, Outbox>();

  constructor(
    tickets: Pick<LobbyTickets, "wait" | "end">,
    waitingRequests: Pick<WaitingRequests, "passed" | "lend" | "abandon">,
  ) {
    this.#tickets = tickets;
    this.#waitingRequests = waitingRequests;
  }

  async turns({ isolate, asks, passed, ended, gone }: TurnsAsk): Promise<TurnsReply> {
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
    for (const ask of asks) this.#wait(isolate, outbox, ask);
    const settled = await Promise.allSettled(ends);
    const isNews = passed.length + ended.length + gone.length > 0;
    if (!isNews && outbox.replies.length === 0) await this.#news(outbox);
    // What one batch of the Room has brought goes with one answer.
    await scheduler.wait(0);
    const unended = ended.filter((_, at) => settled[at]?.status === "rejected");
    const replies = outbox.replies.splice(0);
    outbox.stamp += 1;
    outbox.calls -= 1;
    const { stamp } = outbox;
    this.#forgetIdle(isolate, outbox);
    return { stamp, replies, lent: waitingRequests.lend(isolate), unended };
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
    const outbox = { replies: [], ...waits, calls: 0, stamp: 0, wake };
    if (this.#outboxes.size >= ISOLATES_MAX) this.#forgetSilent();
    this.#outboxes.set(isolate, outbox);
    return outbox;
  }

  #forgetIdle(isolate: string, { open, calls, replies }: Outbox): void {
    if (open.size + calls + replies.length === 0) this.#outboxes.delete(isolate);
  }

  /** An isolate that has no call here, though it has been answered, has died. */
  #forgetSilent(): void {
    for (const [isolate, { calls }] of this.#outboxes)
      if (calls === 0) this.#outboxes.delete(isolate);
  }
}
