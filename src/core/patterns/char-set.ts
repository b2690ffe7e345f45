/** Code points from the first to the last, both included. */
export type CharRange = readonly [first: number, last: number];

const ASCII = 128;
const LAST = 0x10ffff;

/** What one character of a text may be. */
export class CharSet {
  /** Of each ASCII character, once one is asked for: most sets of a deployment never are. */
  #ascii: Uint8Array | null = null;
  readonly #ranges: readonly CharRange[];
  readonly #isNegated: boolean;
  readonly #folds: boolean;

  /** `folds`: a letter stands for both of its cases. Negation comes after that. */
  constructor(ranges: readonly CharRange[], isNegated = false, folds = false) {
    this.#ranges = ranges;
    this.#isNegated = isNegated;
    this.#folds = folds;
  }

  has(point: number): boolean {
    if (point >= ASCII) return this.#decides(point);
    this.#ascii ??= Uint8Array.from({ length: ASCII }, (_, each) => (this.#decides(each) ? 1 : 0));
    return this.#ascii[point] === 1;
  }

  #decides(point: number): boolean {
    return this.#holds(point) !== this.#isNegated;
  }

  #holds(point: number): boolean {
    if (isWithin(this.#ranges, point)) return true;
    if (!this.#folds) return false;
    const letter = String.fromCodePoint(point);
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return (
      (isOne(lower) && isWithin(this.#ranges, lower.codePointAt(0) ?? -1)) ||
      (isOne(upper) && isWithin(this.#ranges, upper.codePointAt(0) ?? -1))
    );
  }
}

const isWithin = (ranges: readonly CharRange[], point: number): boolean =>
  ranges.some(([first, last]) => point >= first && point <= last);

/** `ß` in upper case is two letters: those are not its other case. */
const isOne = (text: string): boolean =>
  text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length;

const rangesOf = (text: string): readonly CharRange[] =>
  text.split(" ").map((pair): CharRange => [pair.charCodeAt(0), pair.charCodeAt(pair.length - 1)]);

/** All but those, as ranges. */
export const complementOf = (ranges: readonly CharRange[]): readonly CharRange[] => {
  const gaps: CharRange[] = [];
  let next = 0;
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (first > next) gaps.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
};

const DIGITS = rangesOf("09");
const WORD = rangesOf("09 AZ _ az");
const SPACES: readonly CharRange[] = [
  [9, 13],
  [32, 32],
];

/** `\d`, `\w`, `\s` and their opposites: ASCII, as what a request says of itself is. */
export const PERL_CLASSES: Readonly<Record<string, readonly CharRange[]>> = {
  d: DIGITS,
  D: complementOf(DIGITS),
  w: WORD,
  W: complementOf(WORD),
  s: SPACES,
  S: complementOf(SPACES),
};

/** `[[:alpha:]]` and its like. */
export const POSIX_CLASSES: Readonly<Record<string, readonly CharRange[]>> = {
  alnum: rangesOf("09 AZ az"),
  alpha: rangesOf("AZ az"),
  digit: DIGITS,
  lower: rangesOf("az"),
  upper: rangesOf("AZ"),
  word: WORD,
  space: SPACES,
  punct: rangesOf("!/ :@ [` {~"),
  xdigit: rangesOf("09 AF af"),
};

export const ANY = new CharSet([[0, LAST]]);
export const ANY_IN_LINE = new CharSet([[10, 10]], true);
export const WORD_CHARACTERS = new CharSet(WORD);
