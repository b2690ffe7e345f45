import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const LOCKS = "test/e2e/locks*.test.ts";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "core",
          include: ["test/core/**/*.test.ts", "test/sim/**/*.test.ts"],
          setupFiles: ["test/support/seed.ts"],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
        test: {
          name: "workers",
          include: ["test/durable/**/*.test.ts", "test/worker/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts", "test/chaos/**/*.test.ts"],
          exclude: [LOCKS],
          fileParallelism: false,
          // Real clocks on a shared machine: a promise that does not hold fails twice.
          retry: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // They mostly wait for leases and lock-delays to run out, beside everything else.
        test: {
          name: "locks",
          include: [LOCKS],
          fileParallelism: false,
          // Real clocks on a shared machine: a promise that does not hold fails twice.
          retry: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
