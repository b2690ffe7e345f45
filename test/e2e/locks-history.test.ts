import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LocksError } from "../../src/client/locks.ts";
import { Locks } from "../../src/client/locks.ts";
import { ask } from "../support/http.ts";
import { problemsOf, type SeenHold } from "../support/lock-history.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";

const KEYS = ["a", "b", "c", "d", "e", "f"];
const LEASE_MS = 2_000;
const DELAY_MS = 10_000;

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;

/** One client that takes and gives back leases by HTTP, without any help, until told to stop. */
const leaseClient = async (
  server: Seiriken,
  isOver: () => boolean,
  holds: SeenHold[],
): Promise<void> => {
  const call = (method: string, key: string, owner: string, body?: object) =>
    ask(`${server.url}/.seiriken/locks/history/${key}`, {
      method,
      headers: { authorization: `Bearer ${server.lockToken}`, "seiriken-owner": owner },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      within: 20_000,
    }).catch(() => null);
  while (!isOver()) {
    const key = pick(KEYS);
    const owner = randomUUID();
    const askedAt = performance.now();
    const taken = await call("POST", key, owner, {
      lease_seconds: 2,
      wait_seconds: pick([0, 1, 3]),
    });
    if (taken === null || taken.status >= 300) {
      await sleep(Math.random() * 20);
      continue;
    }
    const grantedAt = performance.now();
    const { fence } = taken.json<{ fence: number }>();
    await sleep(Math.random() * 30);
    const overAt = performance.now();
    // It can't have been lost before the lease, counted from the asking, and the delay were over.
    const isSure = overAt < askedAt + LEASE_MS + DELAY_MS;
    const isDropped = Math.random() < 0.01;
    holds.push({ key, owner, fence, askedAt, grantedAt, overAt: isSure ? overAt : grantedAt });
    if (!isDropped) await call("DELETE", key, owner);
  }
};

/** One that holds by its socket, with the client's own care for losses. */
const socketClient = async (
  server: Seiriken,
  isOver: () => boolean,
  holds: SeenHold[],
): Promise<void> => {
  const locks = new Locks({ server: server.url, token: server.lockToken });
  while (!isOver()) {
    const key = pick(KEYS);
    const askedAt = performance.now();
    try {
      const signal = AbortSignal.timeout(5_000);
      const lock = await locks.acquire("history", key, { by: "socket", signal });
      const grantedAt = performance.now();
      await sleep(Math.random() * 30);
      const overAt = lock.isHeld ? performance.now() : grantedAt;
      const { owner, fence } = lock;
      holds.push({ key, owner, fence, askedAt, grantedAt, overAt });
      if (Math.random() < 0.01) lock.abandon();
      else await lock.release();
    } catch (error) {
      const isExpected = error instanceof LocksError || (error as Error).name === "TimeoutError";
      if (!isExpected) throw error;
      await sleep(50);
    }
  }
};

test("[FENCE-4] a recorded history of the real server has one order, also over kill -9", async () => {
  const server = await startSeiriken({ runtime: "workerd" });
  const holds: SeenHold[] = [];
  let over = false;
  const clients = [
    ...Array.from({ length: 8 }, () => leaseClient(server, () => over, holds)),
    ...Array.from({ length: 8 }, () => socketClient(server, () => over, holds)),
  ];
  for (let kill = 0; kill < 3; kill += 1) {
    await sleep(6_000);
    await server.kill9();
  }
  await sleep(14_000);
  over = true;
  await Promise.all(clients);
  await server.stop();
  expect(problemsOf(holds)).toEqual([]);
  expect(holds.length).toBeGreaterThan(200);
  for (const key of KEYS) expect(holds.some((hold) => hold.key === key)).toBe(true);
}, 120_000);

test("[FENCE-4] the check finds what is wrong", () => {
  const hold = { key: "a", owner: "x", fence: 1, askedAt: 0, grantedAt: 1, overAt: 5 };
  const next = { key: "a", owner: "y", fence: 2, askedAt: 0, grantedAt: 5, overAt: 9 };
  expect(problemsOf([hold, next])).toEqual([]);
  expect(problemsOf([hold, { ...next, grantedAt: 4 }])).toHaveLength(1);
  expect(problemsOf([hold, { ...next, fence: 1 }])).toHaveLength(1);
  expect(problemsOf([hold, { ...next, key: "b", grantedAt: 2 }])).toEqual([]);
  const early = { ...hold, grantedAt: -1, askedAt: -2, overAt: -1, fence: 3 };
  expect(problemsOf([hold, early])).not.toEqual([]);
});
