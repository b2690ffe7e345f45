import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import type { OpReply } from "../../../src/core/room/commands.ts";
import { World } from "./world.ts";

const paced = (limits: Partial<RoomLimits> = {}) =>
  new World({ requestsPerSecondMax: 2, ringGuardMs: 100, ...limits });
const ask = (w: World, holdMs = 0): OpReply => w.one({ op: "moment", holdMs });

describe("the requests of admitted visitors", () => {
  test("[SCHED-1] without a limit each begins at once, and nothing is written for it", () => {
    const w = new World();
    w.answer([]);
    expect(ask(w)).toEqual({ kind: "start", startAt: w.now, left: null });
    expect(w.last?.changes).toEqual([]);
  });

  test("[SCHED-1] at most so many begin in a second, and each hears how many more may", () => {
    const w = paced();
    expect(ask(w)).toEqual({ kind: "start", startAt: w.now, left: 1 });
    expect(ask(w)).toEqual({ kind: "start", startAt: w.now, left: 0 });
    expect(ask(w, 1_000)).toEqual({ kind: "start", startAt: w.now + 1_000, left: 1 });
  });

  test("[SCHED-3] one that cannot begin within its patience takes no moment, and is told its own", () => {
    const w = paced();
    w.batch([
      { op: "moment", holdMs: 0 },
      { op: "moment", holdMs: 0 },
    ]);
    expect(ask(w, 999)).toEqual({ kind: "later", retryAt: w.now + 1_000 });
    expect(ask(w, 1_000)).toMatchObject({ kind: "start", startAt: w.now + 1_000, left: 1 });
  });

  test("[SCHED-4] after a crash no moment is given until all that was given is over", () => {
    const w = paced();
    w.answer([]);
    ask(w);
    expect(w.last?.changes).toEqual(w.written("head"));
    expect(w.written("head")).toHaveLength(1);
    w.crash();
    expect(ask(w, 1_000)).toMatchObject({ kind: "start", startAt: w.now + 1_000 });
  });

  test("[SCHED-4] a definition that says the same again takes nothing from what was given", () => {
    const w = paced();
    ask(w);
    w.configure({ message: "hello" });
    expect(ask(w)).toMatchObject({ startAt: w.now, left: 0 });
  });

  test.each([
    [{ requestsPerSecondMax: 3 }, 1_000],
    [{ ring: "sliding" }, 1_100],
    [{ ringGuardMs: 0 }, 1_000],
    [{ requestsPerSecondMax: null }, 0],
  ] as const)("[SCHED-4] after a change to %j the next begins %i ms later", (changed, ms) => {
    const w = paced();
    ask(w);
    w.configure(changed);
    expect(ask(w, 5_000)).toMatchObject({ kind: "start", startAt: w.now + ms });
  });

  test("[SCHED-1] a limit that is new holds from its first second on", () => {
    const w = new World();
    ask(w);
    w.configure({ requestsPerSecondMax: 1 });
    expect(ask(w)).toMatchObject({ startAt: w.now, left: 0 });
    expect(ask(w)).toMatchObject({ kind: "later" });
  });
});
