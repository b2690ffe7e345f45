import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    start: { type: "boolean", default: false },
    lives: { type: "boolean", default: false },
    to: { type: "string", default: "bench/RESULTS.md" },
  },
  allowPositionals: true,
});

/** `--quick`: few and short rounds, to see that it runs; its figures are not written down. */
export const isQuick = values.quick;

/** `--start`, of size.ts: only how soon the Worker answers; that is printed and not written down. */
export const isStartOnly = values.start;

/** `--lives`, of tickets.ts: only what a visitor's life costs; that is printed and not written down. */
export const isLivesOnly = values.lives;

/** `--to FILE`: where a full run's figures go; those of a second machine stand beside the first's. */
export const resultsFile = values.to;

/** The full run's number, or the quick one's. */
export const full = <T>(usual: T, quick: T): T => (isQuick ? quick : usual);
