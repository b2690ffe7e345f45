/** What lowers a room's limits, for a terminal. */
import { plainText } from "../../src/core/plain-text.ts";
import type { PaceResource } from "../../src/api/rooms/pace.ts";

const CHANGES_SHOWN = 10;

const limitsText = ({
  permits,
  starts_per_second,
  new_users_per_minute,
}: PaceResource["in_effect"]): string =>
  `P ${permits}, ${starts_per_second === null ? "" : `${starts_per_second} a second, `}${new_users_per_minute} a minute`;

export const paceLines = (pace: PaceResource): string[] => {
  const { room, in_effect, operator, signals, adaptive, closed_by, changes } = pace;
  const isLowered = limitsText(in_effect) !== limitsText(operator);
  const lines = [`${room}: ${limitsText(in_effect)}${isLowered ? "" : ", as set"}`];
  if (isLowered) lines.push(`  set: ${limitsText(operator)}`);
  for (const source of ["api", "origin"] as const) {
    const signal = signals[source];
    if (signal !== null)
      lines.push(`  ${source}, until ${signal.until}: ${plainText(signal.reason)}`);
  }
  if (adaptive.on) {
    const quiet = adaptive.quiet_ms === null ? "not known yet" : `${adaptive.quiet_ms} ms`;
    lines.push(`  adaptive: ${adaptive.permits ?? "nothing kept back"}; quiet time ${quiet}`);
  }
  if (closed_by !== null) lines.push(`  closed: ${closed_by} says that nothing is left`);
  for (const change of changes.slice(0, CHANGES_SHOWN)) {
    const what = change.closed ? "closed" : limitsText(change);
    lines.push(`  ${change.at} ${change.source}: ${what} (${plainText(change.reason)})`);
  }
  return lines;
};
