import { readJson } from "../../src/core/json/read.ts";
import { demoRoom } from "../demo/room.ts";
import type { Report } from "./report.ts";

/**
 * The log without the making of the demo's room: the start tells it as a step, and no operator did it.
 * It passes on whatever was logged for a change after `isOver` was called.
 */
export const withoutDemoSetUp = (
  report: Report,
  now: () => number,
): { readonly report: Report; readonly isOver: () => void } => {
  let endedAt = Number.POSITIVE_INFINITY;
  const isSetUp = (message: string): boolean => {
    const at = message.includes(`"room-created"`) ? demoMadeAt(message) : null;
    return at !== null && at <= endedAt;
  };
  return {
    report: {
      tell: (event) => {
        if (event.event !== "log" || !isSetUp(event.message)) report.tell(event);
      },
      fail: (failure) => report.fail(failure),
    },
    isOver: () => void (endedAt = now()),
  };
};

/** When the line says that the demo's room was made; null: it says something else. */
const demoMadeAt = (message: string): number | null => {
  const read = readJson(message);
  if (!read.ok || typeof read.json !== "object" || read.json === null) return null;
  const { event, action, room, at } = read.json as Readonly<Record<string, unknown>>;
  const isMade = event === "operator-change" && action === "room-created" && room === demoRoom.name;
  const time = Date.parse(String(at));
  return isMade && !Number.isNaN(time) ? time : null;
};
