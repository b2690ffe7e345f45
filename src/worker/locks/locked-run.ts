/**
 * One request under a lock rule: takes the lock, asks the origin, renews, frees. Which rule and
 * which key is guard.ts.
 */
import { base64url } from "jose";
import { ANSWER_BYTES_MAX } from "../../core/locks/answers.ts";
import type { Owner } from "../../core/locks/lock.ts";
import type { LogEvent } from "../../core/log-events.ts";
import type { LockName } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import type { BeginAsk, Grant, RunOutcome } from "../../durable/locks/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import { valueWithin } from "../isolate/deadline.ts";
import { reasonOf } from "../platform/log.ts";
import { headOf } from "../origin/answer-head.ts";
import type { OriginAnswer, Unreachable } from "../origin/forward.ts";
import type { Ports } from "../platform/ports.ts";
import { lengthOf } from "../origin/content-length.ts";
import { piecesAsTheyCome, startingWith } from "../origin/relay-body.ts";
import type { BodyPieces } from "../origin/relay-body.ts";
import { headersToKeep, outcomeOf } from "./outcome.ts";
import { ownProblem } from "../answers/own-problem.ts";
import { REFUSAL_CODES } from "./problems.ts";
import { AnswerRelay } from "./relay.ts";
import { renewAgainAndAgain } from "./renewing.ts";
import type { LockShards } from "../isolate/lock-shards.ts";
import type { Upload } from "./upload.ts";

/** A request that a rule wants locked, with all that is worked out of it. */
export interface LockedRequest {
  readonly ports: Ports;
  readonly lockShards: LockShards;
  readonly arrival: Arrival;
  readonly rule: LockRule;
  readonly name: LockName;
  /** Of everything the run depends on, and for whom; null for a rule without idempotency. */
  readonly kept: Pick<BeginAsk, "fingerprint" | "client"> | null;
  /** The request made anew, with its body, so that it goes on when its client leaves. */
  readonly request: Request;
  /** Its body, where that is passed on as it comes. */
  readonly upload: Upload | null;
}

/**
 * Asks the origin with `isWatched`, because the body is read in passing. The fence goes along in
 * `Seiriken-Fence`; null: there is no lock.
 */
export type ForwardLocked = (request: Request, fence: number | null) => Promise<OriginAnswer>;

const OWNER_BYTES = 16;
const UNREACHABLE_RETRY_MS = 2_000;
/** How long freeing the lock is tried: the client's answer waits for it. */
const FREE_WITHIN_MS = 1_000;
const FREE_PAUSE_MS = 100;
/** The headers of a body up to this length may wait for it so long. */
const ONE_PIECE_BYTES_MAX = 65_536;
const ONE_PIECE_WITHIN_MS = 100;

const NOT_ASKED: Unreachable = {
  kind: "unreachable",
  code: "origin-unreachable",
  isStopped: false,
};

export const ours = (response: Response): OriginAnswer => ({
  kind: "answer",
  response,
  headers: response.headers,
  head: headOf(response),
  release: null,
  isWhole: true,
});

/**
 * Takes the lock, asks the origin, renews while it answers, and frees the lock in every outcome but
 * refusal. It all runs in a `waitUntil`: a client that goes away ends nothing halfway.
 */
export const runLocked = (locked: LockedRequest, forward: ForwardLocked): Promise<OriginAnswer> =>
  new Promise((answer, fail) => {
    const run = new LockedRun(locked, forward, answer);
    locked.arrival.waitUntil(run.toItsEnd().catch(fail));
  });

class LockedRun {
  readonly #locked: LockedRequest;
  readonly #forward: ForwardLocked;
  readonly #answer: (answer: OriginAnswer) => void;
  readonly #owner: Owner;
  #grant: Grant | null = null;

  constructor(
    locked: LockedRequest,
    forward: ForwardLocked,
    answer: (answer: OriginAnswer) => void,
  ) {
    this.#locked = locked;
    this.#forward = forward;
    this.#answer = answer;
    this.#owner = base64url.encode(locked.ports.randomBytes(OWNER_BYTES)) as Owner;
  }

  async toItsEnd(): Promise<void> {
    const refusal = await this.#take();
    if (refusal !== null) return this.#answer(refusal);
    const { ports, arrival, rule, request, upload } = this.#locked;
    // The client left while it waited: nothing has been done yet, so the run is forgotten.
    if (arrival.request.signal.aborted) return this.#refuseBy({ kind: "forget" }, NOT_ASKED);
    const renewing = renewAgainAndAgain(ports, rule.leaseMs, () =>
      arrival.waitUntil(this.#renew()),
    );
    if (upload !== null) arrival.waitUntil(upload.run());
    try {
      const answer = await this.#forward(request, this.#grant?.fence ?? null);
      if (answer.kind === "unreachable") return await this.#refuseBy({ kind: "unknown" }, answer);
      return await this.#deliver(answer);
    } catch (error) {
      await this.#free({ kind: "unknown" });
      throw error;
    } finally {
      renewing.stop();
      upload?.stop();
    }
  }

  /** Null: the lock is ours. Else the answer that says why not. */
  async #take(): Promise<OriginAnswer | null> {
    try {
      const { kept } = this.#locked;
      return kept === null ? await this.#acquire() : await this.#begin(kept);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      // It may have been granted all the same.
      this.#locked.arrival.waitUntil(this.#free({ kind: "forget" }));
      this.#log("error", "locks-unreachable", error);
      return this.#problem("locks-unavailable", { retryAfterMs: UNREACHABLE_RETRY_MS });
    }
  }

  async #acquire(): Promise<OriginAnswer | null> {
    const { ports, lockShards, arrival, rule, name } = this.#locked;
    const { leaseMs, waitMs, conflictStatus } = rule;
    const ask = base64url.encode(ports.randomBytes(OWNER_BYTES));
    const asked = { name, owner: this.#owner, leaseMs, waitMs, ask };
    const { signal } = arrival.request;
    const leave = (): void =>
      arrival.waitUntil(lockShards.abandonAcquire(arrival, asked).catch(() => null));
    // Only who stands in line leaves it; what comes at once finds out below.
    const reply = await lockShards.acquire(arrival, asked, () => {
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
    signal.removeEventListener("abort", leave);
    switch (reply.kind) {
      case "granted":
        this.#grant = reply.grant;
        return null;
      case "held":
        return this.#problem("lock-conflict", {
          status: conflictStatus,
          retryAfterMs: reply.retryAfterMs,
        });
      case "taken-over":
        return this.#problem("lock-taken-over");
      case "refused":
        return this.#problem(REFUSAL_CODES[reply.refusal], { retryAfterMs: reply.retryAfterMs });
      default:
        return reply satisfies never;
    }
  }

  async #begin(kept: NonNullable<LockedRequest["kept"]>): Promise<OriginAnswer | null> {
    const { lockShards, arrival, rule, name } = this.#locked;
    const { leaseMs, waitMs, retentionMs, conflictStatus } = rule;
    const asked = { name, owner: this.#owner, leaseMs, waitMs, retentionMs, ...kept };
    const reply = await lockShards.begin(arrival, asked);
    switch (reply.kind) {
      case "granted":
        this.#grant = reply.grant;
        return null;
      case "running":
        return this.#problem("lock-conflict", {
          status: conflictStatus,
          retryAfterMs: reply.retryAfterMs,
        });
      case "replay": {
        const { status, headers, body } = reply.content;
        const again = new Headers([...headers].map(([header, value]) => [header, value]));
        again.set("Idempotent-Replayed", "true");
        const isEmpty = body.byteLength === 0;
        const init = { status, headers: again, encodeBody: "manual" } as const;
        return ours(new Response(isEmpty ? null : body, init));
      }
      case "mismatch":
        return this.#problem("idempotency-mismatch");
      case "unknown":
        return this.#problem("outcome-unknown");
      case "not-kept":
        return this.#problem("answer-not-kept");
      case "refused":
        return this.#problem(REFUSAL_CODES[reply.refusal], { retryAfterMs: reply.retryAfterMs });
      default:
        return reply satisfies never;
    }
  }

  /** The origin's answer, streamed on; the lock is free before the client can see its end. */
  async #deliver(answer: Extract<OriginAnswer, { kind: "answer" }>): Promise<void> {
    const { response, headers } = answer;
    const { status, statusText } = response;
    // Copied now, because the gate will add headers for this visitor alone.
    const kept = { status, headers: headersToKeep(headers) };
    const body = response.body as ReadableStream<Uint8Array> | null;
    if (body === null || status === 101) {
      await this.#free(outcomeOf(kept, { body: new Uint8Array(0) }));
      return this.#answer(answer);
    }
    const { ports, arrival } = this.#locked;
    const init = { status, statusText, headers, encodeBody: "manual" } as const;
    const pieces = piecesAsTheyCome(body);
    const first = pieces.next();
    const lengthBytes = lengthOf(headers);
    const whole = await this.#inOnePiece(first, pieces, lengthBytes);
    if (whole !== null) {
      await this.#free(outcomeOf(kept, { body: whole }));
      return this.#answer(withBody(answer, whole, init));
    }
    const relay = new AnswerRelay(startingWith(first, pieces), {
      ports,
      gone: arrival.request.signal,
      lengthBytes,
      keepBytesMax: this.#locked.kept === null ? 0 : ANSWER_BYTES_MAX,
      onEnd: (end) => this.#free(outcomeOf(kept, end)),
    });
    this.#answer(withBody(answer, relay.readable, init));
    await relay.run();
  }

  /** A small body that comes at once needs no relay. Null: it does not, or is not all of it. */
  async #inOnePiece(
    first: Promise<Uint8Array | null>,
    pieces: BodyPieces,
    lengthBytes: number | null,
  ): Promise<Uint8Array | null> {
    if (lengthBytes === null || lengthBytes > ONE_PIECE_BYTES_MAX) return null;
    const piece = await valueWithin(this.#locked.ports, first, ONE_PIECE_WITHIN_MS);
    if (piece?.byteLength !== lengthBytes) return null;
    // Its end, by which the connection can be used again.
    pieces.next().catch(() => null);
    return piece;
  }

  /**
   * Tried again for a moment, as the second time changes nothing. Never rejects: what does not arrive
   * is freed by the lease, and then said to be unknown.
   */
  async #free(outcome: RunOutcome): Promise<void> {
    const { ports } = this.#locked;
    const giveUpAt = ports.now() + FREE_WITHIN_MS;
    for (;;) {
      try {
        return await this.#freeOnce(outcome);
      } catch (error) {
        this.#log("warn", "lock-not-freed", error);
        if (ports.now() >= giveUpAt) return;
      }
      await new Promise<void>((resolve) => ports.timer(FREE_PAUSE_MS, resolve));
    }
  }

  async #freeOnce(outcome: RunOutcome): Promise<void> {
    const { lockShards, arrival, rule, name, kept } = this.#locked;
    const owner = this.#owner;
    if (kept === null) return void (await lockShards.release(arrival, { name, owner }));
    const fence = this.#grant?.fence ?? null;
    const { retentionMs } = rule;
    await lockShards.finish(arrival, { name, owner, fence, retentionMs, outcome });
  }

  async #refuseBy(outcome: RunOutcome, answer: Unreachable): Promise<void> {
    await this.#free(outcome);
    const isLate = this.#locked.upload?.isLate === true;
    this.#answer(isLate ? this.#problem("body-too-slow") : answer);
  }

  async #renew(): Promise<void> {
    const { lockShards, arrival, rule, name } = this.#locked;
    const { leaseMs } = rule;
    try {
      const reply = await lockShards.renew(arrival, { name, owner: this.#owner, leaseMs });
      if (reply.kind === "not-yours") throw new Error("it is somebody else's by now");
    } catch (error) {
      this.#log("warn", "lock-not-renewed", error);
    }
  }

  #problem(...args: Tail<Parameters<typeof ownProblem>>): OriginAnswer {
    return ours(ownProblem(this.#locked.arrival, ...args));
  }

  #log(level: "warn" | "error", event: LogEvent, error: unknown): void {
    const { ports, arrival, rule } = this.#locked;
    const { reference } = arrival;
    ports.log({ level, event, reference, rule: rule.name, reason: reasonOf(error) });
  }
}

const withBody = (
  answer: Extract<OriginAnswer, { kind: "answer" }>,
  body: Uint8Array | ReadableStream<Uint8Array>,
  init: ResponseInit,
): OriginAnswer => {
  const response = new Response(body, init);
  const whole = body instanceof Uint8Array ? ({ isWhole: true } as const) : {};
  const { headers } = response;
  return { ...answer, ...whole, response, headers, head: headOf(response) };
};

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;
