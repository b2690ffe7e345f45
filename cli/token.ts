/** Where a command's secret comes from. Nothing here, and no message of it, ever repeats one. */
import { readFileSync } from "node:fs";
import { describe, usageFailure } from "./launch/failure.ts";

export interface TokenSources {
  /** As in `--token` and `--token-file`. */
  readonly flag: string;
  readonly given: string | null;
  readonly file: string | null;
  readonly variable: string;
  /** The variable's former name; it is still read, with a warning. */
  readonly formerly?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const warn = (line: string): void => void process.stderr.write(`warning: ${line}\n`);

/** The flag, else the file, else the environment; null: none of them has one. */
export const tokenFrom = (
  sources: TokenSources,
  lengthMin: number,
  tell: (line: string) => void = warn,
): string | null => {
  const { flag, given, file, env } = sources;
  const isNamed = given !== null || file !== null;
  const variable = isNamed ? sources.variable : variableIn(sources, tell);
  if (given !== null && file !== null)
    throw usageFailure(`--${flag} and --${flag}-file: give one of them`);
  const [source, text] =
    given !== null
      ? [`--${flag}`, given]
      : file !== null
        ? [`--${flag}-file`, readToken(flag, file)]
        : [variable, env[variable] ?? ""];
  if (text === "") return null;
  if (text.length < lengthMin || !/^[\x21-\x7e]+$/.test(text))
    throw usageFailure(`${source}: ${wanted(lengthMin)}`);
  return text;
};

/** Under which of its names the environment has it. The new one goes before. */
const variableIn = (
  { variable, formerly, env }: TokenSources,
  tell: (line: string) => void,
): string => {
  if (formerly === undefined || !env[formerly] || env[formerly] === env[variable]) return variable;
  const isUsed = !env[variable];
  tell(`${formerly} is now ${variable}${isUsed ? "" : ", which is used"}`);
  return isUsed ? formerly : variable;
};

const wanted = (lengthMin: number): string =>
  lengthMin > 1
    ? `at least ${lengthMin} characters, printable and without spaces`
    : "printable characters without spaces";

const readToken = (flag: string, file: string): string => {
  try {
    const text = readFileSync(file, "utf8").trim();
    if (text !== "") return text;
  } catch (thrown) {
    throw usageFailure(`--${flag}-file can't be read: ${describe(thrown)}`);
  }
  throw usageFailure(`--${flag}-file: the file is empty`);
};
