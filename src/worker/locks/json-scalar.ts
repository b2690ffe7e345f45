/**
 * One value of a JSON text, found without building the rest. It says what `JSON.parse` keeps silent
 * about: a member that comes twice, which two parsers may read in two ways.
 */

/** missing: no such value, or null · not-scalar: an object or array · twice: on the way, a member is */
export type Scalar =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "missing" | "not-scalar" | "twice" | "not-json" };

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
    const text = this.#scalar();
    return tokens?.length === 0 && text !== null ? { kind: "found", text } : { kind: "missing" };
  }

  /** Null for `null`. Numbers that are the same are the same text. */
  #scalar(): string | null {
    const string = this.#take(STRING);
    if (string !== null) return JSON.parse(string) as string;
    const word = this.#take(WORD);
    if (word !== null) return word === "null" ? null : word;
    const number = this.#take(NUMBER);
    if (number === null || number === "") throw new NotJson();
    const value = Number(number);
    return Number.isFinite(value) ? String(value) : number;
  }

  #members(open: "{" | "[", tokens: readonly string[] | null, depth: number): Scalar {
    const close = open === "{" ? "}" : "]";
    let found: Scalar | null = null;
    this.#at += 1;
    if (this.#has(close)) return { kind: "missing" };
    for (let index = 0; ; index += 1) {
      const name = open === "{" ? this.#name() : String(index);
      const leads = tokens !== null && tokens[0] === name;
      const value = this.value(leads ? tokens.slice(1) : null, depth + 1);
      if (leads) found = found === null ? value : { kind: "twice" };
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
