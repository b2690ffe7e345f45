import { describe, expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import type { Command } from "../../../src/core/room/commands.ts";
import { JOIN, World } from "./world.ts";

/** Everything that is stored. */
const rows = (w: World) => ({ ...w.store.load() });

const permits = (w: World) => [...w.state.permits.all()].sort((a, b) => a.slot - b.slot);

/** Visits by the door, a visit that ended, a miss, calls, somebody away, somebody gone. */
const busy = () => {
  const w = new World({ permitsMax: 4, leaseMs: 120_000 });
  w.renew(w.entered().visit);
  w.entered();
  w.crowd(7);
  w.visit(3);
  w.tick(60_000);
  w.present(4, 5, 6, 7, 8, 9);
  w.end(3);
  w.leave(9);
  return w;
};

describe("what was answered", () => {
  test("[CRASH-1] is there after a crash: numbers, calls, visits, ends, misses, limits, epoch", () => {
    const w = busy();
    w.configure({ message: "hello" });
    w.run({ type: "revoke-all" });
    // What was learned of waits is written down now and then [ETA-5].
    const apart = { version: null, newcomer: null };
    const before = { ...w.snapshot(), ...apart };
    const calls = permits(w);
    const misses = [...w.state.misses];
    expect([calls.length, misses.length]).toEqual([4, 1]);
    w.crash();
    w.report([5, 6, 7, 8, 4]);
    expect({ ...w.snapshot(), ...apart }).toEqual({ ...before });
    expect(permits(w)).toEqual(calls);
    expect([...w.state.misses]).toEqual(misses);
  });

  test("[CRASH-2] a step that was not written leaves no trace", () => {
    const commands = (w: World): Command[] => [
      { type: "batch", batch: w.compose([JOIN, { op: "enter", transient: false }]) },
      { type: "batch", batch: w.compose([{ op: "claim", number: ticketNumber(4) }]) },
      { type: "end", visit: ticketNumber(1), afterMs: 0 },
      { type: "revoke-all" },
      { type: "configure", limits: { ...w.state.limits, permitsMax: 9 } },
      { type: "tick" },
    ];
    const length = commands(busy()).length;
    for (let index = 0; index < length; index += 1) {
      const w = busy();
      const before = rows(w);
      w.now += 45_000;
      w.runLost(commands(w)[index]!);
      expect(rows(w)).toEqual(before);
    }
  });

  test("[CRASH-3] the rows are enough: a room that crashes after each step acts like one that does not", () => {
    const act = (crash: boolean): unknown[] => {
      const w = new World({ permitsMax: 2, leaseMs: 90_000 });
      const seen: unknown[] = [];
      const also = (did: unknown) => {
        seen.push(did);
        if (!crash) return;
        w.crash();
        w.report([1, 2, 3, 4, 5, 6].filter((n) => !away.has(n)));
      };
      const away = new Set<number>();
      also(w.crowd(6));
      also(w.visit(1));
      w.now += 10_000;
      also(w.end(1));
      w.now += 20_000;
      also(w.claim(3));
      w.now += 30_000;
      w.tick();
      away.add(2);
      also(w.standing(2));
      w.now += 59_000;
      w.report([5, 6]);
      also([w.standing(2), w.standing(3), w.standing(4), w.standing(5)]);
      return seen;
    };
    expect(act(true)).toEqual(act(false));
  });

  test("[CRASH-4] every step that writes anything writes the clock", () => {
    const w = busy();
    w.now += 500;
    w.renew(1);
    expect(w.written("permit")).toHaveLength(1);
    expect(w.written("head")).toMatchObject([{ head: { clock: w.now } }]);
    const { now } = w;
    w.now -= 3_600_000;
    w.crash();
    w.tick();
    expect(Number(w.last?.now)).toBeGreaterThanOrEqual(now);
  });

  test("[CRASH-5] a step that changes nothing writes nothing", () => {
    const w = busy();
    w.look(1);
    w.snapshot();
    w.tick(1);
    expect(w.last?.changes).toEqual([]);
  });
});

describe("a late, doubled or lost alarm", () => {
  test("[CRASH-6] any command does what is overdue first", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.now += 60_000;
    expect(w.claim(2)).toMatchObject({ kind: "not-yet", place: { state: "called" } });
    w.now += 60_000;
    expect(w.snapshot()).toMatchObject({ called: 0 });
  });

  test("[CRASH-6] a second tick at the same moment changes nothing", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3);
    w.tick(60_000);
    const before = rows(w);
    expect(w.run({ type: "tick" })).toBeNull();
    expect([w.justCalled, rows(w)]).toEqual([[], before]);
    expect(w.run({ type: "configure", limits: w.state.limits })).toBeNull();
  });
});
