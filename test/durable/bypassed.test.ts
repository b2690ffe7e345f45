import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { newRoom } from "./objects.ts";

test("[BYPASS-13] what lobbies are told of bypassed requests stands in the room's history", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  await lobby(0).snapshot(null, 3);
  await lobby(0).snapshot(null, 4);
  await eventually(async () => {
    await lobby(0).snapshot(null);
    const minutes = await room.history(60);
    expect(minutes.reduce((sum, { bypassed }) => sum + (bypassed ?? 0), 0)).toBe(7);
  });
});
