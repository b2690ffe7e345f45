import { expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../src/core/ids.ts";
import type { Batch, Op } from "../../src/core/room/commands.ts";
import { OpBatcher } from "../../src/durable/lobby/op-batcher.ts";

const claim: Op = { op: "claim", number: ticketNumber(1) };
const end: Op = { op: "end", visit: ticketNumber(2), afterMs: 0 };
const join: Op = { op: "join", address: null };

/** A batcher whose batches are answered at once, and whose sleeps are over when they are told. */
const begin = () => {
  const batches: Batch[] = [];
  const sleeps: { readonly ms: number; readonly over: () => void }[] = [];
  const batcher = new OpBatcher({
    lobby: lobbyIndex(0),
    drainPresence: () => ({ present: [], away: [] }),
    hasPresenceChanges: () => false,
    roster: () => [],
    send: (batch) => {
      batches.push(batch);
      const replies = batch.ops.map(() => ({ kind: "done" }) as const);
      return Promise.resolve({ replies, waitMs: 0, reportWanted: false });
    },
    sleep: (ms) =>
      new Promise((resolve) => {
        if (ms === 0) return resolve();
        sleeps.push({ ms, over: resolve });
      }),
  });
  const opsSent = () => batches.map(({ ops }) => ops.length);
  return { batcher, opsSent, sleeps };
};

const breath = (): Promise<void> => scheduler.wait(1);
const askAll = (batcher: OpBatcher, ops: readonly Op[]) =>
  Promise.all(ops.map((op) => batcher.ask(op)));

test("[GATHER-10] a lone claim, and the next one after it, go at once", async () => {
  const { batcher, opsSent, sleeps } = begin();
  await batcher.ask(claim);
  await batcher.ask(end);
  await batcher.ask(claim);
  expect(opsSent()).toEqual([1, 1, 1]);
  expect(sleeps).toEqual([]);
});

test("[GATHER-10] after a batch with claims of several visitors the next one gathers for 10 ms", async () => {
  const { batcher, opsSent, sleeps } = begin();
  await askAll(batcher, [claim, claim, end]);
  await breath();
  expect(opsSent()).toEqual([3]);
  expect(sleeps.map(({ ms }) => ms)).toEqual([10]);
  const more = askAll(batcher, [end, claim, claim]);
  await breath();
  expect(opsSent()).toEqual([3]);
  sleeps[0]?.over();
  await more;
  expect(opsSent()).toEqual([3, 3]);
});

test.each([
  ["joins only", [join, join, join]],
  ["ends only", [end, end, end]],
  ["33 claims", Array.from({ length: 33 }, () => claim)],
])(
  "[GATHER-10] what is asked at once is one batch, and one with %s is followed by the next at once",
  async (_, ops) => {
    const { batcher, opsSent, sleeps } = begin();
    await askAll(batcher, ops);
    await askAll(batcher, ops);
    expect(opsSent()).toEqual([ops.length, ops.length]);
    expect(sleeps).toEqual([]);
  },
);
