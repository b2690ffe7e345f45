/**
 * The one scanner of JSON texts (RFC 8259). It builds nothing: it says what stands where, so that
 * others can see what `JSON.parse` keeps silent about. It has a stack of its own, so that deep nesting
 * cannot overflow ours.
 */

/** Is told each part of a text in its order. Offsets are from 0 up; `to` is the first behind the part. */
export interface JsonVisitor {
  /** A list (or else an object) begins. */
  readonly enter?: (at: number, isList: boolean) => void;
  /** The list or object that began last ends. */
  readonly leave?: () => void;
  /** A member's name, quotes included; its value comes next. */
  readonly name?: (from: number, to: number) => void;
  /** A text, quotes included, a number, `true`, `false` or `null`. */
  readonly scalar?: (from: number, to: number) => void;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
// eslint-disable-next-line no-control-regex -- JSON forbids bare control characters in strings
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;

/**
 * Tells `visitor` of the whole text. Returns the offset at which it stops being JSON or is nested
 * deeper than `depthMax` (1: a list of scalars); null when all of it is JSON.
 */
export const scanJson = (
  text: string,
  visitor: JsonVisitor = {},
  depthMax = Number.POSITIVE_INFINITY,
): number | null => new Scan(text, visitor, depthMax).run();

/** What may come next. */
type Expected = "value" | "value or ]" | "name" | "name or }" | "rest";

class Scan {
  readonly #text: string;
  readonly #visitor: JsonVisitor;
  readonly #depthMax: number;
  /** Which of those that have begun are lists. */
  readonly #open: boolean[] = [];
  #at = 0;
  #expected: Expected = "value";

  constructor(text: string, visitor: JsonVisitor, depthMax: number) {
    this.#text = text;
    this.#visitor = visitor;
    this.#depthMax = depthMax;
  }

  run(): number | null {
    for (;;) {
      this.#take(SPACE);
      if (this.#expected === "rest" && this.#open.length === 0)
        return this.#at === this.#text.length ? null : this.#at;
      if (!this.#step(this.#text[this.#at])) return this.#at;
    }
  }

  /** False: no JSON goes on so. */
  #step(character: string | undefined): boolean {
    switch (this.#expected) {
      case "rest":
        return this.#rest(character);
      case "name or }":
        return character === "}" ? this.#leave() : this.#name();
      case "name":
        return this.#name();
      case "value or ]":
        return character === "]" ? this.#leave() : this.#value(character);
      case "value":
        return this.#value(character);
      default:
        return this.#expected satisfies never;
    }
  }

  #rest(character: string | undefined): boolean {
    const isList = this.#open.at(-1) === true;
    if (character === (isList ? "]" : "}")) return this.#leave();
    if (character !== ",") return false;
    this.#at += 1;
    this.#expected = isList ? "value" : "name";
    return true;
  }

  #value(character: string | undefined): boolean {
    if (character === "{" || character === "[") return this.#enter(character === "[");
    const from = this.#at;
    if (!this.#take(STRING) && !this.#take(SCALAR)) return false;
    this.#visitor.scalar?.(from, this.#at);
    this.#expected = "rest";
    return true;
  }

  #enter(isList: boolean): boolean {
    if (this.#open.length >= this.#depthMax) return false;
    this.#visitor.enter?.(this.#at, isList);
    this.#open.push(isList);
    this.#at += 1;
    this.#expected = isList ? "value or ]" : "name or }";
    return true;
  }

  #leave(): boolean {
    this.#open.pop();
    this.#visitor.leave?.();
    this.#at += 1;
    this.#expected = "rest";
    return true;
  }

  #name(): boolean {
    const from = this.#at;
    if (!this.#take(STRING)) return false;
    const to = this.#at;
    this.#take(SPACE);
    if (this.#text[this.#at] !== ":") return false;
    this.#at += 1;
    this.#visitor.name?.(from, to);
    this.#expected = "value";
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
