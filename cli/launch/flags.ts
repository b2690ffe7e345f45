import { parseArgs } from "node:util";
import { usageFailure } from "./failure.ts";

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

/** Reads `--name value`, `--name=value` and `--switch`; anything else is a usage failure. */
export const readFlags = (argv: readonly string[], specs: FlagSpecs): Flags => {
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
      const isValue = before?.kind === "option" && specs[before.name] === undefined;
      return isValue ? [] : [`"${token.value}" is not expected here`];
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
}

const flagProblems = ({ name, rawName, value }: FlagToken, specs: FlagSpecs): string[] => {
  const spec = specs[name];
  if (spec === undefined) return [`${rawName} is not known${suggestion(name, specs)}`];
  if (spec.value !== undefined && (value === undefined || value === ""))
    return [`--${name} needs a value: --${name} ${spec.value}`];
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
  const [best] = Object.keys(specs)
    .map((known) => ({ known, distance: editDistance(name, known) }))
    .toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, Math.floor(name.length / 3))
    ? `; did you mean --${best.known}?`
    : "";
};

/** Levenshtein's distance, row by row. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};
