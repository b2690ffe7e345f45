/**
 * What a page of a room loads that asks something of strangers, before its own script: it answers that
 * script's `POST tickets`, by getting the proof first. So pages of other rooms are without a byte of it.
 * The same file is the worker that does the work.
 */
import type { Boot } from "../../../src/page/state.ts";
import type { Puzzle } from "../../../src/core/strangers/puzzle.ts";
import { createPuzzleSolver } from "../../../src/core/strangers/puzzle.ts";
import { createNotice } from "./notice.ts";
import { createTake } from "./take.ts";

/** A slice of the work in the worker: long enough to cost nothing, short enough to tell of it. */
const WORKER_SLICE = 4_096;
/** The page's script gives up on an answer after 15 s. */
const PATIENCE_MS = 12_000;

const work = (): void => {
  const tell = self.postMessage.bind(self) as (message: string | number) => void;
  self.onmessage = ({ data }: MessageEvent<Puzzle>) => {
    const solver = createPuzzleSolver(data);
    let told = 0;
    for (;;) {
      const solution = solver.tryNext(WORKER_SLICE);
      if (solution !== null) return tell(solution);
      if (solver.done() > told) tell((told = solver.done()));
    }
  };
};

/** Without a number in it the page asks again at once, and waits on. */
const notYet = (): Promise<Response> =>
  new Promise((resolve) => {
    const headers = { "Content-Type": "application/json" };
    window.setTimeout(() => resolve(new Response("{}", { headers })), PATIENCE_MS);
  });

const getProofs = ({ api, proof: asked }: Pick<Boot, "api" | "proof">): void => {
  if (!asked) return;
  const url = `${api}/tickets`;
  const plain = window.fetch.bind(window);
  const take = createTake({
    asked,
    notice: createNotice(asked.text),
    ask: (proof) =>
      plain(url, {
        method: "POST",
        credentials: "same-origin",
        cache: "no-store",
        headers: { Accept: "application/json", "Seiriken-Proof": proof },
      }),
  });
  window.fetch = (input, init) =>
    input === url && init && init.method === "POST"
      ? Promise.race([take(), notYet()])
      : plain(input, init);
};

if (typeof document === "undefined") work();
else {
  const boot = document.getElementById("boot") || document.getElementById("seiriken-boot")!;
  getProofs(JSON.parse(boot.textContent || "") as Boot);
}
