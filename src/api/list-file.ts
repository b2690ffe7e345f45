/** Files that are a list, such as rooms.json and locks.json. Every problem is told at once, with its place. */
import type { FieldProblem } from "../core/field-problem.ts";
import { jsonPath } from "../core/json/pointer.ts";
import { readJson } from "../core/json/read.ts";

export interface FileProblem {
  /** `[0].seiriken.claim_within_seconds`, or `line 3, column 7` where it is no JSON. */
  readonly path: string;
  readonly message: string;
}

export type ReadList =
  | { readonly ok: true; readonly entries: readonly unknown[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

export interface ListKind {
  /** What the entries are: `rooms`. */
  readonly of: string;
  readonly example: string;
  readonly lengthMax: number;
}

export const listIn = (json: unknown, { of, example, lengthMax }: ListKind): ReadList => {
  if (!Array.isArray(json)) return refuse("", `must be an array of ${of}: ${example}`);
  if (json.length > lengthMax) return refuse("", `must have at most ${lengthMax} ${of}`);
  return { ok: true, entries: json };
};

/** The same from the text of a file, with line and column where it is no JSON at all. */
export const listInText = (text: string, kind: ListKind): ReadList => {
  const read = readJson(text.replace(/^\uFEFF/, ""));
  return read.ok ? listIn(read.json, kind) : refuse(read.place, `is not JSON: ${read.reason}`);
};

const refuse = (path: string, message: string): ReadList => ({
  ok: false,
  problems: [{ path, message }],
});

export const inFile = (index: number, { keys, message }: FieldProblem): FileProblem => ({
  path: jsonPath([index, ...keys]),
  message,
});

/** Notes names that come twice. */
export class Namesakes {
  readonly #indexes = new Map<string, number>();

  /** Null: the entry is the first of its name. */
  problemOf(name: string, index: number): FileProblem | null {
    const namesake = this.#indexes.get(name);
    if (namesake === undefined) {
      this.#indexes.set(name, index);
      return null;
    }
    return inFile(index, { keys: ["name"], message: `is the name of [${namesake}] too` });
  }
}
