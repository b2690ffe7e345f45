import { describe, expect, test } from "vitest";
import { UnreachableError } from "../../src/worker/isolate/call-object.ts";
import { ASKS_MAX, CALLS_AT_ONCE_MAX, CallBatcher } from "../../src/worker/isolate/call-batcher.ts";
import type { Ports } from "../../src/worker/platform/ports.ts";

/** A clock that is set by hand, one object whose calls are answered by hand, and nobody's `waitUntil`. */
class Scene {
  readonly calls: {
    readonly asks: readonly number[];
    readonly answer: (replies?: readonly string[]) => Promise<void>;
    readonly fail: (error: Error) => Promise<void>;
  }[] = [];
  readonly works: Promise<unknown>[] = [];
  now = 1_000_000;
  readonly #timers = new Set<{ dueAt: number; run: () => void }>();
  readonly #gathered: CallBatcher<number, string>;

  constructor(gatherMs = 0) {
    const ports = {
      now: () => this.now,
      timer: (ms: number, run: () => void) => {
        const timer = { dueAt: this.now + ms, run };
        this.#timers.add(timer);
        return () => void this.#timers.delete(timer);
      },
    } as Ports;
    this.#gathered = new CallBatcher(ports, gatherMs);
  }

  /** One request's ask; its failure is its message. */
  ask(ask: number, object = "lobby/0"): Promise<string> {
    const reply = this.#gathered.ask(
      object,
      ask,
      (asks) =>
        new Promise((resolve, reject) => {
          this.calls.push({
            asks,
            answer: async (replies) => {
              resolve(replies ?? asks.map(String));
              await breath();
            },
            fail: async (error) => {
              reject(error);
              await breath();
            },
          });
        }),
      (work) => void this.works.push(work),
    );
    return reply.catch((error: unknown) => {
      if (error instanceof UnreachableError) return error.message;
      throw error;
    });
  }

  get timers(): number {
    return this.#timers.size;
  }

  async pass(ms: number): Promise<void> {
    this.now += ms;
    for (const timer of [...this.#timers])
      if (timer.dueAt <= this.now) {
        this.#timers.delete(timer);
        timer.run();
      }
    await breath();
  }
}

const breath = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe("asks that share their calls to an object", () => {
  test("[GATHER-1] as many calls as may be go at once; who comes meanwhile shares the next", async () => {
    const scene = new Scene();
    const replies = upTo(8).map((ask) => scene.ask(ask));
    expect(scene.calls.map(({ asks }) => asks)).toEqual([[0], [1]]);
    expect(CALLS_AT_ONCE_MAX).toBe(2);
    await scene.calls[1]!.answer();
    expect(scene.calls.map(({ asks }) => asks).slice(2)).toEqual([[2, 3, 4, 5, 6, 7]]);
    for (const at of [0, 2]) await scene.calls[at]!.answer();
    expect(await Promise.all(replies)).toEqual(upTo(8).map(String));
    expect(scene.timers).toBe(0);
    await Promise.all(scene.works);
  });

  test("[GATHER-11] a lone ask goes at once, and who comes within 10 ms of another waits as long for more", async () => {
    const scene = new Scene(10);
    const replies = [scene.ask(0)];
    expect(scene.calls.map(({ asks }) => asks)).toEqual([[0]]);
    await scene.pass(9);
    replies.push(scene.ask(1));
    await scene.pass(5);
    replies.push(scene.ask(2), scene.ask(3));
    await scene.pass(4);
    expect(scene.calls).toHaveLength(1);
    await scene.pass(1);
    expect(scene.calls.map(({ asks }) => asks).slice(1)).toEqual([[1, 2, 3]]);
    for (const { answer } of scene.calls) await answer();
    await scene.pass(10);
    replies.push(scene.ask(4));
    expect(scene.calls.at(-1)?.asks).toEqual([4]);
    await scene.calls.at(-1)?.answer();
    expect(await Promise.all(replies)).toEqual(upTo(5).map(String));
    await scene.pass(10);
    await Promise.all(scene.works);
  });

  test("[GATHER-11] whoever comes soon after an ask of another object waits for more of its own", async () => {
    const scene = new Scene(10);
    const replies = [scene.ask(0, "lobby/0")];
    await scene.pass(9);
    replies.push(scene.ask(1, "lobby/1"), scene.ask(2, "lobby/1"));
    expect(scene.calls.map(({ asks }) => asks)).toEqual([[0]]);
    await scene.pass(10);
    expect(scene.calls.map(({ asks }) => asks)).toEqual([[0], [1, 2]]);
    for (const { answer } of scene.calls) await answer();
    expect(await Promise.all(replies)).toEqual(upTo(3).map(String));
  });

  test("[GATHER-11] after a call those who came meanwhile are gathered for, unless they are 32", async () => {
    const scene = new Scene(10);
    for (const ask of upTo(3)) {
      void scene.ask(ask);
      await scene.pass(10);
    }
    expect(scene.calls.map(({ asks }) => asks)).toEqual([[0], [1]]);
    await scene.calls[0]!.answer();
    expect(scene.calls).toHaveLength(2);
    await scene.pass(10);
    expect(scene.calls.at(-1)?.asks).toEqual([2]);
    for (const ask of upTo(32)) void scene.ask(ask);
    await scene.calls[1]!.answer();
    expect(scene.calls.at(-1)?.asks).toHaveLength(32);
  });

  test("[GATHER-1] each object has its own calls", () => {
    const scene = new Scene();
    for (const ask of upTo(3)) void scene.ask(ask, "lobby/0");
    void scene.ask(9, "lobby/1");
    expect(scene.calls.map(({ asks }) => asks)).toEqual([[0], [1], [9]]);
  });

  test("[GATHER-2] one call takes a bounded number, the longest waiting first", async () => {
    const scene = new Scene();
    for (const ask of upTo(CALLS_AT_ONCE_MAX + ASKS_MAX + 1)) void scene.ask(ask);
    await scene.calls[0]!.answer();
    const { asks } = scene.calls[CALLS_AT_ONCE_MAX]!;
    expect([asks.length, asks[0]]).toEqual([ASKS_MAX, CALLS_AT_ONCE_MAX]);
    await scene.calls[1]!.answer();
    expect(scene.calls[CALLS_AT_ONCE_MAX + 1]!.asks).toEqual([CALLS_AT_ONCE_MAX + ASKS_MAX]);
  });

  test("[GATHER-2] beyond ten thousand that wait there is an answer at once", async () => {
    const scene = new Scene();
    for (const ask of upTo(CALLS_AT_ONCE_MAX + 10_000)) void scene.ask(ask);
    expect(await scene.ask(-1)).toBe("too many wait");
  });

  test("[GATHER-3] a call that fails is the failure of those it asked for, and of nobody else", async () => {
    const scene = new Scene();
    const replies = upTo(4).map((ask) => scene.ask(ask));
    await scene.calls[0]!.answer();
    await scene.calls[2]!.fail(new Error("the object is gone"));
    await scene.calls[1]!.answer();
    const lost = "Error: the object is gone";
    expect(await Promise.all(replies)).toEqual(["0", "1", lost, lost]);
    const after = scene.ask(7);
    await scene.calls.at(-1)!.answer();
    expect(await after).toBe("7");
  });

  test("[GATHER-3] an ask that is left unanswered is told so", async () => {
    const scene = new Scene();
    const reply = scene.ask(1);
    await scene.calls[0]!.answer([]);
    expect(await reply).toBe("an ask was left unanswered");
  });

  test("[GATHER-4] whoever waits for 5 s is told, whether it was asked for or not", async () => {
    const scene = new Scene();
    const replies = upTo(5).map((ask) => scene.ask(ask));
    await scene.pass(4_999);
    expect(scene.timers).toBeGreaterThan(0);
    await scene.pass(1);
    expect(await Promise.all(replies)).toEqual(
      upTo(5).map(() => "DeadlineError: no answer within 5000 ms"),
    );
  });

  test("[GATHER-4] who was told so is not asked for any more", async () => {
    const scene = new Scene();
    const late = [0, 1, 2, 3].map((ask) => scene.ask(ask));
    await scene.pass(4_000);
    void scene.ask(4);
    await scene.pass(1_000);
    await Promise.all(late);
    // Both calls were given up with those who made them; what was left over began a call of its own.
    expect(scene.calls.slice(2).map(({ asks }) => asks)).toEqual([[4]]);
  });

  test("[GATHER-5] who carried for 5 s leaves the rest to a younger request", async () => {
    const scene = new Scene();
    for (const ask of upTo(4)) void scene.ask(ask);
    await scene.pass(3_000);
    await scene.calls[0]!.answer();
    expect(scene.calls.at(-1)!.asks).toEqual([2, 3]);
    void scene.ask(4);
    await scene.pass(2_000);
    // Nobody else carries by now, so that its time being over must not leave anyone waiting.
    await scene.calls[2]!.answer();
    expect(scene.calls.at(-1)!.asks).toEqual([4]);
    for (const ask of [5, 6, 7]) void scene.ask(ask);
    expect(scene.calls.slice(4).map(({ asks }) => asks)).toEqual([[5], [6]]);
    await scene.calls[3]!.answer();
    expect(scene.calls.length).toBe(6);
    await scene.calls[4]!.answer();
    expect(scene.calls.at(-1)!.asks).toEqual([7]);
  });

  test("[GATHER-6] the place of a carrier that died is free after 6 s", async () => {
    const scene = new Scene();
    for (const ask of upTo(3)) void scene.ask(ask);
    scene.now += 6_000;
    void scene.ask(3);
    expect(scene.calls.length).toBe(2);
    scene.now += 1;
    void scene.ask(4);
    expect(scene.calls.at(-1)!.asks).toEqual([2, 3, 4]);
  });

  test("[GATHER-6] so it is when the clock has run back since", () => {
    const scene = new Scene();
    for (const ask of upTo(3)) void scene.ask(ask);
    scene.now -= 1;
    void scene.ask(3);
    expect(scene.calls.at(-1)!.asks).toEqual([2, 3]);
  });
});
