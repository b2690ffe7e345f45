import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { takeNumber, whereIs } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

/** A poller that is not heard again is away after two polls: two windows. */
const WINDOW_SECONDS = 2;

let seiriken: Seiriken;
beforeAll(async () => {
  const own = { total_active_users: 1, seiriken: { return_window_seconds: WINDOW_SECONDS } };
  seiriken = await startSeiriken({ runtime: "workerd", rooms: [roomOver("shop", own)] });
});
afterAll(() => seiriken.stop());

const waiting = async (): Promise<number> =>
  (await ask(`${seiriken.url}/.seiriken/rooms/shop`)).json().waiting;

test("[RETURN-9] away for windows, a visitor id brings no old number back, and passes nobody", async () => {
  await visitorInside(seiriken, "shop");
  const gone = seiriken.visitor();
  const number = await takeNumber(gone);
  const patient = seiriken.visitor();
  await takeNumber(patient);
  const socket = await patient.socket();
  await eventually(async () => (await waiting()) === 2);
  await eventually(async () => (await waiting()) === 1, { within: 30_000, every: 500 });
  // The third window.
  await sleep(WINDOW_SECONDS * 1_000);
  for (const name of gone.cookies.keys()) if (name.includes("-ticket-")) gone.cookies.delete(name);
  expect(await takeNumber(gone)).toBe(number + 2);
  expect(await whereIs(gone)).toMatchObject({ state: "waiting", ahead: 1 });
  const told = socket.messages.findLast(({ type }) => type === "position");
  expect(told).toMatchObject({ number: number + 1, state: "waiting", ahead: 0 });
  socket.close();
});
