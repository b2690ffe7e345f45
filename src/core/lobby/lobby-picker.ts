import { BoundedMap } from "../collections/bounded-map.ts";
import type { LobbyIndex } from "../ids.ts";

/** A crowd is so many newcomers of one isolate … */
const CROWD = 200;
/** … in so long. Where hundreds of isolates share twenty thousand a second, none of them has one. */
const CROWD_MS = 250;
/** What one or two calls ask for. */
const TOGETHER_MAX = 64;
const GROUPS_MAX = 4_096;

interface Newcomers {
  since: number;
  came: number;
  cameBefore: number;
  lobby: LobbyIndex | null;
  given: number;
}

/**
 * Which of the lobbies that take joins a newcomer gets. Drawn for each of them alone, the joins of one isolate
 * would be spread over as many calls as lobbies are open, and a room with a long line has dozens. So
 * of a crowd many get the same one, and share its calls (docs/decisions/shared-calls.md).
 */
export class LobbyPicker {
  readonly #now: () => number;
  readonly #drawBelow: (limit: number) => number;
  readonly #newcomers = new BoundedMap<string, Newcomers>(GROUPS_MAX);

  /** `now` in milliseconds; `drawBelow` draws a whole number from 0 to its limit, which it never is. */
  constructor(now: () => number, drawBelow: (limit: number) => number) {
    this.#now = now;
    this.#drawBelow = drawBelow;
  }

  /** Null where `open` is empty. Newcomers of one `group` choose among the same lobbies. */
  pick(group: string, open: readonly LobbyIndex[]): LobbyIndex | null {
    const [first = null] = open;
    if (open.length <= 1) return first;
    const newcomers = this.#newcomers.getOrMake(group, () => nobodyYet(this.#now()));
    const isCrowd = comes(newcomers, this.#now());
    const { lobby, given } = newcomers;
    if (isCrowd && lobby !== null && given < TOGETHER_MAX && open.includes(lobby)) {
      newcomers.given += 1;
      return lobby;
    }
    newcomers.given = 1;
    return (newcomers.lobby = open[this.#drawBelow(open.length)] ?? first);
  }
}

const nobodyYet = (now: number): Newcomers => ({
  since: now,
  came: 0,
  cameBefore: 0,
  lobby: null,
  given: 0,
});

/** One more; is it one of a crowd? A clock that was set back counts anew. */
const comes = (newcomers: Newcomers, now: number): boolean => {
  const sinceMs = now - newcomers.since;
  if (sinceMs < 0 || sinceMs >= CROWD_MS) {
    newcomers.cameBefore = sinceMs >= 0 && sinceMs < 2 * CROWD_MS ? newcomers.came : 0;
    newcomers.came = 0;
    newcomers.since = now;
  }
  newcomers.came += 1;
  return newcomers.came > CROWD || newcomers.cameBefore >= CROWD;
};
