import { plainJson, plainText } from "../src/core/plain-text.ts";
import { describe, Failure } from "./launch/failure.ts";
import { failureText } from "./launch/report.ts";

/** One line for the person at the terminal. Its words may be a server's, so it is made plain. */
export const say = (line: string): void => {
  process.stdout.write(`${plainText(line, SAID_LENGTH_MAX)}\n`);
};

/** For programs: the same value, with nothing in it that a terminal acts on. */
export const sayJson = (value: unknown, indent?: number): void => {
  process.stdout.write(`${plainJson(value, indent)}\n`);
};

/** A room may have a hundred routes. */
const SAID_LENGTH_MAX = 50_000;

/** Runs a short command. Exit codes: 0 done, 1 it could not be done, 2 it was called wrongly. */
export const runAsCommand = async (command: () => Promise<void>): Promise<void> => {
  // A reader that has seen enough (`| head`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
  try {
    await command();
  } catch (thrown) {
    const failure =
      thrown instanceof Failure ? thrown : new Failure("unexpected", describe(thrown));
    process.stderr.write(`${failureText(failure)}\n`);
    process.exitCode = failure.exitCode;
  }
};
