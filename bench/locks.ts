/**
 * The lock service against redis-semaphore's Mutex on a Redis that keeps each write, behind an equal
 * Node front: over HTTP and over sockets. `npx node bench/locks.ts [--quick]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alternate } from "./support/alternate.ts";
import { hasProgram, startProgram } from "./support/debian.ts";
import { startLockFront, startLockLoad } from "./support/lock-load.ts";
import type { LockLoad, LockLoadResult, LockWay } from "./support/lock-load.ts";
import { syncMedianMs } from "./support/lock-disk.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { serve } from "./support/serve.ts";
import { median } from "./support/stats.ts";

const ROUNDS = full(5, 1);
const SECONDS = full(1, 0.5);
const CLIENTS = [1, 8, 64] as const;
/** Those who hand a lock round, and how long each keeps it. */
const HANDING = 8;
const HOLD_MS = 5;
const HANDING_SECONDS = full(1.8, 0.5);

const AGAINST_REDIS = { of: "ratio", least: 0.3 } as const;

type Name = "ours" | "redis" | "memory";
type Work = Pick<LockLoad, "way" | "clients" | "isContended" | "holdMs">;
type Rounds = Readonly<Record<string, readonly LockLoadResult[]>>;

const folder = mkdtempSync(join(tmpdir(), "seiriken-redis-"));
const redisSocket = join(folder, "redis.sock");
const startRedis = () => {
  const keeps = ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--dir", folder];
  const args = ["--port", "0", "--unixsocket", redisSocket, ...keeps];
  return startProgram("redis-server", args, redisSocket);
};
const redis = hasProgram("redis-server", "redis-server") ? await startRedis() : null;
const served = await serve();
const memory = await serve({
  main: new URL("./baselines/locks-memory.ts", import.meta.url),
  objects: [],
});
const { lockToken: token } = served;
const front = redis === null ? null : await startLockFront(redisSocket, token);
const load = startLockLoad();

/** Each contender in turn; names of keys are never used for two measurements. */
let runs = 0;
const measure = (work: Work, seconds = SECONDS): Promise<Rounds> => {
  const at = (url: string) => () => {
    runs += 1;
    return load.run({ ...work, token, url: `${url}/bench-${runs}`, seconds });
  };
  return alternate<Name, LockLoadResult>(
    {
      ours: at(`${served.url}/.seiriken/locks`),
      ...(front === null ? {} : { redis: at(front.url) }),
      ...(work.way === "http" && !work.isContended ? { memory: at(memory.url) } : {}),
    } as Record<Name, () => Promise<LockLoadResult>>,
    ROUNDS,
  );
};

const figure = (
  rounds: Rounds,
  what: string,
  value: (result: LockLoadResult) => number,
  more: Partial<Figure> = {},
  contender: Name = "ours",
): Figure => {
  const of = (name: Name): number | null => {
    const measured = rounds[name];
    return measured === undefined ? null : median(measured.map(value));
  };
  const baseline = of("redis");
  const ours = of(contender) ?? Number.NaN;
  return { what, ours, ...(baseline === null ? {} : { baseline }), ...more };
};
const perSecond = ({ pairs, seconds }: LockLoadResult): number => pairs / seconds;
const overtakenShare = (result: LockLoadResult): number => (100 * result.overtaken) / result.pairs;

const rates: Figure[] = [];
const orders: Figure[] = [];
const handovers: Figure[] = [];
const WAYS: readonly (readonly [LockWay, string])[] = [
  ["http", "HTTP"],
  ["socket", "sockets"],
];
for (const [way, called] of WAYS) {
  for (const clients of CLIENTS) {
    const rounds = await measure({ way, clients, isContended: false, holdMs: 0 });
    const what = `${called}, ${clients} ${clients === 1 ? "client" : "clients, a key each"}`;
    const target = way === "http" && clients === 64 ? { target: AGAINST_REDIS } : {};
    rates.push(figure(rounds, what, perSecond, { unit: "pairs/s", ...target }));
    if (way === "http" && clients === 64)
      rates.push(
        figure(rounds, `${what}: no lock at all`, perSecond, { unit: "pairs/s" }, "memory"),
      );
  }
  for (const clients of CLIENTS.filter((count) => count > 1)) {
    const rounds = await measure({ way, clients, isContended: true, holdMs: 0 });
    const what = `${called}, ${clients} clients, one key`;
    rates.push(figure(rounds, what, perSecond, { unit: "pairs/s" }));
    orders.push(figure(rounds, `${what}, overtaken`, overtakenShare, { unit: "% of grants" }));
  }
  const handing = { way, clients: HANDING, isContended: true, holdMs: HOLD_MS };
  const rounds = await measure(handing, HANDING_SECONDS);
  const what = `${called}, release to next grant`;
  handovers.push(
    figure(rounds, `${what}, median`, (result) => result.handoverMedianMs, { unit: "ms" }),
    figure(rounds, `${what}, 99th percentile`, (result) => result.handoverP99Ms, { unit: "ms" }),
  );
}
const syncMs = syncMedianMs();
load.stop();
front?.stop();
await served.stop();
await memory.stop();
await redis?.stop();
rmSync(folder, { recursive: true, force: true });

publish({
  name: "locks",
  title: "Named locks",
  about:
    "Clients that take a lock, give it back and ask again: by leases over kept HTTP connections, and " +
    "by sockets that are the lock, a new one each time. Against redis-semaphore's Mutex on Redis " +
    "(Debian's, over its socket, appendfsync always) behind a plain Node front that is asked the " +
    `same. Medians of ${ROUNDS} alternating rounds of ${SECONDS} to ${HANDING_SECONDS} s.`,
  figures: [...rates, ...orders, ...handovers],
  notes: [
    "Overtaken: granted after one who had asked more than 10 ms later, by the clients' own clock. The " +
      "first to be let in are let in when all have asked.",
    `Release to next grant: ${HANDING} clients of one key who keep it for ${HOLD_MS} ms, from when one ` +
      "sends its release to when the next one hears that it holds.",
    "The Mutex has no line: who waits asks Redis every 10 ms, and the first to ask gets it. It has " +
      "neither fences nor a lock-delay.",
    "Both sides write each grant and each release to the same disk before they answer, which took " +
      `${syncMs.toFixed(2)} ms a page (median) at the end. Redis brings there at once what all clients ` +
      "wrote in one turn; here that is done with what is asked while a call is under way. The clients share " +
      "the two cores.",
    "No lock at all: a Worker that reads the question and says yes, without a lock, an object or a write. " +
      "More than that no lock service can do on one thread of workerd.",
  ],
});
