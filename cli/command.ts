import { describe, Failure } from "./launch/failure.ts";

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
    process.stderr.write([failure.message, ...failure.details].join("\n  ") + "\n");
    process.exitCode = failure.exitCode;
  }
};
