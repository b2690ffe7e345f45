import { expect, test } from "vitest";
import type { EdgeReport } from "../../src/core/edge-report.ts";
import { eventually } from "../support/eventually.ts";
import { newRoom } from "./objects.ts";

const report = (bypassed: number): EdgeReport => ({ bypassed, arrivals: 0, origin: null });

test("[BYPASS-13] what lobbies are told of bypassed requests stands in the room's history", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  await lobby(0).snapshot(null, report(3));
  await lobby(0).snapshot(null, report(4));
  await eventually(async () => {
    await lobby(0).snapshot(null);
    const minutes = await room.history(60);
    expect(minutes.reduce((sum, { bypassed }) => sum + (bypassed ?? 0), 0)).toBe(7);
  });
});
