import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { Connection } from "../support/connection.ts";
import { ask } from "../support/http.ts";
import { callUntilIn, CountedRuns, overtakers, requestRoom } from "../support/requests.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

let running: Seiriken | null = null;
const start = async (room: object): Promise<[Seiriken, CountedRuns]> => {
  running = await startSeiriken({ runtime: "workerd", rooms: [requestRoom(room)] });
  await ask(`${running.url}/report`);
  running.origin.reset();
  return [running, new CountedRuns(running.origin)];
};
afterEach(async () => {
  await running?.stop();
  running = null;
});

// Times are those of the scenario by one factor of 10: an operation of 0.2 s, a hold of 2 s.
test("[HOLD-5] S1: 1,000 callers at once, 20 permits: never more at once, everybody in the end, in order", async () => {
  const CALLERS = 1_000;
  const [seiriken, origin] = await start({ seiriken: { hold_seconds: 2 } });
  const callers = await Promise.all(
    Array.from({ length: CALLERS }, () => callUntilIn(seiriken, "/report?ms=200")),
  );
  expect(origin.onMax).toBeLessThanOrEqual(20);
  expect(origin.onMax).toBeGreaterThan(15);
  expect(origin.runs).toHaveLength(CALLERS);
  expect(new Set(callers.map(({ number }) => number)).size).toBe(CALLERS);
  // Whoever was turned away came back with its number, each time.
  const turnedAway = callers.filter(({ tries }) => tries.length > 1);
  expect(turnedAway.length).toBeGreaterThan(CALLERS / 3);
  for (const { tries } of callers) expect(new Set(tries.map(({ number }) => number)).size).toBe(1);
  expect(overtakers(callers, origin.runs, 2_000)).toEqual([]);
  // Hardly anybody was away for long, so the order of the starts is nearly that of the numbers.
  const places = origin.runs.map(({ number }, place) => Math.abs(number - 2 - place));
  expect(places.filter((off) => off > CALLERS / 4).length).toBeLessThan(CALLERS / 20);
});

const waiting = async ({ url }: Seiriken): Promise<number> =>
  (await ask(`${url}/.seiriken/rooms/report`)).json().waiting;

/** With holds that a slow machine does not come to the end of. */
const ONE_PERMIT = { total_active_users: 1, seiriken: { hold_seconds: 90 } };

/** 200 requests that arrive one by one behind a permit that is out until the origin is told. */
const heldOneByOne = async (seiriken: Seiriken, path: string) => {
  const { url } = seiriken;
  const blocker = ask(`${url}/report?until-told`);
  await eventually(() => seiriken.origin.running === 1);
  const requests: Connection[] = [];
  for (let at = 0; at < 200; at += 1) {
    requests.push(await Connection.ask(url + path));
    await sleep(4);
  }
  await eventually(async () => expect(await waiting(seiriken)).toBe(requests.length));
  return { blocker, requests };
};

const numberIn = ({ text }: Connection): number => Number(/\r\n\r\n(\d+)$/.exec(text)?.[1]);

test("[HOLD-6] of 200 requests that wait none overtakes another", async () => {
  const [seiriken, origin] = await start(ONE_PERMIT);
  const { blocker, requests } = await heldOneByOne(seiriken, "/report");
  origin.tell();
  await Promise.all(requests.map((one) => one.until(() => !Number.isNaN(numberIn(one)))));
  await blocker;
  const started = origin.runs.map(({ number }) => number);
  expect(started).toEqual(started.toSorted((a, b) => a - b));
  // One that was sent later by some milliseconds has the higher number.
  const numbers = requests.map(numberIn);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  for (const one of requests) one.leave("fin");
});

test("[HOLD-6] with a third of them gone none of the rest overtakes, nor waits for those", async () => {
  const [seiriken, origin] = await start(ONE_PERMIT);
  const { blocker, requests } = await heldOneByOne(seiriken, "/report?ms=5");
  const isGone = (at: number): boolean => (at * 7) % 3 === 0;
  const stay = requests.filter((_, at) => !isGone(at));
  requests.forEach((one, at) => isGone(at) && one.leave("rst"));
  await eventually(async () => expect(await waiting(seiriken)).toBe(stay.length));
  origin.tell();
  await blocker;
  await Promise.all(stay.map((one) => one.until(() => !Number.isNaN(numberIn(one)))));
  const started = origin.runs.map(({ number }) => number);
  expect(started).toEqual(started.toSorted((a, b) => a - b));
  expect(started).toEqual([started[0], ...stay.map(numberIn)]);
  for (const one of stay) one.leave("fin");
});
