import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { PaceResource } from "../../src/api/rooms/pace.ts";
import { ask } from "../support/http.ts";
import { requestRoom } from "../support/requests.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";

let running: Seiriken | null = null;
afterEach(async () => {
  await running?.stop();
  running = null;
});

const paceOf = async ({ url, adminToken }: Seiriken): Promise<PaceResource> => {
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await ask(`${url}/.seiriken/api/rooms/report/pace`, { headers });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as PaceResource;
};

const until = async <T>(look: () => Promise<T | null>, withinMs: number): Promise<T> => {
  for (const giveUpAt = Date.now() + withinMs; Date.now() < giveUpAt; await sleep(250)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Error("it did not come to that");
};

const BEARS = 8;

test("[ADAPT-6] [SIGNAL-8] an origin that fails above 8 at once gets no more, and closes its room when it has sold all", async () => {
  running = await startSeiriken({
    runtime: "workerd",
    rooms: [
      requestRoom({
        total_active_users: 16,
        seiriken: { adaptive: true, least_permits: 2, sold_out: "All gone.", hold_seconds: 5 },
      }),
    ],
  });
  const seiriken = running;
  const { origin, url } = seiriken;
  let failed: number[] = [];
  let left: number | null = null;
  origin.handle(async (_recorded, response) => {
    const isTooMuch = origin.running > BEARS;
    if (isTooMuch) failed.push(Date.now());
    await sleep(40);
    response.statusCode = isTooMuch ? 500 : 200;
    if (left !== null) response.setHeader("Seiriken-Pace", `left=${left}`);
    response.end("x");
  });
  let isOver = false;
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const answer = await ask(`${url}/report`, { headers: { accept: "application/json" } });
      expect(answer.headers["seiriken-pace"]).toBeUndefined();
      if (answer.status === 503) await sleep(200);
    }
  };
  const callers = Promise.all(Array.from({ length: 40 }, caller));

  const found = await until(async () => {
    const pace = await paceOf(seiriken);
    return pace.in_effect.permits <= BEARS ? pace : null;
  }, 25_000);
  expect(found.operator.permits).toBe(16);
  expect(found.changes.at(-1)).toMatchObject({ source: "adaptive" });
  expect(found.changes.at(-1)?.reason).toMatch(/^slower: .* % fail$/);
  await sleep(500);
  failed = [];
  origin.reset();
  await sleep(1_000);
  expect(failed).toEqual([]);
  expect(origin.runningMax).toBeGreaterThan(0);
  expect(origin.runningMax).toBeLessThanOrEqual(BEARS);

  left = 0;
  await until(async () => ((await paceOf(seiriken)).closed_by === "origin" ? true : null), 5_000);
  isOver = true;
  await callers;
  await until(async () => {
    const { text } = await ask(`${url}/.seiriken/rooms/report`);
    return text.includes("All gone.") ? true : null;
  }, 5_000);
});
