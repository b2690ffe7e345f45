import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seeded } from "../core/room/seeded.ts";
import { Connection } from "../support/connection.ts";
import type { Leaving } from "../support/connection.ts";
import { eventually } from "../support/eventually.ts";
import { makeFickle } from "../support/fickle-origin.ts";
import { ask } from "../support/http.ts";
import type { RecordedRequest } from "../support/origin.ts";
import { Pulse } from "../support/pulse.ts";
import { requestRoom } from "../support/requests.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const HISTORIES = 1_000;
/** Rooms of one permit each, side by side. */
const LANES = 20;
const SEED = Number(process.env["SEED"] ?? 20_261_120);
/** The permit is back within a second; half a second more for what we take ourselves. */
const BACK_WITHIN_MS = 1_500;
const ORIGIN_TIMEOUT_MS = 1_000;
/** An end that we brought about reaches the origin's process a little later. */
const ABORT_NOTICED_MS = 100;

const ACTS = ["quick", "drip", "reset", "truncate", "silence", "hang", "big", "upload"] as const;

interface History {
  readonly act: (typeof ACTS)[number];
  readonly leaving: Leaving | null;
  /** While it waits for its turn, or so many milliseconds after it was sent. */
  readonly leavesAt: "waiting" | number;
}

const LEAVINGS = ["fin", "rst", null] as const;

const historyFrom = (below: (limit: number) => number): History => {
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const leaving = pick(LEAVINGS);
  const waits = leaving !== null && below(4) === 0;
  return {
    // A client that closes politely while it waits still gets its turn.
    act: waits ? "quick" : pick(ACTS),
    leaving,
    leavesAt: waits ? "waiting" : below(300),
  };
};

let seiriken: Seiriken;
let pulse: Pulse;
beforeAll(async () => {
  const seconds = ORIGIN_TIMEOUT_MS / 1_000;
  const limits = { origin_timeout_seconds: seconds, origin_silence_seconds: seconds };
  const settings = { hold_seconds: 30, ...limits };
  seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: Array.from({ length: LANES }, (_, lane) =>
      requestRoom({ total_active_users: 1, seiriken: settings }, `lane${lane}`),
    ),
  });
  makeFickle(seiriken.origin);
  pulse = new Pulse(seiriken.url);
});
afterAll(async () => {
  await pulse?.stop();
  await seiriken?.stop();
});

const queries: Record<History["act"], string> = {
  quick: "ms=30",
  drip: "do=drip&ms=250",
  reset: "do=reset",
  truncate: "do=truncate",
  silence: "do=silence",
  hang: "do=hang",
  big: "do=big&bytes=3000000",
  upload: "do=digest",
};

const send = (url: string, act: History["act"]): Promise<Connection> => {
  const isUpload = act === "upload";
  return Connection.ask(`${url}?${queries[act]}`, {
    method: isUpload ? "POST" : "GET",
    headers: isUpload ? { "Content-Length": "200000" } : {},
    body: isUpload ? "x".repeat(100_000) : "",
  });
};

const onLane = (lane: number): RecordedRequest[] =>
  seiriken.origin.requests.filter(({ url }) => url.startsWith(`/lane${lane}?`));

const isQuiet = (lane: number): boolean =>
  onLane(lane).every(({ endedAtMs }) => endedAtMs !== null);

const live = async (url: string, lane: number, { act, leaving, leavesAt }: History) => {
  const blocker = leavesAt === "waiting" ? await send(url, "drip") : null;
  if (blocker !== null) await eventually(() => !isQuiet(lane));
  const request = await send(url, act);
  if (leaving === null) {
    if (act === "upload") request.send("x".repeat(100_000));
    await request.until(() => request.isWhole);
    request.leave("fin");
  } else {
    await sleep(leavesAt === "waiting" ? 100 : leavesAt);
    request.leave(leaving);
  }
  await blocker?.until(() => blocker.isWhole);
  blocker?.leave("fin");
  await eventually(() => isQuiet(lane));
};

/** Requests of one permit that were on the origin at the same time. */
const overlaps = (requests: readonly RecordedRequest[], noticedMs: number): string[] => {
  const inOrder = requests.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  return inOrder.flatMap((request, at) => {
    const before = inOrder[at - 1];
    const endedAt = (before?.endedAtMs ?? 0) - (before?.aborted ? noticedMs : 0);
    return before !== undefined && endedAt > request.startedAtMs
      ? [`${before.url} until ${endedAt}, ${request.url} from ${request.startedAtMs}`]
      : [];
  });
};

test(
  `[HOLD-18] after ${HISTORIES} random histories of both ends each permit was back within a second, and never doubled`,
  { timeout: 600_000 },
  async () => {
    const runLane = async (lane: number): Promise<void> => {
      const random = seeded(SEED + lane);
      const url = `${seiriken.url}/lane${lane}`;
      for (let left = HISTORIES / LANES; left > 0; left -= 1) {
        const history = historyFrom(random);
        const before = onLane(lane).length;
        await live(url, lane, history);
        // Closed politely before it was sent on, it still has its turn, for as long as the origin may take.
        const isYetToCome = history.leaving === "fin" && onLane(lane).length === before;
        const askedAt = performance.now();
        const { text } = await ask(`${url}?ms=0`);
        const tookMs = performance.now() - askedAt;
        expect({ ...history, text }).toEqual({ ...history, text: "done" });
        const withinMs =
          BACK_WITHIN_MS + (isYetToCome ? ORIGIN_TIMEOUT_MS : 0) + pulse.slackSince(askedAt);
        expect(tookMs, JSON.stringify({ lane, ...history })).toBeLessThan(withinMs);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
    const noticedMs = ABORT_NOTICED_MS + pulse.slowestSince(0);
    for (let lane = 0; lane < LANES; lane += 1)
      expect(overlaps(onLane(lane), noticedMs)).toEqual([]);
  },
);
