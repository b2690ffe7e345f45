/** Reads a regular expression into a tree. It runs as a program (program.ts, pattern.ts). */
import { ANY, ANY_IN_LINE, CharSet } from "./char-set.ts";
import { classEscapeAt, literalEscapeAt, readClass } from "./pattern-classes.ts";
import { PatternProblem, type Assertion, type PatternNode } from "./syntax.ts";

const GROUPS_DEPTH_MAX = 32;
const REPEATS_MAX = 1_000;

interface PatternFlags {
  /** `i`: both cases of a letter. */
  readonly folds: boolean;
  /** `m`: `^` and `$` at lines, too. */
  readonly lines: boolean;
  /** `s`: `.` is a line break, too. */
  readonly dotAll: boolean;
}

const NO_FLAGS: PatternFlags = { folds: false, lines: false, dotAll: false };
const FLAG_NAMES: Readonly<Record<string, keyof PatternFlags>> = {
  i: "folds",
  m: "lines",
  s: "dotAll",
};

const EDGES: Readonly<Record<string, Assertion>> = {
  A: "text-start",
  z: "text-end",
  b: "word-edge",
  B: "no-word-edge",
};

/** Throws a `PatternProblem` at the first character that it cannot take. */
export const parsePattern = (text: string, folds = false): PatternNode => {
  const parser = new PatternParser(text, { ...NO_FLAGS, folds });
  return parser.whole();
};

class PatternParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #flags: PatternFlags;

  constructor(text: string, flags: PatternFlags) {
    this.#text = text;
    this.#flags = flags;
  }

  whole(): PatternNode {
    const node = this.#either();
    if (this.#at < this.#text.length) throw this.#problem("a ) without its (");
    return node;
  }

  #either(): PatternNode {
    const ways = [this.#sequence()];
    while (this.#takes("|")) ways.push(this.#sequence());
    const [only] = ways;
    return ways.length === 1 && only !== undefined ? only : { kind: "either", ways };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#text.length && !"|)".includes(this.#next)) {
      const part = this.#atom();
      if (part !== null) parts.push(this.#repeated(part));
    }
    return { kind: "all", parts };
  }

  /** Null for what only changes the flags. */
  #atom(): PatternNode | null {
    const start = this.#at;
    const point = this.#text.codePointAt(start) ?? 0;
    const char = String.fromCodePoint(point);
    this.#at += char.length;
    switch (char) {
      case "(":
        return this.#group(start);
      case "[": {
        const read = readClass(this.#text, start, this.#flags.folds);
        this.#at = read.end;
        return { kind: "one", set: read.set };
      }
      case ".":
        return { kind: "one", set: this.#flags.dotAll ? ANY : ANY_IN_LINE };
      case "^":
        return assertion(this.#flags.lines ? "line-start" : "text-start");
      case "$":
        return assertion(this.#flags.lines ? "line-end" : "text-end");
      case "\\":
        return this.#escape(start);
      case "*":
      case "+":
      case "?":
      case "{":
        throw new PatternProblem(start, `something before ${char} that it repeats, or \\${char}`);
      default:
        return this.#one(point);
    }
  }

  #one(point: number): PatternNode {
    return { kind: "one", set: new CharSet([[point, point]], false, this.#flags.folds) };
  }

  #escape(start: number): PatternNode {
    const letter = this.#next;
    const edge = EDGES[letter];
    if (edge !== undefined) {
      this.#at += 1;
      return assertion(edge);
    }
    const ranges = classEscapeAt(this.#text, start);
    if (ranges !== null) {
      this.#at += 1;
      return { kind: "one", set: new CharSet(ranges) };
    }
    const literal = literalEscapeAt(this.#text, start);
    this.#at = literal.end;
    return this.#one(literal.point);
  }

  #group(start: number): PatternNode | null {
    const before = this.#flags;
    if (this.#depth >= GROUPS_DEPTH_MAX)
      throw new PatternProblem(start, `groups at most ${GROUPS_DEPTH_MAX} deep`);
    if (this.#takes("?") && this.#opensFlags(start)) return null;
    this.#depth += 1;
    const node = this.#either();
    this.#depth -= 1;
    if (!this.#takes(")")) throw new PatternProblem(start, "a ) for this (");
    this.#flags = before;
    return node;
  }

  /** True: it was `(?i)`, which holds from here to the end of its group, and no group. */
  #opensFlags(start: number): boolean {
    const name = /^P?<([A-Za-z_][\w.[\]]*)>/.exec(this.#text.slice(this.#at, this.#at + 128));
    if (name !== null) {
      this.#at += name[0].length;
      return false;
    }
    if (/^<?[=!]/.test(this.#text.slice(this.#at, this.#at + 2)))
      throw new PatternProblem(start, "no look-around: it is not offered");
    let sets = true;
    for (;;) {
      const char = this.#next;
      const flag = FLAG_NAMES[char];
      if (char === "-" && sets) sets = false;
      else if (flag !== undefined) this.#flags = { ...this.#flags, [flag]: sets };
      else break;
      this.#at += 1;
    }
    if (this.#takes(":")) return false;
    if (this.#takes(")")) return true;
    throw this.#problem("one of the flags i, m and s, then : or )");
  }

  #repeated(part: PatternNode): PatternNode {
    const start = this.#at;
    const times = this.#times();
    if (times === null) return part;
    // Lazy ones match the same texts.
    this.#takes("?");
    if (this.#next !== "" && "*+?{".includes(this.#next))
      throw this.#problem("one repetition alone; put the first one into ( )");
    if (part.kind === "assert") throw new PatternProblem(start, "no repetition of an edge");
    return { kind: "repeat", part, ...times };
  }

  #times(): { least: number; most: number | null } | null {
    if (this.#takes("*")) return { least: 0, most: null };
    if (this.#takes("+")) return { least: 1, most: null };
    if (this.#takes("?")) return { least: 0, most: 1 };
    if (this.#next !== "{") return null;
    const start = this.#at;
    const counts = /^\{(\d{1,9})(,(\d{0,9}))?\}/.exec(this.#text.slice(start, start + 24));
    if (counts === null) throw this.#problem("{n}, {n,} or {n,m}; a brace itself is \\{");
    const least = Number(counts[1]);
    const most = counts[2] === undefined ? least : counts[3] === "" ? null : Number(counts[3]);
    if (Math.max(least, most ?? 0) > REPEATS_MAX || (most !== null && most < least))
      throw this.#problem(`counts from 0 to ${REPEATS_MAX}, the lower one first`);
    this.#at += counts[0].length;
    return { least, most };
  }

  get #next(): string {
    return this.#text[this.#at] ?? "";
  }

  #takes(char: string): boolean {
    if (this.#next !== char) return false;
    this.#at += 1;
    return true;
  }

  #problem(expected: string): PatternProblem {
    return new PatternProblem(this.#at, expected);
  }
}

const assertion = (kind: Assertion): PatternNode => ({ kind: "assert", assertion: kind });
