/** What the page remembers between loads. Browsers may refuse; then it remembers nothing. */

const recall = <T>(storage: "localStorage" | "sessionStorage", key: string): T | null => {
  try {
    return JSON.parse(window[storage].getItem(key) || "null") as T | null;
  } catch (_refused) {
    return null;
  }
};

const keep = (storage: "localStorage" | "sessionStorage", key: string, value: unknown): boolean => {
  try {
    window[storage].setItem(key, JSON.stringify(value));
    return true;
  } catch (_refused) {
    return false;
  }
};

/** Where a number's way through the line began. */
interface Way {
  readonly number: number;
  readonly startAhead: number;
  readonly takenAt: number;
}

/** What belongs to one number, and is nobody's in another wait. */
interface Wait {
  /** The visitor wished to be taken in, seen or not. */
  readonly takesIn?: boolean;
  /** The visitor wished for notifications. */
  readonly notifies?: boolean;
  /** Until when its last call could be claimed. */
  readonly claimBy?: number;
}

/** The page's idea of the server's clock may be off by so much. */
const CLOCK_SLACK_MS = 2_000;

/** Loads that follow a going in this closely mean that the pass did not come back. */
const BOUNCE_WITHIN_MS = 5_000;
const BOUNCES_MAX = 3;
const RELOAD_FIRST_MS = 8_000;
const RELOAD_MAX_MS = 300_000;

interface Bounces {
  readonly at: number;
  readonly count: number;
}

export const createMemory = (roomId: string) => {
  const way = `seiriken:${roomId}:way`;
  const bounces = `seiriken:${roomId}:in`;
  const reloads = `seiriken:${roomId}:reloads`;
  const wait = `seiriken:${roomId}:wait`;

  const waitOf = (number: number | null): Wait => {
    const known = recall<Wait & { readonly number: number }>("localStorage", wait);
    return known !== null && known.number === number ? known : {};
  };

  return {
    waitOf,
    noteWait(number: number | null, noted: Wait): void {
      keep("localStorage", wait, Object.assign({}, waitOf(number), noted, { number }));
    },
    /** Until when the number's last call could be claimed, if that is over. */
    missedCall(number: number): number | null {
      const { claimBy } = waitOf(number);
      return claimBy && claimBy - CLOCK_SLACK_MS <= Date.now() ? claimBy : null;
    },
    wayOf(number: number, ahead: number): Way {
      const known = recall<Way>("localStorage", way);
      if (known !== null && known.number === number && known.startAhead >= ahead) return known;
      const takenAt = known !== null && known.number === number ? known.takenAt : Date.now();
      const fresh = { number, startAhead: ahead, takenAt };
      keep("localStorage", way, fresh);
      return fresh;
    },
    noteGoingIn(): void {
      const before = recall<Bounces>("sessionStorage", bounces);
      keep("sessionStorage", bounces, { at: Date.now(), count: before ? before.count : 0 });
    },
    /** True when going in has led straight back here, again and again. */
    isBouncing(): boolean {
      const before = recall<Bounces>("sessionStorage", bounces);
      if (before === null) return false;
      const count = Date.now() - before.at < BOUNCE_WITHIN_MS ? before.count + 1 : 0;
      keep("sessionStorage", bounces, { at: 0, count: count >= BOUNCES_MAX ? 0 : count });
      return count >= BOUNCES_MAX;
    },
    /** How long to wait before the next reload: twice as long each time, until an answer came. */
    reloadDelay(): number {
      const count = recall<number>("sessionStorage", reloads) || 0;
      if (!keep("sessionStorage", reloads, count + 1)) return RELOAD_MAX_MS / 5;
      return Math.min(RELOAD_MAX_MS, RELOAD_FIRST_MS * 2 ** Math.min(count, 10));
    },
    forgetReloads(): void {
      if (recall<number>("sessionStorage", reloads)) keep("sessionStorage", reloads, 0);
    },
  };
};

export type Memory = ReturnType<typeof createMemory>;
