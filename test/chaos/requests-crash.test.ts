import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { callUntilIn, CountedRuns, requestRoom } from "../support/requests.ts";
import { startSeiriken } from "../support/seiriken.ts";

const LEASE_MS = 4_000;

test("[HOLD-19] kill -9 with 20 in flight and 100 waiting: never more than 20 on the origin, and all get through", async () => {
  const seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [requestRoom({ seiriken: { origin_timeout_seconds: LEASE_MS / 1_000 } })],
  });
  try {
    const origin = new CountedRuns(seiriken.origin);
    const inFlight = Array.from({ length: 20 }, () =>
      callUntilIn(seiriken, "/report?ms=3000", { survives: true }),
    );
    await eventually(() => origin.on === 20);
    const waiting = Array.from({ length: 100 }, () =>
      callUntilIn(seiriken, "/report?ms=100", { survives: true }),
    );
    await eventually(
      async () =>
        (await ask(`${seiriken.url}/.seiriken/rooms/report`)).json().waiting === waiting.length,
    );
    const firstAt = Math.min(...origin.runs.map(({ startedAt }) => startedAt));
    const killedAt = Date.now();
    await seiriken.kill9();
    const callers = await Promise.all([...inFlight, ...waiting]);
    expect(callers.map(({ last }) => last.status)).toEqual(new Array<number>(120).fill(200));
    expect(origin.onMax).toBe(20);
    // What was in flight may still be worked on: its leases run out in full before anybody starts.
    const after = origin.runs.filter(({ startedAt }) => startedAt > killedAt);
    const restartedAt = Math.min(...after.map(({ startedAt }) => startedAt));
    expect(restartedAt - firstAt).toBeGreaterThan(LEASE_MS - 50);
    expect(after).toHaveLength(120);
    // A number is never let in twice.
    expect(new Set(origin.runs.map(({ number }) => number)).size).toBe(140);
  } finally {
    await seiriken.stop();
  }
});
