import { beforeEach, describe, expect, test } from "vitest";
import { ticketNumber, type TicketNumber } from "../../../src/core/ids.ts";
import type { Spot } from "../../../src/core/line/order.ts";
import { Presence, type Remembered } from "../../../src/core/lobby/presence.ts";
import { instant } from "../../../src/core/time.ts";

const n = ticketNumber(7);
const spot = 7 as Spot;
const start = 1_800_000_000_000;
const at = (ms: number) => instant(start + ms);
const WINDOW_MS = 3_600_000;

let presence: Presence;
const isRemembered = (number: TicketNumber) => presence.heardAt(number) !== null;
const sweep = (ms: number, sign: number | null = null): TicketNumber[] =>
  presence.sweep(at(ms), WINDOW_MS, () => (sign === null ? null : at(sign)));

beforeEach(() => {
  presence = new Presence();
});

describe("sockets", () => {
  beforeEach(() => {
    presence.socketOpened(n, at(0));
    presence.drain();
  });

  test.each([
    [149_999, true],
    [150_000, false],
  ])("[PRESENCE-1] silent for %i ms: present %s", (ms, present) => {
    sweep(ms);
    expect(presence.isPresent(n)).toBe(present);
    expect(presence.drain().away).toEqual(present ? [] : [n]);
  });

  test("[PRESENCE-1] a ping that woke nobody counts", () => {
    sweep(149_999, 100_000);
    sweep(249_999, 100_000);
    expect(presence.isPresent(n)).toBe(true);
    sweep(250_000, 100_000);
    expect(presence.isPresent(n)).toBe(false);
  });

  test.each([
    [4_999, true],
    [5_000, false],
  ])("[PRESENCE-3] %i ms after its socket closed: present %s", (ms, present) => {
    presence.socketClosed(n, at(0));
    sweep(ms);
    expect(presence.isPresent(n)).toBe(present);
  });

  test("[PRESENCE-3] a socket that closes takes nothing from what a poll gave", () => {
    presence.polled(n, 10, at(0));
    presence.socketClosed(n, at(1_000));
    sweep(24_999);
    expect(presence.isPresent(n)).toBe(true);
    sweep(25_000);
    expect(presence.isPresent(n)).toBe(false);
  });

  test("[PRESENCE-3] its last sign of life is over 5 s after it closed", () => {
    presence.socketOpened(n, at(0));
    presence.toAsk(spot, at(20_000));
    presence.socketClosed(n, at(21_000));
    sweep(25_000);
    expect(presence.isPresent(n)).toBe(false);
  });

  test("[PRESENCE-1] pings are looked up only for sockets that said nothing for 20 s", () => {
    const looked: number[] = [];
    const lookUp = (ms: number) =>
      presence.sweep(at(ms), WINDOW_MS, (number) => {
        looked.push(number);
        return null;
      });
    presence.polled(ticketNumber(8), 15, at(0));
    lookUp(19_999);
    expect(looked).toEqual([]);
    lookUp(20_000);
    expect(looked).toEqual([n]);
  });

  test("[PRESENCE-1] a ping that is older than the last message changes nothing", () => {
    presence.spoke(n, at(60_000));
    sweep(90_000, 10_000);
    expect(presence.heardAt(n)).toBe(at(60_000));
    sweep(90_000, null);
    expect(presence.heardAt(n)).toBe(at(60_000));
  });

  test("[PRESENCE-3] one of two sockets that closes changes nothing", () => {
    presence.socketOpened(n, at(0));
    presence.socketClosed(n, at(0));
    sweep(60_000);
    expect(presence.isPresent(n)).toBe(true);
  });

  test.each([
    [19_999, []],
    [20_000, [n]],
  ])("[PRESENCE-4] silent for %i ms near its turn: asked %j", (ms, asked) => {
    expect(presence.toAsk(spot, at(ms))).toEqual(asked);
    expect(presence.toAsk(spot, at(ms))).toEqual([]);
  });

  test.each([
    [24_999, true],
    [25_000, false],
  ])("[PRESENCE-4] asked at 20 s, silent at %i ms: present %s", (ms, present) => {
    presence.toAsk(spot, at(20_000));
    sweep(ms);
    expect(presence.isPresent(n)).toBe(present);
  });

  test("[PRESENCE-4] whoever answers stays, and whoever stands far back is not asked", () => {
    expect(presence.toAsk(6 as Spot, at(20_000))).toEqual([]);
    presence.toAsk(spot, at(20_000));
    presence.spoke(n, at(21_000));
    sweep(30_000);
    expect(presence.isPresent(n)).toBe(true);
  });

  test("[PRESENCE-4] whoever has no socket, or is away, is not asked", () => {
    presence.confirmed(ticketNumber(6), null, at(0));
    presence.called(n, at(60_000));
    expect(presence.toAsk(spot, at(20_000))).toEqual([]);
  });

  test("[PRESENCE-4] whoever polled lately is not asked", () => {
    presence.polled(n, 15, at(0));
    expect(presence.toAsk(spot, at(20_000))).toEqual([]);
  });

  test("[PRESENCE-5] whoever acts again is present at once", () => {
    sweep(150_000);
    presence.drain();
    presence.spoke(n, at(150_001));
    expect(presence.drain()).toEqual({ present: [n], away: [] });
  });
});

test.each([
  [24_999, true],
  [25_000, false],
])("[PRESENCE-2] polls every 10 s, heard %i ms ago: present %s", (ms, present) => {
  presence.polled(n, 10, at(0));
  sweep(ms);
  expect(presence.isPresent(n)).toBe(present);
});

test.each([
  [59_999, []],
  [60_000, [n]],
])(
  "[PRESENCE-6] called with 60 s to claim, after %i ms: missed %j, away until it acts",
  (ms, missed) => {
    presence.socketOpened(n, at(0));
    presence.called(n, at(60_000));
    expect(sweep(ms)).toEqual(missed);
    expect(presence.isPresent(n)).toBe(false);
    presence.spoke(n, at(ms));
    expect(presence.isPresent(n)).toBe(missed.length > 0);
  },
);

test("[PRESENCE-7] differences are told once, and a full list makes them void", () => {
  presence.polled(n, 10, at(0));
  presence.polled(ticketNumber(8), 2, at(0));
  expect(presence.drain()).toEqual({ present: [n, 8], away: [] });
  expect(presence.hasChanges).toBe(false);
  sweep(9_000);
  expect(presence.hasChanges).toBe(true);
  expect(presence.roster()).toEqual([n]);
  expect(presence.drain()).toEqual({ present: [], away: [] });
});

test("[PRESENCE-7] an appearance takes back a disappearance that was not told, and the other way", () => {
  presence.socketOpened(n, at(0));
  presence.drain();
  sweep(150_000);
  presence.spoke(n, at(150_001));
  expect(presence.drain()).toEqual({ present: [n], away: [] });
  presence.polled(ticketNumber(8), 2, at(150_001));
  sweep(159_001);
  expect(presence.drain()).toEqual({ present: [], away: [8] });
});

test("[PRESENCE-7] what the Room has said, or asked for, or cannot use is no news any more", () => {
  const news = () => {
    presence.forget(n);
    presence.polled(n, 10, at(0));
  };
  const lost = () => {
    presence.forget(n);
    presence.confirmed(n, null, at(0));
    sweep(25_000);
    expect(presence.drain().away).toEqual([n]);
    presence.confirmed(n, null, at(0));
    sweep(25_000);
  };
  for (const appearOrVanish of [news, lost]) {
    for (const settle of [
      () => presence.confirmed(n, null, at(0)),
      () => presence.called(n, at(60_000)),
      () => presence.forget(n),
      () => void presence.roster(),
    ]) {
      appearOrVanish();
      expect(presence.hasChanges).toBe(true);
      settle();
      expect(presence.drain()).toEqual({ present: [], away: [] });
    }
  }
});

test("[PRESENCE-7] what the Room says itself is no news to it", () => {
  presence.confirmed(n, null, at(0));
  expect(presence.hasChanges).toBe(false);
  expect(presence.isPresent(n)).toBe(true);
  expect(presence.roster()).toEqual([n]);
});

test("[PRESENCE-11] whom the Room has called a lobby does not list, nor whoever missed that call", () => {
  presence.socketOpened(n, at(0));
  presence.called(n, at(60_000));
  expect([presence.roster(), presence.isAwaiting]).toEqual([[], true]);
  sweep(60_000);
  expect([presence.roster(), presence.isAwaiting]).toEqual([[], false]);
  presence.spoke(n, at(60_001));
  expect([presence.roster(), presence.isAwaiting]).toEqual([[n], true]);
  presence.confirmed(n, at(120_000), at(60_002));
  expect(presence.roster()).toEqual([]);
});

describe("a lobby that sleeps", () => {
  /** What is remembered of `n` after each of these, and a presence that wakes with it. */
  const asleep = (...lived: readonly (() => unknown)[]) => {
    const kept = new Map<TicketNumber, Remembered>();
    presence = new Presence((number, { heardAt, present, claimBy }) => {
      kept.set(number, { heardAt, present, claimBy });
    });
    presence.socketOpened(n, at(0));
    for (const live of lived) live();
    const { heardAt, present, claimBy } = kept.get(n)!;
    presence = new Presence();
    presence.wakes(n, { heardAt, present, claimBy }, 1);
    return { heardAt: heardAt - start, present, claimBy: claimBy && claimBy - start };
  };

  test.each<readonly [string, () => void, readonly [number, boolean, number | null]]>([
    ["a socket that opened", () => undefined, [0, true, null]],
    ["a word", () => presence.spoke(n, at(7)), [7, true, null]],
    ["a poll", () => presence.polled(n, 10, at(8)), [8, true, null]],
    ["a call", () => presence.called(n, at(60_000)), [0, false, 60_000]],
    ["the Room's word", () => presence.confirmed(n, at(90_000), at(9)), [9, false, 90_000]],
    ["long silence", () => void sweep(150_000), [0, false, null]],
  ])("[PRESENCE-10] remembers %s", (_, live, [heardAt, present, claimBy]) => {
    expect(asleep(live)).toEqual({ heardAt, present, claimBy });
    expect([presence.heardAt(n), presence.isPresent(n)]).toEqual([at(heardAt), present]);
    expect(presence.hasChanges).toBe(false);
  });

  test("[PRESENCE-10] a call that is over when it wakes was missed, and its number is away", () => {
    asleep(() => presence.called(n, at(60_000)));
    expect(sweep(59_999)).toEqual([]);
    expect(sweep(60_000)).toEqual([n]);
    expect(presence.roster()).toEqual([]);
    asleep(
      () => presence.called(n, at(60_000)),
      () => sweep(60_000),
    );
    expect([sweep(60_001), presence.roster()]).toEqual([[], []]);
    presence.spoke(n, at(60_002));
    expect(presence.drain().present).toEqual([n]);
  });

  test("[PRESENCE-10] its sleep is no sign of life: the silent are asked, and away in the end", () => {
    asleep();
    expect(presence.toAsk(spot, at(19_999))).toEqual([]);
    expect(presence.toAsk(spot, at(20_000))).toEqual([n]);
    sweep(25_000);
    expect(presence.isPresent(n)).toBe(false);
  });
});

test("[PRESENCE-6] until it is claimed or missed the lobby knows until when", () => {
  expect(presence.claimBy(n)).toBeNull();
  presence.polled(n, 10, at(0));
  expect(presence.claimBy(n)).toBeNull();
  presence.called(n, at(60_000));
  expect(presence.claimBy(n)).toBe(at(60_000));
  sweep(60_000);
  expect(presence.claimBy(n)).toBeNull();
});

test("[PRESENCE-8] a number that is not remembered is not there, whatever is said of it", () => {
  presence.spoke(n, at(0));
  presence.socketClosed(n, at(0));
  presence.called(n, at(60_000));
  expect([presence.size, presence.isPresent(n)]).toEqual([0, false]);
  expect([presence.heardAt(n), presence.claimBy(n)]).toEqual([null, null]);
  presence.polled(n, 10, at(5));
  expect([presence.size, presence.heardAt(n)]).toEqual([1, at(5)]);
  presence.forget(n);
  expect([presence.size, presence.heardAt(n)]).toEqual([0, null]);
});

test("[PRESENCE-8] a lobby that forgets everybody has nobody, and no news", () => {
  presence.polled(n, 10, at(0));
  presence.confirmed(ticketNumber(8), null, at(0));
  sweep(25_000);
  presence.polled(ticketNumber(9), 10, at(25_000));
  presence.forgetEverybody();
  expect([presence.size, presence.roster()]).toEqual([0, []]);
  presence.polled(n, 10, at(0));
  presence.confirmed(ticketNumber(8), null, at(0));
  sweep(25_000);
  presence.polled(ticketNumber(9), 10, at(25_000));
  presence.forgetEverybody();
  expect(presence.drain()).toEqual({ present: [], away: [] });
});

test("[PRESENCE-6] whoever was not called has missed nothing", () => {
  presence.polled(n, 10, at(0));
  expect(sweep(60_000)).toEqual([]);
});

test("[PRESENCE-8] a number with a socket is remembered however long it is silent", () => {
  presence.socketOpened(n, at(0));
  sweep(WINDOW_MS);
  expect([isRemembered(n), presence.isPresent(n)]).toEqual([true, false]);
});

test.each([
  [19_999, true],
  [20_000, false],
])(
  "[PRESENCE-9] a request that waits until 20 s, at %i ms: present %s, and no news",
  (ms, there) => {
    presence.waits(n, at(20_000), at(0));
    expect([presence.hasChanges, presence.isPresent(n)]).toEqual([false, true]);
    sweep(ms);
    expect(presence.isPresent(n)).toBe(there);
    expect(presence.drain()).toEqual({ present: [], away: there ? [] : [n] });
  },
);

test.each([
  [WINDOW_MS - 1, true],
  [WINDOW_MS, false],
])("[PRESENCE-8] %i ms after its last word: remembered %s", (ms, remembered) => {
  presence.polled(n, 10, at(0));
  sweep(ms);
  expect(isRemembered(n)).toBe(remembered);
});

test.each([
  [60_000, 25_000],
  [25_000, 25_000],
  [24_999, 24_999],
  [20_000, 20_000],
  [10_000, 20_000],
])("[PRESENCE-2] with a return window of %i ms a poll counts for %i ms", (windowMs, ms) => {
  const look = (now: number) => presence.sweep(at(now), windowMs, () => null);
  presence.polled(n, 10, at(0), windowMs);
  look(ms - 1);
  expect(presence.isPresent(n)).toBe(true);
  look(ms);
  expect(presence.isPresent(n)).toBe(false);
});

test("[PRESENCE-8] a short window forgets nobody whom the Room takes for present, or has called", () => {
  const look = (now: number) => presence.sweep(at(now), 2_000, () => null);
  const called = ticketNumber(8);
  presence.polled(n, 2, at(0), 2_000);
  presence.polled(called, 2, at(0), 2_000);
  presence.called(called, at(60_000));
  presence.drain();
  look(3_999);
  expect([isRemembered(n), isRemembered(called)]).toEqual([true, true]);
  look(4_000);
  expect(presence.drain().away).toEqual([n]);
  expect([isRemembered(n), isRemembered(called)]).toEqual([false, true]);
  expect(look(60_000)).toEqual([called]);
  expect(isRemembered(called)).toBe(false);
});
