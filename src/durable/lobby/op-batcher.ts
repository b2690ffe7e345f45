/**
 * Gathers a lobby's ops into batches and gets each batch to the Room once. What the ops are is
 * core/room/commands.ts.
 */
import type { Batch, BatchAnswer, Op, OpReply } from "../../core/room/commands.ts";
import type { LobbyIndex, TicketNumber } from "../../core/ids.ts";
import type { PresenceChanges } from "../../core/lobby/presence.ts";
import { BATCH_OPS_MAX } from "../../core/room/batch.ts";
import { logFailure } from "../log.ts";

interface PendingOp {
  readonly op: Op;
  readonly resolve: (reply: OpReply) => void;
  readonly reject: (error: unknown) => void;
}

/** What the batcher needs of its lobby. */
export interface OpBatcherSource {
  readonly lobby: LobbyIndex;
  drainPresence(): PresenceChanges;
  hasPresenceChanges(): boolean;
  roster(): readonly TicketNumber[];
  /** Sends one batch over a fresh stub, and takes in what the Room says besides the answer. */
  send(batch: Batch): Promise<BatchAnswer>;
  sleep(ms: number): Promise<void>;
}

/** Waits before the second and third try of one batch. */
const RETRY_AFTER_MS = [40, 250] as const;
/** How long ops that are in no hurry gather: many share a batch, and its write to disk. */
const PATIENCE_MS = 20;
/**
 * After a batch with several visitors' ops, claims among them, more are on their way: the next one
 * gathers for so long. A batch with many is full enough without.
 */
const GATHER_MS = 10;
const GATHERED_MAX = 32;
/** Ops that may wait for the next batch; beyond it the lobby says that it is busy. */
const PENDING_MAX = 20_000;

const gatherMs = (asked: readonly PendingOp[]): number => {
  if (asked.length < 2 || asked.length >= GATHERED_MAX) return 0;
  return asked.some(({ op }) => op.op === "claim") ? GATHER_MS : 0;
};

const isRetryable = (error: unknown): boolean =>
  !(error instanceof Error && "overloaded" in error && error.overloaded === true);

/**
 * Gathers the ops of a lobby's visitors: while one batch is under way the next one fills. A batch
 * that got no answer is sent again under its number, so the Room does nothing twice.
 */
export class OpBatcher {
  readonly #instance = crypto.randomUUID();
  readonly #source: OpBatcherSource;
  #sequence = 0;
  #pending: PendingOp[] = [];
  #running = false;
  /** A pending op is in a hurry: the next batch goes at once. */
  #isUrgent = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #reportWanted = true;
  #wanted = false;

  constructor(source: OpBatcherSource) {
    this.#source = source;
  }

  /** A patient op goes with the next batch, which it does not hasten by itself. */
  ask(op: Op, isPatient = false): Promise<OpReply> {
    if (this.#pending.length >= PENDING_MAX) {
      return Promise.resolve({ kind: "refused", refusal: "busy", retryAfterMs: 2_000 });
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ op, resolve, reject });
      if (isPatient) this.#runLater();
      else this.#runNow();
    });
  }

  /** Sends a batch even without ops: for presence, or as a sign of life. */
  async speak(): Promise<void> {
    this.#wanted = true;
    await this.#run();
  }

  /** The Room does not know which numbers are at this lobby: the next batch lists them. */
  wantReport(): void {
    this.#reportWanted = true;
    this.#wanted = true;
  }

  #runNow(): void {
    this.#isUrgent = true;
    void this.#run();
  }

  #runLater(): void {
    if (this.#running || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#runNow();
    }, PATIENCE_MS);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    clearTimeout(this.#timer);
    this.#timer = null;
    // What one call asks for several visitors goes in one batch.
    await Promise.resolve();
    try {
      while (this.#isUrgent || this.#wanted || this.#source.hasPresenceChanges()) {
        this.#wanted = false;
        // A report must also list the numbers that the last answer has just given out.
        if (this.#reportWanted && this.#sequence > 0) await this.#source.sleep(0);
        const asked = this.#pending.splice(0, BATCH_OPS_MAX);
        this.#isUrgent = this.#pending.length > 0;
        const waitMs = Math.max(await this.#one(asked), gatherMs(asked));
        if (waitMs > 0) await this.#source.sleep(waitMs);
      }
    } finally {
      this.#running = false;
    }
    if (this.#pending.length > 0) this.#runLater();
  }

  async #one(asked: readonly PendingOp[]): Promise<number> {
    const batch = this.#batch(asked.map(({ op }) => op));
    try {
      const answer = await this.#sendUntilAnswered(batch);
      this.#reportWanted = answer.reportWanted;
      if (answer.reportWanted) this.#wanted = true;
      asked.forEach(({ resolve, reject }, index) => {
        const reply = answer.replies[index];
        if (reply === undefined) reject(new Error("the Room left an op unanswered"));
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
    const roster = this.#reportWanted ? this.#source.roster() : null;
    const { present, away } = this.#source.drainPresence();
    const { lobby } = this.#source;
    const instance = this.#instance;
    const sequence = this.#sequence;
    return { lobby, instance, sequence, ops, present, away, roster, passesBatons: true };
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
