import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MinutePoint } from "../../src/core/room/minute-point.ts";
import { runAlarm } from "./alarms.ts";
import { take } from "./ear.ts";
import { newRoom } from "./objects.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The room's object with a dataset bound, and the minute that has begun turned. */
const afterAMinute = async (writeDataPoint?: (point: MinutePoint) => void) => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  await runInDurableObject(room as never, (object: object) => {
    const { env } = object as { env: object };
    const bound = writeDataPoint === undefined ? {} : { ANALYTICS: { writeDataPoint } };
    Object.defineProperty(object, "env", { value: { ...env, ...bound }, configurable: true });
  });
  await take(lobby(0));
  vi.setSystemTime(Date.now() + 61_000);
  await runAlarm(room);
  return room;
};

test("[METRIC-9] with a dataset bound the room writes its minute once, when it is over", async () => {
  const points: MinutePoint[] = [];
  const room = await afterAMinute((point) => void points.push(point));
  expect(points).toHaveLength(1);
  expect(points[0]?.blobs[0]).toBe("minute");
  expect(points[0]?.indexes).toEqual([points[0]?.blobs[1]]);
  expect(points[0]?.doubles.slice(1, 3)).toEqual([1, 1]);
  await room.snapshot(null);
  expect(points).toHaveLength(1);
});

test("[METRIC-9] without one, and where it fails, the room goes on as ever", async () => {
  for (const broken of [
    undefined,
    () => {
      throw new Error("the dataset is gone");
    },
  ]) {
    const room = await afterAMinute(broken);
    expect((await room.history(60))[0]).toMatchObject({ issued: 1 });
  }
});
