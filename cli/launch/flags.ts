/** Reads flags, and says in words what is wrong with them. What they mean is for each command. */
import { parseArgs } from "node:util";
import { TOKEN_LENGTH_MIN } from "../../src/core/tries.ts";
import { nearest } from "../nearest.ts";
import { quoted, usageFailure } from "./failure.ts";

/** A flag that takes a value names it (`PORT`); a switch has no value. */
export interface FlagSpec {
  readonly value?: string;
  readonly help: string;
}

export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

export interface Flags {
  text(name: string): string | null;
  isOn(name: string): boolean;
}

/** What a word that is no flag's value was probably meant as; null: who knows. */
export type BareWordMeant = (
  word: string,
  before: { readonly name: string; readonly value: string | undefined } | null,
) => string | null;

/** Reads `--name value`, `--name=value` and `--switch`; anything else is a usage failure. */
export const readFlags = (
  argv: readonly string[],
  specs: FlagSpecs,
  meantBy: BareWordMeant = () => null,
): Flags => {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { type: spec.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const parsed = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const problems = parsed.tokens.flatMap((token, index) => {
    if (token.kind === "positional") {
      // the value of a flag that is not known is no second mistake
      const before = parsed.tokens[index - 1];
      const isValue =
        before?.kind === "option" &&
        (specs[before.name] === undefined || wantsValue(before, specs[before.name]));
      if (isValue) return [];
      const meant = meantBy(token.value, before?.kind === "option" ? before : null);
      const hint = meant === null ? "" : `; did you mean ${meant}?`;
      return [`${quoted(token.value)} is not expected here${hint}`];
    }
    return token.kind === "option" ? flagProblems(token, specs) : [];
  });
  if (problems.length > 0)
    throw usageFailure(problems[0] ?? "", [...problems.slice(1), "--help lists every flag"]);
  const values = parsed.values;
  return {
    text: (name) => (typeof values[name] === "string" ? values[name] : null),
    isOn: (name) => values[name] === true,
  };
};

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  /** Was it given as in `--name=value`? */
  readonly inlineValue: boolean | undefined;
}

/** The next flag is no value. */
const lacksValue = ({ value, inlineValue }: FlagToken): boolean =>
  value === undefined || value === "" || (inlineValue !== true && value.startsWith("--"));

/** A switch lacks none. */
const wantsValue = (token: FlagToken, spec: FlagSpec | undefined): boolean =>
  spec?.value !== undefined && lacksValue(token);

const flagProblems = (token: FlagToken, specs: FlagSpecs): string[] => {
  const { name, rawName, value } = token;
  const spec = specs[name];
  if (spec === undefined) {
    const meant = suggestion(name, specs);
    const said = meant === "" && name.length >= TOKEN_LENGTH_MIN ? "a long flag" : rawName;
    return [`${said} is not known${meant}`];
  }
  if (wantsValue(token, spec)) return [`--${name} needs a value: --${name} ${spec.value}`];
  return spec.value === undefined && value !== undefined ? [`--${name} takes no value`] : [];
};

export const helpText = (command: string, about: string, specs: FlagSpecs): string => {
  const rows = Object.entries(specs).map(([name, spec]) => ({
    left: `--${name}${spec.value === undefined ? "" : ` ${spec.value}`}`,
    help: spec.help,
  }));
  const width = Math.max(...rows.map((row) => row.left.length));
  const lines = rows.map((row) => `  ${row.left.padEnd(width)}  ${row.help}`);
  return [`${command}`, "", about, "", ...lines].join("\n");
};

const suggestion = (name: string, specs: FlagSpecs): string => {
  const meant = nearest(name, Object.keys(specs));
  return meant === null ? "" : `; did you mean --${meant}?`;
};
