import { defineConfig } from "vitest/config";

/** `MUTATION_TESTS="test/core/locks/*.test.ts"`: which tests judge; all of the core's by default. */
const judges = process.env["MUTATION_TESTS"] ?? "test/core/**/*.test.ts";

/**
 * The rules' tests alone: a mutant that only a long random history would find counts as alive. Left
 * out is also what counts every branch a million times when the code is instrumented.
 */
export default defineConfig({
  test: {
    include: judges.split(","),
    exclude: [
      "test/core/**/*histor*.test.ts",
      "test/core/ring/many-starts.test.ts",
      "test/core/locks/many-locks.test.ts",
      "test/core/repo.test.ts",
      "test/core/canary.test.ts",
      "test/core/management/**",
      // It sets the time zone, which Stryker's threads cannot.
      "test/core/cli/**",
    ],
    testTimeout: 30_000,
  },
});
