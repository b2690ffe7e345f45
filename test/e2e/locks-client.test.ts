import { afterAll, beforeAll, expect, test } from "vitest";
import { Locks, type LocksError } from "../../src/client/locks.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";

let server: Seiriken;
let locks: Locks;

/** Before a lock-delay could have ended it. */
const LEFT = { within: 9_000 };

beforeAll(async () => {
  server = await startSeiriken();
  locks = new Locks({ server: server.url, token: server.lockToken });
});
afterAll(() => server.stop());

const waitingFor = async (namespace: string): Promise<number> => {
  const answer = await ask(`${server.url}/.seiriken/locks/${namespace}`, {
    headers: { authorization: `Bearer ${server.lockToken}` },
  });
  return answer.json<{ waiting: number }>().waiting;
};

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: LocksError) => thrown,
  );
  return error === null ? "none" : error.code;
};

test.each(["socket", "lease"] as const)(
  "[CLIENT-1] by %s: held in its scope, and free at its end",
  async (by) => {
    let fence = 0;
    {
      await using lock = await locks.acquire("scope", by, { by });
      expect(lock.isHeld).toBe(true);
      fence = lock.fence;
      const other = locks.acquire("scope", by, { by, waitSeconds: 0 });
      expect(await codeOf(other)).toBe("lock-held");
      expect(lock.signal.aborted).toBe(false);
    }
    await using next = await locks.acquire("scope", by, { by, waitSeconds: 0 });
    expect(next.fence).toBeGreaterThan(fence);
  },
);

test.each(["socket", "lease"] as const)("[CLIENT-2] by %s: waits in line, in order", async (by) => {
  const first = await locks.acquire("line", by, { by });
  const order: string[] = [];
  const waits = [];
  for (const who of ["b", "c", "d"]) {
    const wait = locks.acquire("line", by, { by, waitSeconds: 50 }).then(async (lock) => {
      order.push(who);
      await lock.release();
      return lock.fence;
    });
    waits.push(wait);
    await eventually(async () => (await waitingFor("line")) === waits.length);
  }
  await first.release();
  const fences = await Promise.all(waits);
  expect(order).toEqual(["b", "c", "d"]);
  expect(fences).toEqual(fences.toSorted((a, b) => a - b));
});

test.each(["socket", "lease"] as const)(
  "[CLIENT-3] by %s: an abort and the end of the wait leave the line",
  async (by) => {
    await using held = await locks.acquire("abort", by, { by });
    const stop = new AbortController();
    const waits = locks.acquire("abort", by, { by, signal: stop.signal });
    await eventually(async () => (await waitingFor("abort")) === 1);
    stop.abort(new Error("enough"));
    await expect(waits).rejects.toThrow("enough");
    await eventually(async () => (await waitingFor("abort")) === 0, LEFT);
    const short = locks.acquire("abort", by, { by, waitSeconds: 1 });
    expect(await codeOf(short)).toBe("lock-held");
    await eventually(async () => (await waitingFor("abort")) === 0, LEFT);
    expect(held.isHeld).toBe(true);
  },
);

test("[CLIENT-4] a wrong token, a bad key and no server are told apart", async () => {
  const stranger = new Locks({ server: server.url, token: "wrong" });
  for (const by of ["auto", "socket", "lease"] as const) {
    expect(await codeOf(stranger.acquire("a", "b", { by }))).toBe("unauthorized");
    expect(await codeOf(locks.acquire("a", "\u0000", { by }))).toBe("lock-name-invalid");
  }
  const nobody = new Locks({ server: "http://127.0.0.1:1", token: "t" });
  expect(await codeOf(nobody.acquire("a", "b", { waitSeconds: 0 }))).toBe("unreachable");
});

test("[CLIENT-5] a lock by socket outlives the death of workerd, with the same fence", async () => {
  const lock = await locks.acquire("kill", "17");
  const lost: Error[] = [];
  void lock.lost.then((reason) => lost.push(reason));
  await server.kill9();
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  expect(lost).toEqual([]);
  expect(lock.isHeld).toBe(true);
  expect(await codeOf(locks.acquire("kill", "17", { waitSeconds: 0 }))).toBe("lock-held");
  await lock.release();
  const next = await locks.acquire("kill", "17", { waitSeconds: 0 });
  expect(next.fence).toBeGreaterThan(lock.fence);
  await next.release();
});

test("[CLIENT-6] without a socket it holds by a lease", async () => {
  const blocked = new Locks({
    server: server.url,
    token: server.lockToken,
    connect: () => Promise.reject(Object.assign(new Error("no upgrades here"))),
  });
  await expect(blocked.acquire("fallback", "17")).rejects.toThrow("no upgrades");
  const { LocksError: Refused } = await import("../../src/client/locks.ts");
  const proxied = new Locks({
    server: server.url,
    token: server.lockToken,
    connect: () =>
      Promise.reject(new Refused("bad-answer", "the server answered 400", { status: 400 })),
  });
  await using lock = await proxied.acquire("fallback", "17");
  expect(lock.fence).toBeGreaterThan(0);
});

test("[CLIENT-7] when the server is gone the holder is told before anybody else can hold", async () => {
  const gone = await startSeiriken();
  const there = new Locks({ server: gone.url, token: gone.lockToken });
  const lock = await there.acquire("gone", "17");
  await gone.stop();
  const began = Date.now();
  const reason = await lock.lost;
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(reason).toMatchObject({ code: "lost" });
  expect([lock.isHeld, lock.signal.aborted]).toEqual([false, true]);
  await lock.release();
});
