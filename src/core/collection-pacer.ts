/** How often it looks at the clock, in visitors' requests. */
const LOOK_EVERY = 128;
/** Visitors' requests after which old objects are collected: two megabytes of what they left. */
const COLLECT_EVERY = 1_024;
/** For how much of a visitor's request any other counts, where we collect: of few clients a pause meets many requests. */
const OTHERS_COUNT = 0.25;
/** One that stood in line has several times the objects of another become old. */
const WAITER_COUNTS = 4;
/** Collections take one part of so many of the time at most … */
const TIME_SHARE = 20;
/** … and of one that took so long, a part that falls with its square: it found much that lives, or memory is slow. */
const LONG_MS = 40;
const REST_MAX_MS = 600_000;
/** Between two pieces: at 5,000 requests a second old objects grow by half a megabyte. */
const REMIND_EVERY_MS = 200;
/** More than V8 takes from what is free between old objects: it looks at their limit each time. */
const PIECE_LENGTH = 131_072;

/** What a program can do about V8's old objects. */
export interface OldObjects {
  /** Collects all old objects at once; null where the runtime lets no program do so. */
  readonly collect: (() => void) | null;
  /** Puts a piece among the old objects, and forgets it. */
  readonly put: (piece: string) => void;
}

/**
 * While V8 collects old objects all connections stand still, and for longer the more there are to free. By
 * itself it collects late: it looks at their limit when a program wants more room among them, and our
 * requests never do, as their objects are young and become old by outliving a collection. Meanwhile each holds
 * some of the runtime's memory besides, which V8 does not count. So we collect after so many requests;
 * and where that can't be, or takes long, V8 is reminded of the limit (docs/decisions/collections.md).
 * Those with a permit count, and those that take a ticket; of others four count for one, and none where V8
 * can only be reminded: where a few clients ask, as under a lock rule, a pause that comes more often
 * meets more of them.
 */
export class CollectionPacer {
  readonly #now: () => number;
  readonly #old: OldObjects;
  readonly #othersCount: number;
  readonly #filler = "-".repeat(PIECE_LENGTH);
  #requests = 0;
  #lookedAt = 0;
  #collectedAt = 0;
  #endedAt = Number.NEGATIVE_INFINITY;
  #restMs = 0;
  #remindedAt = Number.NEGATIVE_INFINITY;

  /** `now` in milliseconds. */
  constructor(now: () => number, old: OldObjects) {
    this.#now = now;
    this.#old = old;
    this.#othersCount = old.collect === null ? 0 : OTHERS_COUNT;
  }

  /** A request came, whatever it is. */
  requestCame(): void {
    this.#count(this.#othersCount);
  }

  /** It has a live pass, or takes a ticket. */
  visitorCame(): void {
    this.#count(1 - this.#othersCount);
  }

  /** It had stood in line for its permit. */
  waiterCame(): void {
    this.#count(WAITER_COUNTS - this.#othersCount);
  }

  #count(requests: number): void {
    this.#requests += requests;
    if (this.#requests - this.#lookedAt < LOOK_EVERY) return;
    this.#lookedAt = this.#requests;
    const now = this.#now();
    const { collect } = this.#old;
    const isDue = this.#requests - this.#collectedAt >= COLLECT_EVERY;
    if (isDue && collect !== null && hasPassed(this.#restMs, this.#endedAt, now))
      this.#collect(collect);
    else if (hasPassed(REMIND_EVERY_MS, this.#remindedAt, now)) this.#remind(now);
  }

  #collect(collect: () => void): void {
    const startedAt = this.#now();
    collect();
    this.#endedAt = this.#now();
    const tookMs = Math.max(0, this.#endedAt - startedAt);
    // A fortieth of 40 ms, a 250th of 100 ms, a thousandth of 200 ms.
    const share = Math.max(TIME_SHARE, tookMs ** 2 / LONG_MS);
    this.#restMs = Math.min(tookMs * share, REST_MAX_MS);
    this.#collectedAt = this.#requests;
  }

  #remind(now: number): void {
    this.#remindedAt = now;
    this.#old.put(`${this.#filler}${this.#requests}`);
  }
}

/** A clock that was set back is taken as it is now. */
const hasPassed = (ms: number, since: number, now: number): boolean => Math.abs(now - since) >= ms;
