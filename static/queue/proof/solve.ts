import type { Puzzle, PuzzleSolver } from "../../../src/core/strangers/puzzle.ts";
import { createPuzzleSolver } from "../../../src/core/strangers/puzzle.ts";

/** How long the page itself works at a time, where it has no worker: shorter than anybody notices. */
const SLICE_MS = 12;
const SLICE = 256;

/** Solves in a worker, or in slices between which the page lives on. */
export const solve = (
  puzzle: Puzzle,
  script: string,
  progress: (parts: number) => void,
): Promise<string> =>
  new Promise((resolve) => {
    progress(0);
    const here = (): void => inSlices(createPuzzleSolver(puzzle), progress, resolve);
    try {
      const worker = new Worker(script);
      worker.onmessage = ({ data }: MessageEvent<string | number>) => {
        if (typeof data === "number") return progress(data);
        worker.terminate();
        resolve(data);
      };
      worker.onerror = () => {
        worker.terminate();
        here();
      };
      worker.postMessage({ seed: puzzle.seed, bits: puzzle.bits });
    } catch (_none) {
      here();
    }
  });

const inSlices = (
  solver: PuzzleSolver,
  progress: (parts: number) => void,
  resolve: (solution: string) => void,
): void => {
  // Messages, as timers of a page that is not shown come once a second.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const until = Date.now() + SLICE_MS;
    let solution: string | null = null;
    while (solution === null && Date.now() < until) solution = solver.tryNext(SLICE);
    progress(solver.done());
    if (solution === null) return port2.postMessage(0);
    port1.close();
    resolve(solution);
  };
  port2.postMessage(0);
};
