import fc from "fast-check";
import { test } from "vitest";
import { history } from "./histories.ts";
import { RoomTwins } from "./room-twins.ts";

// Rules that hold of every step are shown here: PERMIT, ISSUE, FIFO, CALL, VISIT, CRASH.
test("[PERMIT-1] [ISSUE-2] [FIFO-1] [CALL-1] [VISIT-1] [CRASH-3] [EVENT-2] [EVENT-3] [EVENT-8] [SIGNAL-1] [SIGNAL-2] [SIGNAL-4] the room agrees with its naive twin", () => {
  fc.assert(
    fc.property(history, ({ limits, actions }) => {
      const twins = new RoomTwins(limits);
      for (const action of actions) twins.act(action);
      twins.compareHistory();
    }),
    { numRuns: Number(process.env["ROOM_HISTORIES"] ?? 400) },
  );
});
