/**
 * The per-second ring against rate-limiter-flexible, on Redis and in memory: behind one plain Node
 * proxy, and as cores alone. `npx node bench/ring.ts [--quick]`
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { alternate } from "./support/alternate.ts";
import { hasProgram, startProgram } from "./support/debian.ts";
import { LIMITERS, makeLimiter, mostInASecond } from "./support/limiters.ts";
import type { LimiterName } from "./support/limiters.ts";
import { onlyStatuses, requestText, startLoadGenerator, startOrigin } from "./support/load.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { median } from "./support/stats.ts";

const PER_SECOND = 100;
const CONNECTIONS = 64;
const ROUNDS = full(3, 1);
const SECONDS = full(2.5, 2);
/** Alone, so many ask at once, each again as soon as it knows. */
const ASKERS = 64;

interface Round {
  readonly perSecond: number;
  readonly most: number;
}

const folder = mkdtempSync(join(tmpdir(), "seiriken-redis-"));
const redisSocket = join(folder, "redis.sock");
const redis = hasProgram("redis-server", "redis-server")
  ? await startProgram(
      "redis-server",
      ["--port", "0", "--unixsocket", redisSocket, "--save", "", "--dir", folder],
      redisSocket,
    )
  : null;
const names = LIMITERS.filter((name) => name !== "redis" || redis !== null);
const origin = await startOrigin();
const load = startLoadGenerator();

const startProxy = async (name: LimiterName) => {
  const file = new URL("./support/ring-proxy-process.ts", import.meta.url);
  const child = fork(file, [
    name,
    String(PER_SECOND),
    origin.url,
    redis === null ? "" : redisSocket,
  ]);
  const [port] = (await once(child, "message")) as [number];
  return { child, url: `http://127.0.0.1:${port}` };
};
const proxies = new Map(
  await Promise.all(names.map(async (name) => [name, await startProxy(name)] as const)),
);

const behindProxy = async (name: LimiterName): Promise<Round> => {
  const { child, url } = proxies.get(name)!;
  const requests = [requestText("GET", "/report", new URL(url).host, {})];
  const result = onlyStatuses(
    await load.run({ url, requests, connections: CONNECTIONS, seconds: SECONDS }),
    200,
    429,
  );
  child.send("tell");
  const [{ most }] = (await once(child, "message")) as [{ most: number }];
  return { perSecond: result.answers / result.seconds, most };
};

const alone = async (name: LimiterName): Promise<Round> => {
  const { may, stop } = makeLimiter(name, PER_SECOND, redis === null ? null : redisSocket);
  const started: number[] = [];
  const beganAt = performance.now();
  const endsAt = beganAt + SECONDS * 1_000;
  let asked = 0;
  const askOnAndOn = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const answer = may();
      asked += 1;
      const at = answer instanceof Promise ? await answer : answer;
      if (at !== null) started.push(at);
      // What needs no network must let the clock go on all the same.
      if (asked % 10_000 === 0) await breathe();
    }
  };
  await Promise.all(Array.from({ length: ASKERS }, askOnAndOn));
  stop();
  return {
    perSecond: (asked * 1_000) / (performance.now() - beganAt),
    most: mostInASecond(started),
  };
};

const each = (measure: (name: LimiterName) => Promise<Round>) =>
  alternate<LimiterName, Round>(
    Object.fromEntries(names.map((name) => [name, () => measure(name)])) as Record<
      LimiterName,
      () => Promise<Round>
    >,
    ROUNDS,
  );
const proxied = await each(behindProxy);
const cores = await each(alone);
for (const { child } of proxies.values()) child.kill();
load.stop();
origin.stop();
await redis?.stop();
rmSync(folder, { recursive: true, force: true });

const of = (rounds: typeof cores, name: LimiterName, what: keyof Round): number | undefined => {
  const measured: readonly Round[] | undefined = rounds[name];
  return measured === undefined ? undefined : median(measured.map((round) => round[what]));
};
const pair = (
  rounds: typeof cores,
  ours: "calendar" | "sliding",
  theirs: "memory" | "redis",
  what: keyof Round,
): Pick<Figure, "ours" | "baseline"> => {
  const baseline = of(rounds, theirs, what);
  return {
    ours: of(rounds, ours, what) ?? Number.NaN,
    ...(baseline === undefined ? {} : { baseline }),
  };
};
const most = (ring: "calendar" | "sliding") => (ring === "sliding" ? PER_SECOND : 2 * PER_SECOND);
const figuresOf = (rounds: typeof cores, where: string, theirs: "memory" | "redis"): Figure[] =>
  (["calendar", "sliding"] as const).flatMap((ring) => [
    {
      what: `${where}, ${ring} against ${theirs}`,
      unit: "decisions/s",
      ...pair(rounds, ring, theirs, "perSecond"),
    },
    {
      what: `${where}, ${ring} against ${theirs}, most in any 1,000 ms`,
      ...pair(rounds, ring, theirs, "most"),
      target: { of: "ours", most: most(ring) } as const,
    },
  ]);

publish({
  name: "ring",
  title: "The per-second ring",
  about:
    `${PER_SECOND} a second, asked for much oftener, against rate-limiter-flexible on Redis ` +
    "(Debian's, over its socket) and in memory. First behind the same plain Node proxy, over " +
    `${CONNECTIONS} kept connections; then the cores alone, with ${ASKERS} who ask on and on. ` +
    `Medians of ${ROUNDS} alternating rounds of ${SECONDS} s.`,
  figures: [
    ...figuresOf(proxied, "proxy", "redis"),
    ...figuresOf(cores, "core", "redis"),
    ...figuresOf(cores, "core", "memory"),
  ],
  notes: [
    "The most in any 1,000 ms is by the machine's clock, in whole milliseconds, as limiters read it.",
    "A Redis is shared by many processes, and so is the ring in its object; here both sides decide " +
      "for one. In the product a decision costs an object call, of which bench/counter.ts tells.",
    "rate-limiter-flexible counts in windows of a second from the first request on, so up to twice " +
      "the limit fall into a second that straddles two, as with a calendar ring; a sliding one has no such second.",
  ],
});
