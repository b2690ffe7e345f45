import { describe, expect, test } from "vitest";
import type { EventDraw, EventPhase } from "../../../src/core/events/event.ts";
import { plannedEventsOf } from "../../../src/core/events/planned.ts";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";
import { eventId, roomEvent } from "../../support/events.ts";
import { World } from "./world.ts";

const SECOND = 1_000;
const T0 = new World().now;
const PREQUEUE = T0 + 10 * SECOND;
const START = T0 + 70 * SECOND;
const END = T0 + 190 * SECOND;
const OVER = T0 + 400 * SECOND;
const [OWN_P, EVENT_P, STAY_MS, LOBBIES] = [2, 6, 5 * SECOND, 3];

const METHODS = ["fifo", "random", "passthrough", "reject"] as const;
const witnesses: EventDraw = {
  secret: "0".repeat(64),
  commitment: "",
  announcedAt: instant(T0),
  promised: { from: "witnesses" },
};

interface Kind {
  readonly method: (typeof METHODS)[number];
  readonly shuffle: boolean;
}

const saleOf = ({ method, shuffle }: Kind) =>
  roomEvent(START, {
    prequeueAt: instant(PREQUEUE),
    endsAt: instant(END),
    shuffle,
    draw: shuffle ? witnesses : null,
    overrides: { permitsMax: EVENT_P, startsPerMinuteMax: 90, queueingMethod: method },
  });

/** One visitor joins each second until the end of the event, at one of three lobbies; each stays 5 s. */
class Crowd {
  readonly w = new World({ permitsMax: OWN_P });
  readonly entries: { readonly number: number; readonly at: number }[] = [];
  readonly called: { readonly number: number; readonly phase: EventPhase | "none" }[] = [];
  /** The most that were inside in each phase. */
  readonly most = new Map<EventPhase | "none", number>();
  readonly #inside = new Map<number, number>();

  constructor(kind: Kind) {
    this.w.configure(
      {},
      plannedEventsOf({ events: { changedAt: instant(1), list: [saleOf(kind)] } }),
    );
  }

  get phase(): EventPhase | "none" {
    return this.w.state.plan.current?.phase ?? "none";
  }

  /** Lives until then, second by second, and dies at the moments that are named. */
  until(at: number, crashes: readonly number[] = []): this {
    while (this.w.now < at) {
      this.w.now += SECOND;
      if (crashes.includes(this.w.now)) this.#crash();
      this.#second();
    }
    return this;
  }

  #more(lobby: number) {
    return { lobby: lobbyIndex(lobby), instance: "a" };
  }

  #second(): void {
    const lobby = (this.w.now / SECOND) % LOBBIES;
    for (const [number, endsAt] of this.#inside) {
      if (this.w.now < endsAt) continue;
      this.#inside.delete(number);
      this.w.run({ type: "end", visit: ticketNumber(number), afterMs: 0 });
      this.#claimCalled();
    }
    if (this.w.now <= END) this.w.batch([{ op: "join", address: null }], this.#more(lobby));
    this.#claimCalled();
    if (this.w.state.drawing !== null && this.w.now >= START + 5 * SECOND)
      this.w.run({ type: "draw", event: eventId(1), value: { from: "witnesses", text: "rain" } });
    this.w.tick();
    this.#claimCalled();
    const most = Math.max(this.most.get(this.phase) ?? 0, this.w.state.permits.out);
    this.most.set(this.phase, most);
  }

  /** Whoever is called claims at once; a full second sends the claim away for a moment. */
  #claimCalled(): void {
    for (const { permit } of [...this.w.state.permits.all()]) {
      if (permit.state !== "called") continue;
      const { number, lobby } = permit;
      this.called.push({ number, phase: this.phase });
      const [reply] = this.w.batch([{ op: "claim", number }], this.#more(lobby));
      if (reply?.kind !== "visit") continue;
      this.entries.push({ number, at: this.w.now });
      this.#inside.set(number, this.w.now + STAY_MS);
    }
  }

  /** The Room dies; its lobbies, which live on, list whom they hold. */
  #crash(): void {
    const { line } = this.w.state;
    const present = Array.from({ length: line.issued }, (_, k) => ticketNumber(k + 1)).filter((n) =>
      line.isPresent(n),
    );
    this.w.crash();
    for (let lobby = 0; lobby < LOBBIES; lobby += 1) {
      const roster = present.filter((number) => this.w.state.line.lobbyOf(number) === lobby);
      this.w.report(roster, this.#more(lobby));
      this.#claimCalled();
    }
  }
}

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => number > (numbers[index - 1] ?? 0));

/** The numbers of the minute before the start. */
const isDrawn = (number: number): boolean => number >= 10 && number <= 69;
const rising = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

const MOMENTS = [
  ["in the prequeue", PREQUEUE + 30 * SECOND],
  ["at the start", START],
  ["while it runs", START + 30 * SECOND],
  ["at the end", END],
  ["after it", END + 10 * SECOND],
] as const;

describe("[EVENT-13] a crowd over a whole event", () => {
  const kinds: readonly Kind[] = [
    ...METHODS.map((method) => ({ method, shuffle: false })),
    { method: "fifo", shuffle: true },
  ];

  test.each(kinds)("$method, shuffled: $shuffle", (kind) => {
    const crowd = new Crowd(kind).until(OVER);
    const early = crowd.called.filter(({ phase }) => phase === "prequeue" || phase === "drawing");
    expect(early).toEqual([]);
    expect(crowd.most.get("none")).toBeLessThanOrEqual(OWN_P + EVENT_P);
    expect(crowd.most.get("running") ?? 0).toBe(kind.method === "passthrough" ? 0 : EVENT_P);
    const numbers = crowd.entries.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(isRising(numbers)).toBe(kind.method !== "random" && !kind.shuffle);
    // Those who were drawn go among themselves, after all before them and before all others.
    expect(isRising(numbers.filter((number) => !isDrawn(number)))).toBe(kind.method !== "random");
    if (kind.shuffle) expect(numbers.filter(isDrawn)).toEqual(numbers.slice(9, 69));
    expect(rising(numbers)).toEqual(numbers.map((_, index) => index + 1));
    for (const { at } of crowd.entries) {
      const minute = crowd.entries.filter((entry) => entry.at > at - 60_000 && entry.at <= at);
      if (at < END) expect(minute.length).toBeLessThanOrEqual(90);
    }
  });

  test.each(MOMENTS)("a crash %s changes nobody's number, and nobody's turn", (_, at) => {
    const kind = { method: "fifo", shuffle: false } as const;
    const calm = new Crowd(kind).until(OVER);
    const crashed = new Crowd(kind).until(OVER, [at]);
    expect(crashed.w.state.line.issued).toBe(calm.w.state.line.issued);
    const before = (entry: { readonly at: number }) => entry.at < at;
    expect(crashed.entries.filter(before)).toEqual(calm.entries.filter(before));
    // While the lobbies list whom they hold, one of several free permits may go out a second later.
    const turns = new Map(calm.entries.map((entry) => [entry.number, entry.at]));
    expect(crashed.entries).toHaveLength(turns.size);
    for (const entry of crashed.entries)
      expect(Math.abs(entry.at - turns.get(entry.number)!)).toBeLessThanOrEqual(SECOND);
  });
});
