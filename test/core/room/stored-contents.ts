import { CHUNK_BITS } from "../../../src/core/line/counted-bits.ts";
import type { StoredRoom } from "../../../src/core/room/stored.ts";
import { instant } from "../../../src/core/time.ts";

/**
 * What the rows say, however they are cut: runs that go on at the same lobby are one, and visits
 * whose passes have all run out are of no use.
 */
export const contentsOf = (stored: StoredRoom): unknown => {
  const { clock = instant(0), lineBase = 0 } = stored.head ?? {};
  const runs: { first: number; end: number; lobby: number }[] = [];
  for (const { first, count, lobby } of [...stored.runs].sort((a, b) => a.first - b.first)) {
    const last = runs.at(-1);
    const isKept = first + count > lineBase * CHUNK_BITS;
    if (last?.lobby === lobby && last.end === first) last.end += count;
    else if (isKept) runs.push({ first, end: first + count, lobby });
  }
  return JSON.parse(
    JSON.stringify({
      ...stored,
      runs,
      draws: [...stored.draws].sort((a, b) => a.record.closed.first - b.record.closed.first),
      spent: [...stored.spent]
        .sort((a, b) => a.chunk - b.chunk)
        .map(({ chunk, bits }) => [chunk, ...bits]),
      permits: [...stored.permits].sort((a, b) => a.slot - b.slot),
      misses: [...stored.misses].sort(([a], [b]) => a - b),
      ended: [...stored.ended]
        .sort((a, b) => a.row - b.row)
        .flatMap(({ visits }) => visits)
        .filter(({ passesUntil }) => passesUntil > clock),
      lobbies: [...stored.lobbies].sort((a, b) => a.lobby - b.lobby),
    }),
  );
};
