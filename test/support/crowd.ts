import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./http.ts";
import { PROGRAM } from "./journey.ts";
import type { RecordingOrigin } from "./origin.ts";
import type { Seiriken } from "./seiriken.ts";
import type { Visitor, VisitorSocket } from "./visitor.ts";

/** An origin that counts visits itself: one begins with its first request and ends with a release. */
export class CountingOrigin {
  readonly entered: number[] = [];
  readonly #inside = new Set<number>();
  readonly #done = new Set<number>();
  insideMax = 0;
  /** Told with each that enters how many are inside then. */
  onEnter: (inside: number) => void = () => undefined;

  constructor(origin: RecordingOrigin) {
    origin.handle(({ url, headers }, response) => {
      const visit = Number(headers["seiriken-visit"]);
      if (!this.#done.has(visit)) this.#enter(visit);
      if (!url.endsWith("/done")) return void response.end("a page");
      this.#inside.delete(visit);
      this.#done.add(visit);
      return void response.writeHead(200, { "seiriken-command": "release" }).end("thank you");
    });
  }

  get done(): number {
    return this.#done.size;
  }

  #enter(visit: number): void {
    if (this.#inside.has(visit)) return;
    this.#inside.add(visit);
    this.entered.push(visit);
    this.insideMax = Math.max(this.insideMax, this.#inside.size);
    this.onEnter(this.#inside.size);
  }
}

export interface WaiterPlan {
  readonly path: string;
  /** False: a poller. */
  readonly hasSocket: boolean;
  readonly stayMs: number;
  /** `performance.now()` at which it gives up. */
  readonly until: number;
  /** A page comes back within so many milliseconds after its socket was lost. */
  readonly reconnectSpreadMs?: number;
}

class Wrong extends Error {}

const PAUSE_MS = 250;

/**
 * A visitor who never gives in: what fails on the way is tried again, and whatever goes against a
 * promise is written down in `wrongs`.
 */
export class Waiter {
  readonly wrongs: string[] = [];
  number: number | null = null;
  claimBy: string | null = null;
  reconnects = 0;
  /** When something of the Room's was heard, by `Date.now()`. */
  readonly heardAt: number[] = [];
  readonly visitor: Visitor;
  /** It has a socket, and has heard something over it. */
  isListening = false;
  readonly #plan: WaiterPlan;

  constructor(seiriken: Seiriken, plan: WaiterPlan, room = "shop") {
    this.visitor = seiriken.visitor({ room });
    this.#plan = plan;
  }

  async live(): Promise<void> {
    await this.take();
    await this.wait();
    await this.visit();
  }

  /** Until it is called. */
  wait(): Promise<void> {
    return this.#plan.hasSocket ? this.#waitOnSocket() : this.#poll();
  }

  /** The whole visit, from the claim to the origin's release. */
  async visit(): Promise<void> {
    await this.#claim();
    const halfMs = this.#plan.stayMs / 2;
    await this.#page("");
    await sleep(halfMs);
    await this.#page("/again");
    await sleep(halfMs);
    await this.#page("/done");
  }

  async take(): Promise<void> {
    const answer = await this.#api("POST", "tickets", [200, 201]);
    this.#see(answer);
  }

  async #openSocket(): Promise<VisitorSocket | null> {
    try {
      return await this.visitor.socket();
    } catch {
      return null;
    }
  }

  async #waitOnSocket(): Promise<void> {
    while (performance.now() < this.#plan.until) {
      const socket = await this.#openSocket();
      if (socket === null) {
        await sleep(PAUSE_MS * (0.5 + Math.random()));
        continue;
      }
      socket.onMessage = ({ type }) => {
        if (type === "pong") return;
        this.heardAt.push(Date.now());
        this.isListening = true;
      };
      const called = socket.first("called", { within: this.#plan.until - performance.now() });
      const first = await Promise.race([called.catch(() => null), socket.closed]);
      this.isListening = false;
      socket.close();
      if (first !== null && "type" in first) {
        this.claimBy = first["claim_by"];
        if (first["number"] !== this.number) this.wrongs.push("called by another's number");
        return;
      }
      this.reconnects += 1;
      await sleep(Math.random() * (this.#plan.reconnectSpreadMs ?? 2_000));
    }
    this.wrongs.push("never called");
  }

  async #poll(): Promise<void> {
    while (performance.now() < this.#plan.until) {
      const answer = await this.#api("GET", "tickets/mine", [200]);
      const place = this.#see(answer);
      if (place.state === "called") {
        this.claimBy = place.claim_by;
        return;
      }
      await sleep((place.poll_after_seconds ?? 1) * 1_000 * (0.9 + Math.random() * 0.2));
    }
    this.wrongs.push("never called");
  }

  async #claim(): Promise<void> {
    const answer = await this.#api("POST", "visits", [200, 201, 202]);
    const { visit } = answer.json();
    if (visit !== this.number) this.wrongs.push(`claimed ${visit} with ${this.number}`);
  }

  async #page(rest: string): Promise<void> {
    const path = `${this.#plan.path}${rest}`;
    await this.#untilAnswered(`GET ${path}`, async () => {
      const answer = await this.visitor.ask(path, { headers: PROGRAM });
      if (answer.status === 200) return answer;
      const met = String(answer.headers["seiriken-status"]);
      // After a lost release the visit may rightly be over.
      if (met.startsWith("queued") && rest !== "/done") this.wrongs.push("a live pass was refused");
      return met.startsWith("queued") ? answer : null;
    });
  }

  #see(answer: Answer): { state: string; claim_by: string; poll_after_seconds?: number } {
    const place = answer.json();
    this.heardAt.push(Date.now());
    if (this.number !== null && place.number !== this.number)
      this.wrongs.push(`had ${this.number}, has ${place.number}`);
    this.number = place.number;
    return place;
  }

  async #api(method: string, resource: string, wanted: readonly number[]): Promise<Answer> {
    const path = `/.seiriken/rooms/${this.visitor.room}/${resource}`;
    return this.#untilAnswered(`${method} ${resource}`, async () => {
      const answer = await this.visitor.ask(path, { method, headers: PROGRAM });
      if (wanted.includes(answer.status)) return answer;
      if (answer.status < 500) {
        this.wrongs.push(`${method} ${resource}: ${answer.status} ${answer.json().code}`);
        throw new Wrong(this.wrongs.at(-1));
      }
      return null;
    });
  }

  /** A server that is down, or says that it is busy, is asked again. */
  async #untilAnswered(what: string, ask: () => Promise<Answer | null>): Promise<Answer> {
    while (performance.now() < this.#plan.until) {
      const answer = await ask().catch((error: unknown) => {
        if (error instanceof Wrong) throw error;
        return null;
      });
      if (answer !== null) return answer;
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
    this.wrongs.push(`${what} was never answered`);
    throw new Wrong(this.wrongs.at(-1));
  }
}

/** At most so many at once. */
export const limited = (most: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
};

/** Every wrong of a crowd, with how often it happened; empty when all is well. */
export const wrongsOf = (crowd: readonly Waiter[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const wrong of crowd.flatMap(({ wrongs }) => wrongs))
    counts[wrong] = (counts[wrong] ?? 0) + 1;
  return counts;
};

/** What has to be known of somebody to judge the order. */
export type CalledWaiter = Pick<Waiter, "number" | "claimBy" | "heardAt">;

/** When a number was called, on the machine's clock. */
const calledAt = ({ claimBy }: CalledWaiter, claimWithinMs: number): number =>
  Date.parse(claimBy ?? "") - claimWithinMs;

/** What the dead server had sent before is read within this; no new one answers so soon. */
const AFTERMATH_MS = 100;
/** Who needs longer to come back after a crash may count as absent. */
const BACK_WITHIN_MS = 4_000;

/** When the Room knew, after the last crash before `at`, that the visitor was there again. */
const backAt = ({ heardAt }: CalledWaiter, at: number, crashes: readonly number[]): number => {
  const crash = Math.max(0, ...crashes.filter((one) => one <= at));
  const back = heardAt.find((heard) => heard > crash + AFTERMATH_MS) ?? Infinity;
  return crash > 0 && back > crash + BACK_WITHIN_MS && back > at ? Infinity : back;
};

/** For whoever has to find out how it came: all by the machine's clock. */
const told = (
  number: number | null,
  at: number,
  higher: { readonly waiter: CalledWaiter; readonly at: number },
  back: number,
  crashes: readonly number[],
): string => {
  const crash = Math.max(...crashes.filter((one) => one <= higher.at));
  const since = Number.isFinite(crash) ? `, ${higher.at - crash} ms after a crash` : "";
  const backBefore = back > 0 ? `, back ${at - back} ms before its call` : "";
  return `${number} by ${higher.waiter.number}, ${at - higher.at} ms${backBefore}${since}`;
};

/**
 * Whoever was called only after somebody with a higher number: nobody may be. After a crash a
 * higher number may go first if the lower one finds a permit when it is back.
 */
export const overtaken = (
  crowd: readonly CalledWaiter[],
  crashes: readonly number[] = [],
  claimWithinMs = 60_000,
): string[] => {
  const ordered = crowd.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0));
  const calls = ordered.map((waiter) => ({ waiter, at: calledAt(waiter, claimWithinMs) }));
  // So that a long line is looked through once, and not once for each of its numbers.
  const earliestHigher: number[] = [];
  for (let index = calls.length - 1, earliest = Infinity; index >= 0; index -= 1) {
    earliestHigher[index] = earliest;
    const { at } = calls[index] as (typeof calls)[number];
    if (at < earliest) earliest = at;
  }
  return calls.flatMap(({ waiter, at }, index) => {
    if (!((earliestHigher[index] as number) < at)) return [];
    return calls
      .slice(index + 1)
      .filter((higher) => higher.at < at && backAt(waiter, higher.at, crashes) < at)
      .map((higher) =>
        told(waiter.number, at, higher, backAt(waiter, higher.at, crashes), crashes),
      );
  });
};
