import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import { KeptPlaces } from "../../../src/core/lobby/kept-places.ts";
import type { Op, OpReply } from "../../../src/core/room/commands.ts";
import { TurnSpan } from "../../../src/core/room/turn-span.ts";
import { instant } from "../../../src/core/time.ts";
import { seeded } from "./seeded.ts";
import { World } from "./world.ts";

const room = (limits: Partial<RoomLimits> = {}) =>
  new World({ permit: "request", permitsMax: 1, leaseMs: 60_000, tellsTurns: true, ...limits });
const ask: Op = { op: "request", ticket: null, holdMs: 20_000, address: null };
const withdraw = (w: World, number: number): OpReply =>
  w.one({ op: "withdraw", number: ticketNumber(number) });
const toldMs = (w: World, number: number): number => {
  const reply = withdraw(w, number);
  if (reply.kind !== "not-yet") throw new Error(`not sent away but ${JSON.stringify(reply)}`);
  return reply.retryAt - w.now;
};

/** So many visits of that length end, one after the other, and `waiting` requests stand behind the next. */
const after = (
  ends: number,
  lengthMs: number,
  waiting: number,
  limits: Partial<RoomLimits> = {},
) => {
  const w = room(limits);
  w.batch(Array.from({ length: ends + 1 + waiting }, () => ask));
  for (let number = 1; number <= ends; number += 1) {
    w.tick(lengthMs);
    w.end(number);
  }
  return w;
};

describe("when a turn will be", () => {
  test.each([
    [1, 5],
    [4, 6],
    [25, 8],
    [64, 8],
  ])("[KEYED-5] after %i visits of 10 s the next in line is told %i s", (ends, seconds) => {
    expect(toldMs(after(ends, 10_000, 1), ends + 2)).toBe(seconds * 1_000);
  });

  test("[KEYED-5] those sent away before count for those behind them, until they are due", () => {
    const w = after(64, 10_000, 4);
    expect([66, 67, 68].map((number) => toldMs(w, number))).toEqual([8_000, 17_000, 26_000]);
    w.tick(8_000);
    expect(toldMs(w, 69)).toBe(26_000);
  });

  test("[KEYED-5] P permits come round P times as fast", () => {
    const w = room({ permitsMax: 2 });
    w.batch(Array.from({ length: 132 }, () => ask));
    for (let number = 1; number <= 128; number += 1) {
      if (number % 2 === 1) w.tick(10_000);
      w.end(number);
    }
    expect([131, 132].map((number) => toldMs(w, number))).toEqual([4_000, 8_000]);
  });

  test("[KEYED-5] while no visit has ended: as long as the longest has run", () => {
    const w = room();
    w.batch([ask, ask]);
    w.tick(7_000);
    expect(toldMs(w, 2)).toBe(7_000);
  });

  test("[KEYED-5] at most half of the time for which the place is kept, at least a second", () => {
    expect(toldMs(after(64, 50_000, 1, { returnWindowMs: 30_000 }), 66)).toBe(15_000);
    expect(toldMs(after(64, 10, 1), 66)).toBe(1_000);
  });

  test("[KEYED-5] never before the ring lets it start", () => {
    const w = after(8, 10, 30, { startsPerMinuteMax: 10, permitsMax: 1 });
    expect(toldMs(w, 39)).toBeGreaterThanOrEqual(120_000);
  });

  test("[KEYED-5] in a held room nobody knows", () => {
    const w = after(64, 10_000, 1);
    w.configure({ paused: true });
    expect(toldMs(w, 66)).toBe(1_000);
  });

  test("[KEYED-5] a called permit is out: also that of the number to which the ended visit's permit went", () => {
    const w = room({ permitsMax: 2 });
    const present = [ticketNumber(3)];
    w.batch([ask, ask, ask, ask, ask]);
    w.batch([{ op: "withdraw", number: ticketNumber(3) }]);
    w.batch([], { present });
    w.tick(10_000);
    w.end(2);
    expect(w.state.permits.of(ticketNumber(3))?.state).toBe("called");
    w.tick(1_000);
    w.one({ op: "baton", from: ticketNumber(1), to: ticketNumber(3) });
    // Both were out and one ended 1 s after the other: 2 s a turn, of which half is sure.
    expect(toldMs(w, 5)).toBe(1_000);
  });

  /** Ends of visits, each after a pause, with how long it had lasted; P where all permits were out. */
  const lengthOf = (
    ...ends: (readonly [pauseMs: number, lastedMs: number, out: number | null])[]
  ) => {
    const length = new TurnSpan();
    let now = 1_800_000_000_000;
    for (const [pauseMs, lastedMs, out] of ends) {
      now += pauseMs;
      length.ended(instant(now - lastedMs), out, instant(now));
    }
    return length.surelyMs;
  };
  const times = <T>(count: number, one: T): T[] => new Array<T>(count).fill(one);

  test("[KEYED-5] one visit among many that lasted for long, or over a jump of the clock, counts for eight", () => {
    const long = lengthOf(...times(64, [1_000, 1_000, null] as const), [0, 3_600_000, null]);
    expect(long).toBe((63 * 1_000 + 8_000) / (64 + 8));
  });

  test("[KEYED-5] the last 64 count", () => {
    const ends = [...times(36, [0, 5_000, null] as const), ...times(64, [0, 1_000, null] as const)];
    expect(lengthOf()).toBeNull();
    expect(lengthOf(...ends)).toBe(64_000 / 72);
  });

  test("[KEYED-5] slow first visits do not count while permits are all out: their ends tell", () => {
    const cold = times(4, [0, 30_000, 4] as const);
    const warm = times(16, [250, 1_000, 4] as const);
    expect(lengthOf(...cold, ...warm)).toBe(16_000 / (19 + Math.sqrt(19)));
    // And where permits lie free the pauses between ends do not.
    expect(lengthOf(...times(16, [60_000, 1_000, null] as const))).toBe(16_000 / 20);
  });
});

interface Client {
  comesAt: number;
  number: number | null;
  waitsUntil: number | null;
  inAt: number | null;
  tries: number;
}

const STEP_MS = 20;

/** A crowd of one key whose clients do nothing but wait for `Retry-After`. */
const crowd = (
  seed: number,
  clients: number,
  permitsMax: number,
  meanMs: number,
  holdMs: number,
) => {
  const below = seeded(seed);
  const random = (): number => below(1_000) / 1_000;
  const w = room({ permitsMax });
  const places = new KeptPlaces();
  const start = w.now;
  const all: Client[] = Array.from({ length: clients }, () => ({
    comesAt: start + Math.floor(random() * 500),
    number: null,
    waitsUntil: null,
    inAt: null,
    tries: 0,
  }));
  const byNumber = new Map<number, Client>();
  const endsAt = new Map<number, number>();
  let workMs = 0;
  const goIn = (number: number): void => {
    const client = byNumber.get(number);
    if (client === undefined) throw new Error(`nobody waits for ${number}`);
    client.inAt = w.now;
    client.waitsUntil = null;
    const lastsMs = Math.ceil((meanMs * (0.5 + random())) / STEP_MS) * STEP_MS;
    workMs += lastsMs;
    endsAt.set(number, w.now + lastsMs);
  };
  const heard = (client: Client, reply: OpReply): void => {
    if (reply.kind === "visit") byNumber.set((client.number = reply.visit.visit), client);
    if (reply.kind === "place") byNumber.set((client.number = reply.place.number), client);
    if (reply.kind === "visit") goIn(reply.visit.visit);
    if (reply.kind === "place") client.waitsUntil = w.now + holdMs;
    if (reply.kind !== "not-yet") return;
    const { number } = reply.place;
    client.waitsUntil = null;
    const seconds = Math.max(1, Math.ceil((reply.retryAt - w.now) / 1_000));
    client.comesAt = w.now + seconds * 1_000 + Math.floor(random() * 50);
    places.leave({ key: "k", number, joinedAt: instant(start), heardAt: instant(w.now) });
  };
  while (all.some(({ inAt }) => inAt === null)) {
    w.tick(STEP_MS);
    const calls = () => [...(w.last?.calls.values() ?? [])].flat();
    calls().forEach(({ number }) => goIn(number));
    for (const [number, at] of [...endsAt]) {
      if (at > w.now) continue;
      endsAt.delete(number);
      w.end(number);
      calls().forEach((call) => goIn(call.number));
    }
    for (const client of all) {
      if (client.inAt !== null) continue;
      if (client.waitsUntil !== null && client.waitsUntil <= w.now && client.number !== null)
        heard(client, withdraw(w, client.number));
      else if (client.waitsUntil === null && client.comesAt <= w.now) {
        const ticket = places.takeUp("k", 3_600_000, instant(w.now));
        client.tries += 1;
        heard(client, w.one({ ...ask, ticket, holdMs }));
      }
    }
    if (w.now - start > 10 * ((clients * meanMs) / permitsMax) + 60_000) break;
  }
  const lastMs = Math.max(...all.map(({ inAt }) => (inAt ?? Infinity) - start));
  return { lastMs, trueMs: workMs / permitsMax, all, issued: w.state.line.issued };
};

test("[KEYED-6] clients that only heed Retry-After are all in within 1.3 x the true wait, each once", () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(),
        permits: fc.integer({ min: 1, max: 8 }),
        meanMs: fc.integer({ min: 200, max: 2_000 }),
        holdSeconds: fc.integer({ min: 2, max: 10 }),
      }),
      ({ seed, permits, meanMs, holdSeconds }) => {
        const clients = Math.ceil((30_000 * permits) / meanMs);
        const { lastMs, trueMs, issued } = crowd(
          seed,
          clients,
          permits,
          meanMs,
          holdSeconds * 1_000,
        );
        expect(issued).toBe(clients);
        expect(lastMs).toBeLessThanOrEqual(1.3 * trueMs);
      },
    ),
    { numRuns: 12 },
  );
});
