import { expect, test } from "vitest";
import type { HistoryRow } from "../../src/core/room/history.ts";
import { eventually } from "../support/eventually.ts";
import { held, newRoom, visitorId } from "./objects.ts";

const waitsOf = async (history: Promise<unknown>) => {
  const rows = (await history) as readonly HistoryRow[];
  const waits = rows.flatMap((row) => row.waits ?? []);
  const count = waits.flatMap(({ counts }) => counts).reduce((sum, [, by]) => sum + by, 0);
  return { count, longestMs: Math.max(0, ...waits.map(({ longestMs }) => longestMs)) };
};

test("[RECORD-2] a claim tells the Room since when its ticket stands in line, once", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const visitor = visitorId();
  const [taken] = await lobby(0).take([{ visitor, ticket: null, address: null }]);
  if (taken?.kind !== "ticket") throw new Error("no ticket");
  const ticket = held(visitor, taken.view);
  const longAgo = { ...ticket, joinedAt: (ticket.joinedAt - 90_000) as typeof ticket.joinedAt };
  expect(await lobby(0).claim(longAgo)).toMatchObject({ kind: "visit" });
  await lobby(0).claim(longAgo);
  const { count, longestMs } = await waitsOf(room.history(60));
  expect([count, Math.floor(longestMs / 10_000)]).toEqual([1, 9]);
});

test("[RECORD-2] requests that wait for a permit are counted with their time, the one that starts at once is not", async () => {
  const { room, lobby } = await newRoom({ permit: "request", permitsMax: 1 });
  const wait = (waitId: string) =>
    lobby(0).wait({ waitId, ticket: null, holdMs: 20_000, address: null });
  const first = await wait("first");
  if (first.kind !== "visit") throw new Error(first.kind);
  expect((await waitsOf(room.history(60))).count).toBe(0);
  const second = wait("second");
  await eventually(async () => expect((await room.snapshot(null)).waiting).toBe(1));
  await scheduler.wait(300);
  await lobby(0).end(first.visit.visit, 0);
  expect((await second).kind).toBe("visit");
  await eventually(async () => {
    const { count, longestMs } = await waitsOf(room.history(60));
    expect(count).toBe(1);
    expect(longestMs).toBeGreaterThanOrEqual(290);
  });
});

test("[RECORD-5] the Room adds minutes up itself", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  await lobby(0).take([{ visitor: visitorId(), ticket: null, address: null }]);
  const [day, ...more] = await room.history(1_440, null, "day");
  expect(more).toEqual([]);
  expect(day).toMatchObject({ issued: 1, joined: 1 });
  expect((day?.minute ?? 1) % 86_400_000).toBe(0);
});
