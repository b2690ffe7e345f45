import { expect, test } from "vitest";
import { withoutDemoSetUp } from "../../../cli/launch/demo-set-up.ts";
import type { LaunchEvent } from "../../../cli/launch/report.ts";

const AT = Date.UTC(2026, 10, 20, 9);

const line = (more: object = {}): LaunchEvent => {
  const made = { event: "operator-change", action: "room-created", room: "shop" };
  const at = new Date(AT).toISOString();
  return { event: "log", level: "info", message: JSON.stringify({ ...made, at, ...more }) };
};

const heard = (events: readonly LaunchEvent[], endedAt?: number): readonly LaunchEvent[] => {
  const told: LaunchEvent[] = [];
  const to = { tell: (event: LaunchEvent) => void told.push(event), fail: () => undefined };
  const { report, isOver } = withoutDemoSetUp(to, () => endedAt ?? 0);
  if (endedAt !== undefined) isOver();
  for (const event of events) report.tell(event);
  return told;
};

test("[RUN-26] the making of the demo's room is no line of the log, however late it comes", () => {
  expect(heard([line()])).toEqual([]);
  expect(heard([line()], AT)).toEqual([]);
});

test("[RUN-26] what operators do is, also to a room of that name", () => {
  const others = [
    line({ action: "room-changed" }),
    line({ room: "other" }),
    line({ event: "something" }),
    line({ at: "no time" }),
    { event: "log", level: "error", message: 'not JSON: "room-created"' } as const,
    { event: "step", message: "room shop created" } as const,
  ];
  expect(heard(others)).toEqual(others);
  expect(heard([line()], AT - 1)).toEqual([line()]);
});
