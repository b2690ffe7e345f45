/**
 * Requests that bring a live pass, through the Worker and through one that only forwards: same
 * workerd, flags, origin and requests. `npx node bench/pass.ts [--quick]`
 */
import { Visitor } from "../test/support/visitor.ts";
import {
  onlyStatuses,
  requestText,
  startLoadGenerator,
  startOrigin,
  STILL_MS,
} from "./support/load.ts";
import type { Load } from "./support/load.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import { roomOf, serve } from "./support/serve.ts";
import type { Served } from "./support/serve.ts";
import { median, quantile, rounded } from "./support/stats.ts";
import { undisturbed } from "./support/undisturbed.ts";

const VISITORS = 256;
const CONNECTIONS = 64;
/** Of each contender: how a process lies in memory stays with it for life, and moves it by up to a sixth. */
const PROCESSES = 3;
const ROUNDS = full(9, 3);
/** So long that each round has its share of the runtime's large collections, one in two seconds or so. */
const SECONDS = full(4, 2);
/** A pause is a hundredth of the time or a little less, so that in fewer answers one more or less decides the 99th percentile. */
const RATE_ROUNDS = full(18, 3);
const RATE_SECONDS = full(3, 2);
/** The rate is found anew before each pair of rounds: a shared core does twice as much in one second as in the next. */
const TUNE_SECONDS = 1.5;
/** A pass is renewed when a tenth of its 300 s is over; browsers take the new one, raw load can't. */
const RENEW_EVERY_MS = 15_000;

const BROWSER = {
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Language": "en-US,en;q=0.5",
  "Accept-Encoding": "gzip, deflate, br",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "same-origin",
};

interface Round {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly stillShare: number;
  readonly timesMs: readonly number[];
}

/** One after the other. */
const several = async <T>(start: () => Promise<T>): Promise<T[]> => {
  const started: T[] = [];
  while (started.length < PROCESSES) started.push(await start());
  return started;
};

const origin = await startOrigin();
const load = startLoadGenerator();
const bare = await several(() =>
  serve({
    main: new URL("./baselines/pass-through.ts", import.meta.url),
    objects: [],
    origin: origin.url,
  }),
);
const gates = await several(() => serve({ origin: origin.url }));

/** Those who were admitted by one gate, and what their browsers send. */
interface Admitted {
  readonly visitors: readonly Visitor[];
  cookies: readonly string[];
  renewedAt: number;
}

const admit = async (gate: Served): Promise<Admitted> => {
  await gate.rooms.createRoom(roomOf("shop", { path: "/" }));
  const visitors = Array.from({ length: VISITORS }, () => new Visitor(gate.url));
  for (const visitor of visitors) await visitor.get("/");
  return { visitors, cookies: [], renewedAt: Number.NEGATIVE_INFINITY };
};

const admitted: Admitted[] = [];
for (const gate of gates) admitted.push(await admit(gate));

const renew = async (those: Admitted): Promise<void> => {
  if (performance.now() - those.renewedAt < RENEW_EVERY_MS) return;
  for (const visitor of those.visitors) {
    const { status } = await visitor.renew();
    if (status !== 200) throw new Error(`no renewal but ${status}`);
  }
  those.cookies = those.visitors.map(
    (visitor) => `session=0123456789abcdef; ${visitor.cookieHeader()}`,
  );
  those.renewedAt = performance.now();
};

/** Without a rate each connection asks as soon as it is answered: full load. */
const measure = async (
  served: Served,
  those: Admitted,
  seconds: number,
  rate: Pick<Load, "perSecond"> = {},
): Promise<Round> => {
  await renew(those);
  const { url } = served;
  const requests = those.cookies.map((cookie, at) =>
    requestText("GET", `/tickets/${at}?from=list`, new URL(url).host, {
      ...BROWSER,
      Cookie: cookie,
    }),
  );
  const cpuBefore = served.cpuMs();
  const asked = { url, requests, connections: CONNECTIONS, seconds, ...rate };
  const result = onlyStatuses(await load.run(asked), 200);
  return {
    perSecond: result.answers / result.seconds,
    cpuUs: ((served.cpuMs() - cpuBefore) * 1_000) / result.answers,
    stillShare: result.stillShare * 100,
    timesMs: result.timesMs,
  };
};

const NAMES = ["gate", "bare"] as const;
type Name = (typeof NAMES)[number];
type Rounds = Readonly<Record<Name, readonly Round[]>>;

type Rate = () => Pick<Load, "perSecond">;
const noRate: Rate = () => ({});

/** Its processes by turns. */
const inTurn = (
  processes: readonly Served[],
  seconds: number,
  rate = noRate,
): (() => Promise<Round>) => {
  let round = 0;
  return () => {
    const at = round++ % PROCESSES;
    return measure(processes[at] as Served, admitted[at] as Admitted, seconds, rate());
  };
};

const both = (seconds: number, rate = noRate) => ({
  gate: inTurn(gates, seconds, rate),
  bare: inTurn(bare, seconds, rate),
});
const mid = (rounds: Rounds, name: Name, what: Exclude<keyof Round, "timesMs">): number =>
  median(rounds[name].map((round) => round[what]));
/** Of all rounds' answers together: in one round, one stall more or less moves it far. */
const timeMs = (rounds: Rounds, name: Name, share: number): number =>
  quantile(
    rounds[name].flatMap(({ timesMs }) => timesMs),
    share,
  );

// Each process has to grow its heap first.
const warmUp = both(SECONDS);
for (let left = PROCESSES; left > 0; left -= 1) for (const name of NAMES) await warmUp[name]();
const atFull = await undisturbed(both(SECONDS), ROUNDS);
const halves: number[] = [];
const bareAtFull = inTurn(bare, TUNE_SECONDS);
const tune = async (): Promise<number> => {
  const { perSecond } = await bareAtFull();
  halves.push(Math.round(perSecond / 2));
  return perSecond;
};
const atHalf = await undisturbed(
  both(RATE_SECONDS, () => ({ perSecond: halves.at(-1) as number })),
  RATE_ROUNDS,
  tune,
);
load.stop();
origin.stop();
for (const served of [...gates, ...bare]) await served.stop();

const ofFull = (what: Exclude<keyof Round, "timesMs">) => ({
  ours: mid(atFull.rounds, "gate", what),
  baseline: mid(atFull.rounds, "bare", what),
});
const times = ({ rounds }: { readonly rounds: Rounds }, share: number) => ({
  ours: timeMs(rounds, "gate", share),
  baseline: timeMs(rounds, "bare", share),
});
const added = (share: number): number => {
  const { ours, baseline } = times(atHalf, share);
  return ours - baseline;
};
publish({
  name: "pass",
  title: "A request with a live pass",
  about:
    `${VISITORS} admitted visitors over ${CONNECTIONS} kept connections ask for a page of 1 KB, ` +
    `against a Worker that only forwards, on the same workerd, flags and origin; ${PROCESSES} processes of ` +
    "each by turns, as two of the same code differ by up to a sixth. At full load each " +
    `connection asks as soon as it is answered: medians of ${ROUNDS} rounds of ${SECONDS} s each, by ` +
    "turns, and percentiles of all their answers. Then both get requests at one fixed rate, half of " +
    `what the baseline did in the ${TUNE_SECONDS} s before (${rounded(median(halves))}/s, from ` +
    `${rounded(Math.min(...halves))} to ${rounded(Math.max(...halves))}), timed from when each was due: ` +
    `${RATE_ROUNDS} rounds of ${RATE_SECONDS} s.`,
  figures: [
    {
      what: "throughput",
      unit: "requests/s",
      ...ofFull("perSecond"),
      target: { of: "ratio", least: 0.85 },
    },
    {
      what: "workerd's processor time",
      unit: "µs/request",
      ...ofFull("cpuUs"),
      target: { of: "ratio", most: 1.18 },
    },
    { what: "median at full load", unit: "ms", ...times(atFull, 0.5) },
    {
      what: "99th percentile at full load",
      unit: "ms",
      ...times(atFull, 0.99),
      target: { of: "ratio", most: 2 },
    },
    { what: "99.9th percentile at full load", unit: "ms", ...times(atFull, 0.999) },
    {
      what: "all connections stand still, of the time",
      unit: "%",
      ...ofFull("stillShare"),
      target: { of: "ratio", most: 1 },
    },
    { what: "median at half load", unit: "ms", ...times(atHalf, 0.5) },
    { what: "99th percentile at half load", unit: "ms", ...times(atHalf, 0.99) },
    {
      what: "added to the median at half load",
      unit: "ms",
      ours: added(0.5),
      target: { of: "ours", most: 0.3 },
    },
    {
      what: "added to the 99th percentile at half load",
      unit: "ms",
      ours: added(0.99),
      target: { of: "ours", most: 3 },
    },
  ],
  notes: [
    "The generator and the origin share the two cores with workerd, which at full load is never idle.",
    `A stand-still is a time of more than ${STILL_MS} ms without an answer on any connection.`,
    `At full load ${atFull.disturbance}; at half load ${atHalf.disturbance}.`,
  ],
});
