/** Reads the one value of a JSON text that names a lock, for lock rules. */
import { exactNumber, foldedName } from "../locks/key-text.ts";
import { scanJson } from "./scan.ts";

/**
 * One value of a JSON text, found without building the rest. It says what `JSON.parse` keeps silent
 * about: a member that comes twice, which two parsers may read in two ways.
 */

/**
 * missing: no such value, or null · not-scalar: an object or array · twice: a member on the way
 * occurs twice, or in two spellings, or only in another spelling · inexact: a number that two
 * parsers may read as two
 */
export type Scalar =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "missing" | "not-scalar" | "twice" | "inexact" | "not-json" };

const DEPTH_MAX = 100;

/** `tokens`: of a pointer to the value. */
export const scalarAt = (text: string, tokens: readonly string[]): Scalar => {
  const search = new Search(text, tokens);
  return scanJson(text, search, DEPTH_MAX) === null ? search.found : { kind: "not-json" };
};

/** A list or object on the way. */
interface OnTheWay {
  readonly wanted: string;
  /** `wanted` as readers take it that ignore the case of names. */
  readonly alike: string;
  /** The member, or the entry, at hand. */
  name: string;
  /** How many of its entries have begun; null: it is an object. */
  entries: number | null;
  found: Scalar | null;
}

class Search {
  readonly #text: string;
  readonly #tokens: readonly string[];
  readonly #way: OnTheWay[] = [];
  /** How many lists and objects are open that do not lie on the way. */
  #aside = 0;
  found: Scalar = MISSING;

  constructor(text: string, tokens: readonly string[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  readonly enter = (_at: number, isList: boolean): void => {
    const leads = this.#begin();
    const wanted = this.#tokens[this.#way.length];
    if (!leads || wanted === undefined) {
      if (this.#aside === 0) this.#tell(NOT_SCALAR, leads);
      this.#aside += 1;
      return;
    }
    const entries = isList ? 0 : null;
    this.#way.push({ wanted, alike: foldedName(wanted), name: "", entries, found: null });
  };

  readonly leave = (): void => {
    if (this.#aside > 0) this.#aside -= 1;
    else this.#tell(this.#way.pop()?.found ?? MISSING, true);
  };

  readonly name = (from: number, to: number): void => {
    const inner = this.#way.at(-1);
    if (this.#aside === 0 && inner !== undefined)
      inner.name = JSON.parse(this.#text.slice(from, to)) as string;
  };

  readonly scalar = (from: number, to: number): void => {
    if (this.#aside > 0) return;
    const leads = this.#begin();
    const isWanted = leads && this.#way.length === this.#tokens.length;
    this.#tell(isWanted ? scalarOf(this.#text.slice(from, to)) : MISSING, leads);
  };

  /** A value begins. Does it lie on the way? */
  #begin(): boolean {
    if (this.#aside > 0) return false;
    const inner = this.#way.at(-1);
    if (inner === undefined) return true;
    if (inner.entries !== null) {
      inner.name = String(inner.entries);
      inner.entries += 1;
    }
    return inner.name === inner.wanted;
  }

  /** Tells the list or object around a value what was found in it. */
  #tell(value: Scalar, leads: boolean): void {
    const inner = this.#way.at(-1);
    if (inner === undefined) this.found = value;
    else if (leads && inner.found === null) inner.found = value;
    else if (leads || foldedName(inner.name) === inner.alike) inner.found = { kind: "twice" };
  }
}

const MISSING: Scalar = { kind: "missing" };
const NOT_SCALAR: Scalar = { kind: "not-scalar" };

/** Numbers that are the same are the same text. */
const scalarOf = (literal: string): Scalar => {
  if (literal === "null") return MISSING;
  if (literal === "true" || literal === "false") return { kind: "found", text: literal };
  const text = literal.startsWith('"') ? (JSON.parse(literal) as string) : exactNumber(literal);
  return text === null ? { kind: "inexact" } : { kind: "found", text };
};
