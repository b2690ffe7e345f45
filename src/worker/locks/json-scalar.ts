import { exactNumber, foldedName } from "../../core/locks/key-text.ts";

/**
 * One value of a JSON text, found without building the rest. It says what `JSON.parse` keeps silent
 * about: a member that comes twice, which two parsers may read in two ways.
 */

/**
 * missing: no such value, or null · not-scalar: an object or array · twice: on the way, a member is, or
 * one like it, or only one like it · inexact: a number that two parsers may read as two
 */
export type Scalar =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "missing" | "not-scalar" | "twice" | "inexact" | "not-json" };

const DEPTH_MAX = 100;
const SPACE = /[ \t\r\n]*/y;
// eslint-disable-next-line no-control-regex -- JSON forbids bare control characters in strings
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** The tokens of a JSON pointer (RFC 6901). */
export const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

export const scalarAt = (text: string, tokens: readonly string[]): Scalar => {
  const scan = new Scan(text);
  try {
    const found = scan.value(tokens, 0);
    return scan.isAtEnd() ? found : { kind: "not-json" };
  } catch (error) {
    if (error instanceof NotJson) return { kind: "not-json" };
    throw error;
  }
};

class NotJson extends Error {}

class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#take(SPACE);
    return this.#at === this.#text.length;
  }

  /** Reads one value. `tokens` leads on from here; null: what is looked for is elsewhere. */
  value(tokens: readonly string[] | null, depth: number): Scalar {
    if (depth > DEPTH_MAX) throw new NotJson();
    this.#take(SPACE);
    const first = this.#text[this.#at];
    if (first === "{" || first === "[") {
      const inside = this.#members(first, tokens, depth);
      return tokens?.length === 0 ? { kind: "not-scalar" } : inside;
    }
    const scalar = this.#scalar(tokens?.length === 0);
    return tokens?.length === 0 ? scalar : { kind: "missing" };
  }

  /** Numbers that are the same are the same text. */
  #scalar(isWanted: boolean): Scalar {
    const string = this.#take(STRING);
    if (string !== null)
      return { kind: "found", text: isWanted ? (JSON.parse(string) as string) : "" };
    const word = this.#take(WORD);
    if (word !== null) return word === "null" ? { kind: "missing" } : { kind: "found", text: word };
    const number = this.#take(NUMBER);
    if (number === null || number === "") throw new NotJson();
    const text = isWanted ? exactNumber(number) : "";
    return text === null ? { kind: "inexact" } : { kind: "found", text };
  }

  #members(open: "{" | "[", tokens: readonly string[] | null, depth: number): Scalar {
    const close = open === "{" ? "}" : "]";
    const [wanted] = tokens ?? [];
    const alike = wanted === undefined ? null : foldedName(wanted);
    let found: Scalar | null = null;
    this.#at += 1;
    if (this.#has(close)) return { kind: "missing" };
    for (let index = 0; ; index += 1) {
      const name = open === "{" ? this.#name() : String(index);
      const leads = name === wanted;
      const value = this.value(leads ? (tokens?.slice(1) ?? null) : null, depth + 1);
      if (leads && found === null) found = value;
      else if (leads || (alike !== null && foldedName(name) === alike)) found = { kind: "twice" };
      if (this.#has(close)) return found ?? { kind: "missing" };
      if (!this.#has(",")) throw new NotJson();
    }
  }

  #name(): string {
    this.#take(SPACE);
    const name = this.#take(STRING);
    if (name === null || !this.#has(":")) throw new NotJson();
    return JSON.parse(name) as string;
  }

  #has(character: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at = pattern.lastIndex;
    return match[0];
  }
}
