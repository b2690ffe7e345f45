/**
 * What a lock rule adds to an unsafe request, against the same request without one.
 * `npx node bench/locks-rules.ts [--quick]`
 */
import { alternate } from "./support/alternate.ts";
import { onlyStatuses, requestText, startLoadGenerator, startOrigin } from "./support/load.ts";
import type { LoadResult } from "./support/load.ts";
import { syncMedianMs } from "./support/lock-disk.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { serve } from "./support/serve.ts";
import { median } from "./support/stats.ts";

const ROUNDS = full(5, 1);
const SECONDS = full(1, 0.5);
const WARM_SECONDS = full(4, 2);
const CLIENTS = [1, 16] as const;
/** More than are asked for in one round: with idempotency a key is used once. */
const KEYS = 40_000;

const KEY = { from: "header", name: "Idempotency-Key" };
const WAYS = { plain: "/plain", locked: "/locked", kept: "/kept" } as const;
type Way = keyof typeof WAYS;
/** At full load all stand still while objects are collected, without a rule too. */
const ADDED_P99 = { of: "ours", most: 25 } as const;

const origin = await startOrigin();
const served = await serve({ origin: origin.url });
await served.lockRules.create({ name: "locked", path: WAYS.locked, key: KEY });
await served.lockRules.create({ name: "kept", path: WAYS.kept, key: KEY, idempotency: true });
const load = startLoadGenerator();

let runs = 0;
const measure = async (way: Way, connections: number, seconds = SECONDS): Promise<LoadResult> => {
  runs += 1;
  const { host } = new URL(served.url);
  const requests = Array.from({ length: KEYS }, (_, at) =>
    requestText("POST", WAYS[way], host, { "Idempotency-Key": `key-${runs}-${at}` }),
  );
  const result = await load.run({ url: served.url, requests, connections, seconds });
  if (result.answers > KEYS) throw new Error(`more than ${KEYS} answers: give it more keys`);
  return onlyStatuses(result, 200);
};

// All shards are made before anything is measured.
await measure("locked", 16, WARM_SECONDS);
const figures: Figure[] = [];
for (const clients of CLIENTS) {
  const rounds = await alternate<Way, LoadResult>(
    {
      plain: () => measure("plain", clients),
      locked: () => measure("locked", clients),
      kept: () => measure("kept", clients),
    },
    ROUNDS,
  );
  const of = (way: Way, what: "medianMs" | "p99Ms"): number =>
    median(rounds[way].map((round) => round[what]));
  const atOnce = clients === 1 ? "one at a time" : `${clients} at once`;
  for (const [way, called] of [
    ["locked", "lock"],
    ["kept", "lock and kept answer"],
  ] as const)
    for (const [what, value] of [
      ["median", "medianMs"],
      ["99th percentile", "p99Ms"],
    ] as const) {
      const [ours, baseline] = [of(way, value), of("plain", value)];
      figures.push(
        { what: `${called}, ${atOnce}, ${what}`, unit: "ms", ours, baseline },
        {
          what: `${called}, ${atOnce}, ${what}: added`,
          unit: "ms",
          ours: ours - baseline,
          ...(clients > 1 && value === "p99Ms" ? { target: ADDED_P99 } : {}),
        },
      );
    }
}
const syncMs = syncMedianMs();
load.stop();
await served.stop();
origin.stop();

publish({
  name: "locks-rules",
  title: "What a lock rule adds",
  about:
    "POST requests, each with a key of its own, under a lock rule, and under one that keeps answers " +
    "(idempotency), against the same requests to a path without a rule; the same workerd and origin. " +
    `Medians of ${ROUNDS} alternating rounds of ${SECONDS} s.`,
  figures,
  notes: [
    "A lock is two asks of the object that keeps it, which share its calls, writes and syncs with those " +
      "of other requests; each is answered when it is on the disk: the second " +
      "before the end of the answer goes out, so that whoever has the answer finds the key free.",
    `Bringing one page to this disk took ${syncMs.toFixed(2)} ms (median) at the end. Syncs of several ` +
      "shards come one after the other here, as workerd has one thread.",
    "With idempotency the first call writes two rows and the second three, with the answer in them.",
  ],
});
