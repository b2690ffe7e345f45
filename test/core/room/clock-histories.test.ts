import { expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import type { Op, OpReply } from "../../../src/core/room/commands.ts";
import { seeded } from "./seeded.ts";
import { World } from "./world.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
const ask: Op = { op: "request", ticket: null, holdMs: 20_000, address: null };

/** A crowd that is always there, on a clock of its own; the Room's machine has another. */
class Crowd {
  /** By the Room's clock. */
  readonly starts: number[] = [];
  most = 0;
  standstillMs = 0;
  #realMs = 0;
  #offsetMs = 0;
  readonly #w: World;
  readonly #limits: Partial<RoomLimits>;
  readonly #endsAt = new Map<number, number>();
  readonly #random: (below: number) => number;
  #startedAt = 0;

  constructor(limits: Partial<RoomLimits>, seed: number) {
    this.#limits = limits;
    this.#random = seeded(seed);
    this.#w = new World({ permit: "request", leaseMs: LEASE_MS, ringGuardMs: 0, ...limits });
  }

  /** So many steps of 50 ms of real time. */
  live(steps: number): void {
    const begin = this.#w.now;
    for (let at = 0; at < steps; at += 1) {
      this.#realMs += 50;
      if (this.#realMs % 5_000 === 0) this.#offsetMs += (this.#random(3) - 1) * HOUR_MS;
      this.#w.now = begin + this.#realMs + this.#offsetMs;
      this.#batch();
      this.#look();
    }
  }

  #batch(): void {
    const due = [...this.#endsAt].filter(([, endsAt]) => endsAt <= this.#realMs);
    const ops: Op[] = due.map(([visit]) => ({
      op: "end",
      visit: ticketNumber(visit),
      afterMs: 0,
    }));
    for (const [visit] of due) this.#endsAt.delete(visit);
    // Whoever waits is told to the Room by its lobby every so often.
    if (this.#random(3) > 0) ops.push(ask);
    if (this.#realMs % 1_000 === 0)
      for (const visit of this.#endsAt.keys())
        ops.push({ op: "renew", visit: ticketNumber(visit) });
    const replies: readonly OpReply[] = this.#w.batch(ops);
    const calls = [...(this.#w.last?.calls.values() ?? [])].flat();
    for (const { number, visit } of calls) if (visit !== undefined) this.#start(number);
    for (const reply of replies)
      if (reply.kind === "ended") throw new Error("a request lost its permit while it ran");
  }

  #start(number: number): void {
    if (this.#endsAt.has(number)) return;
    this.starts.push(this.#w.last?.now ?? 0);
    this.#startedAt = this.#realMs;
    this.#endsAt.set(number, this.#realMs + 100 + this.#random(900));
  }

  #look(): void {
    this.most = Math.max(this.most, this.#endsAt.size);
    const isBusy =
      this.#w.state.line.waiting > 0 && this.#endsAt.size < (this.#limits.permitsMax ?? 0);
    if (!isBusy) this.#startedAt = this.#realMs;
    this.standstillMs = Math.max(this.standstillMs, this.#realMs - this.#startedAt);
  }
}

/** The most in any span of the Room's clock, or in any of its seconds. */
const most = (starts: readonly number[], ring: "calendar" | "sliding"): number => {
  if (ring === "sliding") return mostWithin(starts, 1_000);
  const seconds = starts.map((at) => Math.floor(at / 1_000));
  return Math.max(...seconds.map((second) => seconds.filter((other) => other === second).length));
};

const mostWithin = (starts: readonly number[], windowMs: number): number =>
  Math.max(
    ...starts.map((from) => starts.filter((at) => at >= from && at < from + windowMs).length),
  );

test.each(["calendar", "sliding"] as const)(
  "[REQUEST-13] %s: jumps of an hour back and forth let none too many start, and stop nobody for 2 s",
  (ring) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const limits = { permitsMax: 4, startsPerSecondMax: 3, ring };
      const crowd = new Crowd(limits, seed);
      crowd.live(1_200);
      expect(crowd.starts.length).toBeGreaterThan(100);
      expect(crowd.most).toBeLessThanOrEqual(limits.permitsMax);
      expect(most(crowd.starts, ring)).toBeLessThanOrEqual(limits.startsPerSecondMax);
      expect(crowd.standstillMs).toBeLessThanOrEqual(2_000);
    }
  },
);
