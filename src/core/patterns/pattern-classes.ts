/** Escapes and classes of a pattern. */
import { CharSet, complementOf, PERL_CLASSES, POSIX_CLASSES, type CharRange } from "./char-set.ts";
import { PatternProblem } from "./syntax.ts";

const CLASS_RANGES_MAX = 512;
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7 };

/** `\d` and its like, whose backslash stands at `at`. */
export const classEscapeAt = (text: string, at: number): readonly CharRange[] | null =>
  PERL_CLASSES[text[at + 1] ?? ""] ?? null;

/** An escape that stands for one character. */
export const literalEscapeAt = (
  text: string,
  at: number,
): { readonly point: number; readonly end: number } => {
  const letter = text[at + 1] ?? "";
  const control = CONTROLS[letter];
  if (control !== undefined) return { point: control, end: at + 2 };
  if (letter === "x") return hexAt(text, at);
  // Letters and digits are kept for meanings of their own (RE2 refuses them likewise).
  if (letter !== "" && !/[A-Za-z0-9]/.test(letter) && letter.charCodeAt(0) < 128)
    return { point: letter.charCodeAt(0), end: at + 2 };
  const what = /[1-9]/.test(letter) ? "no back reference: it is not offered" : KNOWN_ESCAPES;
  throw new PatternProblem(at, what);
};

const KNOWN_ESCAPES =
  "one of the escapes \\d \\w \\s \\D \\W \\S \\b \\B \\A \\z \\n \\r \\t \\f \\v \\a \\xHH, or a sign";

const hexAt = (text: string, at: number): { point: number; end: number } => {
  const hex = /^(?:([\dA-Fa-f]{2})|\{([\dA-Fa-f]{1,6})\})/.exec(text.slice(at + 2, at + 10));
  const point = Number.parseInt(hex?.[1] ?? hex?.[2] ?? "", 16);
  if (hex === null || point > 0x10ffff)
    throw new PatternProblem(at, "\\xHH or \\x{H…}, in hexadecimal");
  return { point, end: at + 2 + hex[0].length };
};

/** A class, whose `[` stands at `start`. */
export const readClass = (
  text: string,
  start: number,
  folds: boolean,
): { readonly set: CharSet; readonly end: number } => {
  const isNegated = text[start + 1] === "^";
  let at = start + (isNegated ? 2 : 1);
  const ranges: CharRange[] = [];
  for (let isFirst = true; isFirst || text[at] !== "]"; isFirst = false) {
    if (at >= text.length) throw new PatternProblem(start, "a ] for this [");
    const named = readNamed(text, at);
    if (named !== null) {
      ranges.push(...named.ranges);
      at = named.end;
    } else {
      const read = readRange(text, at);
      ranges.push(read.range);
      at = read.end;
    }
    if (ranges.length > CLASS_RANGES_MAX)
      throw new PatternProblem(start, `a class of at most ${CLASS_RANGES_MAX} ranges`);
  }
  return { set: new CharSet(ranges, isNegated, folds), end: at + 1 };
};

/** `\d`, `[:alpha:]` or `[:^alpha:]` within a class. */
const readNamed = (
  text: string,
  at: number,
): { readonly ranges: readonly CharRange[]; readonly end: number } | null => {
  if (text[at] === "\\") {
    const ranges = classEscapeAt(text, at);
    return ranges === null ? null : { ranges, end: at + 2 };
  }
  const posix = /^\[:(\^?)([a-z]+):\]/.exec(text.slice(at, at + 16));
  if (posix === null) return null;
  const ranges = POSIX_CLASSES[posix[2] ?? ""];
  if (ranges === undefined)
    throw new PatternProblem(at, `one of the classes ${Object.keys(POSIX_CLASSES).join(", ")}`);
  return { ranges: posix[1] === "^" ? complementOf(ranges) : ranges, end: at + posix[0].length };
};

const readRange = (
  text: string,
  start: number,
): { readonly range: CharRange; readonly end: number } => {
  const first = pointInClass(text, start);
  const isRange = text[first.end] === "-" && !["]", ""].includes(text[first.end + 1] ?? "");
  if (!isRange) return { range: [first.point, first.point], end: first.end };
  const last = pointInClass(text, first.end + 1);
  if (last.point < first.point)
    throw new PatternProblem(start, "a range whose first character comes before its last");
  return { range: [first.point, last.point], end: last.end };
};

const pointInClass = (
  text: string,
  at: number,
): { readonly point: number; readonly end: number } => {
  if (text[at] === "\\") return literalEscapeAt(text, at);
  if (text[at] === "[") throw new PatternProblem(at, "no class within a class; a bracket is \\[");
  if (/^(&&|--|~~)/.test(text.slice(at, at + 2)))
    throw new PatternProblem(at, "no intersection or difference of classes: it is not offered");
  const point = text.codePointAt(at) ?? 0;
  return { point, end: at + String.fromCodePoint(point).length };
};
