import { afterEach, expect, test, vi } from "vitest";
import { Locks } from "../../src/client/locks.ts";
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
