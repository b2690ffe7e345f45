import type { Batch, BatchAnswer, Op, OpReply } from "../core/room/commands.ts";
import type { LobbyIndex, TicketNumber } from "../core/ids.ts";
import type { PresenceNews } from "../core/lobby/presence.ts";
import { BATCH_OPS_MAX } from "../core/room/batch.ts";
import { logFailure } from "./log.ts";

interface Asked {
  readonly op: Op;
  readonly resolve: (reply: OpReply) => void;
  readonly reject: (error: unknown) => void;
}

/** What the gatherer needs of its lobby. */
export interface GatherSource {
  readonly lobby: LobbyIndex;
  drainPresence(): PresenceNews;
  hasPresenceNews(): boolean;
  held(): readonly TicketNumber[];
  /** Sends one batch over a fresh stub, and takes in what the Room says besides the answer. */
  send(batch: Batch): Promise<BatchAnswer>;
  sleep(ms: number): Promise<void>;
}

/** Waits before the second and third try of one batch. */
const RETRY_AFTER_MS = [40, 250] as const;
/** Wishes that may wait for the next batch; beyond it the lobby says that it is busy. */
const PENDING_MAX = 20_000;

const isRetryable = (error: unknown): boolean =>
  !(error instanceof Error && "overloaded" in error && error.overloaded === true);

/**
 * Gathers the wishes of a lobby's visitors: while one batch is under way the next one fills. A batch
 * that got no answer is sent again under its number, so the Room does nothing twice.
 */
export class Gatherer {
  readonly #instance = crypto.randomUUID();
  readonly #source: GatherSource;
  #sequence = 0;
  #pending: Asked[] = [];
  #running = false;
  #reportWanted = true;
  #wanted = false;

  constructor(source: GatherSource) {
    this.#source = source;
  }

  ask(op: Op): Promise<OpReply> {
    if (this.#pending.length >= PENDING_MAX) {
      return Promise.resolve({ kind: "refused", refusal: "busy", retryAfterMs: 2_000 });
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ op, resolve, reject });
      void this.#run();
    });
  }

  /** Sends a batch even if nobody wishes anything: presence, or a sign of life. */
  async speak(): Promise<void> {
    this.#wanted = true;
    await this.#run();
  }

  /** The Room does not know whom this lobby holds. */
  wantReport(): void {
    this.#reportWanted = true;
    this.#wanted = true;
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.#pending.length > 0 || this.#wanted || this.#source.hasPresenceNews()) {
        this.#wanted = false;
        const waitMs = await this.#one(this.#pending.splice(0, BATCH_OPS_MAX));
        if (waitMs > 0) await this.#source.sleep(waitMs);
      }
    } finally {
      this.#running = false;
    }
  }

  async #one(asked: readonly Asked[]): Promise<number> {
    const batch = this.#batch(asked.map(({ op }) => op));
    try {
      const answer = await this.#sendUntilAnswered(batch);
      this.#reportWanted = answer.reportWanted;
      if (answer.reportWanted) this.#wanted = true;
      asked.forEach(({ resolve, reject }, index) => {
        const reply = answer.replies[index];
        if (reply === undefined) reject(new Error("the Room left a wish unanswered"));
        else resolve(reply);
      });
      return answer.waitMs;
    } catch (error) {
      // What the Room did of it is unknown: the next batch lists everybody, so it can't be wrong.
      this.#reportWanted = true;
      logFailure("lobby-batch", error);
      for (const { reject } of asked) reject(error);
      return 0;
    }
  }

  #batch(ops: readonly Op[]): Batch {
    this.#sequence += 1;
    const held = this.#reportWanted ? this.#source.held() : null;
    const { present, away } = this.#source.drainPresence();
    const { lobby } = this.#source;
    return { lobby, instance: this.#instance, sequence: this.#sequence, ops, present, away, held };
  }

  async #sendUntilAnswered(batch: Batch): Promise<BatchAnswer> {
    for (const waitMs of RETRY_AFTER_MS) {
      try {
        return await this.#source.send(batch);
      } catch (error) {
        if (!isRetryable(error)) throw error;
        await this.#source.sleep(waitMs);
      }
    }
    return this.#source.send(batch);
  }
}
