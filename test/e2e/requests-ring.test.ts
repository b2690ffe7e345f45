import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ask } from "../support/http.ts";
import { PROGRAM } from "../support/journey.ts";
import {
  callUntilIn,
  CountedRuns,
  overtakers,
  requestRoom,
  startsLastMinute,
} from "../support/requests.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const LIMIT = 20;

let running: Seiriken | null = null;
const start = async (room: object): Promise<[Seiriken, CountedRuns]> => {
  running = await startSeiriken({ runtime: "workerd", rooms: [room] });
  return [running, new CountedRuns(running.origin)];
};
afterEach(async () => {
  await running?.stop();
  running = null;
});

/** 50 callers, each in a loop, for so long. */
const callInLoops = async (seiriken: Seiriken, forMs: number): Promise<void> => {
  const until = Date.now() + forMs;
  const loop = async (): Promise<void> => {
    while (Date.now() < until) await callUntilIn(seiriken, "/report");
  };
  await Promise.all(Array.from({ length: 50 }, loop));
};

// A machine that stands still for more than the guard spoils what the origin's clock says, and one
// that runs many tests does for longer than the default.
const GUARD_MS = 500;

test(
  "[HOLD-7] S5: 50 callers in a loop, 20 a second: in each second of the origin 20 start, never more",
  { retry: 2 },
  async () => {
    const [seiriken, origin] = await start(
      requestRoom({
        total_active_users: 1_000,
        seiriken: { starts_per_second: LIMIT, ring_guard_ms: GUARD_MS },
      }),
    );
    await callInLoops(seiriken, 5_000);
    const told = (await startsLastMinute(seiriken)).filter((count) => count > 0);
    expect(origin.wholeSeconds.length).toBeGreaterThanOrEqual(4);
    expect(new Set(origin.wholeSeconds)).toEqual(new Set([LIMIT]));
    // The Room says the same of its own clock's seconds, but for the first and the last.
    expect(told.length).toBeGreaterThanOrEqual(5);
    expect(new Set(told.slice(1, -1))).toEqual(new Set([LIMIT]));
  },
);

test(
  "[HOLD-7] S5, sliding: never more than 20 start in any 1,000 ms of the origin's clock",
  { retry: 2 },
  async () => {
    const [seiriken, origin] = await start(
      requestRoom({
        total_active_users: 1_000,
        seiriken: { starts_per_second: LIMIT, ring: "sliding", ring_guard_ms: GUARD_MS },
      }),
    );
    await callInLoops(seiriken, 5_000);
    expect(origin.mostWithin(1_000)).toBe(LIMIT);
    // A window is as long as a second and the guard.
    expect(origin.runs.length).toBeGreaterThan((LIMIT * 5_000) / (1_100 + GUARD_MS));
  },
);

test("[HOLD-8] with both limits at most P run at once and at most R start in a second, in order", async () => {
  const [seiriken, origin] = await start(
    requestRoom({ total_active_users: 8, seiriken: { starts_per_second: LIMIT, hold_seconds: 1 } }),
  );
  const callers = await Promise.all(
    Array.from({ length: 90 }, async (_, at) => {
      await sleep(at * 3);
      // They come again at once, which a quick machine lets them do hundreds of times.
      return callUntilIn(seiriken, "/report?ms=150", { triesMax: 10_000 });
    }),
  );
  expect(origin.onMax).toBeLessThanOrEqual(8);
  expect(Math.max(...(await startsLastMinute(seiriken)))).toBeLessThanOrEqual(LIMIT);
  expect(origin.runs).toHaveLength(90);
  expect(overtakers(callers, origin.runs, 1_000)).toEqual([]);
});

test("[REQUEST-4] whoever cannot start within its hold is told at once when it can, to the second", async () => {
  const [seiriken, origin] = await start(
    requestRoom({
      total_active_users: 1_000,
      seiriken: { starts_per_second: 2, hold_seconds: 2, ring_guard_ms: 0 },
    }),
  );
  // At the beginning of a second, so that all come in one.
  await sleep(1_000 - (Date.now() % 1_000) + 20);
  const askedAt = Date.now();
  const callers = await Promise.all(
    Array.from({ length: 12 }, () => callUntilIn(seiriken, "/report", { waits: true })),
  );
  const started = new Map(origin.runs.map(({ number, startedAt }) => [number, startedAt]));
  for (const { tries } of callers) {
    const [first] = tries;
    if (first?.status !== 503) continue;
    // One refusal, given at once, and then in: within its own second, or held into it.
    expect(tries.map(({ status }) => status)).toEqual([503, 200]);
    expect(first.answeredAt - first.askedAt).toBeLessThan(1_500);
  }
  // Two a second: the k-th starts in second k / 2.
  for (const { number } of callers) {
    const second = Math.floor(((started.get(number) ?? 0) - askedAt + 20) / 1_000);
    expect(Math.abs(second - Math.floor((number - 1) / 2))).toBeLessThanOrEqual(1);
  }
  expect(Math.max(...(await startsLastMinute(seiriken)))).toBe(2);
});

const visitRoom = (more: object) => roomOver("shop", { seiriken: more });

test(
  "[PACED-1] all admitted visitors together begin at most so many requests in a second",
  { retry: 2 },
  async () => {
    const [seiriken, origin] = await start(
      visitRoom({ origin_requests_per_second: LIMIT, hold_seconds: 10 }),
    );
    const visitors = await Promise.all([
      visitorInside(seiriken, "shop"),
      visitorInside(seiriken, "shop"),
    ]);
    const askedAt = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, at) => visitors[at % 2]!.ask("/shop", { headers: PROGRAM })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]!.headers).toMatchObject({
      "ratelimit-policy": `"requests";q=${LIMIT};w=1`,
      "seiriken-status": "admitted; room=shop",
    });
    expect(Math.max(...origin.wholeSeconds)).toBe(LIMIT);
    expect(Date.now() - askedAt).toBeGreaterThan(2_000);
  },
);

test("[PACED-2] who would have to wait for longer is told when to come back, and keeps its pass", async () => {
  const [seiriken, origin] = await start(
    visitRoom({ origin_requests_per_second: 1, hold_seconds: 1 }),
  );
  const visitor = await visitorInside(seiriken, "shop");
  const pass = visitor.token("pass");
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => visitor.ask("/shop", { headers: PROGRAM })),
  );
  const later = answers.filter(({ status }) => status === 503);
  expect(later.length).toBeGreaterThanOrEqual(3);
  expect(later[0]!.headers).toMatchObject({
    "content-type": "application/problem+json",
    "seiriken-status": "queued; room=shop",
    "cache-control": "no-store, no-transform",
  });
  const { "retry-after": retryAfter, ratelimit } = later[0]!.headers;
  expect(ratelimit).toBe(`"requests";r=0;t=${retryAfter}`);
  expect(later[0]!.json()).toMatchObject({ code: "paced", status: 503 });
  expect(visitor.token("pass")).toBe(pass);
  const page = await visitor.get("/shop");
  if (page.status === 503) expect(page.headers["refresh"]).toBe(page.headers["retry-after"]);
  await sleep(Number(retryAfter) * 1_000);
  expect((await visitor.ask("/shop", { headers: PROGRAM })).status).toBe(200);
  expect(origin.runs.length).toBe(answers.length - later.length + (page.status === 200 ? 2 : 1));
});

test("[PACED-3] what goes without a pass is not counted: exempt paths and preflights", async () => {
  const [seiriken] = await start(
    visitRoom({
      origin_requests_per_second: 1,
      hold_seconds: 0,
      exempt: [{ path: "/shop/logo.svg" }],
    }),
  );
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => (await ask(`${seiriken.url}/shop/logo.svg`)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});
