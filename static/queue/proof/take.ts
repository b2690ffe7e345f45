import type { PageProof } from "../../../src/page/state.ts";
import type { Notice } from "./notice.ts";
import { solve } from "./solve.ts";
import { createWidget } from "./widget.ts";

export interface TakePorts {
  readonly asked: PageProof;
  readonly notice: Notice;
  /** `POST tickets` with this in `Seiriken-Proof`. */
  ask(proof: string): Promise<Response>;
}

/** Nothing to bring, from a page that can get what is asked for. */
const NONE = "none";

/** The answer to `POST tickets`, with whatever proof it takes; one at a time, whoever asks. */
export const createTake = ({ asked, notice, ask }: TakePorts): (() => Promise<Response>) => {
  const token = asked.turnstile ? createWidget(asked.turnstile, notice) : null;

  const withToken = (): Promise<Response> =>
    token === null
      ? ask(NONE)
      : token().then((brought) => ask(brought === "" ? NONE : `turnstile ${brought}`));

  const withWork = async (answer: Response): Promise<Response> => {
    if (answer.status !== 403) return answer;
    const { puzzle } = (await answer.clone().json()) as {
      readonly puzzle?: { readonly token: string; readonly seed: string; readonly bits: number };
    };
    if (!puzzle) return answer;
    notice.show();
    const solution = await solve(puzzle, asked.script, notice.progress);
    return ask(`work ${puzzle.token} ${solution}`);
  };

  let running: Promise<Response> | null = null;
  const begin = async (): Promise<Response> => {
    try {
      return await withWork(await withToken());
    } finally {
      running = null;
      notice.hide();
    }
  };
  return () => {
    // The page asks again while it waits, and when its visitor looks at it.
    if (running === null) running = begin();
    return running.then((answer) => answer.clone());
  };
};
