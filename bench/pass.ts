/**
 * Requests that bring a live pass, through the Worker and through one that only forwards: same
 * workerd, flags, origin and requests. `npx node bench/pass.ts [--quick]`
 */
import { Visitor } from "../test/support/visitor.ts";
import { alternate } from "./support/alternate.ts";
import { onlyStatuses, requestText, startLoadGenerator, startOrigin } from "./support/load.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import { roomOf, serve } from "./support/serve.ts";
import type { Served } from "./support/serve.ts";
import { median } from "./support/stats.ts";

const VISITORS = 256;
const CONNECTIONS = 64;
const ROUNDS = full(10, 3);
const SECONDS = full(3, 1);
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
  readonly p99Ms: number;
}

const origin = await startOrigin();
const load = startLoadGenerator();
const gate = await serve({ origin: origin.url });
const bare = await serve({
  main: new URL("./baselines/pass-through.ts", import.meta.url),
  objects: [],
  origin: origin.url,
});

const admit = async (): Promise<Visitor[]> => {
  await gate.rooms.createRoom(roomOf("shop", { path: "/" }));
  const visitors = Array.from({ length: VISITORS }, () => new Visitor(gate.url));
  for (const visitor of visitors) await visitor.get("/");
  return visitors;
};

const visitors = await admit();
let cookies: readonly string[] = [];
let renewedAt = Number.NEGATIVE_INFINITY;

const renew = async (): Promise<void> => {
  if (performance.now() - renewedAt < RENEW_EVERY_MS) return;
  for (const visitor of visitors) {
    const { status } = await visitor.renew();
    if (status !== 200) throw new Error(`no renewal but ${status}`);
  }
  cookies = visitors.map((visitor) => `session=0123456789abcdef; ${visitor.cookieHeader()}`);
  renewedAt = performance.now();
};

const measure = async (served: Served): Promise<Round> => {
  await renew();
  const { host } = new URL(served.url);
  const requests = cookies.map((cookie, at) =>
    requestText("GET", `/tickets/${at}?from=list`, host, { ...BROWSER, Cookie: cookie }),
  );
  const cpuBefore = served.cpuMs();
  const result = onlyStatuses(
    await load.run({ url: served.url, requests, connections: CONNECTIONS, seconds: SECONDS }),
    200,
  );
  return {
    perSecond: result.answers / result.seconds,
    cpuUs: ((served.cpuMs() - cpuBefore) * 1_000) / result.answers,
    p99Ms: result.p99Ms,
  };
};

const rounds = await alternate({ gate: () => measure(gate), bare: () => measure(bare) }, ROUNDS);
load.stop();
origin.stop();
await gate.stop();
await bare.stop();

const of = (name: "gate" | "bare", what: keyof Round) => median(rounds[name].map((r) => r[what]));
publish({
  name: "pass",
  title: "A request with a live pass",
  about:
    `${VISITORS} admitted visitors over ${CONNECTIONS} kept connections ask for a page of 1 KB, ` +
    "against a Worker that only forwards, on the same workerd, flags and origin. " +
    `Medians of ${ROUNDS} rounds of ${SECONDS} s each, alternating.`,
  figures: [
    {
      what: "throughput",
      unit: "requests/s",
      ours: of("gate", "perSecond"),
      baseline: of("bare", "perSecond"),
      target: { of: "ratio", least: 0.8 },
    },
    {
      what: "workerd's processor time",
      unit: "µs/request",
      ours: of("gate", "cpuUs"),
      baseline: of("bare", "cpuUs"),
    },
    {
      what: "99th percentile",
      unit: "ms",
      ours: of("gate", "p99Ms"),
      baseline: of("bare", "p99Ms"),
    },
  ],
  notes: ["The generator and the origin share the two cores with workerd, which is never idle."],
});
