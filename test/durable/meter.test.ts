import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { newRoom } from "./objects.ts";
import { take, visitOf } from "./ear.ts";

test("[METRIC-3] what a room has told monitoring it still knows after it was evicted", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const visit = await visitOf(lobby(0), await take(lobby(0)));
  await take(lobby(0));
  await lobby(0).end(visit.visit, 0);
  await lobby(0).snapshot(null, { bypassed: 7, arrivals: 0, origin: null });
  const before = await room.meter();
  expect(before).toMatchObject({ mode: "queues", phase: null, called: 1, visiting: 0, issued: 2 });
  expect(before.totals).toMatchObject({ issued: 2, finished: 1, bypassed: 7 });
  await evictDurableObject(room as never);
  expect((await room.meter()).totals).toMatchObject({ issued: 2, finished: 1, bypassed: 7 });
});
