import type { LiveMessage } from "../../../src/core/live/message.ts";
import { Notice } from "../parts/notice.tsx";
import { dayTimeOf } from "../text/format.ts";

/** What goes on that makes the room other than its operator has set it. */
export const EventNotice = ({ event }: Pick<LiveMessage, "event">) => {
  if (event === null) return null;
  const { name, phase } = event;
  const starts = dayTimeOf(Date.parse(event.starts_at));
  const ends = dayTimeOf(Date.parse(event.ends_at));
  const says = {
    prequeue: `Before ${name}: numbers are given, and nobody is called until ${starts}.`,
    drawing: `${name} has begun, and its order is being drawn.`,
    running: `${name} is on until ${ends}: what it sets holds in place of the room's own.`,
  } as const satisfies Record<typeof phase, string>;
  return <Notice kind="told">{says[phase]}</Notice>;
};
