/**
 * A lock held by a socket: it lasts while the connection does, and is resumed after a loss. Which kind
 * of lock a caller gets, and what both share, is in locks.ts and lock.ts.
 */
/// <reference lib="esnext.disposable" />
import type { Connect, Wire } from "./connect.ts";
import { LocksError } from "./errors.ts";
import { Holding, type Lock } from "./lock.ts";
import { moment, msSince, type Moment } from "./moment.ts";

/** The server gives a client up after 30 s of silence; the client wants to know much earlier. */
const PING_EVERY_MS = 3_000;
/**
 * The server gives a lost lock to nobody for 10 s, and it cannot have lost us before it answered a
 * ping. So this long after that ping was sent the lock may still be resumed, and is nobody else's.
 */
const LOST_AFTER_MS = 8_000;
/**
 * When a ping is not answered within this time, another connection takes the silent one's place.
 */
const STALE_AFTER_MS = 3_000;
/** How often the client checks these times. */
const BEAT_MS = 500;
const CLOSE_WITHIN_MS = 2_000;
const RECONNECT_AFTER_MS = 250;
const RECONNECT_MOST_MS = 5_000;

export interface SocketAsk {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connect: Connect;
  readonly namespace: string;
  readonly key: string;
  readonly owner: string;
  /** Null: as long as it takes. */
  readonly waitMs: number | null;
  readonly signal: AbortSignal | null;
}

type SocketAnswer =
  | { readonly type: "waiting"; readonly ahead: number }
  | { readonly type: "granted"; readonly fence: number; readonly owner: string };

/** Waits in line over a socket and holds by it. A connection that breaks is made again in time. */
export class SocketLock implements Lock {
  readonly namespace: string;
  readonly key: string;
  readonly owner: string;
  readonly #ask: SocketAsk;
  readonly #holding = new Holding();
  #fence: number | null = null;
  #wire: Wire | null = null;
  /** Which connection is the current one; what older ones say does not count. */
  #connection = 0;
  #isOver = false;
  #isConnecting = false;
  /** When the last answered ping was sent, and the one that is not yet answered. */
  #alive: Moment = moment();
  #pinged: Moment | null = null;
  #beat: ReturnType<typeof setInterval> | null = null;
  #onClosed: () => void = () => undefined;
  #settle: { granted: () => void; failed: (error: unknown) => void } | null = null;

  private constructor(ask: SocketAsk) {
    this.namespace = ask.namespace;
    this.key = ask.key;
    this.owner = ask.owner;
    this.#ask = ask;
  }

  /** Rejects with `LocksError`, or with the signal's reason. */
  static async acquire(ask: SocketAsk): Promise<SocketLock> {
    ask.signal?.throwIfAborted();
    const lock = new SocketLock(ask);
    await lock.#wait();
    return lock;
  }

  get fence(): number {
    return this.#fence ?? 0;
  }
  /** Also right in a process that was asleep, before its timers have told it so. */
  get isHeld(): boolean {
    return this.#holding.isHeld && msSince(this.#alive) < LOST_AFTER_MS;
  }
  get signal(): AbortSignal {
    return this.#holding.signal;
  }
  get lost(): Promise<Error> {
    return this.#holding.lost;
  }

  async release(): Promise<void> {
    this.#holding.end();
    await this.#stop(1000, "released");
  }

  abandon(): void {
    this.#holding.end();
    void this.#stop(4000, "abandoned");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  async #wait(): Promise<void> {
    const { signal, waitMs } = this.#ask;
    const abort = (): void => this.#settle?.failed(signal?.reason);
    let timer: ReturnType<typeof setTimeout> | null = null;
    try {
      await new Promise<void>((granted, failed) => {
        this.#settle = { granted, failed };
        signal?.addEventListener("abort", abort, { once: true });
        if (waitMs !== null && waitMs > 0)
          timer = setTimeout(() => failed(held("the wait is over")), waitMs);
        this.#beat = setInterval(() => this.#onBeat(), BEAT_MS);
        this.#connect().catch(failed);
      });
    } catch (error) {
      void this.#stop(1000, "given up");
      throw error;
    } finally {
      this.#settle = null;
      if (timer !== null) clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  async #connect(): Promise<void> {
    if (this.#isConnecting || this.#isOver) return;
    this.#isConnecting = true;
    this.#connection += 1;
    const connection = this.#connection;
    const asked = moment();
    try {
      const { url, headers, connect } = this.#ask;
      const wire = await connect(url, headers, {
        message: (text) => {
          if (this.#connection === connection) this.#onMessage(text, asked);
        },
        close: (code, reason) => {
          if (this.#connection === connection) this.#onClose(code, reason);
        },
      });
      if (this.#isOver) return wire.close(1000, "released");
      this.#wire = wire;
      this.#pinged = null;
    } finally {
      this.#isConnecting = false;
    }
  }

  #onMessage(text: string, asked: Moment): void {
    if (this.#isOver) return;
    if (text === "pong") {
      this.#alive = this.#pinged ?? this.#alive;
      this.#pinged = null;
      return;
    }
    const message = JSON.parse(text) as SocketAnswer;
    if (message.type === "waiting") {
      if (this.#fence !== null) return this.#lose("somebody else holds it");
      this.#alive = moment();
      if (this.#ask.waitMs === 0) this.#settle?.failed(held("somebody else holds it"));
      return;
    }
    if (this.#fence !== null && message.fence !== this.#fence)
      return this.#lose("it was lost, and granted anew");
    if (this.#fence === null) this.#alive = moment();
    // Said again on the same connection, it tells nothing new.
    else if (msSince(asked) < msSince(this.#alive)) this.#alive = asked;
    this.#fence = message.fence;
    this.#settle?.granted();
  }

  #onClose(code: number, reason: string): void {
    this.#wire = null;
    this.#onClosed();
    if (this.#isOver) return;
    if (code === 4409) return this.#fail(new LocksError("taken-over", "the owner came again"));
    const isBusy = code === 1013 || code === 4429;
    if (isBusy && this.#fence === null && this.#ask.waitMs === 0) return this.#fail(held(reason));
    this.#reconnect(isBusy ? RECONNECT_MOST_MS : RECONNECT_AFTER_MS);
  }

  #reconnect(afterMs: number): void {
    setTimeout(() => {
      if (this.#wire !== null || this.#isOver) return;
      this.#connect().catch((error: unknown) => {
        if (error instanceof LocksError && !error.isPassing) return this.#fail(error);
        const wait = this.#fence === null ? afterMs * 2 : afterMs;
        this.#reconnect(Math.min(wait, RECONNECT_MOST_MS));
      });
    }, afterMs);
  }

  #onBeat(): void {
    if (this.#fence !== null && msSince(this.#alive) >= LOST_AFTER_MS)
      return this.#lose("the server was not heard in time");
    const wire = this.#wire;
    if (wire === null) return;
    if (this.#pinged !== null && msSince(this.#pinged) >= STALE_AFTER_MS) {
      this.#wire = null;
      this.#connection += 1;
      wire.close(4000, "stale");
      return this.#reconnect(0);
    }
    if (this.#pinged !== null || msSince(this.#alive) < PING_EVERY_MS) return;
    this.#pinged = moment();
    wire.send("ping");
  }

  #lose(why: string): void {
    this.#fail(new LocksError("lost", `${this.namespace}/${this.key} is lost: ${why}`));
  }

  #fail(error: LocksError): void {
    this.#settle?.failed(error);
    if (this.#fence !== null) this.#holding.lose(error);
    void this.#stop(4000, "lost");
  }

  /** Resolves when the server has answered the close, and so has freed the lock; or after 2 s. */
  async #stop(code: number, reason: string): Promise<void> {
    this.#isOver = true;
    if (this.#beat !== null) clearInterval(this.#beat);
    const wire = this.#wire;
    if (wire === null) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, CLOSE_WITHIN_MS);
      this.#onClosed = () => {
        clearTimeout(late);
        resolve();
      };
      wire.close(code, reason);
    });
  }
}

const held = (why: string): LocksError => new LocksError("lock-held", `lock-held: ${why}`);
