/** Takes an expression apart into words, signs and texts. The grammar is in parse.ts. */
import type { ExpressionProblem } from "./syntax.ts";

/** Thrown inside the parser, answered as a value by it. */
export class ExpressionError extends Error {
  readonly problem: ExpressionProblem;

  constructor(at: number, message: string) {
    super(message);
    this.problem = { column: at + 1, message };
  }
}

/** A text of the expression, and where in the expression each of its characters stands. */
export interface ReadText {
  readonly value: string;
  readonly start: number;
  readonly offsetOf: (at: number) => number;
}

const HASHES_MAX = 255;
const SPACE = /[ \t\r\n]*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;

/** Goes through an expression from the left. Every problem names the column where it stands. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    this.skipSpace();
    return this.at === this.text.length;
  }

  skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
  }

  /** The name of a field, function or operator that comes next, without taking it. */
  peekWord(): string {
    this.skipSpace();
    WORD.lastIndex = this.at;
    return WORD.exec(this.text)?.[0] ?? "";
  }

  /** Takes a word or a sign, if it is the next one. */
  takes(token: string): boolean {
    const isWord = /^\w/.test(token);
    if (isWord ? this.peekWord() !== token : !this.#startsWith(token)) return false;
    this.at += token.length;
    return true;
  }

  takesEither(...tokens: readonly string[]): boolean {
    return tokens.some((token) => this.takes(token));
  }

  /** Takes all that a pattern (sticky) finds here. */
  takesPattern(pattern: RegExp): string {
    this.skipSpace();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  fail(expected: string): never {
    throw new ExpressionError(this.at, `expected ${expected}, ${this.#found()}`);
  }

  failAt(at: number, message: string): never {
    throw new ExpressionError(at, message);
  }

  get isAtText(): boolean {
    this.skipSpace();
    return /^(?:"|r#*")/.test(this.text.slice(this.at, this.at + HASHES_MAX + 2));
  }

  /** A text in quotes or a raw one. In a pattern's only `\"` is an escape of ours. */
  readText(what: string, keepsEscapes = false): ReadText {
    if (!this.isAtText) this.fail(what);
    return this.text[this.at] === "r" ? this.#rawText() : this.#quotedText(keepsEscapes);
  }

  #rawText(): ReadText {
    const begun = this.at;
    const hashes = this.text.slice(begun + 1).search(/[^#]/);
    const end = `"${"#".repeat(hashes)}`;
    const start = begun + hashes + 2;
    const close = this.text.indexOf(end, start);
    if (close === -1) this.failAt(begun, `expected ${end} at the end of this text`);
    this.at = close + end.length;
    return { value: this.text.slice(start, close), start: begun, offsetOf: (at) => start + at };
  }

  #quotedText(keepsEscapes: boolean): ReadText {
    const start = this.at;
    const offsets: number[] = [];
    let value = "";
    for (this.at += 1; this.text[this.at] !== '"';) {
      if (this.at >= this.text.length) this.failAt(start, 'expected " at the end of this text');
      const [taken, length] = keepsEscapes ? this.#charOfPattern() : this.#charOfText();
      for (let unit = 0; unit < taken.length; unit++) offsets.push(this.at + unit);
      value += taken;
      this.at += length;
    }
    const end = this.at;
    this.at += 1;
    return { value, start, offsetOf: (at) => offsets[at] ?? end };
  }

  /** What stands here, and how long it is written. */
  #charOfPattern(): readonly [string, number] {
    const char = this.text[this.at] ?? "";
    if (char !== "\\") return [char, 1];
    const escaped = this.text[this.at + 1] ?? "";
    return [escaped === '"' ? '"' : `\\${escaped}`, 2];
  }

  #charOfText(): readonly [string, number] {
    const char = this.text[this.at] ?? "";
    if (char !== "\\") return [char, 1];
    const escape = /^\\(?:(["\\])|x([\dA-Fa-f]{2})|([0-3][0-7]{2}))/.exec(
      this.text.slice(this.at, this.at + 4),
    );
    if (escape === null) return this.failAt(this.at, ESCAPES);
    const [all, sign, hex, octal] = escape;
    if (sign !== undefined) return [sign, all.length];
    const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
    return [String.fromCharCode(code), all.length];
  }

  #startsWith(token: string): boolean {
    this.skipSpace();
    return this.text.startsWith(token, this.at);
  }

  #found(): string {
    this.skipSpace();
    if (this.at >= this.text.length) return "found the end";
    const next = /^(?:[\w.]+|.)/su.exec(this.text.slice(this.at, this.at + 40))?.[0] ?? "";
    return `found ${next}`;
  }
}

const ESCAPES =
  'expected one of the escapes \\" \\\\ \\xHH \\OOO, or a raw text such as r"\\d" that has none';
