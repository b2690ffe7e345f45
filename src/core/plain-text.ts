/**
 * Text that somebody else chose, for a log or a terminal: control characters could move its cursor,
 * hide what was printed before, or begin a line that looks like one of ours; marks of direction
 * could turn it round. They are shown by their numbers.
 */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Of one line; enough for every reason, and for a stack frame. */
export const LINE_LENGTH_MAX = 1_000;

export const plainText = (text: string, lengthMax = LINE_LENGTH_MAX): string => {
  const kept = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  return kept.replace(UNSEEN, numbered);
};

const numbered = (character: string): string =>
  `\\u{${character.charCodeAt(0).toString(16).padStart(2, "0")}}`;

/** JSON in one line without what a terminal would act on; it means the same. */
export const plainJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNSEEN, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Of URLs and paths only what is before the query: tokens and names of people travel in queries. */
export const withoutQueries = (text: string, lengthMax = LINE_LENGTH_MAX): string =>
  text
    .slice(0, lengthMax)
    .replace(/((?:\/|\b(?:url|host) = )[^\s"'<>()?#]{0,500})[?#][^\s"'<>()]*/g, "$1?…");

const REASON_LENGTH_MAX = 300;

/** What went wrong, for a line of the log. */
export const plainReason = (reason: string): string =>
  plainText(withoutQueries(reason, REASON_LENGTH_MAX), REASON_LENGTH_MAX);
