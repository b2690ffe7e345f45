import { defineConfig } from "vitest/config";

/**
 * The rules' tests alone: a mutant that only a long random history would find counts as alive. Left
 * out is also what counts every branch a million times when the code is instrumented.
 */
export default defineConfig({
  test: {
    include: ["test/core/**/*.test.ts"],
    exclude: [
      "test/core/**/*histor*.test.ts",
      "test/core/ring/many-starts.test.ts",
      "test/core/repo.test.ts",
      "test/core/canary.test.ts",
      "test/core/management/**",
    ],
    testTimeout: 30_000,
  },
});
