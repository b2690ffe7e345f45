/**
 * The bank counter against HAProxy's queue: 20 at once on an origin of 20 ms, 200 clients; and what
 * one request costs in object calls. `npx node bench/counter.ts [--quick]`
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reservePort } from "../cli/launch/ports.ts";
import { ask } from "../test/support/http.ts";
import { Visitor } from "../test/support/visitor.ts";
import { countsOf, sumOf } from "./support/counts.ts";
import { hasProgram, startProgram } from "./support/debian.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { roomOf, serve } from "./support/serve.ts";
import { median } from "./support/stats.ts";
import { undisturbed } from "./support/undisturbed.ts";
import { startWaitingLoad, startWaitingOrigin } from "./support/waiting-load.ts";
import type { OriginTold, WaitingResult } from "./support/waiting-load.ts";

const HOST = "127.0.0.1";
const PERMITS = 20;
const CLIENTS = 200;
/** 20 permits of 20 ms each. */
const THEORETICAL = 1_000;
const ROUNDS = full(7, 1);
const SECONDS = full(5, 2);
/** Requests at once for which object calls are counted. */
const AT_ONCE = [1, 10, 100] as const;
const REPEATS = 10;

const origin = await startWaitingOrigin();
const load = startWaitingLoad();
const requestRoom = {
  total_active_users: PERMITS,
  seiriken: { permit: "request", hold_seconds: 20 },
};
const served = await serve({ origin: origin.url });
await served.rooms.createRoom(roomOf("report", requestRoom));

const startHaproxy = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), "seiriken-haproxy-"));
  const port = await reservePort(HOST, 0);
  const file = join(folder, "haproxy.cfg");
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout queue 20s
frontend front
  bind ${HOST}:${port}
  unique-id-format %rt
  unique-id-header X-Number
  default_backend back
backend back
  server origin ${HOST}:${origin.port} maxconn ${PERMITS}
`,
  );
  const program = await startProgram("haproxy", ["-db", "-q", "-f", file], port);
  return {
    url: `http://${HOST}:${port}`,
    async stop() {
      await program.stop();
      rmSync(folder, { recursive: true });
    },
  };
};

interface Round extends WaitingResult, OriginTold {
  /** Of workerd, a request, in microseconds; NaN for HAProxy. */
  readonly cpuUs: number;
}

const measure = async (url: string, cpuMs: () => number = () => Number.NaN): Promise<Round> => {
  await origin.told();
  const cpuBefore = cpuMs();
  const result = await load.run({ url: `${url}/report`, clients: CLIENTS, seconds: SECONDS });
  if (Object.keys(result.statuses).join() !== "200")
    throw new Error(`unexpected answers: ${JSON.stringify(result.statuses)}`);
  const cpuUs = ((cpuMs() - cpuBefore) * 1_000) / result.answers;
  return { ...result, cpuUs, ...(await origin.told()) };
};

const haproxy = hasProgram("haproxy", "haproxy") ? await startHaproxy() : null;
const measured = await undisturbed<string, Round>(
  {
    ours: () => measure(served.url, served.cpuMs),
    ...(haproxy === null ? {} : { haproxy: () => measure(haproxy.url) }),
  },
  ROUNDS,
);
const rounds: Readonly<Record<string, readonly Round[]>> = measured.rounds;
await haproxy?.stop();
await served.stop();
load.stop();
origin.stop();

const of = (name: "ours" | "haproxy", value: (round: Round) => number): number | undefined => {
  const those = rounds[name];
  return those === undefined ? undefined : median(those.map(value));
};
const figure = (what: string, value: (round: Round) => number, more: Partial<Figure> = {}) => {
  const baseline = of("haproxy", value);
  const ours = of("ours", value) ?? Number.NaN;
  return { what, ours, ...(baseline === undefined ? {} : { baseline }), ...more };
};
const perSecond = ({ answers, seconds }: Round): number => answers / seconds;

/** Object calls for each of so many requests that come at once; others' share of them is small. */
const callsPerRequest = async (path: string, more: object): Promise<readonly number[]> => {
  const site = await startWaitingOrigin();
  const counted = await serve({
    main: new URL("./instrument/counted.ts", import.meta.url),
    origin: site.url,
  });
  await counted.rooms.createRoom(roomOf("calls", { path, ...more }));
  const visitor = new Visitor(counted.url, { room: "calls" });
  await visitor.get(path);
  const calls: number[] = [];
  for (const atOnce of AT_ONCE) {
    const once = () =>
      Promise.all(
        Array.from({ length: atOnce }, () =>
          ask(counted.url + path, { headers: { cookie: visitor.cookieHeader() } }),
        ),
      );
    await once();
    const { counts } = await countsOf(counted.url, async () => {
      for (let left = REPEATS; left > 0; left -= 1) await once();
    });
    calls.push(sumOf(counts, "call Lobby", "call Room") / (atOnce * REPEATS));
  }
  await counted.stop();
  site.stop();
  return calls;
};

const held = await callsPerRequest("/held", requestRoom);
const paced = await callsPerRequest("/paced", {
  seiriken: { origin_requests_per_second: 1_000_000 },
});
const callFigures = (what: string, calls: readonly number[]): Figure[] =>
  AT_ONCE.map((atOnce, at) => ({
    what: `object calls a request, ${what}, ${atOnce} at once`,
    ours: calls[at] ?? Number.NaN,
  }));

publish({
  name: "counter",
  title: "The bank counter",
  about:
    `${CLIENTS} clients over as many kept connections, each asking again as soon as it was answered, ` +
    `before an origin on which a request takes 20 ms and which takes ${PERMITS} at once; against ` +
    `HAProxy (Debian's) with maxconn ${PERMITS} and timeout queue 20s, before the same origin. ` +
    `Medians of ${ROUNDS} alternating rounds of ${SECONDS} s.`,
  figures: [
    figure("throughput", perSecond, {
      unit: "requests/s",
      target: { of: "ratio", least: 1 },
    }),
    figure("of what is possible", (round) => (100 * perSecond(round)) / THEORETICAL, { unit: "%" }),
    figure("most at once on the origin", ({ onMax }) => onMax, {
      target: { of: "ours", most: PERMITS },
    }),
    figure("were overtaken by a later one", (round) => (100 * round.overtaken) / round.started, {
      unit: "% of starts",
      target: { of: "ours", most: 0 },
    }),
    figure("median wait", ({ medianMs }) => medianMs, { unit: "ms" }),
    figure("99th percentile of the wait", ({ p99Ms }) => p99Ms, {
      unit: "ms",
      target: { of: "ratio", most: 1.2 },
    }),
    {
      what: "processor time of workerd a request",
      unit: "µs",
      ours: of("ours", ({ cpuUs }) => cpuUs) ?? Number.NaN,
    },
    ...callFigures("held", held),
    ...callFigures("paced", paced),
  ],
  notes: [
    "HAProxy's queue is in its memory and lasts as long as each connection. A place here outlives " +
      "both: whoever waited too long comes back with its ticket and stands where it stood; each " +
      "number and each permit was written before it was given to anybody.",
    "Overtaken: started more than 10 ms after one with a higher number, by the contender's own count.",
    "Held: a lone request has one call at the lobby, over which the permit goes back as well (the platform " +
      "counts both as one); those that wait together share calls. And a share of the lobby's batches to " +
      "the Room. Paced: " +
      "one question at the lobby of each request, and its share of a batch.",
    "Clients, origin and both contenders share the two cores.",
    `${measured.disturbance}.`,
  ],
});
