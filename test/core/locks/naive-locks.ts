/** The shard of locks as one would write it without care for speed: flat lists, looked through whole. */

interface Held {
  readonly key: string;
  readonly owner: string;
  /** Null while a socket keeps it. */
  until: number | null;
  session: string | null;
}

interface Waiting {
  readonly key: string;
  readonly owner: string;
  leaseMs: number;
  /** Null for a socket. */
  until: number | null;
  session: string | null;
}

const DELAY = 10_000;

/** What one act did: the answer, and who was told what, as comparable texts. */
export interface NaiveOutcome {
  readonly reply: string;
  readonly told: readonly string[];
}

export class NaiveLocks {
  held: Held[] = [];
  line: Waiting[] = [];
  /** Who gave which key back last. */
  returned = new Map<string, string>();
  #told: string[] = [];

  act(now: number, reply: () => string): NaiveOutcome {
    this.#told = [];
    this.#settle(now);
    const answer = reply();
    this.#settle(now);
    return { reply: answer, told: this.#told };
  }

  lease(key: string, owner: string, leaseMs: number, waitMs: number, now: number): NaiveOutcome {
    return this.act(now, () => {
      const until = now + leaseMs;
      const mine = this.held.find((one) => one.key === key && one.owner === owner);
      if (mine !== undefined) return this.#regrip(mine, until, null);
      if (this.#isFree(key)) return this.#grant(key, owner, until, null);
      const before = this.line.find((one) => one.key === key && one.owner === owner);
      if (before !== undefined) this.#told.push(`${key} ${owner} taken-over`);
      if (waitMs === 0) {
        this.line = this.line.filter((one) => one !== before);
        return "held";
      }
      const want = { leaseMs, until: now + waitMs, session: null };
      if (before === undefined) this.line.push({ key, owner, ...want });
      else Object.assign(before, want);
      return `waiting ${this.#ahead(key, owner)}`;
    });
  }

  open(key: string, owner: string, session: string, now: number): NaiveOutcome {
    return this.act(now, () => {
      const mine = this.held.find((one) => one.key === key && one.owner === owner);
      if (mine !== undefined) return this.#regrip(mine, null, session);
      if (this.#isFree(key)) return this.#grant(key, owner, null, session);
      const before = this.line.find((one) => one.key === key && one.owner === owner);
      if (before !== undefined) this.#told.push(`${key} ${owner} taken-over`);
      const want = { leaseMs: 0, until: null, session };
      if (before === undefined) this.line.push({ key, owner, ...want });
      else Object.assign(before, want);
      return `waiting ${this.#ahead(key, owner)}`;
    });
  }

  renew(key: string, owner: string, leaseMs: number, now: number): NaiveOutcome {
    return this.act(now, () => {
      const mine = this.held.find((one) => one.key === key && one.owner === owner);
      return mine === undefined ? "not-yours" : this.#regrip(mine, now + leaseMs, null);
    });
  }

  release(key: string, owner: string, now: number): NaiveOutcome {
    return this.act(now, () => {
      const mine = this.held.find((one) => one.key === key && one.owner === owner);
      if (mine !== undefined) {
        if (mine.session !== null) this.#told.push(`${key} ${owner} taken-over`);
        this.#giveBack(mine);
        return "released";
      }
      const place = this.line.find((one) => one.key === key && one.owner === owner);
      if (place !== undefined) {
        this.#told.push(`${key} ${owner} taken-over`);
        this.line = this.line.filter((one) => one !== place);
        return "released";
      }
      return this.returned.get(key) === owner ? "released" : "not-yours";
    });
  }

  drop(session: string, isClean: boolean, now: number): NaiveOutcome {
    return this.act(now, () => {
      this.line = this.line.filter((one) => one.session !== session);
      const mine = this.held.find((one) => one.session === session);
      if (mine === undefined) return "null";
      if (isClean) this.#giveBack(mine);
      else Object.assign(mine, { session: null, until: now });
      return "null";
    });
  }

  /** All memory of HTTP calls is gone, and each socket that is not among these. */
  restart(sessions: ReadonlySet<string>, now: number): void {
    this.returned.clear();
    this.line = this.line.filter(({ session }) => session !== null && sessions.has(session));
    for (const one of this.held) {
      if (one.session === null || sessions.has(one.session)) continue;
      Object.assign(one, { session: null, until: now });
    }
  }

  #settle(now: number): void {
    for (const one of [...this.held]) {
      if (one.until === null || now < one.until + DELAY) continue;
      this.held = this.held.filter((other) => other !== one);
      this.returned.delete(one.key);
    }
    for (const one of [...this.line]) {
      if (one.until === null || now < one.until) continue;
      this.line = this.line.filter((other) => other !== one);
      this.#told.push(`${one.key} ${one.owner} timed-out`);
    }
    for (const one of [...this.line]) {
      if (!this.#isFree(one.key)) continue;
      this.line = this.line.filter((other) => other !== one);
      this.#grant(one.key, one.owner, one.until === null ? null : now + one.leaseMs, one.session);
      this.#told.push(`${one.key} ${one.owner} granted`);
    }
  }

  #isFree(key: string): boolean {
    return this.held.every((one) => one.key !== key);
  }

  #ahead(key: string, owner: string): number {
    return this.line.filter((one) => one.key === key).findIndex((one) => one.owner === owner);
  }

  #grant(key: string, owner: string, until: number | null, session: string | null): string {
    this.held.push({ key, owner, until, session });
    this.returned.delete(key);
    return "granted new";
  }

  #regrip(mine: Held, until: number | null, session: string | null): string {
    if (mine.session !== null && mine.session !== session)
      this.#told.push(`${mine.key} ${mine.owner} taken-over`);
    Object.assign(mine, { until, session });
    return "granted";
  }

  #giveBack(mine: Held): void {
    this.held = this.held.filter((one) => one !== mine);
    this.returned.set(mine.key, mine.owner);
  }
}
