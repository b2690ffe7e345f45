import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ask } from "../support/http.ts";
import type { Answer } from "../support/http.ts";
import { PROGRAM } from "../support/journey.ts";
import { Pulse } from "../support/pulse.ts";
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

/** A machine that stands still for more than the guard spoils what the origin's clock says. */
const GUARD_MS = 500;
const TRIES = 5;

interface Lived {
  readonly seiriken: Seiriken;
  readonly origin: CountedRuns;
  /** The machine kept up, so that the origin's clock tells of the Room's. */
  readonly isClear: boolean;
}

/** Until the machine has kept up once; after some tries only the Room's own clock can be judged. */
const untilClear = async (
  room: object,
  live: (seiriken: Seiriken) => Promise<unknown>,
): Promise<Lived> => {
  for (let tries = 1; ; tries += 1) {
    const [seiriken, origin] = await start(room);
    const pulse = new Pulse(seiriken.url);
    await live(seiriken);
    const isClear = pulse.slowestSince(0) < GUARD_MS;
    await pulse.stop();
    if (isClear || tries === TRIES) return { seiriken, origin, isClear };
    await seiriken.stop();
  }
};

test("[HOLD-7] S5: 50 callers in a loop, 20 a second: in each second of the origin 20 start, never more", async () => {
  const { seiriken, origin, isClear } = await untilClear(
    requestRoom({
      total_active_users: 1_000,
      seiriken: { starts_per_second: LIMIT, ring_guard_ms: GUARD_MS },
    }),
    (started) => callInLoops(started, 5_000),
  );
  const told = (await startsLastMinute(seiriken)).filter((count) => count > 0);
  expect(told.length).toBeGreaterThanOrEqual(5);
  expect(Math.max(...told)).toBe(LIMIT);
  if (!isClear) return;
  expect(origin.wholeSeconds.length).toBeGreaterThanOrEqual(4);
  expect(new Set(origin.wholeSeconds)).toEqual(new Set([LIMIT]));
  // The Room says the same of its own clock's seconds, but for the first and the last.
  expect(new Set(told.slice(1, -1))).toEqual(new Set([LIMIT]));
});

test("[HOLD-7] S5, sliding: never more than 20 start in any 1,000 ms of the origin's clock", async () => {
  const { origin, isClear } = await untilClear(
    requestRoom({
      total_active_users: 1_000,
      seiriken: { starts_per_second: LIMIT, ring: "sliding", ring_guard_ms: GUARD_MS },
    }),
    (started) => callInLoops(started, 5_000),
  );
  expect(origin.runs.length).toBeGreaterThanOrEqual(LIMIT);
  // Windows are as long as a second and the guard.
  expect(origin.runs.length).toBeLessThanOrEqual(LIMIT * origin.windows(1_000 + GUARD_MS));
  if (!isClear) return;
  expect(origin.mostWithin(1_000)).toBe(LIMIT);
  expect(origin.runs.length).toBeGreaterThan((LIMIT * 5_000) / (1_100 + GUARD_MS));
});

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
  const pulse = new Pulse(seiriken.url);
  const askedAt = Date.now();
  const callers = await Promise.all(
    Array.from({ length: 12 }, () => callUntilIn(seiriken, "/report", { waits: true })),
  );
  const slackMs = pulse.slackSince(0);
  await pulse.stop();
  const started = new Map(origin.runs.map(({ number, startedAt }) => [number, startedAt]));
  for (const { tries } of callers) {
    const [first] = tries;
    if (first?.status !== 503) continue;
    // One refusal, given at once, and then in: within its own second, or held into it.
    expect(tries.map(({ status }) => status)).toEqual([503, 200]);
    expect(first.answeredAt - first.askedAt).toBeLessThan(1_500 + slackMs);
  }
  // Two a second: the k-th starts in second k / 2.
  for (const { number } of callers) {
    const second = Math.floor(((started.get(number) ?? 0) - askedAt + 20) / 1_000);
    const late = Math.abs(second - Math.floor((number - 1) / 2));
    expect(late).toBeLessThanOrEqual(1 + Math.floor(slackMs / 1_000));
  }
  expect(Math.max(...(await startsLastMinute(seiriken)))).toBe(2);
});

const visitRoom = (more: object) => roomOver("shop", { seiriken: more });

test("[PACED-1] all admitted visitors together begin at most so many requests in a second", async () => {
  const paced = { origin_requests_per_second: LIMIT, hold_seconds: 30, ring_guard_ms: GUARD_MS };
  const answers: Answer[] = [];
  let tookMs = 0;
  const { origin, isClear } = await untilClear(visitRoom(paced), async (seiriken) => {
    const inside = () => visitorInside(seiriken, "shop");
    const visitors = [await inside(), await inside()];
    const askedAt = Date.now();
    answers.splice(0);
    const asked = Array.from({ length: 70 }, (_, at) =>
      visitors[at % 2]!.ask("/shop", { headers: PROGRAM }),
    );
    answers.push(...(await Promise.all(asked)));
    tookMs = Date.now() - askedAt;
  });
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers[0]!.headers).toMatchObject({
    "ratelimit-policy": `"requests";q=${LIMIT};w=1`,
    "seiriken-status": "admitted; room=shop",
  });
  expect(tookMs).toBeGreaterThan(2_000);
  if (isClear) expect(Math.max(...origin.wholeSeconds)).toBe(LIMIT);
});

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
