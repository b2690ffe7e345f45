import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { lobbyIndex } from "../../../src/core/ids.ts";
import { HISTORY_KEPT_MS, History } from "../../../src/core/room/history.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const minutes = (w: World) => w.store.history(instant(0), 1_000);

describe("history", () => {
  test("[HOUSE-1] a finished minute is one row, with what happened in it", () => {
    const w = new World({ permitsMax: 2 });
    const minute = w.now;
    w.entered();
    w.crowd(4);
    w.visit(2);
    w.end(2);
    w.leave(5);
    w.tick(59_999);
    expect(minutes(w)).toEqual([]);
    w.tick(1);
    expect(minutes(w)).toMatchObject([
      {
        minute,
        issued: 5,
        calls: 2,
        entriesByDoor: 1,
        entriesByUsher: 1,
        entriesByBaton: 0,
        finished: 1,
        missed: 0,
        waitingMax: 3,
        outMax: 2,
      },
    ]);
  });

  test("[BYPASS-13] requests past the room are counted in the minute in which they are told", () => {
    const w = new World({ permitsMax: 1 });
    const report = { bypassed: 3, arrivals: 0, origin: null };
    w.run({ type: "snapshot", since: null, report });
    w.tick(30_000);
    w.run({ type: "snapshot", since: null, report: { ...report, bypassed: 2 } });
    w.run({ type: "snapshot", since: null });
    w.tick(30_000);
    expect(minutes(w)).toMatchObject([{ bypassed: 5, issued: 0 }]);
  });

  test("[HOUSE-1] what happens in the first step of a minute belongs to that minute", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(1);
    w.now += 90_000;
    w.crowd(3);
    expect(minutes(w).map(({ issued }) => issued)).toEqual([1]);
    expect(w.state.history.current).toMatchObject({ minute: w.now - 30_000, issued: 3, missed: 1 });
  });

  test("[HOUSE-1] a minute in which nothing happened leaves no row", () => {
    const w = new World();
    w.renew(w.entered(true).visit);
    w.end(1);
    for (let minute = 0; minute < 5; minute += 1) w.tick(60_000);
    expect(minutes(w)).toHaveLength(1);
  });

  test("[HOUSE-1] of those in line and of permits out each has its own highest number", () => {
    const history = new History();
    const at = instant(60_000);
    const seen = (waiting: number, out: number) => {
      history.observe(waiting, out, at);
      return [history.current?.waitingMax, history.current?.outMax];
    };
    expect(seen(0, 0)).toEqual([undefined, undefined]);
    expect(seen(3, 0)).toEqual([3, 0]);
    expect(seen(0, 2)).toEqual([3, 2]);
    expect(seen(2, 1)).toEqual([3, 2]);
    expect(seen(4, 1)).toEqual([4, 2]);
  });

  test("[HOUSE-1] the minute that runs outlives a crash", () => {
    const w = new World();
    w.crowd(3);
    w.crash();
    w.crowd(1);
    expect(w.state.history.current).toMatchObject({ issued: 4 });
  });

  test("[HOUSE-2] rows older than 45 days are dropped", () => {
    const w = new World();
    w.entered(true);
    w.end(1);
    w.tick(60_000);
    w.now += HISTORY_KEPT_MS - 60_000;
    w.entered(true);
    w.tick(59_999);
    expect(minutes(w)).toHaveLength(1);
    w.tick(1);
    expect(minutes(w)).toHaveLength(1);
    expect(minutes(w)[0]?.minute).toBeGreaterThan(w.now - HISTORY_KEPT_MS);
  });

  test("[HOUSE-1] refused joins are counted", () => {
    const w = new World({ closed: "sold out" });
    w.batch([{ op: "join", address: null }]);
    expect(w.tally("refused")).toBe(1);
  });
});

describe("the usher sleeps", () => {
  test("[HOUSE-3] a room in which nothing can happen wants no alarm", () => {
    const w = new World();
    expect(w.wakeAt).toBe(null);
    w.entered();
    w.end(1);
    w.sleep(2);
    expect(w.wakeAt).toBe(null);
  });

  test("[HOUSE-3] nor does one with tickets that are away, for a year", () => {
    const w = new World();
    w.crowd(2);
    w.leave(1);
    w.sleep(200);
    expect([w.wakeAt, w.standing(2)]).toEqual([null, "away"]);
  });

  test("[HOUSE-4] while somebody stands in line the alarm is at most a second away", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.now += 250;
    w.answer([]);
    expect(w.wakeAt).toBe(Math.floor(w.now / 1_000) * 1_000 + 1_000);
    w.crash();
    w.tick();
    expect(w.wakeAt! - w.now).toBeLessThanOrEqual(1_000);
  });

  /** A sliding ring, half a second into its second, that has let one of ten start. */
  const sliding = (limits: Partial<RoomLimits> = {}) => {
    const w = new World({ permitsMax: 10, startsPerSecondMax: 1, ring: "sliding", ...limits });
    w.now += 500;
    return w;
  };

  test("[HOUSE-5] it stands at the moment at which the ring lets the next one go on", () => {
    const visits = sliding();
    visits.crowd(3);
    visits.tick(600);
    expect([visits.called, visits.wakeAt]).toEqual([1, visits.now + 400]);
    const requests = sliding({ permit: "request" });
    const ask = { op: "request", ticket: null, holdMs: 20_000, address: null } as const;
    requests.batch([ask, ask, ask]);
    requests.tick(600);
    expect([requests.visiting, requests.wakeAt]).toEqual([1, requests.now + 500]);
  });

  test("[HOUSE-4] at the next second when nobody can go on before: no permit, a hold, a start", () => {
    for (const limits of [{ permitsMax: 1 }, { paused: true }]) {
      const w = sliding();
      w.crowd(3);
      w.configure(limits);
      w.tick(600);
      expect(w.wakeAt).toBe(w.now + 900);
    }
    const settling = sliding();
    settling.crowd(3);
    settling.crash();
    settling.tick(1_100);
    expect([settling.state.permits.free, settling.wakeAt]).toEqual([9, settling.now + 400]);
  });

  test("[HOUSE-10] visits that end within a quarter of a second share the alarm, which comes after the last of them", () => {
    const w = new World({ permitsMax: 10, leaseMs: 30_000 });
    w.now += 10_010;
    const dues: number[] = [];
    for (let visitor = 0; visitor < 5; visitor += 1) {
      w.now += 40;
      w.entered();
      dues.push(w.now + 30_000);
    }
    const quarter = Math.ceil(dues[0]! / 250) * 250;
    expect(dues[4]).toBeLessThan(quarter);
    expect(w.wakeAt).toBe(quarter);
    w.now = quarter;
    w.tick();
    expect([w.visiting, w.tally("expired")]).toEqual([0, 5]);
  });

  test("[HOUSE-10] in a room of requests the alarm comes at the millisecond", () => {
    const w = new World({ permit: "request", permitsMax: 10 });
    w.now += 10_013;
    const ask = { op: "request", ticket: null, holdMs: 20_000, address: null } as const;
    w.batch([ask]);
    const [permit] = [...w.state.permits.all()];
    expect(w.wakeAt).toBe(Math.min(w.state.permits.nextDue()!, w.state.history.endsAt()!));
    expect(permit?.permit.state).toBe("held");
  });

  test("[HOUSE-5] with nobody in line the ring wakes nobody", () => {
    const w = sliding({ leaseMs: 45_000 });
    w.entered();
    w.tick(600);
    expect(w.wakeAt).toBe(w.now + 44_400);
  });

  test("[HOUSE-5] otherwise it stands at the next claim, lease, overtime or release that runs out", () => {
    const w = new World({ permitsMax: 3, leaseMs: 45_000, claimWithinMs: 10_000 });
    w.crowd(1);
    expect(w.wakeAt).toBe(w.now + 10_000);
    w.visit(1);
    w.tick();
    w.sleep(1);
    expect(w.wakeAt).toBe(w.now + 35_000);
    w.end(1, 5_000);
    expect(w.wakeAt).toBe(w.now + 5_000);
    const w2 = new World({ leaseMs: 45_000, visitMaxMs: 20_000 });
    w2.entered();
    expect(w2.wakeAt).toBe(w2.now + 20_000);
  });

  test("[HOUSE-5] an alarm that found a renewed lease moves on to its new end", () => {
    const w = new World({ leaseMs: 45_000 });
    w.entered();
    w.now += 40_000;
    w.renew(1);
    w.sleep(1);
    expect([w.wakeAt, w.look(1).kind]).toEqual([w.now + 15_000, "visit"]);
    w.sleep(2);
    expect(w.look(1).kind).toBe("ended");
  });

  test("[HOUSE-9] while a join counts for its address the alarm is at most 8 s away, the same for all steps", () => {
    for (const transient of [false, true]) {
      const w = new World({ joinsPerAddressPerMinuteMax: 1, leaseMs: 3_600_000 });
      w.now = instant(Math.ceil(w.now / 8_000) * 8_000);
      const joinedAt = w.now;
      w.one({ op: "enter", transient, address: "a" });
      expect(w.wakeAt).toBe(joinedAt + 8_000);
      w.tick(7_999);
      expect(w.wakeAt).toBe(joinedAt + 8_000);
      const woken: number[] = [];
      while (w.wakeAt !== null && w.wakeAt <= joinedAt + 60_000) {
        woken.push(w.wakeAt - joinedAt);
        w.sleep(1);
      }
      // From here on it may forget: nothing is left to hold against anybody when it has.
      expect(woken.filter((ms) => ms % 8_000 === 0)).toEqual([
        8_000, 16_000, 24_000, 32_000, 40_000, 48_000, 56_000,
      ]);
    }
  });

  test("[HOUSE-9] without a limit, or an address, nobody is woken for it", () => {
    for (const [max, address] of [
      [null, "a"],
      [1, null],
    ] as const) {
      const w = new World({ joinsPerAddressPerMinuteMax: max, leaseMs: 45_000 });
      w.one({ op: "enter", transient: false, address });
      expect(w.wakeAt).toBe(w.now + 45_000);
    }
  });

  test("[HOUSE-5] the alarm never lies in the past", () => {
    const w = new World({ permitsMax: 2, leaseMs: 10_000, startsPerSecondMax: 1 });
    w.crowd(9);
    for (let step = 0; step < 300; step += 1) {
      w.now += 137;
      w.answer([{ op: "claim", number: w.state.line.head() ?? w.place(9)?.number ?? w.join() }]);
      expect(w.wakeAt ?? Infinity).toBeGreaterThan(w.now);
    }
  });
});

describe("what nobody can come back for", () => {
  const CHUNK = 8_192;

  test("[HOUSE-6] chunks whose numbers have all been away for two return windows are dropped", () => {
    const w = new World({ permitsMax: 1, returnWindowMs: 60_000, claimWithinMs: 600_000 });
    w.crowd(CHUNK - 1);
    w.crowd(3, { lobby: lobbyIndex(1) });
    for (let second = 0; second < 95; second += 1) {
      w.now += 1_000;
      w.answer([], { lobby: lobbyIndex(1) });
    }
    w.leave(1);
    expect(w.state.line.unspent).toBe(CHUNK + 1);
    const spend = (ms: number) => {
      for (const until = w.now + ms; w.now < until;) {
        w.now += 1_000;
        w.answer([], { lobby: lobbyIndex(1) });
      }
    };
    spend(119_000);
    expect(w.state.line.unspent).toBe(CHUNK + 1);
    spend(16_000);
    expect([w.state.line.unspent, w.state.line.base]).toEqual([3, 1]);
    const stored = w.store.load();
    expect([[...stored.runs].length, stored.head?.lineBase]).toEqual([1, 1]);
    w.crash();
    expect(w.standing(5)).toBe("ended");
    expect(w.join()).toBe(CHUNK + 3);
  });

  test("[HOUSE-6] a room wakes to sweep whole chunks, until none is left", () => {
    const w = new World({ permitsMax: 1, returnWindowMs: 60_000, claimWithinMs: 5_000 });
    w.crowd(CHUNK);
    w.sleep(10);
    expect(w.state.misses.size).toBeGreaterThan(0);
    w.sleep(400);
    expect([w.wakeAt, w.state.line.base]).toEqual([null, 1]);
    expect([w.state.misses.size, [...w.store.load().misses]]).toEqual([0, []]);
  });

  test("[HOUSE-6] a sweep that finds nothing writes nothing, and forgets no miss that may count", () => {
    const w = new World({ permitsMax: 1, returnWindowMs: 600_000 });
    w.join();
    w.tick(60_000);
    expect(w.state.misses.size).toBe(1);
    w.tick(60_000);
    w.tick(90_000);
    expect([w.state.misses.size, w.last?.changes]).toEqual([1, []]);
    expect(w.state.nextSweepAt).toBe(w.now + 150_000);
    w.now += 1_000;
    w.crash();
    expect(w.state.nextSweepAt).toBe(w.now + 150_000);
    w.configure({ returnWindowMs: 2_000 });
    w.tick(500);
    expect(w.state.nextSweepAt).toBe(w.now + 1_000);
  });

  test("[HOUSE-6] a shorter return window is swept sooner, a longer one no later than was planned", () => {
    const w = new World({ returnWindowMs: 3_600_000 });
    w.tick(1_000);
    const planned = w.state.nextSweepAt;
    w.configure({ returnWindowMs: 7_200_000 });
    expect(w.state.nextSweepAt).toBe(planned);
    w.configure({ returnWindowMs: 60_000 });
    expect(w.state.nextSweepAt).toBe(w.now + 15_000);
    w.tick(15_000);
    expect(w.state.nextSweepAt).toBe(w.now + 15_000);
  });

  test("[HOUSE-7] rows of ended visits go when their last pass has run out", () => {
    const w = new World({ permitsMax: 3, leaseMs: 60_000 });
    w.crowd(2);
    w.visit(1);
    w.visit(2);
    w.end(1);
    w.now += 30_000;
    w.end(2);
    expect([...w.store.load().ended]).toHaveLength(2);
    w.tick(30_000);
    expect([...w.store.load().ended]).toEqual([]);
    expect(w.state.ended.forget(instant(w.now + 3_600_000))).toBe(false);
  });
});
