/** Asks the person at the terminal before something that hurts. */
import { createInterface } from "node:readline";
import { Failure } from "./launch/failure.ts";
import { plainText } from "../src/core/plain-text.ts";

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

const here: Terminal = { input: process.stdin, output: process.stderr };

/** As shells have it for a command that Ctrl-C ended. */
const INTERRUPTED_EXIT_CODE = 130;

/**
 * Returns when `harm` is empty, was agreed to beforehand (`--yes`), or is agreed to now. Throws a
 * `Failure` when nobody can be asked or the answer is anything but yes; nothing was changed then.
 */
export const agree = async (
  harm: readonly string[],
  isAgreed: boolean,
  { input, output }: Terminal = here,
): Promise<void> => {
  if (harm.length === 0 || isAgreed) return;
  if (input.isTTY !== true || output.isTTY !== true)
    throw new Failure(
      "needs-yes",
      "nothing was changed: this hurts, and nobody can be asked here",
      [...harm, "to do it all the same, say so beforehand: --yes"],
    );
  const lines = harm.map((sentence) => `  ${plainText(sentence, SENTENCE_LENGTH_MAX)}\n`).join("");
  output.write(`This hurts:\n${lines}Do it? (yes or no) `);
  const answer = await nextLine(input, output);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new Failure("declined", "nothing was changed");
};

/** A room may have a hundred routes. */
const SENTENCE_LENGTH_MAX = 10_000;

/** The empty line when the input ends instead. Ctrl-C ends the command. */
const nextLine = async (input: Terminal["input"], output: Terminal["output"]): Promise<string> => {
  const onInterrupt = () => {
    output.write("\nnothing was changed\n");
    process.exit(INTERRUPTED_EXIT_CODE);
  };
  process.once("SIGINT", onInterrupt);
  const lines = createInterface({ input, terminal: false });
  try {
    return await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
  } finally {
    lines.close();
    process.off("SIGINT", onInterrupt);
  }
};
