import { afterEach, test } from "vitest";
import { Pulse } from "../support/pulse.ts";
import { CountedRuns } from "../support/requests.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { curl, expectAllIn, keyedRoom, undici } from "../support/stock-clients.ts";

let seiriken: Seiriken | null = null;
afterEach(async () => {
  await seiriken?.stop();
  seiriken = null;
});

test("[KEYED-7] 400 stock clients without tickets on 4 permits: all in, nobody sent to the back", async () => {
  seiriken = await startSeiriken({ runtime: "workerd", rooms: [keyedRoom(4, 2)] });
  const origin = new CountedRuns(seiriken.origin);
  const url = `${seiriken.url}/report?ms=60`;
  const pulse = new Pulse(seiriken.url);
  const startedAt = performance.now();
  const statuses = await Promise.all([undici(url, 388), curl(url, 12)]);
  // A busy machine spoils the pace of so short a crowd; test/long holds a longer one to 1.3 x.
  const slackMs = 10_000 + pulse.slackSince(startedAt);
  await pulse.stop();
  expectAllIn(statuses.flat(), origin, seiriken.origin, { permits: 4, slackMs });
});
