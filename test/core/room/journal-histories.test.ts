import fc from "fast-check";
import { expect, test } from "vitest";
import { history } from "./histories.ts";
import { JournaledStore } from "./journaled-store.ts";
import { RoomTwins } from "./room-twins.ts";
import { seeded } from "./seeded.ts";
import { World } from "./world.ts";

test("[STORE-12] [CRASH-3] a room that is read from its journal agrees with its naive twin, wherever the tables were written last", () => {
  let replayed = 0;
  let checkpoints = 0;
  fc.assert(
    fc.property(history, fc.nat(), ({ limits, actions }, seed) => {
      const store = new JournaledStore(seeded(seed));
      const twins = new RoomTwins(limits, store);
      for (const action of actions) twins.act(action);
      twins.compareHistory();
      store.load();
      replayed += store.replayed;
      checkpoints += store.checkpoints;
    }),
    { numRuns: Number(process.env["ROOM_HISTORIES"] ?? 150) },
  );
  expect(replayed).toBeGreaterThan(500);
  expect(checkpoints).toBeGreaterThan(500);
});

test("[STORE-12] chunks of the line that were swept, and what was dropped with them, are in no row after a replay", () => {
  const random = seeded(14);
  const world = new World({ permitsMax: 300, returnWindowMs: 60_000 }, new JournaledStore(random));
  for (let round = 0; round < 60; round += 1) {
    const numbers = world.crowd(700);
    for (const number of numbers) if (random(3) > 0) world.leave(number);
    world.away(...numbers.filter(() => random(2) > 0));
    world.tick(20_000);
    if (random(4) === 0) world.crash();
  }
  expect(world.state.line.base).toBeGreaterThan(1);
  world.crash();
});
