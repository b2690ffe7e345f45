import { afterEach, expect, test } from "vitest";
import { CountedRuns } from "../support/requests.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { curl, expectAllIn, keyedRoom, undici } from "../support/stock-clients.ts";

let seiriken: Seiriken | null = null;
afterEach(async () => {
  await seiriken?.stop();
  seiriken = null;
});

test.each([
  ["20 s", 200, 3],
  ["50 s", 500, 5],
])(
  "[KEYED-7] 400 stock clients without tickets, %s of work: all in within 1.3 x the true wait",
  async (_, ms, holdSeconds) => {
    seiriken = await startSeiriken({ runtime: "workerd", rooms: [keyedRoom(4, holdSeconds)] });
    const origin = new CountedRuns(seiriken.origin);
    const url = `${seiriken.url}/report?ms=${ms}`;
    const statuses = await Promise.all([undici(url, 300), curl(url, 100)]);
    expect(statuses.flat().length).toBe(400);
    expectAllIn(statuses.flat(), origin, seiriken.origin, { permits: 4, slackMs: 0 });
  },
);
