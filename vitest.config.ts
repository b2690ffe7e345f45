import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.ts";
import { PATIENCE_MS } from "./test/support/eventually.ts";

/** They mostly wait, for leases, lock-delays, deliveries that are sent again and those who never come back, beside everything else. */
const BESIDE = [
  "test/e2e/browser-lost.test.ts",
  "test/e2e/dashboard-forecast.test.ts",
  "test/e2e/hidden-tabs.test.ts",
  "test/e2e/long-bodies.test.ts",
  "test/e2e/locks*.test.ts",
  "test/e2e/many-free.test.ts",
  "test/e2e/requests-answers.test.ts",
  "test/e2e/streams.test.ts",
  "test/e2e/uploads.test.ts",
  "test/e2e/webhooks.test.ts",
  "test/chaos/flood.test.ts",
  "test/chaos/kill9.test.ts",
  "test/chaos/record.test.ts",
  "test/chaos/requests-lives.test.ts",
];
/** They hold seconds of a real clock to account, or fill the machine: nothing else runs meanwhile. */
const ALONE = [
  "test/e2e/raw.test.ts",
  "test/e2e/requests-counter.test.ts",
  "test/e2e/requests-ring.test.ts",
  "test/e2e/seeds.test.ts",
  "test/chaos/requests-histories.test.ts",
  "test/chaos/sockets.test.ts",
];

/** What hangs fails by this; on a machine three times slower than usual nothing else does. */
const HANGS_AFTER_MS = 180_000;
/** What takes only what others leave of the processors, perhaps a tenth. */
const BEHIND_OTHERS_MS = 900_000;
/** Real servers, processes and browsers. */
const REAL = {
  // A process takes many files, and loads what they share once.
  isolate: false,
  // Of tests that may run at once: each has a browser's process or more to itself.
  maxConcurrency: 3,
  testTimeout: HANGS_AFTER_MS,
  hookTimeout: HANGS_AFTER_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "core",
          include: ["test/core/**/*.test.ts", "test/sim/**/*.test.ts"],
          setupFiles: ["test/support/seed.ts"],
          // Nothing here changes what others see, so that a process takes many files.
          isolate: false,
          testTimeout: BEHIND_OTHERS_MS,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
        test: {
          name: "workers",
          include: ["test/durable/**/*.test.ts", "test/worker/**/*.test.ts"],
          // Nothing here changes what others see but objects, so that a runtime takes many files.
          isolate: false,
          setupFiles: ["test/durable/fresh-objects.ts"],
          testTimeout: HANGS_AFTER_MS,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts", "test/chaos/**/*.test.ts"],
          exclude: [...BESIDE, ...ALONE],
          ...REAL,
        },
      },
      {
        test: {
          name: "alone",
          include: ALONE,
          ...REAL,
        },
      },
      {
        test: {
          name: "beside",
          include: BESIDE,
          ...REAL,
        },
      },
      {
        // What takes minutes: `npm run test:long`, never `npm test`.
        test: {
          name: "long",
          include: ["test/long/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
