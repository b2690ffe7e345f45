import { afterEach, expect, test, vi } from "vitest";
import { Locks, type Connect } from "../../src/client/locks.ts";
import { lockBench, LOCK_TOKEN, newKey } from "./locks-harness.ts";

afterEach(() => void vi.unstubAllGlobals());

/** A Worker's own `fetch` leads to the deployment. */
const here = (): Locks => {
  const bench = lockBench();
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    const { pathname } = new URL(url);
    return bench.fetch(pathname, init);
  });
  return new Locks({ server: "https://shop.example", token: LOCK_TOKEN });
};

test.each(["socket", "lease"] as const)("[CLIENT-1] in a Worker, by %s", async (by) => {
  const locks = here();
  const key = newKey();
  let fence = 0;
  {
    await using lock = await locks.acquire("worker", key, { by });
    expect(lock.isHeld).toBe(true);
    fence = lock.fence;
    const other = locks.acquire("worker", key, { by, waitSeconds: 0 });
    await expect(other).rejects.toMatchObject({ code: "lock-held" });
  }
  await using next = await locks.acquire("worker", key, { by, waitSeconds: 0 });
  expect(next.fence).toBeGreaterThan(fence);
});

test("[CLIENT-4] in a Worker a refusal carries the server's code", async () => {
  here();
  const stranger = new Locks({ server: "https://shop.example", token: "wrong" });
  const refused = stranger.acquire("worker", newKey(), { by: "socket" });
  await expect(refused).rejects.toMatchObject({ code: "unauthorized", status: 401 });
});

test("[CLIENT-8] being told again that it holds changes nothing", async () => {
  vi.useFakeTimers();
  try {
    let tell: (text: string) => void = () => undefined;
    const connect: Connect = (_url, _headers, events) => {
      tell = (text) => events.message(text);
      queueMicrotask(() => tell('{"type":"granted","owner":"o","fence":7}'));
      const close = (code: number, reason: string) => events.close(code, reason);
      return Promise.resolve({ send: () => tell("pong"), close });
    };
    const locks = new Locks({ server: "https://shop.example", token: LOCK_TOKEN, connect });
    const lock = await locks.acquire("worker", newKey());
    await vi.advanceTimersByTimeAsync(60_000);
    tell('{"type":"granted","owner":"o","fence":7}');
    expect(lock.isHeld).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lock.isHeld).toBe(true);
    tell('{"type":"granted","owner":"o","fence":8}');
    expect(lock.isHeld).toBe(false);
    expect(await lock.lost).toMatchObject({ code: "lost" });
  } finally {
    vi.useRealTimers();
  }
});

test("[CLIENT-9] a lease that cannot be given back at once is given back a little later", async () => {
  const locks = here();
  const key = newKey();
  const lock = await locks.acquire("worker", key, { by: "lease" });
  const ask = globalThis.fetch;
  let refusals = 2;
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    refusals -= 1;
    return refusals >= 0 ? Promise.resolve(new Response("busy", { status: 503 })) : ask(url, init);
  });
  await lock.release();
  await using next = await locks.acquire("worker", key, { by: "lease", waitSeconds: 0 });
  expect(next.fence).toBeGreaterThan(lock.fence);
});
