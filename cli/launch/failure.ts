import { TOKEN_LENGTH_MIN } from "../../src/core/tries.ts";

/** Why a command can't go on, in words for the person who ran it. Exit code 2: the call was wrong. */
export class Failure extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2;
  /** One line each; shown below the message. */
  readonly details: readonly string[];

  constructor(code: string, message: string, details: readonly string[] = [], exitCode: 1 | 2 = 1) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.details = details;
    this.exitCode = exitCode;
  }
}

export const usageFailure = (message: string, details: readonly string[] = []): Failure =>
  new Failure("usage", message, details, 2);

/** The shortest honest description of whatever was thrown. */
export const describe = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? thrown.cause : null;
  return cause === null || cause.message === "" ? thrown.message : cause.message;
};

/** A longer word may be a token in the wrong place, and is not repeated. */
export const quoted = (word: string): string =>
  word.length < TOKEN_LENGTH_MIN ? `"${word}"` : `a word of ${word.length} characters`;
