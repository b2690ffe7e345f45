/**
 * The text of a key, made so that spellings which an origin may take for the same thing are the same
 * text. To lock too much costs a refusal at times; to lock too little lets two run at once.
 */

/** No number that names something is longer; 2^256 has 78 digits. */
const LITERAL_LENGTH_MAX = 256;
const EXPONENT_MAX = 400;
/** Up to here a number is written without an exponent (ECMA-262, Number::toString). */
const PLAIN_DIGITS_MAX = 21;
const PLAIN_ZEROS_MAX = 6;

/**
 * In one normal form, without what is not seen and without blanks around. Null for a text that ends
 * in the middle for origins written in C.
 */
export const foldedKey = (text: string): string | null => {
  const folded = withoutBlanks(
    text.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, ""),
  );
  return folded.includes("\u0000") ? null : folded;
};

/** What any language trims: Java's `trim` takes control characters, Python's and .NET's U+0085. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const BLANK = /[\s\u0001-\u001f\u0085]/;

/** In one pass: a pattern would look again from every blank of a long row. */
const withoutBlanks = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text[start] ?? "")) start += 1;
  while (end > start && BLANK.test(text[end - 1] ?? "")) end -= 1;
  return text.slice(start, end);
};

/** As parsers that do not mind the case compare the names of members and fields; a NUL ends one for some. */
export const foldedName = (name: string): string =>
  /^[\u0020-\u007e]*$/.test(name)
    ? name.toLowerCase()
    : (name.split("\u0000", 1)[0] ?? "").normalize("NFKC").toLowerCase();

/** As PHP and its like take the name of a field: in one case, no dots or blanks, cut where it has an index. */
export const looseFieldName = (name: string): string =>
  foldedName(name)
    .trim()
    // eslint-disable-next-line no-control-regex -- a NUL ends a name for some
    .replace(/(?!^)[[\u0000].*$/s, "")
    .replace(/[. +]/g, "_");

/**
 * The text of a JSON number: equal numbers have the same one, and no others, however large. Null where
 * readers differ: one with a fraction or exponent that no double holds is another number for most.
 */
export const exactNumber = (literal: string): string | null => {
  if (literal.length > LITERAL_LENGTH_MAX) return null;
  const exact = decimalOf(literal);
  if (exact === null || !/[.e]/i.test(literal)) return exact;
  const asDouble = Number(literal);
  if (!Number.isFinite(asDouble)) return null;
  const seen = Number.isInteger(asDouble) ? BigInt(asDouble) : asDouble;
  return decimalOf(String(seen)) === exact ? exact : null;
};

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** As `String` would write it if doubles were exact. */
const decimalOf = (literal: string): string | null => {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(literal) ?? [];
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  if (digits === "") return all === "" ? null : "0";
  const shift = Number(exponent);
  if (Math.abs(shift) > EXPONENT_MAX) return null;
  return sign + written(digits, whole.length + shift - (all.length - significant.length));
};

/** The point stands after so many of the digits. */
const written = (digits: string, point: number): string => {
  const count = digits.length;
  if (point >= count && point <= PLAIN_DIGITS_MAX) return digits.padEnd(point, "0");
  if (point > 0 && point <= PLAIN_DIGITS_MAX)
    return `${digits.slice(0, point)}.${digits.slice(point)}`;
  if (point > -PLAIN_ZEROS_MAX && point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  const power = point > 0 ? `+${point - 1}` : String(point - 1);
  return `${digits[0]}${count > 1 ? "." : ""}${digits.slice(1)}e${power}`;
};
