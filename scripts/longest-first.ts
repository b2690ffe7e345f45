/**
 * The order of the test files of a project: those that take longest first, so that none of them runs on by
 * itself after all others have ended. Vitest knows the lengths of earlier runs; a fresh clone has had none.
 */
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** Those that take more than some ten seconds, or three in Node alone, the longest first in each project. */
export const LONGEST: readonly string[] = [
  "test/sim/estimate/estimate.test.ts",
  "test/core/requests-twin/twin-histories.test.ts",
  "test/sim/sim.test.ts",
  "test/core/draw/permutation.test.ts",
  "test/core/forecast/forecast.test.ts",
  "test/core/requests-twin/fault-histories.test.ts",
  "test/sim/faults.test.ts",
  "test/core/ring/history.test.ts",
  "test/core/pace/adaptive.test.ts",
  "test/core/line/line-histories.test.ts",
  "test/core/locks/many-locks.test.ts",

  "test/durable/lobby-batons.test.ts",
  "test/worker/locks-guard.test.ts",
  "test/durable/crashes.test.ts",
  "test/worker/embed.test.ts",
  "test/durable/locks-writes.test.ts",

  "test/e2e/queue-page-fit.test.ts",
  "test/e2e/cli-start.test.ts",
  "test/e2e/queue-page-place.test.ts",
  "test/e2e/browser-event.test.ts",
  "test/e2e/browser-looks.test.ts",
  "test/e2e/queue-page-turn.test.ts",
  "test/e2e/queue-page-looks.test.ts",
  "test/e2e/browser-way-in.test.ts",
  "test/e2e/real-app.test.ts",
  "test/e2e/browser-error-pages.test.ts",
  "test/e2e/dashboard.test.ts",
  "test/e2e/draw.test.ts",
  "test/e2e/cli-rooms-file.test.ts",
  "test/e2e/browser-newcomer.test.ts",

  "test/e2e/browser-lost.test.ts",
  "test/e2e/locks-rules.test.ts",
  "test/e2e/locks-loss.test.ts",
  "test/chaos/requests-lives.test.ts",
  "test/e2e/locks-history.test.ts",
  "test/e2e/requests-answers.test.ts",
  "test/e2e/locks-client.test.ts",
  "test/e2e/uploads.test.ts",
  "test/chaos/kill9.test.ts",
  "test/chaos/flood.test.ts",
  "test/chaos/record.test.ts",
  "test/e2e/webhooks.test.ts",
  "test/e2e/hidden-tabs.test.ts",
  "test/e2e/many-free.test.ts",
  "test/e2e/streams.test.ts",

  // Beside each other, two at a time: first those that count seconds, then those that fill the machine.
  "test/e2e/requests-ring.test.ts",
  "test/chaos/requests-histories.test.ts",
  "test/e2e/seeds.test.ts",
  "test/chaos/sockets.test.ts",
  "test/e2e/requests-counter.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    // The sort is stable: the rest stay as vitest has them, projects after each other.
    return (await super.sort(files)).sort((one, other) =>
      one.project.name === other.project.name ? place(one) - place(other) : 0,
    );
  }
}
