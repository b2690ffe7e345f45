import type { LobbyIndex, TicketNumber } from "../../../src/core/ids.ts";
import type { Line } from "../../../src/core/line/line.ts";

/** Issues so many numbers to one lobby, and returns the first of them. */
export const issueMany = (
  line: Line,
  count: number,
  lobby: LobbyIndex,
  standing: "present" | "called" | "spent" = "present",
): TicketNumber => {
  const first = line.issue(lobby, standing);
  for (let issued = 1; issued < count; issued += 1) line.issue(lobby, standing);
  return first;
};
