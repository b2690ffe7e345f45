import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { LockName } from "../../src/core/locks/name.ts";
import type { Owner } from "../../src/core/locks/lock.ts";
import type { LockAsk, LockReply, LocksRpc } from "../../src/durable/locks/contract.ts";
import { LockGatherer } from "../../src/worker/isolate/lock-gatherer.ts";
import { LockShards } from "../../src/worker/isolate/lock-shards.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import { eventually } from "../support/eventually.ts";
import { moment } from "../durable/moment.ts";
import { lockBench, newKey } from "./locks-harness.ts";

const ask = (key: string): LockAsk => ({
  op: "release",
  name: `orders\n${key}` as LockName,
  owner: "o".repeat(22) as Owner,
});

/** An object that answers when it is told to. */
const slowObject = () => {
  const calls: { asks: readonly LockAsk[]; answer: () => void }[] = [];
  const askAll = (asks: readonly LockAsk[]): Promise<readonly LockReply[]> =>
    new Promise((resolve) => {
      calls.push({ asks, answer: () => resolve(asks.map(() => ({ kind: "released" as const }))) });
    });
  return { calls, askAll };
};

const keysOf = (asks: readonly LockAsk[]): string[] => asks.map(({ name }) => name.slice(7));
const turn = (ms = 5): Promise<void> => scheduler.wait(ms);

const gatherer = () => {
  const context = createExecutionContext();
  const object = slowObject();
  const gathering = new LockGatherer(platformPorts);
  const waitUntil = (work: Promise<unknown>): void => context.waitUntil(work);
  return {
    ...object,
    ask: (key: string) => gathering.ask("1", ask(key), object.askAll, waitUntil),
  };
};

test("[JOINT-1] what comes while a call is under way goes with the next one, in its order", async () => {
  const { calls, ask: askFor } = gatherer();
  const first = askFor("a");
  const others = ["b", "c", "d"].map((key) => askFor(key));
  expect(calls.map(({ asks }) => keysOf(asks))).toEqual([["a"]]);
  calls[0]!.answer();
  expect(await first).toEqual({ kind: "released" });
  await turn();
  expect(calls.map(({ asks }) => keysOf(asks))).toEqual([["a"], ["b", "c", "d"]]);
  calls[1]!.answer();
  await Promise.all(others);
});

test("[JOINT-6] a call that takes longer than 50 ms holds up nobody", async () => {
  const { calls, ask: askFor } = gatherer();
  const hangs = askFor("a");
  const behind = askFor("b");
  await turn(80);
  const next = askFor("c");
  await turn();
  expect(calls.map(({ asks }) => keysOf(asks))).toEqual([["a"], ["b", "c"]]);
  calls[1]!.answer();
  await Promise.all([behind, next]);
  calls[0]!.answer();
  await hangs;
});

test("[JOINT-3] a call that fails fails for all who asked in it, and for nobody else", async () => {
  const context = createExecutionContext();
  const gathering = new LockGatherer(platformPorts);
  let calls = 0;
  const askAll = async (asks: readonly LockAsk[]): Promise<readonly LockReply[]> => {
    calls += 1;
    await turn();
    if (calls === 2) throw new Error("the machine died");
    return asks.map(() => ({ kind: "released" }));
  };
  const answered = ["a", "b", "c"].map((key) =>
    gathering.ask("1", ask(key), askAll, (work) => context.waitUntil(work)),
  );
  const settled = await Promise.allSettled(answered);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await gathering.ask("1", ask("d"), askAll, (work) => context.waitUntil(work))).toEqual({
    kind: "released",
  });
});

test("[JOINT-5] an object of the version before is asked singly", async () => {
  const { LOCKS } = env as unknown as Env;
  const older = (name: string): Partial<LocksRpc> => {
    const stub = LOCKS!.getByName(name);
    return {
      acquire: (asked) => stub.acquire(asked),
      release: (asked) => stub.release(asked),
      renew: (asked) => stub.renew(asked),
    };
  };
  const { locks } = lockBench({ env: { LOCKS: { getByName: older } } as object });
  const key = newKey();
  const { status, json } = await locks("POST", `orders/${key}`);
  expect(status).toBe(201);
  expect((await locks("POST", `orders/${key}`)).status).toBe(409);
  const waiting = locks("POST", `orders/${key}`, { body: { wait_seconds: 20 } });
  await moment(50);
  expect((await locks("PATCH", `orders/${key}`, { owner: json.owner })).status).toBe(200);
  expect((await locks("DELETE", `orders/${key}`, { owner: json.owner })).status).toBe(204);
  expect((await waiting).status).toBe(201);
});

test("[JOINT-7] a lock that others want is asked for and given back by itself, with one call for a wait", async () => {
  const { LOCKS } = env as unknown as Env;
  const calls: string[] = [];
  const heard = (name: string): Partial<LocksRpc> => {
    const stub = LOCKS!.getByName(name);
    return {
      askAll: (asks) => (calls.push("askAll"), stub.askAll(asks)),
      acquire: (asked) => (calls.push("acquire"), stub.acquire(asked)),
      release: (asked) => (calls.push("release"), stub.release(asked)),
    };
  };
  const { locks } = lockBench({ env: { LOCKS: { getByName: heard } } as object });
  const key = newKey();
  const wait = { body: { wait_seconds: 20 } };
  const first = await locks("POST", `orders/${key}`, wait);
  const second = locks("POST", `orders/${key}`, wait);
  await eventually(() => expect(calls).toHaveLength(3));
  expect(calls.splice(0)).toEqual(["askAll", "askAll", "acquire"]);
  const third = locks("POST", `orders/${key}`, wait);
  await eventually(() => expect(calls).toHaveLength(1));
  // It has its place there once the object has heard it.
  await moment(20);
  expect(calls.splice(0)).toEqual(["acquire"]);
  await locks("DELETE", `orders/${key}`, { owner: first.json.owner });
  await locks("DELETE", `orders/${key}`, { owner: (await second).json.owner });
  expect((await third).status).toBe(201);
  expect(calls.splice(0)).toEqual(["release", "release"]);
  await locks("POST", `orders/${newKey()}`, wait);
  expect(calls).toEqual(["askAll"]);
});

test("[JOINT-1] two isolates at once: one holder of each key, and fences rise", async () => {
  const benches = [lockBench(), lockBench()];
  const keys = Array.from({ length: 4 }, newKey);
  const fences = new Map<string, number[]>(keys.map((key) => [key, []]));
  const inside = new Map<string, number>();
  await Promise.all(
    benches.flatMap(({ locks }) =>
      keys.flatMap((key) =>
        [1, 2, 3].map(async () => {
          for (let round = 0; round < 3; round += 1) {
            const { json } = await locks("POST", `orders/${key}`, { body: { wait_seconds: 60 } });
            inside.set(key, (inside.get(key) ?? 0) + 1);
            expect(inside.get(key)).toBe(1);
            fences.get(key)!.push(json.fence);
            await turn(1);
            inside.set(key, 0);
            const { status } = await locks("DELETE", `orders/${key}`, { owner: json.owner });
            expect(status).toBe(204);
          }
        }),
      ),
    ),
  );
  for (const given of fences.values()) {
    expect(given).toHaveLength(18);
    expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
  }
});

test("[MOVE-1] on one machine one object is asked for every lock, elsewhere each shard's own", async () => {
  const asked: string[] = [];
  const LOCKS = {
    getByName: (name: string) => ({
      askAll: async (asks: readonly LockAsk[]) => {
        asked.push(name);
        return asks.map(() => ({ kind: "released" }));
      },
    }),
  };
  const release = (LOCAL?: string) => {
    const { owner } = ask("");
    const asker = { env: { LOCKS, LOCAL }, waitUntil: () => undefined } as never;
    const shards = new LockShards(platformPorts);
    return Promise.all(
      ["a", "b", "c", "d"].map((key) => shards.release(asker, { ...ask(key), owner })),
    );
  };
  await release("1");
  expect(new Set(asked)).toEqual(new Set(["all"]));
  asked.length = 0;
  await release();
  expect(new Set(asked).size).toBeGreaterThan(1);
  expect(asked.every((name) => /^\d+$/.test(name))).toBe(true);
});
